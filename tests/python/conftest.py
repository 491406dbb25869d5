# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: the command line beside it, and a filter of every kind."""
import functools
import os

import numpy as np
import pytest
from hypothesis import settings

import sluice

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=60, database=None)
settings.load_profile("fixed")


@pytest.fixture
def command():
    """The program sluice, whose files the package reads, and the other way round."""
    path = os.environ.get("SLUICE_COMMAND")
    if not path or not os.access(path, os.X_OK):
        pytest.skip("SLUICE_COMMAND is not built")
    return path


# Planning takes a fifth of a second: once for each kind.
_planned = functools.cache(lambda **wanted: sluice.plan(keys=20_000, fpr=1e-4, **wanted)[0])


def planned(kind=None, **wanted):
    return _planned(**wanted).filter(kind=kind)


makers = {
    "Filter": planned,
    "gated": lambda kind=None: planned(kind, scheme="gated"),
    "classic": lambda kind=None: planned(kind, scheme="classic", by="bits", max_blocks=64, mean_cost_limit=64),
    "GrowingFilter": lambda **more: sluice.GrowingFilter(fpr=1e-4, first_keys=1000, **more),
    "ConcurrentFilter": lambda kind=None: sluice._core._shared_from(planned(kind)),
}


@pytest.fixture(params=makers)
def make(request):
    return makers[request.param]


@pytest.fixture
def rng():
    return np.random.default_rng(7)
