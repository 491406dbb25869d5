# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Arrow's interface for C, with a producer made by hand: no library of Arrow is needed, and none can hide a mistake."""
import ctypes
import struct

import numpy as np
import pytest

import sluice


class Type(ctypes.Structure):
    pass


class Data(ctypes.Structure):
    pass


release_type = ctypes.CFUNCTYPE(None, ctypes.POINTER(Type))
release_data = ctypes.CFUNCTYPE(None, ctypes.POINTER(Data))
Type._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64), ("children_count", ctypes.c_int64), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", release_type), ("private", ctypes.c_void_p)]
Data._fields_ = [("length", ctypes.c_int64), ("nulls", ctypes.c_int64), ("offset", ctypes.c_int64), ("buffer_count", ctypes.c_int64), ("children_count", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.c_void_p), ("dictionary", ctypes.c_void_p), ("release", release_data), ("private", ctypes.c_void_p)]
capsule = ctypes.pythonapi.PyCapsule_New
capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
released = []


@release_type
def end_type(it):
    it.contents.release = release_type()


@release_data
def end_data(it):
    released.append(1)
    it.contents.release = release_data()


class Arrow:
    def __init__(self, format, buffers, length, offset=0, nulls=0, dictionary=None):
        self.held = [ctypes.create_string_buffer(b, len(b) or 1) if b is not None else None for b in buffers]
        self.pointers = (ctypes.c_void_p * len(buffers))(*[ctypes.cast(h, ctypes.c_void_p) if h is not None else None for h in self.held])
        self.type = Type(format, None, None, 0, 0, None, dictionary, end_type, None)
        self.data = Data(length, nulls, offset, len(buffers), 0, self.pointers, None, None, end_data, None)

    def __arrow_c_array__(self, requested_schema=None):
        return capsule(ctypes.addressof(self.type), b"arrow_schema", None), capsule(ctypes.addressof(self.data), b"arrow_array", None)


class Stream(ctypes.Structure):
    pass


stream_type = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Type))
stream_next = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Data))
stream_error = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
stream_release = ctypes.CFUNCTYPE(None, ctypes.POINTER(Stream))
Stream._fields_ = [("get_type", stream_type), ("get_next", stream_next), ("get_last_error", stream_error), ("release", stream_release), ("private", ctypes.c_void_p)]


