"""Filters as values: unions, copies, pickles, bytes, files; what they say of themselves."""
import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import sluice

keys = np.arange(3000)


def test_no_key_is_lost(make, rng):
    f = make()
    k = rng.integers(0, 2**63, 15_000)
    new = f.update(k)
    assert 14_900 < new <= 15_000
    assert f.contains(k).all()
    assert abs(len(f) - new) <= 0.03 * new  # counted, or estimated from the bits
    absent = f.contains(rng.integers(-(2**63), 0, 200_000)).mean()
    assert absent < 5e-4  # the rate is at most 1e-4: a factor of five is 40 standard deviations


def test_unions(make):
    a, b = make(), make()
    a.update(keys)
    if isinstance(b, sluice.ConcurrentFilter):
        b = b.snapshot()
    b.update(keys + 1000)
    a |= b
    assert a.contains(np.arange(4000)).all()
    if isinstance(a, sluice.GrowingFilter):
        assert 4000 <= len(a) <= 6000  # of chains, whose links cannot all be united, an upper bound
    else:
        assert abs(len(a) - 4000) < 120
    if hasattr(a, "copy"):
        both = a | b
        assert type(both) is type(a) and both.contains(np.arange(4000)).all()


def test_unions_that_cannot_be():
    a = sluice.Filter(keys=100)
    a.add(1)
    for other in (sluice.Filter(keys=100, seed=5), sluice.Filter(keys=9000), sluice.GrowingFilter()):
        with pytest.raises(ValueError) as caught:
            a |= other
        assert caught.value.code == "cannot_merge"
    text = sluice.Filter(keys=100)
    text.add("a")
    with pytest.raises(TypeError):
        a |= text
    with pytest.raises(TypeError):
        a |= {1, 2}
    a |= a
    assert len(a) == 1


def test_an_empty_filter_takes_the_kind_of_the_other():
    plan = sluice.plan(keys=100, fpr=1e-3)[0]
    a, b = plan.filter(), plan.filter()
    b.add(7)
    a |= b
    assert 7 in a and a.kind == "u64"
    c = plan.filter()
    a |= c
    assert len(a) == 1 and c.kind is None


def test_copies_and_pickles(make):
    f = make()
    f.update(keys)
    for g in (pickle.loads(pickle.dumps(f)), copy.copy(f), copy.deepcopy(f)):
        assert type(g) is type(f) and g.contains(keys).all() and g.kind == "u64"
        g.add(10**12)
        assert 10**12 in g and 10**12 not in f
    assert pickle.loads(pickle.dumps(make())).kind is None


def test_pickles_across_processes(tmp_path, make):
    f = make()
    f.update(["a", "b"])
    (tmp_path / "f").write_bytes(pickle.dumps(f))
    code = "import pickle, sys; f = pickle.load(open(sys.argv[1], 'rb')); assert 'a' in f and 'b' in f; f.add('c'); assert 'c' in f"
    subprocess.run([sys.executable, "-c", code, tmp_path / "f"], check=True)


