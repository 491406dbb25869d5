# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Keys: every type, every dtype, and what is refused."""
import array
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sluice

integers = st.integers(-(2**63), 2**64 - 1)
texts = st.text(st.characters(blacklist_categories=["Cs"]))


class Text(str):
    pass


class Index:
    def __index__(self):
        return 77


plan = sluice.plan(keys=1000, fpr=1e-9)[0]
arrays = sluice.plan(keys=5000, fpr=1e-6)[0]


def small():
    return plan.filter()


@given(st.lists(integers, max_size=50))
def test_integers_are_found(keys):
    f = small()
    f.update(keys)
    assert all(k in f for k in keys)
    assert f.contains(keys).all()


@given(st.lists(texts | st.binary(), max_size=50))
def test_texts_and_bytes_are_found(keys):
    f = small()
    for k in keys:
        f.add(k)
    assert f.contains(keys).all()
    as_bytes = [k.encode() if isinstance(k, str) else k for k in keys]
    assert f.contains(as_bytes).all()  # text is its UTF-8


@given(st.lists(integers, min_size=1, max_size=50))
def test_one_by_one_and_together_give_the_same_bytes(keys):
    one, all_ = small(), small()
    new = sum(one.add(k) for k in keys)
    assert all_.update(keys) == new == len(one)
    assert bytes(one) == bytes(all_)


def test_negative_integers_are_their_twos_complement():
    f = small()
    f.add(-1)
    assert 2**64 - 1 in f and np.int8(-1) in f
    f.update(np.array([-5], dtype="i2"))
    assert 2**64 - 5 in f and f.contains(np.array([2**64 - 5], dtype="u8")).all()


@pytest.mark.parametrize("dtype", [o + k + w for o in "<>" for k in "iu" for w in "1248"])
@pytest.mark.parametrize("step", [1, 3, -1])
def test_integer_arrays_of_every_width_order_and_stride(dtype, step, rng):
    info = np.iinfo(dtype)
    a = rng.integers(info.min, info.max, 5000, dtype=np.dtype(dtype).newbyteorder("="), endpoint=True).astype(dtype)[::step]
    f = arrays.filter()
    f.update(a)
    assert f.contains(a).all()
    assert all(int(k) in f for k in a[:200])  # the same keys as Python's own integers
    assert f.contains([int(k) for k in a]).all()


def test_unaligned_and_structured_arrays():
    records = np.zeros(100, dtype=[("tag", "u1"), ("id", "<u8")])
    records["id"] = np.arange(100)
    f = small()
    assert f.update(records["id"]) == 100  # strided and not aligned
    assert f.contains(range(100)).all()
    with pytest.raises(TypeError):
        f.update(records)


def test_texts_of_fixed_width():
    words = ["", "a", "grün", "水", "🜁", "sixteen letters!"]
    f = small()
    f.update(words)
    for dtype in ("U16", "<U20", ">U20", object):
        assert f.contains(np.array(words, dtype=dtype)).all()
    assert f.contains(np.array([w.encode() for w in words], dtype="S20")).all()
    assert f.contains(np.array(words, dtype="U16")[::-2]).all()
    raw = np.array([b"ab", b"c\0"], dtype="S2").view("V2")
    assert list(f.contains(raw)) == [False, False]
    f.update(raw)
    assert b"ab" in f and b"c\0" in f and b"c" not in f


def test_buffers_lists_and_iterables():
    f = small()
    assert f.update(array.array("q", [1, -2, 3])) == 3
    assert f.update(memoryview(array.array("H", [10, 11]))) == 2
    assert f.update(k for k in range(100, 110)) == 10
    assert f.update({200, 201}) == 2 and f.update((300,)) == 1 and f.update({400: None}.keys()) == 1
    for k in (1, -2, 3, 10, 11, 100, 109, 200, 300, 400):
        assert k in f
    assert f.contains(iter([1, 2, 3])).tolist() == [True, False, True]
    assert np.uint32(10) in f and Index() not in f and np.array(3) in f
    g = small()
    assert g.add(bytearray(b"x")) and b"x" in g and memoryview(b"x") in g and memoryview(b"x__")[::3] in g
    assert Text("x") in g and np.str_("x") in g and np.bytes_(b"x") in g


def test_pandas_series():
    pandas = pytest.importorskip("pandas")
    f = small()
    assert f.update(pandas.Series([5, 6, 7])) == 3
    assert f.contains(pandas.Series([7, 8], dtype="Int64")).tolist() == [True, False]
    with pytest.raises(TypeError):
        f.contains(pandas.Series([7, None], dtype="Int64"))


def test_empty_things(make):
    f = make()
    for nothing in ([], (), np.array([]), np.array([], dtype="S3"), np.array([], dtype=object), iter([]), array.array("q")):
        assert f.update(nothing) == 0
        answers = f.contains(nothing)
        assert answers.dtype == bool and answers.shape == (0,)
    assert f.kind is None and len(f) == 0 and 5 not in f and "a" not in f
    assert not f.contains([1, 2]).any() and not f.contains(["a"]).any()


not_keys = [1.0, math.nan, None, True, np.bool_(True), np.float32(1), [1], (1,), {}, object(), 1j, np.array([1, 2]), memoryview(array.array("d", [1]))]


@pytest.mark.parametrize("bad", not_keys, ids=repr)
def test_what_is_no_key(make, bad):
    f = make()
    for call in (f.add, f.__contains__, lambda k: f.update([k]), lambda k: f.contains([1, k])):
        with pytest.raises(TypeError) as caught:
            call(bad)
        assert isinstance(caught.value, sluice.Error) and caught.value.code == "bad_key"
    assert len(f) == 0 and f.kind is None


