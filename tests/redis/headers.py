"""What a filter's header says (encoding.hpp), changed: shapes that no BF.RESERVE makes, but that can be loaded."""
import struct

from servers import dump, load

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
