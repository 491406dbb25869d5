#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""CF.* where a filter goes elsewhere: replicas, the log, files of the server and dumps have the same bytes; headers that no
filter has are refused; rights; and room."""
import os
import random
import struct
import tempfile
import unittest

import redis

from headers import resealed
from servers import Server, ServerTest, dump, load, under_asan, wait_until
from spread import sluice

fixed = 56  # bytes of a header before its links (encoding.hpp)
record = 8 + 128  # of a filter in a link, behind its kind and length and the preamble (docs/format.md)


def links_of(header):
    """The links of a header, each with all that is said of it."""
    found = []
    at = fixed
    while at < len(header):
        begin = at
        at += 8 + struct.unpack_from("<I", header, at + 4)[0]
        at += 8 + struct.unpack_from("<Q", header, at)[0]
        found.append(header[begin:at])
    return found


def with_links(header, links, **values):
    """The same header with other links, and other numbers."""
    places = {"error": (8, "<d"), "capacity": (16, "<Q"), "seed": (24, "<Q"), "expansion": (32, "<I"), "arrived": (40, "<Q")}
    said = bytearray(header[:fixed])
    struct.pack_into("<I", said, 36, len(links))
    for name, value in values.items():
        struct.pack_into(places[name][1], said, places[name][0], value)
    return bytes(said) + b"".join(links)


def link_of_file(*words):
    """A filter of the command line, as a link."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "f")
        sluice("build", "-o", path, *words)
        with open(path, "rb") as f:
            said = bytearray(f.read())
    del said[struct.unpack_from("<I", said, 12)[0] :]
    said[48:56] = bytes(8)  # the checksum of checksums, which a header alone has not
    return struct.pack("<II", 1, len(said)) + resealed(bytes(said)) + bytes(8)