@pytest.mark.parametrize("bad", ["abc", b"abc", bytearray(b"abc"), 5, 1.5, None, object()], ids=repr)
def test_what_is_not_many_keys(make, bad):
    for call in (make().update, make().contains):
        with pytest.raises(TypeError):
            call(bad)


@pytest.mark.parametrize("dtype", ["f4", "f8", "?", "c16", "M8[s]", "m8[s]"])
def test_arrays_that_have_no_keys(make, dtype):
    with pytest.raises(TypeError, match="has no keys"):
        make().contains(np.ones(3).astype(dtype))
    with pytest.raises(TypeError):
        make().update(np.ma.array([1, 2], mask=[0, 1]))


def test_wrong_shapes(make):
    for wrong in (np.ones((2, 2), dtype=int), np.array(5), np.zeros((0, 3), dtype=int)):
        with pytest.raises(ValueError):
            make().contains(wrong)


@pytest.mark.parametrize("huge", [2**64, -(2**63) - 1, 10**30, -(10**30)])
def test_integers_beyond_64_bits(make, huge):
    f = make()
    for call in (f.add, f.__contains__, lambda k: f.update([1, k])):
        with pytest.raises(OverflowError) as caught:
            call(huge)
        assert isinstance(caught.value, sluice.Error)
    f.add(2**64 - 1), f.add(-(2**63))
    assert 2**64 - 1 in f and -(2**63) in f and 2**63 in f


def test_lone_surrogates(make):
    f = make(kind="bytes")
    for call in (f.add, lambda k: f.update(["a", k]), lambda k: f.contains(np.array([k]))):
        with pytest.raises(ValueError):
            call("\ud800")
    assert len(f) == 0


def test_a_filter_has_keys_of_one_kind(make):
    f = make()
    f.add("a")
    for call in (lambda: f.add(1), lambda: 1 in f, lambda: f.update([1]), lambda: f.contains(np.arange(3)), lambda: f.update(np.arange(3))):
        with pytest.raises(TypeError, match="kind bytes"):
            call()
    g = make(kind="int")
    for call in (lambda: g.add("a"), lambda: "a" in g, lambda: g.update(["a"]), lambda: g.contains(np.array(["a"]))):
        with pytest.raises(TypeError, match="kind u64"):
            call()
    with pytest.raises(TypeError, match="key number 1"):
        make().update([1, "a"])
    with pytest.raises(ValueError, match="kind is"):
        make(kind="float")


def test_a_bad_key_in_a_list_adds_nothing():
    f = small()
    with pytest.raises(TypeError, match="key number 2"):
        f.update([1, 2, None])
    assert len(f) == 0
    words = ["a"] * 5000 + ["\ud800"]
    for keys in (words, np.array(words, dtype=object)):
        with pytest.raises(ValueError, match="key number 5000"):
            f.update(keys)
    assert len(f) == 0


def test_a_call_that_adds_nothing_says_nothing_of_the_keys(make):
    bad = np.array(["\ud800"])
    for f in (make(), sluice.ResealableFilter([])):
        for call in (f.update, f.add_new):
            with pytest.raises(ValueError):
                call(bad)
        assert f.kind is None and len(f) == 0 and f.add(1) and f.kind == "u64"
    f = make()
    with pytest.raises(ValueError) as caught:
        f |= sluice.Filter(keys=100_000, fpr=1e-5, kind="bytes")
    assert caught.value.code == "cannot_merge" and f.kind is None and f.add(1) and 1 in f


def test_keys_of_32_bits():
    f = sluice.Filter(keys=100, kind="u32")
    f.add(2**32 - 1)
    for call in (lambda: f.add(2**32), lambda: f.update(np.array([1, 2**32])), lambda: f.update([-1])):
        with pytest.raises(TypeError):
            call()
    assert f.contains([2**32 - 1, 2**32]).tolist()[0]


def test_a_list_that_changes_under_the_reader():
    keys = []

    class Shrinks:
        def __index__(self):
            del keys[1:]
            return 1

    keys += [Shrinks()] + list(range(100))
    with pytest.raises(ValueError):
        small().update(keys)


changes = {
    "shorter": lambda a: a.resize(1, refcheck=False),
    "longer": lambda a: a.resize(10**6, refcheck=False),
    "of a pickle": lambda a: a.__setstate__((1, (3,), np.dtype(object), False, [1, 2, 3])),
    "of numbers": lambda a: a.__setstate__((1, a.shape, np.dtype("i8"), False, bytes(8 * len(a)))),
}


@pytest.mark.parametrize("change", changes)
@pytest.mark.parametrize("step", [None, 1, -2])
def test_an_object_array_that_changes_under_the_reader(change, step):
    """Also what the keys are a view of."""

    class Changes:
        def __index__(self):
            changes[change](whole)
            return 1

    f = small()
    for call in (f.update, f.contains):
        whole = np.array([Changes()] + list(range(99_999)) + [Changes()], dtype=object)
        with pytest.raises(ValueError, match="changed while it was read"):
            call(whole if step is None else whole[::step])
    assert len(f) == 0


def test_an_object_array_whose_elements_change():
    """Only what they are, not where they lie: then each is read as it is when its turn comes."""

    class Replaces:
        def __index__(self):
            keys[1:] = range(1000, 1100)
            return 1

    keys = np.array([Replaces()] + list(range(100)), dtype=object)
    f = small()
    assert f.update(keys) == 101 and f.contains(range(1000, 1100)).all()
