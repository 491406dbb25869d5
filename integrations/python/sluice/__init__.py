# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Access-efficient Bloom filters: one call per array, and the planner's answer before memory is spent.

>>> import numpy as np, sluice
>>> ids = np.arange(1_000_000)
>>> seen = sluice.Filter(keys=len(ids), fpr=1e-6)
>>> seen.update(ids)
1000000
>>> 42 in seen
True
>>> int(seen.contains(np.arange(2_000_000)).sum()) - 1_000_000 < 30
True
"""
from sluice import _html, errors
from sluice._core import (
    AnyFilter,
    ConcurrentFilter,
    Filter,
    GrowingFilter,
    OpenedFilter,
    ResealableFilter,
    SealedMap,
    build_static,
    load,
    open,  # noqa: A004: sluice.open is what it is called
)
from sluice._core import version as __version__
from sluice._plans import (
    Bound,
    Candidate,
    Plan,
    Prediction,
    Simulation,
    best_loads,
    cost_of,
    model,
    optimality_region,
    plan,
    simulate,
)
from sluice.errors import Error, OverfullWarning

__all__ = [
    "AnyFilter",
    "Bound",
    "Candidate",
    "ConcurrentFilter",
    "Error",
    "Filter",
    "GrowingFilter",
    "OpenedFilter",
    "OverfullWarning",
    "Plan",
    "Prediction",
    "ResealableFilter",
    "SealedMap",
    "Simulation",
    "best_loads",
    "build_static",
    "cost_of",
    "errors",
    "load",
    "model",
    "open",
    "optimality_region",
    "plan",
    "simulate",
]

# What they show of themselves is written in Python.
for _type in (AnyFilter, ConcurrentFilter):
    _type.__repr__ = _html.filter_text
    _type._repr_html_ = _html.filter_html
ResealableFilter.__repr__ = _html.resealable_text
SealedMap.__repr__ = _html.map_text
for _type in (AnyFilter, ConcurrentFilter, Filter, GrowingFilter, OpenedFilter, ResealableFilter, SealedMap):
    _type.__module__ = "sluice"
for _function in (build_static, load, open):
    _function.__module__ = "sluice"
del _type, _function