class Chunked:
    """Arrays one after the other; `fails_at`: a number of an array that cannot be had."""

    def __init__(self, arrays, fails_at=None):
        self.arrays, self.fails_at, self.given, self.ended = arrays, fails_at, 0, 0

        def get_type(_, out):
            out[0] = arrays[0].type
            return 0

        def get_next(_, out):
            if self.given == self.fails_at:
                return 5
            out[0] = arrays[self.given].data if self.given < len(arrays) else Data()
            self.given += 1
            return 0

        def end(it):
            self.ended += 1
            it.contents.release = stream_release()

        self.why = ctypes.create_string_buffer(b"the disk is gone")
        self.held = stream_type(get_type), stream_next(get_next), stream_error(lambda _: ctypes.addressof(self.why)), stream_release(end)
        self.stream = Stream(*self.held, None)

    def __arrow_c_stream__(self, requested_schema=None):
        return capsule(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def texts(words, offset="i", format=b"u", **more):
    encoded = [w.encode() for w in words]
    ends = np.cumsum([0] + [len(e) for e in encoded])
    return Arrow(format, [None, struct.pack(f"{len(ends)}{offset}", *ends), b"".join(encoded)], more.pop("length", len(words)), **more)


@pytest.mark.parametrize("format,dtype", [(b"c", "i1"), (b"C", "u1"), (b"s", "i2"), (b"S", "u2"), (b"i", "i4"), (b"I", "u4"), (b"l", "i8"), (b"L", "u8")])
def test_integers(format, dtype):
    info = np.iinfo(dtype)
    numbers = np.array([info.min, 0, 1, 100, info.max], dtype=dtype)
    f = sluice.Filter(keys=100, fpr=1e-9)
    before = len(released)
    assert f.update(Arrow(format, [None, numbers.tobytes()], 4, offset=1)) == 4
    assert len(released) == before + 1  # it was ours, and was let go
    assert f.contains(numbers).tolist() == [info.min == 0, True, True, True, True]


def test_texts():
    words = ["a", "", "grün", "水"]
    f = sluice.Filter(keys=100, fpr=1e-9)
    assert f.update(texts(words)) == 4 and f.contains(words).all()
    assert f.contains(texts(words, "q", b"U")).all() and f.contains(texts(words, "q", b"Z")).all() and f.contains(texts(words, "i", b"z")).all()
    assert f.contains(texts(words, offset=None or "i", length=2)).all()
    assert f.contains(Arrow(b"w:2", [None, b"abcd"], 2)).tolist() == [False, False]
    f.update(["ab", "cd"])
    assert f.contains(Arrow(b"w:2", [None, b"abcd"], 2)).all()


def test_nulls_and_what_has_no_keys():
    f = sluice.Filter(keys=100)
    with pytest.raises(TypeError, match="key number 1 .*null"):
        f.update(Arrow(b"l", [b"\x05", np.arange(3).tobytes()], 3, nulls=1))
    assert f.update(Arrow(b"l", [b"\x07", np.arange(3).tobytes()], 3, nulls=-1)) == 3
    for format in (b"g", b"b", b"n", b"vu", b"+l", b""):
        with pytest.raises(TypeError):
            f.update(Arrow(format, [None, bytes(64)], 3))
    with pytest.raises(TypeError, match="dictionary"):
        f.update(Arrow(b"i", [None, bytes(64)], 3, dictionary=1))
    with pytest.raises(ValueError):
        f.update(Arrow(b"l", [None], 3))
    with pytest.raises(ValueError):
        sluice.Filter(keys=9).update(Arrow(b"u", [None, struct.pack("3i", 0, 5, 2), b"abcde"], 2))


def test_what_was_released():
    """Read once, or let go by its producer: its memory may be anybody's."""
    f = sluice.Filter(keys=100)
    twice = Arrow(b"l", [None, np.arange(3).tobytes()], 3)
    assert f.update(twice) == 3
    gone = Arrow(b"l", [None, np.arange(3).tobytes()], 3)
    gone.type.release = release_type()
    stream = Chunked([Arrow(b"l", [None, np.arange(3).tobytes()], 3)])
    assert f.contains(stream).all()
    typeless = Chunked([Arrow(b"l", [None, np.arange(3).tobytes()], 3)])
    typeless.arrays[0].type.release = release_type()
    for call in (f.update, f.contains):
        for keys in (twice, gone, stream, typeless):
            with pytest.raises(ValueError, match="released"):
                call(keys)
    assert len(f) == 3


@pytest.mark.parametrize("threads", [1, 2])
def test_buffers_that_are_missing(threads):
    plan = sluice.plan(keys=100, fpr=1e-3)[0]
    offsets, numbers = struct.pack("4i", 0, 1, 2, 3), np.arange(3).tobytes()
    missing = [(b"l", [None, None]), (b"u", [None, None, b"abc"]), (b"u", [None, offsets, None]), (b"w:2", [None, None])]
    f = sluice.Filter(keys=100)
    for format, buffers in missing:
        f = plan.filter(kind="int" if format == b"l" else "bytes")
        for call in (f.contains, f.update):
            for keys in (Arrow(format, buffers, 3), Chunked([Arrow(format, buffers, 3)])):
                with pytest.raises(ValueError, match="lacks a buffer"):
                    call(keys, threads=threads)
        assert len(f) == 0
    f = sluice.Filter(keys=100)
    none = Arrow(b"l", [None, numbers], 3)
    none.data.buffers = None
    with pytest.raises(ValueError, match="lacks a buffer"):
        f.update(none)
    with pytest.raises(ValueError, match="lacks a buffer"):  # which of them are null?
        f.update(Arrow(b"l", [None, numbers], 3, nulls=1))
    assert len(f) == 0


def test_buffers_that_may_be_missing():
    """Those that would have no bytes, and that of validity where nothing is null."""
    for format, buffers in ((b"l", [None, None]), (b"u", [None, None, None]), (b"w:2", [None, None]), (b"l", [])):
        empty = Arrow(format, buffers, 0)
        assert sluice.Filter(keys=9).update(empty) == 0
        empty = Arrow(format, buffers, 0)
        empty.data.buffers = None
        assert sluice.Filter(keys=9).update(empty) == 0
    f = sluice.Filter(keys=9)
    assert f.update(Arrow(b"u", [None, bytes(16), None], 3)) == 1 and "" in f
    assert f.contains(Arrow(b"w:0", [None, None], 2)).tolist() == [True, True]
    assert sluice.Filter(keys=9).update(Arrow(b"l", [None, np.arange(3).tobytes()], 3, nulls=-1)) == 3


@pytest.mark.parametrize("threads", [1, 3])
def test_streams(threads):
    numbers = np.arange(30_000, dtype="i8")
    parts = [numbers[:10], numbers[10:10], numbers[10:20_011], numbers[20_011:]]
    before = len(released)
    stream = Chunked([Arrow(b"l", [None, p.tobytes()], len(p)) for p in parts])
    f = sluice.Filter(keys=30_000, fpr=1e-9)
    assert f.update(stream, threads=threads) == 30_000
    assert stream.ended == 1 and len(released) == before + len(parts)  # each was let go, once
    g = sluice.Filter(keys=30_000, fpr=1e-9)
    g.update(numbers)
    assert bytes(f) == bytes(g)
    words = [f"w{i}" for i in range(5_000)]
    h = sluice.Filter(keys=9_000, fpr=1e-9)
    h.update(words[:2_500])
    answers = h.contains(Chunked([texts(words[:17]), texts(words[17:])]), threads=threads)
    assert answers.tolist() == h.contains(words).tolist() and answers[:2_500].all() and not answers[2_500:].all()
    assert sluice.Filter(keys=9).update(Chunked([Arrow(b"l", [None, b""], 0)])) == 0


def test_a_stream_that_fails():
    before = len(released)
    stream = Chunked([Arrow(b"l", [None, np.arange(3).tobytes()], 3)] * 2, fails_at=1)
    f = sluice.Filter(keys=100)
    with pytest.raises(ValueError, match="the disk is gone"):
        f.update(stream)
    assert len(f) == 0 and stream.ended == 1 and len(released) == before + 1


def test_an_installed_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    f = sluice.Filter(keys=100, fpr=1e-9)
    assert f.update(pyarrow.chunked_array([["a", "b"], ["c"]])) == 3
    assert f.contains(pyarrow.array(["c", "d"])).tolist() == [True, False]
