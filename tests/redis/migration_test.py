#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Dumps of RedisBloom are imported, read, and grown by filters of ours."""
import os
import struct
import subprocess
import unittest

import redis

from redisbloom import Chain, murmur_64a
from servers import ServerTest, dump, load


class Migration(ServerTest):
    def imported(self, key, chain):
        load(self.r, key, chain.dump())

    def test_murmur_s_published_values(self):
        # Of the hash by Austin Appleby: an empty text, one letter, and a text longer than a word, with seed 0.
        self.assertEqual(murmur_64a(b"", 0), 0)
        self.assertEqual(murmur_64a(b"a", 0), 0x071717D2D36B6B11)

    def test_every_item_is_found_and_the_rest_is_as_redisbloom_says(self):
        chain = Chain(100, 0.01)
        for i in range(1000):
            chain.add(b"item:%d" % i)
        self.imported("k", chain)
        self.assertEqual(sum(self.r("BF.MEXISTS", "k", *(f"item:{i}" for i in range(1000)))), 1000)
        self.assertEqual(self.r("BF.CARD", "k"), sum(l.size for l in chain.links))
        self.assertEqual(self.r("BF.INFO", "k", "FILTERS"), [len(chain.links)])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [sum(l.entries for l in chain.links)])
        others = [b"other:%d" % i for i in range(3000)]
        self.assertEqual(self.r("BF.MEXISTS", "k", *others), [int(any(l.has(o) for l in chain.links)) for o in others])
        for o in others[:200]:
            self.assertEqual(self.r("BF.EXISTS", "k", o), int(any(l.has(o) for l in chain.links)))

    def test_new_items_go_into_our_filters(self):
        chain = Chain(100, 0.01)
        for i in range(150):
            chain.add(b"%d" % i)
        self.imported("k", chain)
        self.r("BF.MADD", "k", *range(100, 2000))
        self.assertEqual(sum(self.r("BF.MEXISTS", "k", *range(2000))), 2000)
        wrong = sum(self.r("BF.MEXISTS", "k", *range(10**6, 10**6 + 20_000)))
        self.assertLess(wrong, 20_000 * 0.01 + 4 * 14)
        self.r("RESTORE", "copy", "0", self.r("DUMP", "k"))
        self.assertEqual(dump(self.r, "copy"), dump(self.r, "k"))
        self.r("COPY", "k", "copy2")
        self.assertEqual(dump(self.r, "copy2"), dump(self.r, "k"))
        load(self.r, "copy3", dump(self.r, "k"))
        self.assertEqual(sum(self.r("BF.MEXISTS", "copy3", *range(2000))), 2000)
        self.refused_with("imported", "BF.RESERVE", "x", "0.1", "10", "LIKE", "k")

    def test_filters_that_do_not_scale_have_the_room_that_is_left(self):
        chain = Chain(100, 0.001, scales=False)
        for i in range(60):
            chain.add(b"%d" % i)
        self.imported("k", chain)
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [None])
        reply = self.r("BF.MADD", "k", *range(60, 200))
        self.assertEqual(str(reply[-1]), "non scaling filter is full")
        taken = 60 + len(reply) - 1
        self.assertAlmostEqual(taken, 100, delta=2)
        self.assertEqual(sum(self.r("BF.MEXISTS", "k", *range(taken))), taken)

    def test_larger_ones_in_pieces(self):
        chain = Chain(20_000, 0.001)
        for i in range(20_000):
            chain.add(b"%d" % i)
        load(self.r, "k", chain.dump(most=5000))
        self.assertEqual(sum(self.r("BF.MEXISTS", "k", *range(20_000))), 20_000)

    def test_the_tool_copies_everything_with_its_time(self):
        chain = Chain(100, 0.01)
        for i in range(300):
            chain.add(b"%d" % i)
        self.imported("old", chain)
        self.r("BF.MADD", "ours", *range(100))
        self.r("EXPIRE", "ours", "1000")
        self.r("SET", "text", "x")
        other = self.another()
        other("BF.ADD", "ours", "there already")
        tool = os.path.join(os.path.dirname(__file__), "../../integrations/redis/migrate.py")
        urls = [f"redis://127.0.0.1:{server.port}" for server in (self.server, other)]
        first = subprocess.run([tool, *urls], capture_output=True, text=True)
        self.assertEqual((first.returncode, first.stdout), (1, "1 filters copied, 1 not\n"))
        self.assertIn("is there already", first.stderr)
        other("DEL", "old", "ours")
        other("SET", "sluice-migrate:old", "left by a run that was interrupted")
        second = subprocess.run([tool, *urls, "*"], capture_output=True, text=True)
        self.assertEqual((second.returncode, second.stdout), (0, "2 filters copied, 0 not\n"))
        self.assertEqual(sum(other("BF.MEXISTS", "old", *range(300))), 300)
        self.assertEqual(dump(other, "ours"), dump(self.r, "ours"))
        self.assertGreater(other("TTL", "ours"), 900)
        self.assertEqual(other("EXISTS", "text"), 0)
        self.assertEqual(other("KEYS", "sluice-migrate:*"), [])

    def test_headers_that_are_none(self):
        good = Chain(100, 0.01).header()

        def field(at, layout, value):
            return good[:at] + struct.pack(layout, value) + good[at + struct.calcsize(layout) :]

        for bad in (
            b"",
            b"x",
            good[:-1],
            good + b"x",
            field(0, "<Q", 1),
            field(8, "<I", 0),
            field(8, "<I", 2),
            field(12, "<I", 255),
            field(12, "<I", 1),
            field(16, "<I", 0),
            field(20, "<Q", 0),
            field(20, "<Q", 2**61),
            field(28, "<Q", 8),
            field(44, "<d", 0),
            field(44, "<d", float("nan")),
            field(60, "<I", 0),
            field(60, "<I", 10**6),
            field(64, "<Q", 0),
            field(72, "<B", 64),
            field(72, "<B", 40),
        ):
            self.refused("ERR received bad data", "BF.LOADCHUNK", "k", "1", bad)
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_pieces_that_do_not_fit(self):
        chain = Chain(100, 0.01)
        pieces = chain.dump()
        self.refused("ERR Second argument must be numeric", "BF.LOADCHUNK", "k", "x", "y")
        self.refused("ERR not found", "BF.LOADCHUNK", "k", "145", pieces[1][1])
        load(self.r, "k", pieces[:1])
        size = len(pieces[1][1])
        self.refused("ERR received bad data", "BF.LOADCHUNK", "k", "0", "x")
        self.refused("ERR received bad data", "BF.LOADCHUNK", "k", "-5", "x")
        self.refused("ERR received bad data", "BF.LOADCHUNK", "k", "5", "")
        self.refused("ERR received bad data", "BF.LOADCHUNK", "k", "1", pieces[0][1])
        self.refused("ERR invalid offset - no link found", "BF.LOADCHUNK", "k", str(size + 10), "x")
        self.refused(
            "ERR invalid chunk - Too big for current filter", "BF.LOADCHUNK", "k", str(1 + size + 1), bytes(size + 1)
        )
        self.refused("ERR invalid chunk - the one before it has not arrived", "BF.LOADCHUNK", "k", "20", "x")
        self.r("BF.ADD", "full", "x")
        self.refused("Second argument must be numeric", "BF.SCANDUMP", "full", "x")
        load(self.r, "k", pieces[1:])


if __name__ == "__main__":
    unittest.main()
