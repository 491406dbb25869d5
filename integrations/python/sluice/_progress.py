# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Progress: something to be called with the share that is done, or a bar with update() and total, as tqdm's."""


def teller(progress):
    """What is called with the share that is done, 0 to 1."""
    if callable(getattr(progress, "update", None)):
        return _Bar(progress)
    if callable(progress):
        return progress
    kind = type(progress).__name__
    raise TypeError("progress is a function of the share that is done, or a progress bar, not " + kind)


class _Bar:
    """Tells a bar by how much it is to move. Its total stays what it is; 1 if it has none."""

    def __init__(self, bar):
        self._bar = bar
        if getattr(bar, "total", None) is None:
            bar.total = 1.0
        self._told = 0.0

    def __call__(self, share):
        now = self._bar.total if share >= 1 else share * self._bar.total
        if now > self._told:
            self._bar.update(now - self._told)
            self._told = now
