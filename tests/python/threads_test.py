# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Threads under the GIL and without it, interrupts, progress, memory."""
import os
import resource
import signal
import subprocess
import sys
import threading
import tracemalloc

import numpy as np
import pytest

import sluice

many = np.arange(300_000)


@pytest.mark.parametrize("scheme", ["blocked", "gated", "alpha"])
def test_threads_make_the_same_filter(scheme):
    p = sluice.plan(keys=300_000, fpr=1e-3, scheme=scheme)[0]
    one, several = p.filter(), p.filter()
    assert one.update(many, threads=1) == several.update(many, threads=5)
    assert bytes(one) == bytes(several)
    asked = np.arange(600_001)
    assert (one.contains(asked, threads=1) == several.contains(asked, threads=7)).all()
    assert several.contains(asked[::2].astype(">u4"), threads=3)[:150_000].all()


def test_threads_tell_the_same_keys_to_be_new(make):
    """Some are there before, some come often; of equal ones the first is new."""
    f, g = make(), make()
    k = np.concatenate([many[:8000], many[4000:8000], many[:100]] * 30)
    f.update(many[:2000])
    g.update(many[:2000])
    one, several = f.add_new(k, threads=1), g.add_new(k, threads=5)
    assert (one == several).all() and 5990 <= one.sum() <= 6000 and not one[12_100:].any()
    assert g.contains(k).all() and len(g) == len(f)


def test_no_new_key_is_lost_between_threads():
    """Of calls at the same time, at least one is told that a key was new."""
    f = sluice.ConcurrentFilter(keys=100_000, fpr=1e-9)
    k = many[:100_000]
    told = [None] * 4

    def work(i):
        told[i] = f.add_new(k if i % 2 else k[::-1], threads=1)[:: 1 if i % 2 else -1]

    threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert np.any(told, axis=0).all()
    assert 100_000 <= sum(t.sum() for t in told) == len(f)


def test_keys_that_come_while_it_is_sealed_are_not_lost():
    """The filter is used while its successor is built, whose keys are fewer than it then has."""
    f = sluice.ResealableFilter(many[:1000])
    added = []

    def add(share):
        if not added:
            added.append(f.add(-5) and -5 in f)

    with pytest.raises(ValueError, match="were added"):
        f.reseal(many, progress=add)
    assert added == [True] and -5 in f and f.contains(many[:1000]).all() and len(f) == 1001
    f.reseal(np.append(many, -5))
    assert -5 in f and f.contains(many).all() and len(f) == len(many) + 1


def test_keys_that_come_while_those_to_seal_are_read_are_not_lost():
    f = sluice.ResealableFilter(many[:10])

    def keys():
        yield from many[:50].tolist()
        f.add(-5)
        yield from many[50:100].tolist()

    with pytest.raises(ValueError, match="were added"):
        f.reseal(keys())
    assert -5 in f and f.contains(many[:10]).all() and len(f) == 11
    f.reseal([*many[:10].tolist(), -5])
    assert -5 in f and len(f) == 11


def test_bad_numbers_of_threads(make):
    for bad in (0, -1, 5000):
        with pytest.raises(ValueError):
            make().contains([1], threads=bad)
        with pytest.raises(ValueError):
            make().add_new([1], threads=bad)


def test_calls_beside_an_update(make):
    """Singles and bulk lookups, insertions and info() while others update: nothing is lost, nothing breaks."""
    f = make()
    parts = np.split(np.arange(16_000), 8)
    failures = []

    def work(part):
        try:
            for _ in range(5):
                f.update(part)
                assert f.contains(part).all()
                for k in part[:100].tolist():
                    f.add(k)
                    assert k in f
                len(f)
        except BaseException as e:
            failures.append(e)

    threads = [threading.Thread(target=work, args=[p]) for p in parts]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures and f.contains(np.arange(16_000)).all()


def test_unions_both_ways_at_once():
    p = sluice.plan(keys=100_000, fpr=1e-3)[0]
    a, b = p.filter(), p.filter()
    a.update(many[:50_000])
    b.update(many[50_000:100_000])

    def unite(x, y):
        for _ in range(50):
            x |= y

    threads = [threading.Thread(target=unite, args=pair) for pair in ((a, b), (b, a))]
    for t in threads:
        t.start()
    for t in threads:
        t.join(60)
    assert not any(t.is_alive() for t in threads)
    assert a.contains(many[:100_000]).all() and b.contains(many[:100_000]).all()


def test_others_run_while_keys_are_looked_up():
    """The GIL is let go: a thread that counts gets on during a bulk call."""
    f = sluice.Filter(keys=1_000_000, fpr=1e-6)
    keys = np.arange(4_000_000)
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1

    t = threading.Thread(target=count)
    t.start()
    before = counted[0]
    f.update(keys[:1_000_000], threads=1)
    f.contains(keys, threads=1)
    gained = counted[0] - before
    stop.set()
    t.join()
    assert gained > 1000


def test_interrupts():
    """Ctrl-C ends a long build, and the process lives on."""
    code = """
import numpy as np, sluice, threading, signal, os
signal.signal(signal.SIGINT, signal.default_int_handler)  # shells let their background jobs ignore it
begun = threading.Event()
threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
try:
    sluice.build_static(np.arange(20_000_000), fpr=1e-4, scheme="gated", rounds=1000, threads=2,
                        progress=lambda share: begun.set())
except KeyboardInterrupt:
    print("interrupted")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "interrupted\n", done.stderr


def test_progress():
    told = []
    f = sluice.GrowingFilter()
    f.update(np.arange(5_000_000) % 1000, progress=told.append)
    assert told[-1] == 1 and len(told) == 3 and told == sorted(told)

    class Bar:
        total, n = None, 0

        def update(self, by):
            self.n += by

    bar = Bar()
    f.contains(np.arange(5_000_000) % 1000, progress=bar)
    assert bar.total == 1 and bar.n == pytest.approx(1)
    bar = Bar()
    bar.total = 200
    f.contains([1, 2], progress=bar)
    assert bar.n == 200

    class Stop(Exception):
        pass

    def stop(share):
        raise Stop

    for call in (lambda: f.contains([1], progress=stop), lambda: f.update([1], progress=stop), lambda: sluice.build_static(np.arange(300_000), progress=stop)):
        with pytest.raises(Stop):
            call()
    with pytest.raises(TypeError):
        f.contains([1], progress=5)


def test_nothing_leaks():
    """Filters, and twice as many calls that fail, made and forgotten: 1e5 in the long tests."""
    filters = int(os.environ.get("SLUICE_LEAK_FILTERS", 10_000))
    p = sluice.plan(keys=100, fpr=0.01)[0].parameters
    keys, texts = np.arange(100), ["a", "grün", b"c"]

    def use():
        f = sluice.Filter.from_parameters(p)
        f.update(keys)
        f.contains(keys[::2])
        f.add_new(keys + 50)
        f.clear()
        f == f.copy()
        try:
            f.update(texts)
        except TypeError:
            pass
        try:
            f.add(None)
        except TypeError:
            pass

    for _ in range(2000):
        use()
    rss = lambda: int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()
    before = rss()
    for _ in range(filters):
        use()
    assert rss() - before < 2_000_000  # of 1e5 filters 20 bytes each: less than the smallest thing that could leak
    tracemalloc.start()
    first = tracemalloc.take_snapshot()
    for _ in range(2000):
        use()
        sluice.Filter.from_parameters(p, kind="int").copy()
    grown = sum(d.size_diff for d in tracemalloc.take_snapshot().compare_to(first, "filename"))
    tracemalloc.stop()
    assert grown < 100_000
