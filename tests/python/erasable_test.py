# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Filters whose keys are removed again, beside a Counter."""
import collections
import copy
import pickle
import random
import threading

import numpy as np
import pytest
import sluice
from hypothesis import given, settings
from hypothesis import strategies as st

makers = {
    "filter": lambda **how: sluice.Filter(keys=2000, fpr=1e-4, erasable=True, **how),
    "chain": lambda **how: sluice.GrowingFilter(fpr=1e-3, first_keys=100, factor=2, erasable=True, **how),
}


@pytest.fixture(params=makers)
def make(request):
    return makers[request.param]


@pytest.mark.parametrize("kind", makers)
@settings(max_examples=30, deadline=None)
@given(script=st.lists(st.tuples(st.sampled_from("+-"), st.integers(0, 60)), max_size=400))
def test_a_counter_beside_it(kind, script):
    f, twin = makers[kind](), collections.Counter()
    for what, key in script:
        if what == "+":
            assert f.add(key)
            twin[key] += 1
        elif twin[key]:
            f.remove(key)
            twin[key] -= 1
    assert len(f) == twin.total()
    for key, copies in twin.items():
        assert f.count(key) >= copies
        assert not copies or key in f


def test_keys_come_and_go(make):
    f = make()
    assert f.update(np.arange(1500)) == 1500
    assert f.difference_update(np.arange(500)) == 500
    assert f.contains(np.arange(500, 1500)).all()
    assert f.contains(np.arange(500)).sum() < 10
    f -= range(500, 1500)
    assert len(f) == 0
    for _ in range(20):
        assert f.update(i for i in range(1000)) == 1000
        assert f.difference_update(iter(range(1000))) == 1000
    assert len(f) == 0


def test_counts(make):
    f = make()
    f.update(["a", "b", "b", "c"] * 3)
    assert f.counts(["a", "b", "d"]).tolist() == [3, 6, 0]
    assert f.counts(np.array([b"a", b"c"])).dtype == np.uint64
    assert f.counts([]).tolist() == []
    with pytest.raises(sluice.Error, match="kind bytes"):
        f.count(7)


def test_what_is_not_in_is_not_removed(make):
    f = make()
    assert f.discard("a") is False
    assert f.difference_update(["a", "b"]) == 0
    assert f.count("a") == 0
    assert f.counts(["a"]).tolist() == [0]
    assert f.kind is None, "no key came"
    f.add("b")
    with pytest.raises(KeyError, match="'a'"):
        f.remove("a")
    assert f.discard("b") is True
    assert len(f) == 0


def test_others_give_nothing_back():
    for f in (sluice.Filter(keys=100), sluice.GrowingFilter(), sluice.build_static(["a"])):
        for call in (f.remove, f.discard):
            with pytest.raises(ValueError, match="erasable=True"):
                call("a")
        with pytest.raises(ValueError, match="erasable=True"):
            f.difference_update(["a"])
        f |= f
        assert f.count("a") == ("a" in f)


def test_files_and_copies(make, tmp_path):
    f = make(kind="int")
    f.update([1, 1, 2, 3])
    f.save(tmp_path / "f")
    for again in (sluice.load(tmp_path / "f"), copy.copy(f), pickle.loads(pickle.dumps(f))):
        assert again == f
        assert again.counts([1, 2, 3, 4]).tolist() == [2, 1, 1, 0]
        again.remove(1)
        assert again.count(1) == 1 and f.count(1) == 2
    with sluice.open(tmp_path / "f") as opened:
        assert opened.counts([1, 2, 3, 4]).tolist() == [2, 1, 1, 0]
        with pytest.raises(sluice.Error, match="cannot be added to"):
            opened.remove(1)


def test_unions(make):
    a, b = make(), make()
    a.update(range(300))
    b.update(range(200, 500))
    a |= b
    assert a.count(250) >= 2
    assert a.difference_update(range(300)) == 300
    assert a.contains(np.arange(200, 500)).all()


def test_plans():
    assert sluice.plan(keys=1e6, fpr=1e-4, erasable=True)[0].scheme == "ledger"
    assert all(one.scheme != "ledger" for one in sluice.plan(keys=1e6, fpr=1e-4))
    f = sluice.Filter(keys=1000, fpr=1e-3, erasable=True)
    assert f.info()["scheme"] == "ledger"
    with pytest.raises(ValueError, match="power of two|2, 4, 8"):
        sluice.GrowingFilter(factor=3, erasable=True)


def test_a_full_one_says_so():
    f = sluice.Filter(keys=1000, fpr=1e-3, erasable=True)
    with pytest.warns(sluice.OverfullWarning), pytest.raises(sluice.Error, match="full"):
        for i in range(10_000):
            f.add(i)
    kept = len(f)
    assert 1000 <= kept < 10_000
    assert f.contains(np.arange(kept)).all()


def test_threads(make):
    f = make()
    f.update(range(1000, 1500))

    def come_and_go(first):
        shuffled = list(range(first, first + 100))
        for _ in range(30):
            random.Random(first).shuffle(shuffled)
            for key in shuffled:
                f.add(key)
            assert f.difference_update(shuffled) == 100
            assert f.contains(np.arange(1000, 1500)).all()

    threads = [threading.Thread(target=come_and_go, args=(100 * n,)) for n in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert len(f) == 500
    assert f.counts(np.arange(1000, 1500)).min() == 1
