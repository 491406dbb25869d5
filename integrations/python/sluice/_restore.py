# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What pickles call: functions that can be named, which those of the compiled part cannot."""
from sluice import _core


def opened(data: bytes, grows: bool):
    """An opened file, in memory."""
    return (_core.GrowingFilter if grows else _core.Filter).from_bytes(data)


def resealable(base: _core.Filter, later: _core.GrowingFilter) -> _core.ResealableFilter:
    """The filter that had these parts."""
    return _core.ResealableFilter.from_parts(base, later)


def shared(f: _core.Filter) -> _core.ConcurrentFilter:
    """A shared filter with the keys of this one."""
    return _core._shared_from(f)
