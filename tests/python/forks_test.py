# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Children of fork() while other threads of the parent use the same filters: nothing hangs, nothing is half done."""
import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import sluice

kept = np.arange(2000)
generous = 60  # seconds; a child that hangs is ended then, and only then


def in_child(body):
    """Forks, and demands that body() ends in the child with something true."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(generous)
            code = 0 if body() else 2
        except BaseException as e:
            os.write(2, f"in the child: {e!r}\n".encode())
        finally:
            os._exit(code)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status != -signal.SIGALRM, "the child hangs"
    assert status == 0


class Busy:
    """Threads that call the functions again and again, from the first call on to the end of the scope."""

    def __init__(self, *calls):
        self.failures, self.stop, self.begun = [], threading.Event(), [threading.Event() for _ in calls]
        self.threads = [threading.Thread(target=self.work, args=pair) for pair in zip(calls, self.begun)]

    def work(self, call, begun):
        try:
            while not self.stop.is_set():
                call()
                begun.set()
        except BaseException as e:
            self.failures.append(e)
            begun.set()

    def __enter__(self):
        for t in self.threads:
            t.start()
        for b in self.begun:
            b.wait()
        return self

    def __exit__(self, *error):
        self.stop.set()
        for t in self.threads:
            t.join()
        assert not self.failures


def test_a_child_of_one_thread(make):
    f = make()
    f.update(kept)
    in_child(lambda: f.contains(kept, threads=2).all() and 5 in f and f.add(10**9) and 10**9 in f)
    assert 10**9 not in f


def test_children_use_what_other_threads_use(make):
    f, other = make(), make()
    f.update(kept)
    more = np.arange(10_000, 20_000)
    others = other.snapshot() if hasattr(other, "snapshot") else other
    others.update(kept + 5000)

    def use():
        assert f.contains(kept).all() and 5 in f and 10**9 not in f
        assert f.add(10**9) and 10**9 in f and f.update(np.arange(30_000, 30_100)) >= 99
        before = len(f)
        f.add(10**9 + 1)
        assert f.contains(more, threads=2).size == more.size and len(f) >= before
        f.__ior__(others)
        assert f.contains(kept + 5000).all() and pickle.loads(pickle.dumps(f)).contains(kept).all()
        return not hasattr(f, "info") or f.info()["keys"] > 0

    # Lookups and insertions, of one key and of many; and what reads all of it.
    calls = (lambda: f.contains(more), lambda: f.update(more), lambda: f.add(7), lambda: 7 in f, lambda: pickle.dumps(f))
    calls += (lambda: f.add_new(more), lambda: f == other)
    with Busy(*calls):
        for _ in range(12):
            in_child(use)
    assert 10**9 not in f and f.contains(more).all()


def test_children_use_sealed_filters_and_maps_that_other_threads_use():
    f = sluice.ResealableFilter(kept, fpr=1e-6)
    m = sluice.SealedMap(kept, kept % 60)
    more = np.arange(10_000, 20_000)

    def use():
        assert f.contains(kept).all() and f.add(10**9) and 10**9 in f and (m.lookup(kept)[0] == kept % 60).all()
        f.add_new(more)
        assert f.contains(more).all() and f == f.copy() and pickle.loads(pickle.dumps(f)).contains(kept).all()
        f.reseal(np.concatenate([kept, more, [10**9]]))
        return f.contains(more).all() and 10**9 in f and f.later_share == 0

    calls = (lambda: f.contains(more), lambda: f.add_new(more), lambda: f.update(more), lambda: f.add(7), lambda: m.lookup(more))
    with Busy(*calls, lambda: len(f), lambda: pickle.dumps(f)):
        for _ in range(8):
            in_child(use)
    assert 10**9 not in f and f.contains(more).all()


@pytest.mark.parametrize("scheme", ["Filter", "single", "GrowingFilter"])
def test_a_child_has_updates_as_a_whole_or_not_at_all(scheme):
    """Every update here is one step. A fork in the midst of one would leave a part of its keys, or a broken list."""
    size, most = 50_000, 40
    if scheme == "GrowingFilter":
        f = sluice.GrowingFilter(fpr=1e-6, first_keys=1000, kind="int")
    elif scheme == "single":
        # Most keys are in the list, which moves as it grows.
        p = {"scheme": "single", "blocks": 10_000, "threshold": 30, "hashes": 8}
        f = sluice.Filter.from_parameters(p, kind="int")
    else:
        f = sluice.Filter(keys=size * most, fpr=1e-6, kind="int")
    done = [0]

    def update():
        if done[0] < most:
            f.update(np.arange(done[0] * size, (done[0] + 1) * size))
            done[0] += 1
        else:
            time.sleep(0.001)

    def look():
        ended = done[0]
        if not f.contains(np.arange(ended * size)).all():
            return False
        last = int(f.contains(np.arange(ended * size, (ended + 1) * size)).sum())
        return last < size // 100 or last == size

    with Busy(update) as busy:
        while done[0] < most and not busy.failures:
            in_child(look)
    assert f.contains(np.arange(most * size)).all()


def test_unions_and_forks():
    p = sluice.plan(keys=200_000, fpr=1e-3)[0]
    a, b = p.filter(kind="int"), p.filter(kind="int")
    a.update(kept)
    b.update(kept + 5000)

    def unite(x, y):
        x |= y

    with Busy(lambda: unite(a, b), lambda: unite(b, a)):
        for _ in range(10):
            in_child(lambda: (unite(a, b), a.contains(kept).all() and a.contains(kept + 5000).all())[1])


@pytest.mark.parametrize("call", ["update", "contains", "add_new"])
def test_a_fork_amid_a_call_goes_on_in_both(call):
    """The progress function forks: the call is on its way in this thread, and in the child it ends, too."""
    f = sluice.Filter(keys=5_000_000, fpr=0.01, kind="int")
    keys = np.arange(5_000_000)
    children = []

    def fork(share):
        if not children:
            children.append(os.fork())
            if children[0] == 0:
                signal.alarm(generous)

    code = 1
    try:
        getattr(f, call)(keys, threads=1, progress=fork)
        if call == "contains":
            f.update(keys)
        threads = [threading.Thread(target=f.add, args=[k]) for k in (-1, -2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert f.contains(keys).all() and -1 in f and -2 in f
        code = 0
    finally:
        if children == [0]:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_a_fork_amid_a_build_ends_it_in_the_child():
    """The thread that builds is not in the child."""
    children, seen = [], ""

    def fork(share):
        if not children and share < 1:
            children.append(os.fork())
            if children[0] == 0:
                signal.alarm(generous)

    try:
        sluice.build_static(np.arange(3_000_000), fpr=1e-4, scheme="gated", threads=1, progress=fork)
    except sluice.Error as e:
        seen = str(e)
    finally:
        if children == [0]:
            os._exit(0 if "forked" in seen else 1)
    assert seen == "" and children, "nothing was told in between"
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0
