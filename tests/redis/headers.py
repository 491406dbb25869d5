# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What a filter's header says (encoding.hpp), changed: shapes that no BF.RESERVE makes, but that can be loaded."""
import ctypes
import struct

from servers import dump, load

xxh = ctypes.CDLL("libxxhash.so.0")
xxh.XXH3_64bits.restype = ctypes.c_uint64
xxh.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]

magic = b"\x89SLUICE\n"

fields = {
    "error": (8, "<d"),
    "tightening": (16, "<d"),
    "capacity": (24, "<Q"),
    "expansion": (40, "<I"),
    "block_bits": (44, "<I"),
    "scheme": (48, "<I"),
}
schemes = {"classic": 1, "blocked": 3, "alpha": 4, "single": 5, "sequential": 6, "mht": 7, "bloom-g": 8, "gated": 9}


def changed(header, **values):
    header = bytearray(header)
    for name, value in values.items():
        place, form = fields[name]
        struct.pack_into(form, header, place, value)
    return bytes(header)


def load_changed(server, source, key, **values):
    """The filter of `source` once more, as `key`, with another shape for what comes later."""
    (first, header), *data = dump(server, source)
    load(server, key, [(first, changed(header, **values)), *data])


def resealed(data):
    """With the checksum of every header of a filter in it made right."""
    data = bytearray(data)
    at = data.find(magic)
    while at >= 0:
        size = struct.unpack_from("<I", data, at + 12)[0] if at + 16 <= len(data) else 0
        if 24 <= size <= len(data) - at:
            header = bytearray(data[at : at + size])
            header[16:24] = bytes(8)
            data[at + 16 : at + 24] = struct.pack("<Q", xxh.XXH3_64bits(bytes(header), size))
        at = data.find(magic, at + 1)
    return bytes(data)