def churn(r, key, seed, turns=12):
    """Items come and go, so that there are guests, gates and a list. Returns what stays."""
    chance = random.Random(seed)
    there = []
    for turn in range(turns):
        some = [chance.randrange(10**6) for _ in range(300)]
        assert r("CF.INSERT", key, "ITEMS", *some) == [1] * 300
        there += some
        chance.shuffle(there)
        gone = there[: 250 if turn > turns // 2 else 60]
        with r.client.pipeline(transaction=False) as p:
            for item in gone:
                p.execute_command("CF.DEL", key, item)
            assert p.execute() == [1] * len(gone)
        there = there[len(gone) :]
    return there


def fill(r):
    """Filters of all sorts. Returns what is in them."""
    r("CF.RESERVE", "grown", "200", "EXPANSION", "2")
    r("CF.RESERVE", "wide", "5000", "EXPANSION", "4", "ERROR", "0.0001")
    r("CF.RESERVE", "whole", "2500", "EXPANSION", "0")
    r("CF.RESERVE", "empty", "1000")
    r("CF.RESERVE", "tiny", "2", "BUCKETSIZE", "1", "EXPANSION", "0")  # which no default allows
    r("CF.RESERVE", "copies", "10000")
    kept = {key: churn(r, key, number) for number, key in enumerate(["grown", "wide", "usual"])}
    kept["whole"] = churn(r, "whole", 9, 7)
    assert r("CF.INSERT", "copies", "ITEMS", *["same"] * 400, "other").count(1) == 344  # some in the list
    r("CF.INSERTNX", "usual", "ITEMS", "a", "b", "a")
    r("CF.ADDNX", "nx", "a")
    r("CF.INSERT", "options", "CAPACITY", "3000", "ERROR", "0.001", "EXPANSION", "2", "ITEMS", *range(50))
    return kept


def check(test, r, kept):
    for key, items in kept.items():
        test.assertEqual(sum(r("CF.MEXISTS", key, *items)), len(items), key)
    test.assertEqual(r("CF.COUNT", "copies", "same"), 343)


def digest(r):
    return r("DEBUG", "DIGEST")


class Everywhere(ServerTest):
    options = {"appendonly": "yes", "appendfsync": "no", "aof_use_rdb_preamble": "no", "auto_aof_rewrite_percentage": "0"}

    def test_replicas_and_restarts(self):
        # The replica has other seeds and less room: it does what it is told.
        replica = self.another("seed", 99, "max-bytes", "70kb")
        self.r("CF.ADD", "early", "x")
        replica("REPLICAOF", "127.0.0.1", self.r.port)
        wait_until(lambda: replica.client.info("replication").get("master_link_status") == "up")
        kept = fill(self.r)
        offset = self.r.client.info("replication")["master_repl_offset"]
        for _ in range(50):  # what changes nothing is not sent
            self.r("CF.ADDNX", "nx", "a")
            self.r("CF.DEL", "nx", "never")
            self.r("CF.INSERT", "copies", "ITEMS", "same", "same")
        self.assertLess(self.r.client.info("replication")["master_repl_offset"] - offset, 100)
        self.r("EVAL", "redis.call('CF.ADD', KEYS[1], 'x'); return redis.call('CF.DEL', KEYS[1], 'x')", 1, "s")
        load(self.r, "loaded", dump(self.r, "grown", "CF"), "CF")
        self.assertEqual(self.r("COPY", "grown", "copied"), 1)
        self.assertEqual(self.r("CF.DEL", "copied", kept["grown"][0]), 1)
        self.r("RESTORE", "restored", "0", self.r("DUMP", "wide"))
        self.r("WAIT", 1, 5000)
        wait_until(lambda: digest(replica) == digest(self.r))
        check(self, replica, kept)
        self.is_kept_by_the_log(self.r, digest(self.r))
        log = os.path.join(self.r.folder, "appendonlydir")
        base = [f for f in os.listdir(log) if "base" in f]
        with open(os.path.join(log, base[0]), "rb") as f:
            self.assertIn(b"CF.LOADCHUNK", f.read())
        before = digest(self.r)
        self.assertEqual(self.r("DEBUG", "RELOAD"), b"OK")  # through an RDB file
        self.assertEqual(digest(self.r), before)
        check(self, self.r, kept)
        self.assertEqual(self.r("CF.INFO", "copied")[9], self.r("CF.INFO", "grown")[9] + 1)  # deleted
        churn(self.r, "grown", 77, 20)  # it goes on growing as it would have


class Dumps(ServerTest):
    def test_a_dump_is_the_filter(self):
        kept = fill(self.r)
        for key in kept:
            pieces = dump(self.r, key, "CF")
            load(self.r, "again", pieces, "CF")
            self.assertEqual(dump(self.r, "again", "CF"), pieces)
            self.assertEqual(*(self.r("DEBUG", "DIGEST-VALUE", k) for k in (key, "again")))
            # Both do the same from here on.
            self.assertEqual(churn(self.r, key, 5, 3), churn(self.r, "again", 5, 3))
            self.assertEqual(*(self.r("DEBUG", "DIGEST-VALUE", k) for k in (key, "again")))
            self.r("DEL", "again")

    def test_pieces(self):
        self.r("CF.RESERVE", "k", "1000")
        self.assertEqual(self.r("CF.SCANDUMP", "k", "0"), [0, None])  # RedisBloom dumps no filter without items
        for place in ("str", "-1"):
            self.refused("Invalid position", "CF.SCANDUMP", "k", place)
        self.r("CF.INSERT", "k", "ITEMS", *range(2000))
        (one, header), *data = dump(self.r, "k", "CF")
        self.assertEqual(len(data), 2)
        for place in ("str", "0"):
            self.refused("Invalid position", "CF.LOADCHUNK", "n", place, "x")
        self.r("CF.LOADCHUNK", "n", "1", header)
        for key in "kn":
            self.refused("ERR item exists", "CF.LOADCHUNK", key, "1", header)
        self.refused("Couldn't load chunk!", "CF.LOADCHUNK", "n", *data[1])  # the one before it is missing
        for number, piece in ((-(2**63), b"1"), (2**63 - 1, b"1"), (4, b"x" * 37), (4, b"abcd"), (2, b"")):
            self.refused("Couldn't load chunk!", "CF.LOADCHUNK", "n", number, piece)
        self.r("CF.LOADCHUNK", "n", *data[0])
        for words in (["CF.ADD", "n", "x"], ["CF.EXISTS", "n", "x"], ["CF.MEXISTS", "n", "x"], ["CF.COUNT", "n", "x"],
                      ["CF.DEL", "n", "x"], ["CF.INSERT", "n", "ITEMS", "x"], ["CF.SCANDUMP", "n", "0"]):
            self.refused_with("being loaded", *words)
        self.r("CF.LOADCHUNK", "n", *data[1])
        self.assertEqual(*(self.r("DEBUG", "DIGEST-VALUE", k) for k in "kn"))
        # The families do not take each other's.
        self.r("BF.ADD", "bf", "x")
        self.refused("ERR received bad data", "BF.LOADCHUNK", "new", "1", header)
        self.refused("Couldn't create filter!", "CF.LOADCHUNK", "new", "1", dump(self.r, "bf")[0][1])
        bloom = self.r("DUMP", "bf")
        self.r("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1")
        # Their names, as RDB files have them, begin the payload: nine letters of six bits, and ten bits of version.
        mixed = bloom[:1] + self.r("DUMP", "k")[1:10] + bloom[10:]
        with self.assertRaises(redis.exceptions.ResponseError):
            self.r("RESTORE", "new", "0", mixed)

    def test_headers_that_no_filter_has(self):
        def header(key, *words):
            self.r("CF.RESERVE", key, *words, "SEED", "7")
            self.r("CF.ADD", key, "x")
            return dump(self.r, key, "CF")[0][1]

        two_pages = header("a", "5000", "EXPANSION", "2")
        three_pages = header("b", "7000", "EXPANSION", "2")
        longer = header("c", "5000", "EXPANSION", "2", "ERROR", "0.0001")
        still = header("d", "1900", "EXPANSION", "0")
        self.r("BF.RESERVE", "bf", "0.01", "1000", "SEED", "7")
        blocked = self.r("BF.SCANDUMP", "bf", "0")[1]
        (a,), (b,), (c,) = (links_of(h) for h in (two_pages, three_pages, longer))
        d = link_of_file("--erasable", "--keys", 1900, "--fpr", 0.0031, "--seed", 7)
        self.assertEqual(struct.unpack_from("<Q", d, record + 8), (48,))  # blocks
        e = links_of(blocked[8:])[0]  # which has two fields more before it
        self.assertEqual(with_links(two_pages, [a]), two_pages)

        def patched(link, offset, value):
            link = bytearray(link)
            struct.pack_into("<Q", link, record + offset, value)
            return resealed(bytes(link))

        hostile = {
            "not nested": with_links(two_pages, [a, b]),
            "smaller behind larger": with_links(two_pages, [b, a]),
            "of two remainders": with_links(two_pages, [a, c]),
            "none can follow": with_links(still, [d], expansion=2, arrived=0),
            "two that do not grow": with_links(two_pages, [a, a], expansion=0),
            "expansion of three": with_links(two_pages, [a], expansion=3),
            "too large an expansion": with_links(two_pages, [a], expansion=2**31),
            "of another seed": with_links(two_pages, [a], seed=8),
            "no links": with_links(two_pages, []),
            "33 links": with_links(two_pages, [a] * 33),
            "no rate": with_links(two_pages, [a], error=0.0),
            "no capacity": with_links(two_pages, [a], capacity=0),
            "more than all has arrived": with_links(two_pages, [a], arrived=2**40),
            "a filter of BF.*": with_links(two_pages, [e]),
            "cut off": two_pages[:-1],
            "followed by something": two_pages + b"x",
            "RedisBloom's": struct.pack("<QQQQHHHI", 4, 512, 0, 1, 2, 20, 1, 0),
            "nothing": b"",
            "damaged": two_pages[:80] + bytes([two_pages[80] ^ 1]) + two_pages[81:],
        }
        # A list that is none: the copies of one item have one.
        self.r("CF.RESERVE", "l", "10000", "SEED", "7")
        self.r("CF.INSERT", "l", "ITEMS", *["same"] * 200)
        listed = dump(self.r, "l", "CF")[0][1]
        link = links_of(listed)[0]
        slots = len(link) - (8 + struct.unpack_from("<I", link, 4)[0]) - 8
        self.assertEqual(slots, 112 * 8)
        hostile["a list out of order"] = listed[:-8] + bytes(8)
        hostile["a list cut off"] = with_links(listed, [link[:-8]])
        hostile["a list without its keys"] = with_links(listed, [link[: -slots - 8] + bytes(8)])
        for keys in (0, 111, 2**14, 2**64 - 1):
            hostile[f"{keys} keys"] = with_links(listed, [patched(link, 72, keys)])
        for planned in (0, 199, 2**14, 2**64 - 1):
            hostile[f"planned for {planned} keys"] = with_links(listed, [patched(link, 80, planned)])
        for name, value in hostile.items():
            with self.subTest(name):
                self.refused("Couldn't create filter!", "CF.LOADCHUNK", "new", "1", value)
        self.assertEqual(self.r("EXISTS", "new"), 0)
        for key, value in enumerate((with_links(two_pages, [a, a], expansion=1), with_links(still, [d], arrived=0),
                                     with_links(listed, [patched(link, 72, 112)]))):
            self.assertEqual(self.r("CF.LOADCHUNK", f"new {key}", "1", value), b"OK")


class Rights(ServerTest):
    def test_the_right_to_read_is_not_that_to_write(self):
        self.r("CF.ADD", "words", "weir")
        self.r("ACL", "SETUSER", "reader", "on", "nopass", "%R~words", "-@all", "+cf.exists", "+cf.mexists", "+cf.count",
               "+cf.info", "+cf.scandump", "+cf.add", "+cf.addnx", "+cf.insert", "+cf.del", "+cf.loadchunk", "+cf.reserve")
        reader = redis.Redis(port=self.r.port, username="reader", password="x")
        self.addCleanup(reader.close)
        self.assertEqual(reader.execute_command("CF.EXISTS", "words", "weir"), 1)
        self.assertEqual(reader.execute_command("CF.MEXISTS", "words", "weir"), [1])
        self.assertEqual(reader.execute_command("CF.COUNT", "words", "weir"), 1)
        reader.execute_command("CF.INFO", "words")
        reader.execute_command("CF.SCANDUMP", "words", "0")
        for words in (["CF.ADD", "words", "x"], ["CF.ADDNX", "words", "x"], ["CF.INSERT", "words", "ITEMS", "x"],
                      ["CF.DEL", "words", "weir"], ["CF.RESERVE", "words", "100"], ["CF.LOADCHUNK", "words", "1", "x"],
                      ["CF.INSERTNX", "words", "ITEMS", "x"], ["CF.EXISTS", "other", "x"]):
            with self.assertRaises(redis.exceptions.NoPermissionError):
                reader.execute_command(*words)

    def test_what_the_server_knows_of_the_commands(self):
        commands = ["reserve", "add", "addnx", "insert", "insertnx", "exists", "mexists", "count", "del", "info",
                    "scandump", "loadchunk"]
        for name, about in zip(commands, self.r("COMMAND", "INFO", *(f"CF.{name}" for name in commands)).values()):
            writes = name in ("reserve", "add", "addnx", "insert", "insertnx", "del", "loadchunk")
            self.assertEqual("write" in about["flags"], writes, name)
            self.assertEqual("readonly" in about["flags"], not writes, name)
            self.assertEqual("denyoom" in about["flags"], writes and name != "del", name)
            self.assertEqual((about["first_key_pos"], about["last_key_pos"]), (1, 1), name)
        self.assertEqual(self.r("COMMAND GETKEYS", "CF.INSERT", "k", "ITEMS", "LIKE", "a"), ["k"])


class Events(ServerTest):
    options = {"notify-keyspace-events": "KEA"}

    def test_all(self):
        listener = self.server.client.pubsub()
        listener.psubscribe("__keyspace@0__:k")
        listener.get_message(timeout=5)
        for words in (["CF.ADD", "k", "a"], ["CF.ADDNX", "k", "a"], ["CF.DEL", "k", "x"], ["CF.DEL", "k", "a"],
                      ["DEL", "k"], ["CF.RESERVE", "k", "100"]):
            self.r(*words)
        told = []
        while (message := listener.get_message(timeout=0.3)) is not None:
            told.append(message["data"])
        self.assertEqual([t for t in told if t != b"new"],
                         [b"cuckoo.reserve", b"cuckoo.add", b"cuckoo.del", b"del", b"cuckoo.reserve"])


@unittest.skipIf(under_asan, "the sanitizer's own memory is counted, too")
class Room(ServerTest):
    options = {"maxmemory": str(50 << 20)}

    def test_what_is_new_fits_into_what_is_left(self):
        self.r("CF.RESERVE", "first", "15000000", "EXPANSION", "0")  # 24 MB
        for words in (["CF.RESERVE", "second", "30000000"],
                      ["CF.INSERT", "second", "CAPACITY", "30000000", "ITEMS", "x"]):
            self.refused_with("left of maxmemory", *words)
        self.r("CF.ADD", "first", "x")
        header = dump(self.r, "first", "CF")[0][1]
        self.r("CF.RESERVE", "third", "6000000", "EXPANSION", "0")  # 10 MB
        self.refused_with("left of maxmemory", "CF.LOADCHUNK", "second", "1", header)
        self.assertEqual(self.r("EXISTS", "second"), 0)

    def test_growth(self):
        replica = self.another(maxmemory=str(100 << 20))
        replica("REPLICAOF", "127.0.0.1", self.r.port)
        wait_until(lambda: replica.client.info("replication").get("master_link_status") == "up")
        self.r("CF.RESERVE", "other", "15000000", "EXPANSION", "0")  # 24 MB
        self.r("CF.RESERVE", "k", "3000", "EXPANSION", "4096")  # and 33 MB with the next filter
        reply = self.r("CF.INSERT", "k", "ITEMS", *range(6000))
        taken = reply.count(1)
        self.assertEqual(reply, [1] * taken + [-1] * (6000 - taken))
        self.assertGreaterEqual(taken, 3000)
        self.refused_with("left of maxmemory", "CF.ADD", "k", "x")
        self.assertEqual(self.r("CF.DEL", "k", "1"), 1)
        self.assertEqual(self.r("CF.INSERTNX", "k", "ITEMS", "2", "x", "y"), [0, 1, -1])
        self.r("WAIT", 1, 5000)
        wait_until(lambda: digest(replica) == digest(self.r))  # which has more room, and takes what was taken here


class FullServers(unittest.TestCase):
    def test_erasing_needs_no_room(self):
        server = Server("seed", 7)
        self.addCleanup(server.remove)
        server("CF.INSERT", "k", "ITEMS", *range(100))
        server("CONFIG", "SET", "maxmemory", "1")
        with self.assertRaisesRegex(redis.exceptions.ResponseError, "used memory > 'maxmemory'"):
            server("CF.ADD", "k", "x")
        self.assertEqual(server("CF.DEL", "k", "5"), 1)


if __name__ == "__main__":
    unittest.main()
