# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""RedisBloom's filters, written again from their description: what its BF.SCANDUMP would give, to be imported."""
import math
import struct

mask = 2**64 - 1


def murmur_64a(data, seed):
    m = 0xC6A4A7935BD1E995
    h = seed ^ (len(data) * m & mask)
    whole = len(data) // 8 * 8
    for (k,) in struct.iter_unpack("<Q", data[:whole]):
        k = k * m & mask
        k = (k ^ (k >> 47)) * m & mask
        h = (h ^ k) * m & mask
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ (h >> 47)) * m & mask
    return h ^ (h >> 47)


class Link:
    def __init__(self, entries, error):
        self.entries, self.error, self.size = entries, error, 0
        self.bits_per_entry = -math.log(error) / math.log(2) ** 2
        bits = max(1, int(entries * self.bits_per_entry))
        self.bytes = (bits + 63) // 64 * 8
        self.bits = self.bytes * 8
        self.hashes = math.ceil(math.log(2) * self.bits_per_entry)
        self.data = bytearray(self.bytes)

    def positions(self, item):
        a = murmur_64a(item, 0xC6A4A7935BD1E995)
        b = murmur_64a(item, a)
        return [(a + i * b & mask) % self.bits for i in range(self.hashes)]

    def has(self, item):
        return all(self.data[p >> 3] >> (p & 7) & 1 for p in self.positions(item))

    def add(self, item):
        for p in self.positions(item):
            self.data[p >> 3] |= 1 << (p & 7)
        self.size += 1


class Chain:
    def __init__(self, capacity, error, expansion=2, scales=True):
        self.expansion, self.scales = expansion, scales
        self.links = [Link(capacity, error * 0.5 if scales else error)]

    def add(self, item):
        if any(link.has(item) for link in self.links):
            return
        last = self.links[-1]
        if last.size >= last.entries:
            last = Link(last.entries * self.expansion, last.error * 0.5)
            self.links.append(last)
        last.add(item)

    def header(self):
        options = 1 | 4 | (0 if self.scales else 8)
        out = struct.pack("<QIII", sum(l.size for l in self.links), len(self.links), options, self.expansion)
        for l in self.links:
            out += struct.pack("<QQQddIQB", l.bytes, l.bits, l.size, l.error, l.bits_per_entry, l.hashes, l.entries, 0)
        return out

    def dump(self, most=16 << 20):
        pieces = [(1, self.header())]
        at = 1
        for l in self.links:
            for begin in range(0, l.bytes, most):
                data = bytes(l.data[begin : begin + most])
                at += len(data)
                pieces.append((at, data))
        return pieces