def test_bytes():
    for f in (sluice.Filter(keys=5000), sluice.GrowingFilter()):
        with pytest.raises(ValueError, match="kind="):
            bytes(f)
        f.update(keys)
        data = bytes(f)
        g = type(f).from_bytes(data)
        assert bytes(g) == data and g.contains(keys).all() and len(g) == len(f)
        assert type(f).from_bytes(memoryview(data)).contains(keys).all()
        for i in (0, 9, len(data) // 2, len(data) - 1):
            bad = bytearray(data)
            bad[i] ^= 1
            with pytest.raises(ValueError):
                type(f).from_bytes(bad)
        with pytest.raises(ValueError):
            type(f).from_bytes(data[:-1])
        with pytest.raises(ValueError):
            type(f).from_bytes(b"")
    with pytest.raises(ValueError, match="Filter.from_bytes"):
        sluice.GrowingFilter.from_bytes(bytes(sluice.Filter(keys=9, kind="int")))
    with pytest.raises(TypeError):
        sluice.Filter.from_bytes("text")


def test_files(tmp_path, make):
    f = make()
    f.update(["a", "grün"])
    f = f.snapshot() if hasattr(f, "snapshot") else f
    path = tmp_path / "f.sluice"
    f.save(path)
    assert path.read_bytes() == bytes(f)
    with pytest.raises(FileExistsError) as caught:
        f.save(path, replace=False)
    assert caught.value.code == "exists"
    g = sluice.load(str(path))
    assert type(g) is type(f) and "grün" in g and g.add("b")
    with sluice.open(path) as opened:
        assert "a" in opened and "b" not in opened and len(opened) == 2 and opened.kind == "bytes"
        assert opened.contains(["a", "zz"]).tolist() == [True, False]
        opened.verify()
        for call in (lambda: opened.add("x"), lambda: opened.update(["x"]), lambda: opened.__ior__(f)):
            with pytest.raises(OSError) as caught:
                call()
            assert caught.value.code == "read_only"
        assert "a" in pickle.loads(pickle.dumps(opened))
        assert not opened.closed
    assert opened.closed and "closed" in repr(opened)
    for call in (lambda: "a" in opened, lambda: opened.contains(["a"]), opened.info, lambda: len(opened)):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_errors_of_files(tmp_path):
    for call in (sluice.open, sluice.load):
        with pytest.raises(FileNotFoundError) as caught:
            call(tmp_path / "none")
        assert caught.value.code == "not_found" and isinstance(caught.value, sluice.Error) and caught.value.errno == 2
        (tmp_path / "text").write_text("no filter" * 100)
        with pytest.raises(ValueError) as caught:
            call(tmp_path / "text")
        assert caught.value.code == "damaged"
        with pytest.raises(OSError):
            call(tmp_path)
    with pytest.raises(OSError):
        sluice.Filter(keys=9, kind="int").save("/nowhere/at/all")
    with pytest.raises(ValueError, match="the name of the file to write is empty"):
        sluice.Filter(keys=9, kind="int").save("")


def test_the_command_line_reads_ours_and_we_read_its(tmp_path, command):
    run = lambda *words, **more: subprocess.run([command, *map(str, words)], check=True, capture_output=True, text=True, **more).stdout
    ours = sluice.Filter(keys=100, fpr=1e-9)
    ours.update([5, -6, 2**64 - 1])
    ours.save(tmp_path / "ours")
    (tmp_path / "asked").write_text("5\n-6\n7\n18446744073709551615\n")
    assert run("query", tmp_path / "ours", "--input", "decimal", tmp_path / "asked") == "5\n-6\n18446744073709551615\n"
    assert run("query", tmp_path / "ours", "--count", "--key=-6", "--key=-1", "--key=7") == "2\n"
    run("add", tmp_path / "ours", "--key=-7")
    assert -7 in sluice.load(tmp_path / "ours")
    run("build", "-o", tmp_path / "theirs", "--fpr", "1e-9", "--input", "decimal", tmp_path / "asked")
    theirs = sluice.load(tmp_path / "theirs")
    assert theirs.contains(np.array([5, -6, 7])).all() and 2**64 - 1 in theirs and len(theirs) == 4
    (tmp_path / "words").write_text("grün\nblau\n")
    run("build", "-o", tmp_path / "text", "--fpr", "1e-9", tmp_path / "words")
    with sluice.open(tmp_path / "text") as words:
        assert words.contains(["grün", "blau", "rot"]).tolist() == [True, True, False]
        with pytest.raises(TypeError):
            5 in words
    run("build", "--grow", "-o", tmp_path / "chain", tmp_path / "words")
    chain = sluice.load(tmp_path / "chain")
    assert isinstance(chain, sluice.GrowingFilter) and "blau" in chain


def test_the_number_of_keys_is_not_the_keys():
    with pytest.raises(TypeError, match="update"):
        sluice.Filter(keys=np.arange(10))
    for bad in (dict(keys=0), dict(keys=-1), dict(keys=10, fpr=2), dict(keys=10, fpr=float("nan")), dict(), dict(keys=10, scheme="none"), dict(keys=10, seed=-1), dict(keys=10, memory=100, bits_per_key=8), dict(keys=10, by="x"), dict(keys=10, all_keys_known=True)):
        with pytest.raises(ValueError) as caught:
            sluice.Filter(**bad)
        assert isinstance(caught.value, sluice.Error) and caught.value.code == "bad_parameter"
    for bad in (dict(keys="ten"), dict(keys=10, nonsense=1), dict(keys=10, no_list=1)):
        with pytest.raises(TypeError):
            sluice.Filter(**bad)
    with pytest.raises(MemoryError):
        sluice.Filter(keys=1e17, scheme="blocked")


def test_what_is_asked_for_is_what_comes():
    f = sluice.Filter(keys=50_000, memory=100_000)
    assert f.info()["memory"] <= 100_000
    f.update(np.arange(50_000))
    told = f.info()
    assert told["planned_keys"] == 50_000 and not told["overfull"] and told["kind"] == "u64"
    assert 0.5 < told["fpr"] / told["planned_fpr"] < 2
    assert sluice.Filter(keys=50_000, bits_per_key=8, scheme="blocked").info()["memory"] <= 50_064
    f.update(np.arange(60_000))
    assert f.info()["overfull"]
    assert sluice.Filter(keys=10, seed="random").seed not in (0, sluice.Filter(keys=10, seed="random").seed)


def test_plans_models_and_simulations():
    plan = sluice.plan(keys=100_000, fpr=1e-3)
    best = plan[0]
    assert best.fpr <= 1e-3 and not best.broken_limit
    f = best.filter()
    f.update(np.arange(100_000))
    assert f.info()["fpr"] == pytest.approx(sluice.model(best).fpr, rel=0.1)
    assert sluice.model(f).fpr == pytest.approx(sluice.model(best, keys=len(f)).fpr, rel=1e-9)
    told = []
    s = sluice.simulate(best, misses=200_000, progress=told.append)
    assert s.fpr_counted == s.false_positives / 200_000 == pytest.approx(best.fpr, rel=0.5)
    assert s.fpr == pytest.approx(best.fpr, rel=0.1) and s.keys > 99_000 and told[-1] == 1 and told == sorted(told)
    for wrong in ({}, {"scheme": "x"}, {"scheme": "blocked", "trace": 1}, {"scheme": "blocked", "blocks": -1}, {"scheme": "blocked", "positions": "odd"}):
        with pytest.raises(ValueError):
            sluice.model(wrong, keys=10)
    for one in (plan, best, best.predicted, s, f, sluice.load, sluice.GrowingFilter()):
        if one is not sluice.load:
            assert "<table>" in one._repr_html_()
    assert "<svg" in f._repr_html_() and "<svg" in best.predicted._repr_html_()
    for c in sluice.plan(keys=1000, fpr=0.01, all_keys_known=True):
        if not c.parameters.get("is_static") and c.parameters["scheme"] != "sealed":
            g = c.filter()
            assert g.info()["filters"][0]["parameters"] == {**c.parameters, **{}} or g.add(1)
            assert c.fpr_overfull > c.fpr
        else:
            with pytest.raises(ValueError, match=r"build_static\(\) makes it"):
                c.filter()
        assert (c.fpr_overfull is None) == (c.scheme == "sealed") and "<table>" in c._repr_html_()


def test_static_builds(rng):
    k = rng.integers(0, 2**63, 20_000)
    f = sluice.build_static(np.concatenate([k, k]), fpr=1e-3, threads=1)
    assert f.contains(k).all() and len(f) == len(np.unique(k)) and f.info()["planned_keys"] == len(f)
    assert f.info()["filters"][0]["parameters"]["fingerprint_bits"] == 10, "the fewest that keep the rate"
    assert bytes(sluice.build_static(iter(k.tolist()), fpr=1e-3, threads=2)) == bytes(f)
    told = []
    sluice.build_static([f"key {i}" for i in range(5000)], fpr=1e-3, progress=told.append)
    assert told[-1] == 1
    for bad in ([], np.array([])):
        with pytest.raises(ValueError):
            sluice.build_static(bad)
    with pytest.raises(TypeError):
        sluice.build_static([1, "a"])
    with pytest.raises(TypeError):
        sluice.build_static([1], nonsense=1)


def test_sealed_filters(tmp_path):
    words = ["weir", "lock", "sluice"]
    f = sluice.build_static(words, fpr=1e-6)
    assert f.info()["scheme"] == "sealed" and len(f) == 3 and f.nbytes < 5000
    f.save(tmp_path / "words")
    for g in (f, f.copy(), pickle.loads(pickle.dumps(f)), sluice.Filter.from_bytes(bytes(f)), sluice.open(tmp_path / "words"), sluice.load(tmp_path / "words")):
        assert g.contains(words).all() and "lock" in g and "dam" not in g
        assert bytes(g) == bytes(f)
    for change in (lambda: f.add("dam"), lambda: f.update(["dam"]), lambda: f.update(words, threads=2)):
        with pytest.raises(sluice.Error, match=r"sealed.*build_static\(\)") as refused:
            change()
        assert "::" not in str(refused.value), "names of C++"
    with pytest.raises(sluice.Error, match="sealed"):
        f |= f.copy()
    assert "dam" not in f and len(f) == 3
    h = sluice.build_static([f"key {i}" for i in range(2000)], fpr=1e-3, scheme="gated")
    assert h.info()["filters"][0]["parameters"]["is_static"] and h.add("further") and "further" in h
    with pytest.raises(ValueError):
        sluice.build_static(words, scheme="blocked")


def test_repr(make):
    f = make()
    f.update(keys)
    assert repr(f).startswith("<sluice.") and "keys" in repr(f) and "KiB" in repr(f)


def test_a_subclass():
    class Mine(sluice.Filter):
        pass

    f = Mine(keys=100)
    assert f.add(1) and 1 in f and isinstance(f, sluice.AnyFilter)


class WithoutInit(sluice.Filter):
    def __init__(self):
        pass


class Early(sluice.GrowingFilter):
    """Uses itself before it is made."""

    def __init__(self, use):
        use(self)


types = [sluice.AnyFilter, sluice.Filter, sluice.GrowingFilter, sluice.OpenedFilter, sluice.ConcurrentFilter]
makes_or_needs_none = {"__init__", "__new__", "__setstate__", "from_bytes", "from_parameters"}


def uses_of(cls, tmp_path):
    """Every method and property of a class that it does not have from object(), as functions of an instance."""
    made = sluice.Filter(keys=100, kind="int")
    one_key, many = (1,), ([1, 2, 3],)
    arguments = {"add": one_key, "__contains__": one_key, "contains": many, "update": many, "__or__": (made,), "__ior__": (made,)}
    arguments |= {"__ror__": (made,), "save": (tmp_path / "f",), "__deepcopy__": ({},)}
    names = {name for c in cls.__mro__ if c.__module__ == "sluice" or c in (WithoutInit, Early) for name in vars(c)}
    for name in sorted(names - makes_or_needs_none):
        found = getattr(cls, name)
        call = found.fget if isinstance(found, property) else found
        if callable(call):
            yield name, lambda f, call=call, name=name: call(f, *arguments.get(name, ()))


def refuses(use, what):
    try:
        return use(what) is NotImplemented
    except (TypeError, RuntimeError, AttributeError):
        return True


@pytest.mark.parametrize("cls", [*types, WithoutInit, Early], ids=lambda c: c.__name__)
def test_what_was_never_made(cls, tmp_path):
    failed = cls.__new__(cls)
    if cls in (sluice.Filter, sluice.GrowingFilter, sluice.ConcurrentFilter):
        with pytest.raises(ValueError):
            failed.__init__(fpr=7)
    count = 0
    for f in (cls.__new__(cls), failed):
        for name, use in uses_of(cls, tmp_path):
            with pytest.raises(TypeError, match="never made"):
                use(f)
            assert refuses(use, None), name
            if cls is Early:
                with pytest.raises(TypeError, match="never made"):
                    Early(use)
            count += 1
    assert count > 20  # none was overlooked because of its name
    with pytest.raises(TypeError, match="__init__"):
        WithoutInit()
    for use in (pickle.dumps, copy.copy, copy.deepcopy, repr, len, bytes):
        with pytest.raises(TypeError):
            use(failed)


def test_what_was_never_made_as_an_argument(make):
    f, plain = make(), sluice.Filter.__new__(sluice.Filter)
    calls = [lambda: f.__ior__(plain), lambda: sluice.model(plain), lambda: sluice._core._shared_from(plain)]
    if hasattr(f, "copy"):
        calls.append(lambda: f | plain)
    for call in calls:
        with pytest.raises(TypeError, match="never made"):
            call()


def test_a_class_of_two_filters():
    """Methods of the one and of the other each get theirs."""

    class Both(sluice.Filter, sluice.ConcurrentFilter):
        def __init__(self):
            sluice.Filter.__init__(self, keys=1000, fpr=1e-6)
            sluice.ConcurrentFilter.__init__(self, keys=100, fpr=1e-6)

    both = Both()
    assert both.add(1) and sluice.ConcurrentFilter.add(both, "a")
    assert 1 in both and sluice.ConcurrentFilter.__contains__(both, "a") and not sluice.ConcurrentFilter.__contains__(both, "b")
    assert both.kind == "u64" and sluice.ConcurrentFilter.kind.fget(both) == "bytes"
    half = Both.__new__(Both)
    sluice.Filter.__init__(half, keys=1000)
    assert half.add(1)
    for name in ("add", "__contains__"):
        with pytest.raises(TypeError, match="never made"):
            getattr(sluice.ConcurrentFilter, name)(half, 1)
