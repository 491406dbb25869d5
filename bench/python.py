# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What the Python package costs: arrays, lists of str, single keys and the dedup of a column, beside the library's own
bulk call, a Python set, pandas and the Bloom filter that one writes with numpy. In turn, medians of the rounds; the rates
and lines of the filters stand beside the times. `./dev bench --only python` runs it, on one core."""
import argparse
import ctypes
import os
import pathlib
import statistics
import tempfile
import time
import warnings

import numpy as np

import sluice

odd = [np.uint64(0x9E3779B97F4A7C15 + 2 * 0x632BE59BD9B4E019 * i & (1 << 64) - 1) for i in range(16)]


class NumpyBloom:
    """Classic, as many have written it: k multiplicative hashes, a byte array of bits."""

    def __init__(self, bits, hashes):
        self.bits, self.hashes = np.uint64(bits), hashes
        self.data = np.zeros(bits // 8 + 1, dtype=np.uint8)

    def positions(self, keys, i):
        mixed = (keys ^ (keys >> np.uint64(29))) * odd[i]
        return (mixed ^ (mixed >> np.uint64(32))) % self.bits

    def update(self, keys):
        for i in range(self.hashes):
            p = self.positions(keys, i)
            np.bitwise_or.at(self.data, p >> np.uint64(3), np.uint8(1) << (p & np.uint64(7)).astype(np.uint8))

    def contains(self, keys):
        found = np.ones(len(keys), dtype=bool)
        for i in range(self.hashes):
            p = self.positions(keys, i)
            found &= (self.data[p >> np.uint64(3)] >> (p & np.uint64(7)).astype(np.uint8) & np.uint8(1)).astype(bool)
        return found


def in_turn(rounds, contenders):
    """Median seconds of each."""
    times = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, call in contenders.items():
            begun = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - begun)
    return {name: statistics.median(some) for name, some in times.items()}


def show(title, seconds, count, beside):
    print(f"\n{title}")
    for name, s in seconds.items():
        print(f"  {name:24} {s / count * 1e9:8.1f} ns a key {count / s / 1e6:8.1f} million a second   {beside.get(name, '')}")


def about(f):
    info = f.info()
    p = sluice.plan(keys=info["planned_keys"], fpr=0.001)[0].predicted
    return f"{info['scheme']}, FPR {info['fpr']:.1e}, {p.accesses_hit:.2f} lines per hit, {p.accesses_miss:.2f} per miss"


def integers(count, rounds, baseline):
    f = sluice.Filter(keys=count, fpr=0.001, seed=1)
    keys = np.random.default_rng(1).integers(0, 2**63, count, dtype=np.uint64)
    asked = np.concatenate([keys[: count // 2], np.random.default_rng(2).integers(0, 2**63, count // 2, dtype=np.uint64)])
    f.update(keys)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "f"
        f.save(path)
        opened = baseline.baseline_open(os.fsencode(path))
    answers = np.empty(len(asked), dtype=np.uint8)
    where = asked.ctypes.data, len(asked), answers.ctypes.data
    numpy_filter = NumpyBloom(f.info()["memory"] * 8, 10)
    numpy_filter.update(keys)
    got = in_turn(
        rounds,
        {
            "the library in C++": lambda: baseline.baseline_look_up(opened, *where),
            "sluice": lambda: f.contains(asked, threads=1),
            "numpy": lambda: numpy_filter.contains(asked[: count // 10]),
        },
    )
    got["numpy"] *= 10
    assert (f.contains(asked) == answers.astype(bool)).all() and f.contains(keys).all() and numpy_filter.contains(keys).all()
    absent = asked[count // 2 :]
    beside = {"sluice": about(f), "numpy": f"classic, FPR {numpy_filter.contains(absent).mean():.1e}, 10 lines per hit"}
    show(f"contains of {count} uint64, half of them stored, one thread", got, count, beside)
    print(f"  sluice has {got['the library in C++'] / got['sluice']:.2f} of the library's rate")
    baseline.baseline_close(opened)


def texts(count, rounds):
    words = [f"user:{i:09}" for i in range(count)]
    asked = words[::2] + [f"nobody:{i:07}" for i in range(count // 2)]
    f = sluice.Filter(keys=count, fpr=0.001, seed=1)
    f.update(words)
    known = set(words)
    got = in_turn(
        rounds, {"sluice": lambda: f.contains(asked, threads=1), "a set": lambda: [w in known for w in asked]}
    )
    show(f"contains of a list of {len(asked)} str, one thread", got, len(asked), {"sluice": about(f), "a set": "exact"})


def dedup(title, keys, distinct, rounds):
    """Which rows are the first of their kind: a new filter, or set, in every round."""
    made = sluice.plan(keys=distinct, fpr=0.001)[0]

    def by_filter(some):
        return made.filter().add_new(some, threads=1)

    def by_growing():
        return sluice.GrowingFilter(fpr=0.001).add_new(keys, threads=1)

    def by_add():
        add = made.filter().add
        return [add(k) for k in listed[: len(listed) // 10]]

    def by_set():
        seen = set()
        return [k not in seen and not seen.add(k) for k in listed]

    listed = keys.tolist() if isinstance(keys, np.ndarray) else keys
    contenders = {
        "add_new": lambda: by_filter(keys),
        "add_new, growing": by_growing,
        "a loop over add": by_add,
        "a set": by_set,
    }
    try:
        import pandas

        column = pandas.Series(keys)
        contenders["pandas duplicated"] = lambda: ~column.duplicated()
    except ImportError:
        print("\n(pandas is not installed)")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sluice.OverfullWarning)
        got = in_turn(rounds, contenders)
        got["a loop over add"] *= 10
        first = by_filter(keys)
    exact = np.array(by_set())
    assert (first <= exact).all() and exact.sum() - first.sum() < 0.002 * exact.sum()
    show(f"dedup of {len(keys)} {title}, {int(exact.sum())} of them different, one thread", got, len(keys), {"add_new": made.scheme})


def singles(rounds):
    count = 200_000
    f = sluice.Filter(keys=1000, fpr=0.001, seed=1)
    f.update(range(1000))
    g = sluice.Filter(keys=1000, fpr=0.001, seed=1)
    g.update([str(i) for i in range(1000)])
    known, texts_known = set(range(1000)), {str(i) for i in range(1000)}

    def ask(container, key):
        def loop(container=container, key=key):
            for _ in range(count):
                key in container  # noqa: B015

        return loop

    got = in_turn(
        rounds,
        {
            "sluice, int": ask(f, 500),
            "a set, int": ask(known, 500),
            "sluice, str": ask(g, "500"),
            "a set, str": ask(texts_known, "500"),
            "the loop alone": lambda: loop_alone(count),
        },
    )
    show("key in filter, with the loop around it", got, count, {"sluice, int": about(f), "sluice, str": about(g)})


def loop_alone(count):
    for _ in range(count):
        pass


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--baseline", required=True, help="the library of bench/python_baseline.cpp")
    options.add_argument("--keys", type=lambda text: int(float(text)), default=10_000_000)
    options.add_argument("--rounds", type=int, default=7)
    o = options.parse_args()
    baseline = ctypes.CDLL(o.baseline)
    baseline.baseline_open.restype = ctypes.c_void_p
    baseline.baseline_look_up.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]
    baseline.baseline_close.argtypes = [ctypes.c_void_p]
    integers(o.keys, o.rounds, baseline)
    texts(min(o.keys, 1_000_000), o.rounds)
    numbers = np.random.default_rng(3).integers(0, o.keys // 2, o.keys, dtype=np.uint64)
    dedup("uint64", numbers, o.keys // 2, o.rounds)
    few = numbers[: min(o.keys, 1_000_000)] % np.uint64(max(1, min(o.keys, 1_000_000) // 2))
    dedup("str", [f"user:{n:09}" for n in few.tolist()], len(few) // 2, o.rounds)
    singles(o.rounds)


if __name__ == "__main__":
    main()
