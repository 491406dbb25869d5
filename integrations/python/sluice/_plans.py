# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Plans, predictions and simulations: what the library says, as values that a notebook shows."""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from sluice import _core, _html
from sluice._core import Filter


@dataclasses.dataclass(frozen=True)
class Prediction:
    """What a model says of a filter before it exists.

    ``fpr`` is the expectation over the set bits, which filters have; ``fpr_usual`` the textbook formula's.
    ``loads[i]`` is the share of the blocks with load i, in ``load_unit`` ("bits" that are set, or "keys").
    """

    fpr: float
    fpr_usual: float
    accesses_insert: float
    accesses_hit: float
    accesses_miss: float
    overflow_fraction: float
    refused_fraction: float
    load_unit: str
    loads: np.ndarray = dataclasses.field(repr=False)

    def _repr_html_(self) -> str:
        return _html.table(_html.facts(self, skip=("loads", "load_unit"))) + _html.picture(self.loads, self.load_unit)


@dataclasses.dataclass(frozen=True)
class Simulation:
    """What a real filter did. ``fpr`` is computed from its bits; false positives were counted beside it."""

    keys: int
    fpr: float
    false_positives: int
    lookups_absent: int
    accesses_insert: float | None
    accesses_hit: float | None
    accesses_miss: float | None
    bits_per_key: float
    memory_bits_per_key: float
    memory: int
    overflow_keys: int
    forced_keys: int
    refused_keys: int
    load_unit: str
    load_histogram: np.ndarray = dataclasses.field(repr=False)

    @property
    def fpr_counted(self) -> float:
        """The share of absent keys that were found."""
        return self.false_positives / self.lookups_absent

    def _repr_html_(self) -> str:
        shown = _html.facts(self, skip=("load_histogram", "load_unit"))
        return _html.table(shown) + _html.picture(self.load_histogram, self.load_unit)


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A filter that could be built, and what it would do.

    ``fpr`` is the model's, as that of ``predicted``; ``fpr_overfull`` with a quarter more keys, None where it takes no
    more than it is made from.
    """

    scheme: str
    design: str
    keys: float
    fpr: float
    bits_per_key: float
    memory_bits_per_key: float
    memory: float
    mean_cost: float
    time: float
    fpr_overfull: float | None
    broken_limit: str
    why: str
    predicted: Prediction = dataclasses.field(repr=False)
    parameters: dict[str, Any] = dataclasses.field(repr=False)

    def filter(self, kind: str | None = None) -> Filter:
        """The filter, empty.

        >>> import sluice
        >>> f = sluice.plan(keys=1000, fpr=0.01)[0].filter(kind="int")
        >>> f.add(1)
        True
        """
        return Filter.from_parameters(
            self.parameters, planned_keys=round(self.keys), planned_fpr=self.fpr, kind=kind
        )

    def _repr_html_(self) -> str:
        skip = ("predicted", "parameters")
        return _html.table(_html.facts(self, skip=skip)) + _html.picture(self.predicted.loads, self.predicted.load_unit)


class Plan(tuple):
    """Candidates, the best one first; those that break a limit come last. print() shows them as a table."""

    def __str__(self) -> str:
        return _html.plan_text(self)

    def _repr_html_(self) -> str:
        return _html.plan_table(self)


def plan(keys: float | None = None, fpr: float | None = None, **wanted: Any) -> Plan:
    """All filters that could be built for what is wanted, the recommended one first.

    Args:
        keys, fpr, memory (bytes): two of them; or bits_per_key in place of memory.
        by: "balanced", "lines", "bits" or "time": what the order goes by.
        hit_ratio, max_blocks, mean_cost_limit, accesses_hit, accesses_miss, second_line_cost, block_bits, overload,
        no_list, concurrent, mergeable, shards, all_keys_known, erasable, keys_at_most, seed: as in the library's
        plan_request.
        scheme: one, or several to choose from.

    >>> import sluice
    >>> best = sluice.plan(keys=1e8, fpr=1e-6)[0]
    >>> best.scheme, best.fpr <= 1e-6, round(best.memory / 1e6)
    ('gated', True, 391)
    """
    if keys is not None:
        wanted["keys"] = keys
    if fpr is not None:
        wanted["fpr"] = fpr
    return Plan(_candidate(one) for one in _core.plan(**wanted))


def model(
    parameters: Mapping[str, Any] | Candidate | Filter, keys: float | None = None, *, shards: int = 1,
    paper_rule: bool = False,
) -> Prediction:
    """What a filter of these parameters will do with so many keys.

    Args:
        parameters: {"scheme": "gated", ...}, or whatever has some: a candidate of a plan, a filter.
        keys: how many; those of the candidate, or of the filter, unless given.
        shards: it will be the union of this many filters.
        paper_rule: the papers' formulas as they stand: lookups of SINGLE, SEQUENTIAL and MHT go on at every load >= h;
            the rate of 1+alpha is (1 + alpha) q, which may exceed 1.

    >>> import sluice
    >>> f = {"scheme": "blocked", "blocks": 1000, "hashes": 8}
    >>> f"{sluice.model(f, keys=32_000).fpr:.4f}"
    '0.0011'
    """
    described, counted = _parameters(parameters)
    keys = counted if keys is None else keys
    return Prediction(**_core.model(described, keys=keys, shards=shards, paper_rule=paper_rule))


@dataclasses.dataclass(frozen=True)
class Bound:
    """The best that any scheme can do with a mean of accesses and an overflow, for any convex cost.

    ``loads[i]`` is the share of the blocks with i keys; ``threshold`` (h) and ``acceptance`` (p) are those with which
    SINGLE, SEQUENTIAL and MHT reach it.
    """

    k0: int
    threshold: int
    acceptance: float
    overflow: float
    loads: np.ndarray = dataclasses.field(repr=False)

    def cost(self, cost: Callable[[int], float]) -> float:
        """What blocks of these loads cost on average; no scheme costs less where ``cost`` is convex."""
        return cost_of(self.loads, cost)


def best_loads(accesses: float, keys_per_block: float, overflow: float | None = None, *, choices: int = 3) -> Bound:
    """The lower bound of Kanizo, Hay and Keslassy.

    Args:
        accesses: a, the mean of blocks read per insertion.
        keys_per_block: r.
        overflow: gamma, the share of keys in the list; the least at which MHT with so many ``choices`` reaches it.

    >>> import sluice
    >>> bound = sluice.best_loads(1.2, 10, 0.01)
    >>> bound.k0, round(bound.cost(lambda load: load**2), 1)
    (10, 100.2)
    """
    if overflow is None:
        overflow = _core.least_overflow(accesses, choices)
    return Bound(**_core.best_loads(accesses, keys_per_block, overflow))


def cost_of(loads: Any, cost: Callable[[int], float]) -> float:
    """What blocks of these loads cost on average: of a Bound, a Prediction, or any shares of blocks by load."""
    loads = getattr(loads, "loads", loads)
    return float(sum(share * cost(load) for load, share in enumerate(loads) if share != 0))


def optimality_region(
    start: float, end: float, points: int = 11, *, choices: int = 3, keys_per_block: float = 38.4
) -> np.ndarray:
    """Rows of a, and the overflow from which SEQUENTIAL and MHT reach the bound with that mean of accesses."""
    return np.array(_core.optimality_region(start, end, points, choices, keys_per_block))


def simulate(
    parameters: Mapping[str, Any] | Candidate | Filter, keys: int | None = None, *, misses: int | None = None,
    hits: int | None = None, shards: int = 1, rounds: int = 0, threads: int | None = None,
    progress: Callable[[float], None] | Any = None,
) -> Simulation:
    """Builds a real filter of these parameters, asks it, and counts.

    Args:
        parameters, keys: as of model().
        misses: absent keys to look up; as many as give 1,000 false positives unless given.
        hits: stored keys to look up; all of them unless given.
        shards: the union of this many filters is measured.
        rounds: of an offline build; 0 for the usual number.

    >>> import sluice
    >>> s = sluice.simulate({"scheme": "blocked", "blocks": 1000, "hashes": 8}, keys=32_000, misses=100_000)
    >>> 0.0008 < s.fpr < 0.0014, s.accesses_hit
    (True, 1.0)
    """
    described, counted = _parameters(parameters)
    measured = _core.simulate(
        described, keys=int(counted if keys is None else keys), misses=misses, hits=hits, shards=shards, rounds=rounds,
        threads=threads, progress=progress,
    )
    return Simulation(**{f.name: measured[f.name] for f in dataclasses.fields(Simulation)})


def _candidate(told: dict[str, Any]) -> Candidate:
    predicted = Prediction(**told.pop("predicted"))
    return Candidate(scheme=told["parameters"]["scheme"], fpr=predicted.fpr, predicted=predicted, **told)


def _parameters(what: Mapping[str, Any] | Candidate | Filter) -> tuple[dict[str, Any], float]:
    """The parameters, and how many keys they come with; 1 where that is not said."""
    if isinstance(what, Candidate):
        return what.parameters, what.keys
    if isinstance(what, Filter):
        told = what.info()
        return told["filters"][0]["parameters"], max(1, told["keys"])
    return dict(what), 1
