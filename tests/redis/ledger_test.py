#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""CF.*: every command, reply and error as RedisBloom gives them, through a client that nobody here wrote; filters beside
multisets; and where the two families of commands meet."""
import collections
import random
import unittest

import redis

from servers import ServerTest

wrong_type = "WRONGTYPE Operation against a key holding the wrong kind of value"


def pairs(flat):
    return dict(zip((name.decode() for name in flat[0::2]), flat[1::2]))


class Reserve(ServerTest):
    def test_makes_an_empty_filter(self):
        self.assertEqual(self.r("CF.RESERVE", "k", "1000"), b"OK")
        self.assertEqual(self.r("TYPE", "k"), b"sluice-cf")
        self.refused("ERR item exists", "CF.RESERVE", "k", "1000")
        self.r("SET", "s", "x")
        self.refused(wrong_type, "CF.RESERVE", "s", "1000")

    def test_numbers_that_are_none(self):
        for sentence, words in (
            ("Bad capacity", ["str"]),
            ("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]", ["1"]),
            ("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]", ["3"]),
            ("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]", ["-5"]),
            ("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]", ["1073741825"]),
            ("Capacity must be in the range [2 * BUCKETSIZE, 1073741824]", ["100", "BUCKETSIZE", "51"]),
            ("Couldn't parse BUCKETSIZE", ["10", "BUCKETSIZE", "string"]),
            ("BUCKETSIZE: value must be in the range [1, 255]", ["100", "BUCKETSIZE", "33554432"]),
            ("BUCKETSIZE: value must be in the range [1, 255]", ["100", "BUCKETSIZE", "0"]),
            ("Couldn't parse MAXITERATIONS", ["10", "MAXITERATIONS", "string"]),
            ("MAXITERATIONS: value must be in the range [1, 65535]", ["100", "MAXITERATIONS", "165536"]),
            ("Couldn't parse EXPANSION", ["10", "EXPANSION", "string"]),
            ("EXPANSION: value must be in the range [0, 32768]", ["100", "EXPANSION", "327695"]),
            ("EXPANSION: value must be in the range [0, 32768]", ["100", "EXPANSION", "-1"]),
            ("ERR bad error rate", ["100", "ERROR", "much"]),
            ("ERR error rate must be in the range (0.000000, 1.000000)", ["100", "ERROR", "1"]),
            ("ERR invalid seed", ["100", "SEED", "-1"]),
            ("ERR SEED is given twice", ["100", "SEED", "1", "SEED", "2"]),
            ("Unknown argument received", ["100", "FROBNICATE", "1"]),
        ):
            self.refused(sentence, "CF.RESERVE", "k", *words)
        for words in ([], ["10", "BUCKETSIZE"], ["10", "EXPANSION"], ["10", "EXPANSION", "1", "ERROR"]):
            self.refused_with("wrong number of arguments", "CF.RESERVE", "k", *words)
        self.refused_with("Could not create filter", "CF.RESERVE", "k", "1000", "ERROR", "1e-12")
        self.refused_with("Insufficient memory to create filter", "CF.RESERVE", "k", "1073741824")
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_what_is_taken_and_has_no_effect(self):
        self.r("CF.RESERVE", "plain", "1000", "SEED", "5")
        self.r("CF.RESERVE", "told", "1000", "BUCKETSIZE", "255", "maxiterations", "65535", "SEED", "5")
        for key in ("plain", "told"):
            self.r("CF.INSERT", key, "ITEMS", *range(900))
        self.assertEqual(*(self.r("DEBUG", "DIGEST-VALUE", key) for key in ("plain", "told")))

    def test_expansions_are_powers_of_two(self):
        for asked, given in ((0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (30_000, 32_768), (32_768, 32_768)):
            self.r("CF.RESERVE", f"k{asked}", "64", "EXPANSION", asked)
            self.assertEqual(pairs(self.r("CF.INFO", f"k{asked}"))["Expansion rate"], given)

    def test_rates(self):
        """Without an error rate remainders have 8 bits; with one, eight filters together stay below it."""
        absent = [f"absent {i}" for i in range(20_000)]
        for words, links, most in (
            (["EXPANSION", "0"], 1, 0.0031),
            (["EXPANSION", "1"], 2, 0.0062),
            (["EXPANSION", "1", "ERROR", "0.004"], 8, 0.004),
            (["EXPANSION", "0", "ERROR", "0.0004"], 1, 0.0004),
        ):
            self.r("DEL", "k")
            self.r("CF.RESERVE", "k", "1000", *words)
            added = 0
            while pairs(self.r("CF.INFO", "k"))["Number of filters"] <= links and added < (1000 if links == 1 else 10**6):
                added += len(self.r("CF.INSERT", "k", "ITEMS", *(f"{added + i}" for i in range(100))))
            found = sum(self.r("CF.MEXISTS", "k", *absent))
            self.assertLess(found, most * len(absent) * 1.15 + 5)
            self.assertGreater(found, most * len(absent) * 0.2 - 2)


class Add(ServerTest):
    def test_copies(self):
        self.assertEqual(self.r("CF.ADD", "k", "a"), 1)
        self.assertEqual(self.r("CF.ADD", "k", "a"), 1)
        self.assertEqual((self.r("CF.EXISTS", "k", "a"), self.r("CF.COUNT", "k", "a")), (1, 2))
        for left in (1, 0):
            self.assertEqual(self.r("CF.DEL", "k", "a"), 1)
            self.assertEqual((self.r("CF.EXISTS", "k", "a"), self.r("CF.COUNT", "k", "a")), (left, left))
        self.assertEqual(self.r("CF.DEL", "k", "a"), 0)
        self.assertEqual(pairs(self.r("CF.INFO", "k"))["Number of items deleted"], 2)

    def test_unless_it_is_there(self):
        self.assertEqual(self.r("CF.ADDNX", "k", "a"), 1)
        self.assertEqual(self.r("CF.ADDNX", "k", "a"), 0)
        self.assertEqual(self.r("CF.COUNT", "k", "a"), 1)
        self.assertEqual(self.r("CF.ADD", "k", "a"), 1)
        self.assertEqual(self.r("CF.COUNT", "k", "a"), 2)
        self.assertEqual(self.r("CF.INSERTNX", "k", "ITEMS", "a", "b", "b", "c"), [0, 1, 0, 1])

    def test_items_are_bytes(self):
        items = [b"", b"\x00", b"\x00\x00", b"\xff\xfe\n", b"x" * 100_000]
        self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", *items), [1] * 5)
        self.assertEqual(self.r("CF.MEXISTS", "k", *items, b"\x00\x00\x00"), [1] * 5 + [0])

    def test_one_that_does_not_grow_gets_full(self):
        self.r("CF.RESERVE", "k", "4", "EXPANSION", "0")
        for item in "abcd":
            self.assertEqual(self.r("CF.ADD", "k", item), 1)
        self.refused("Filter is full", "CF.ADD", "k", "e")
        self.refused("Filter is full", "CF.ADDNX", "k", "e")
        self.assertEqual(self.r("CF.ADDNX", "k", "a"), 0)
        self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", "e", "f"), [-1, -1])
        self.assertEqual(self.r("CF.INSERTNX", "k", "ITEMS", "e", "a"), [-1, 0])
        self.assertEqual(self.r("CF.DEL", "k", "b"), 1)
        self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", "e", "f"), [1, -1])  # what was given back is room

    def test_copies_without_end(self):
        self.r("CF.RESERVE", "k", "10000")
        copies = self.r("CF.INSERT", "k", "ITEMS", *["same"] * 500, "another")
        self.assertEqual(copies, [1] * 343 + [-1] * 157 + [1])  # two blocks of 44, and 255 in the list
        self.refused("Filter is full", "CF.ADD", "k", "same")
        self.assertEqual(self.r("CF.COUNT", "k", "same"), 343)
        for _ in range(343):
            self.assertEqual(self.r("CF.DEL", "k", "same"), 1)
        self.assertEqual(self.r("CF.MEXISTS", "k", "same", "another"), [0, 1])
        self.r("CF.RESERVE", "small", "2", "BUCKETSIZE", "1", "EXPANSION", "1")
        self.assertIn(-1, self.r("CF.INSERT", "small", "ITEMS", *["1 "] * 140_000))

    def test_thirty_two_filters_are_the_most(self):
        self.r("CF.RESERVE", "k", "4")
        taken = self.r("CF.INSERT", "k", "ITEMS", *range(2000)).count(1)
        self.assertEqual(pairs(self.r("CF.INFO", "k"))["Number of filters"], 32)
        for words in (["CF.ADD", "k", "x"], ["CF.INSERT", "k", "ITEMS", "x", "y"]):
            self.refused("Maximum expansions reached", *words)
        self.assertEqual(sum(self.r("CF.MEXISTS", "k", *range(taken))), taken)
        self.r("CF.DEL", "k", "7")
        self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", "x", "y"), [1, -1])

    def test_room_that_was_given_back_is_used_first(self):
        self.r("CF.RESERVE", "k", "1000", "EXPANSION", "2")
        self.r("CF.INSERT", "k", "ITEMS", *range(3000))
        links = pairs(self.r("CF.INFO", "k"))["Number of filters"]
        for begin in range(0, 6000, 1000):
            with self.server.client.pipeline(transaction=False) as p:
                for item in range(begin, begin + 1000):
                    p.execute_command("CF.DEL", "k", item)
                self.assertEqual(p.execute(), [1] * 1000)
            self.r("CF.INSERT", "k", "ITEMS", *range(begin + 3000, begin + 4000))
        about = pairs(self.r("CF.INFO", "k"))
        self.assertEqual((about["Number of filters"], about["Number of items inserted"]), (links, 3000))


class Insert(ServerTest):
    def test_options(self):
        self.assertEqual(self.r("CF.INSERT", "k", "CAPACITY", "10000", "ITEMS", "a", "b", "a"), [1, 1, 1])
        self.assertGreater(pairs(self.r("CF.INFO", "k"))["Number of buckets"], 10_000 // 44)
        self.assertEqual(self.r("CF.INSERT", "n", "cap", "10000", "it", "a"), [1])
        self.assertEqual(self.r("CF.INSERT", "e", "EXPANSION", "3", "ERROR", "0.0001", "SEED", "9", "ITEMS", "a"), [1])
        self.assertEqual(pairs(self.r("CF.INFO", "e"))["Expansion rate"], 4)

    def test_no_create(self):
        self.refused("ERR not found", "CF.INSERT", "k", "NOCREATE", "ITEMS", "a")
        self.refused("ERR not found", "CF.INSERTNX", "k", "nocreate", "ITEMS", "a")
        self.r("CF.ADD", "k", "a")
        self.assertEqual(self.r("CF.INSERT", "k", "NOCREATE", "ITEMS", "a"), [1])

    def test_errors(self):
        for command in ("CF.INSERT", "CF.INSERTNX"):
            self.refused("Bad capacity", command, "k", "CAPACITY", "str", "ITEMS", "a")
            for none in ("-1", "3", "1073741825"):
                self.refused(
                    "Capacity must be in the range [cf-bucket-size * 2, 1073741824]",
                    command, "k", "CAPACITY", none, "ITEMS", "a",
                )
            self.refused("Unknown argument received", command, "k", "DONTEXIST", "ITEMS", "a")
            for words in (["k"], ["k", "ITEMS"], ["k", "NOCREATE", "CAPACITY"], ["k", "NOCREATE", "ITEMS"],
                          ["k", "CAPACITY", "10"]):
                self.refused_with("wrong number of arguments", command, *words)
        self.assertEqual(self.r("EXISTS", "k"), 0)


class Replies(ServerTest):
    def test_missing_keys_and_arity(self):
        self.assertEqual(self.r("CF.EXISTS", "no", "a"), 0)
        self.assertEqual(self.r("CF.MEXISTS", "no", "a", "b"), [0, 0])
        self.assertEqual(self.r("CF.COUNT", "no", "a"), 0)
        self.refused("Not found", "CF.DEL", "no", "a")
        for words in (["CF.INFO", "no"], ["CF.SCANDUMP", "no", "0"], ["CF.LOADCHUNK", "no", "2", "x"]):
            self.refused("ERR not found", *words)
        for words in (["CF.ADD", "k"], ["CF.ADDNX", "k", "a", "b"], ["CF.EXISTS", "k"], ["CF.MEXISTS", "k"],
                      ["CF.COUNT", "k", "a", "b"], ["CF.DEL", "k"], ["CF.INFO"], ["CF.INFO", "k", "SIZE"],
                      ["CF.SCANDUMP", "k"], ["CF.LOADCHUNK", "k", "1"]):
            self.refused_with("wrong number of arguments", *words)

    def test_info_and_the_client_s_own_parser(self):
        client = redis.Redis(port=self.server.port)  # which parses replies from here on
        self.addCleanup(client.close)
        cf = client.cf()
        self.assertTrue(cf.create("k", 1000))
        self.assertEqual(cf.insert("k", ["a", "b", "b"]), [1, 1, 1])
        self.assertEqual((cf.add("k", "c"), cf.addnx("k", "c"), cf.insertnx("k", ["c", "d"])), (1, 0, [0, 1]))
        self.assertEqual((cf.exists("k", "a"), cf.count("k", "b"), cf.delete("k", "b")), (1, 2, 1))
        about = cf.info("k")
        self.assertEqual((about.bucketNum, about.bucketSize, about.filterNum), (32, 44, 1))
        self.assertEqual((about.insertedNum, about.deletedNum), (4, 1))
        self.assertEqual((about.expansionRate, about.maxIteration), (1, 1))
        self.assertGreater(about.size, 32 * 64)
        self.assertGreater(self.r("MEMORY", "USAGE", "k"), 32 * 64)
        self.assertEqual(
            self.r("CF.INFO", "k")[0::2],
            [b"Size", b"Number of buckets", b"Number of filters", b"Number of items inserted",
             b"Number of items deleted", b"Bucket size", b"Expansion rate", b"Max iterations"],
        )

    def test_both_protocols(self):
        """redis-cli: Python's client knows RESP2 only."""

        def check(words, resp2, resp3):
            self.assertEqual(self.server.cli("--no-raw", *words, protocol=2), resp2)
            self.assertEqual(self.server.cli("--no-raw", *words, protocol=3), resp3)

        def shown(number):
            return f"(integer) {number}"

        self.r("CF.RESERVE", "k", "4", "EXPANSION", "0")
        check(["CF.ADD", "k", "a"], shown(1), "(true)")
        check(["CF.ADDNX", "k", "a"], shown(0), "(false)")
        check(["CF.INSERT", "k", "ITEMS", "b"], "1) " + shown(1), "1) (true)")
        check(["CF.INSERT", "k", "ITEMS", "x"], "1) " + shown(-1), "1) (false)")
        check(["CF.INSERTNX", "k", "ITEMS", "a", "x"], "1) (integer) 0\n2) (integer) -1", "1) (integer) 0\n2) (integer) -1")
        check(["CF.EXISTS", "k", "a"], shown(1), "(true)")
        check(["CF.MEXISTS", "k", "a", "x"], "1) (integer) 1\n2) (integer) 0", "1) (true)\n2) (false)")
        check(["CF.MEXISTS", "no", "a"], "1) (integer) 0", "1) (false)")
        check(["CF.COUNT", "k", "a"], shown(2), shown(2))
        check(["CF.DEL", "k", "a"], shown(1), "(true)")
        check(["CF.DEL", "k", "x"], shown(0), "(false)")
        check(["CF.SCANDUMP", "k", "999"], "1) (integer) 0\n2) (nil)", "1) (integer) 0\n2) (nil)")
        check(["CF.ADD", "k", "a"], shown(1), "(true)")
        check(["CF.ADD", "k", "e"], "(error) Filter is full", "(error) Filter is full")
        self.assertRegex(self.server.cli("--no-raw", "CF.INFO", "k", protocol=3), r"^1# Size => \(integer\) \d+\n")

    def test_two_families(self):
        """Neither takes the other's keys; a lookup would say that an item was never added."""
        self.r("BF.ADD", "bf", "a")
        self.r("CF.ADD", "cf", "a")
        self.r("SET", "s", "x")
        for words in (["CF.ADD"], ["CF.ADDNX"], ["CF.EXISTS"], ["CF.MEXISTS"], ["CF.COUNT"], ["CF.DEL"]):
            self.refused(wrong_type, *words, "bf", "a")
        for words in (["CF.RESERVE", "bf", "100"], ["CF.INSERT", "bf", "ITEMS", "a"], ["CF.INSERTNX", "bf", "ITEMS", "a"],
                      ["CF.INFO", "bf"], ["CF.SCANDUMP", "bf", "0"], ["CF.LOADCHUNK", "bf", "1", "x"],
                      ["BF.RESERVE", "cf", "0.1", "100"], ["BF.ADD", "cf", "a"], ["BF.MADD", "cf", "a"],
                      ["BF.INSERT", "cf", "ITEMS", "a"], ["BF.EXISTS", "cf", "a"], ["BF.MEXISTS", "cf", "a"],
                      ["BF.CARD", "cf"], ["BF.INFO", "cf"], ["BF.DEBUG", "cf"], ["BF.STATS", "cf"],
                      ["BF.SCANDUMP", "cf", "0"], ["BF.LOADCHUNK", "cf", "1", "x"], ["BF.MERGE", "cf", "bf"],
                      ["BF.MERGE", "bf", "cf"], ["BF.RESERVE", "new", "0.1", "100", "LIKE", "cf"],
                      ["BF.RESERVEPART", "cf", "x"], ["BF.DIGESTADD", "cf", "x", "12345678"],
                      ["BF.DIGESTEXISTS", "cf", "x", "12345678"],
                      ["CF.ADD", "s", "a"], ["CF.INSERT", "s", "ITEMS", "a"], ["CF.INFO", "s"], ["CF.SCANDUMP", "s", "0"]):
            self.refused(wrong_type, *words)
        self.assertEqual((self.r("CF.EXISTS", "s", "a"), self.r("CF.COUNT", "s", "a")), (0, 0))  # as RedisBloom
        self.refused("Not found", "CF.DEL", "s", "a")
        self.assertEqual((self.r("BF.EXISTS", "bf", "a"), self.r("CF.EXISTS", "cf", "a")), (1, 1))

    def test_what_the_server_counts(self):
        before = self.server.client.info("sluice")
        self.r("CF.INSERT", "k", "ITEMS", *range(500))
        for item in range(100):
            self.r("CF.DEL", "k", item)
        after = self.server.client.info("sluice")
        self.assertEqual(after["sluice_filters"] - before["sluice_filters"], 1)
        self.assertEqual(after["sluice_keys"] - before["sluice_keys"], 400)
        self.r("DEL", "k")
        self.assertEqual(self.server.client.info("sluice")["sluice_memory_bytes"], before["sluice_memory_bytes"])


class Twins(ServerTest):
    """Filters beside multisets: nothing that is in is ever missed, whatever came and went."""

    items = range(2500)

    def many(self, command, items):
        """A command for each item."""
        with self.server.client.pipeline(transaction=False) as p:
            for item in items:
                p.execute_command(command, "k", item)
            return p.execute()

    def compare(self, kept):
        about = pairs(self.r("CF.INFO", "k"))
        self.assertEqual(about["Number of items inserted"], kept.total())
        counts = self.many("CF.COUNT", self.items)
        found = self.r("CF.MEXISTS", "k", *self.items)
        more = 0
        for item, count, is_found in zip(self.items, counts, found):
            self.assertGreaterEqual(count, kept[item], item)
            self.assertEqual(is_found, 1 if count else 0, item)
            more += count != kept[item]
        self.assertLess(more, 100 * about["Number of filters"])  # by chance

    def test_random_scripts(self):
        shapes = (["64", "EXPANSION", "2"], ["200"], ["64", "EXPANSION", "4", "ERROR", "0.001"], ["9000", "EXPANSION", "0"])
        for number, words in enumerate(shapes):
            chance = random.Random(number)
            self.r("CF.RESERVE", "k", *words)
            kept = collections.Counter()
            for turn in range(50):
                some = chance.choices(self.items, k=chance.choice((1, 10, 150)))
                self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", *some), [1] * len(some))
                kept.update(some)
                some = chance.choices(self.items, k=20)
                for item, was_absent in zip(some, self.r("CF.INSERTNX", "k", "ITEMS", *some)):
                    self.assertFalse(was_absent and kept[item])
                    kept[item] += was_absent
                # What is not in must not be erased.
                there = list(kept.elements())
                some = chance.sample(there, min(len(there), chance.choice((5, 40, 400 if turn > 30 else 60))))
                self.assertEqual(self.many("CF.DEL", some), [1] * len(some))
                kept.subtract(some)
                if turn % 10 == 9:
                    self.compare(kept)
            there = list(kept.elements())
            self.assertEqual(self.many("CF.DEL", there), [1] * len(there))
            self.assertEqual(sum(self.r("CF.MEXISTS", "k", *self.items)), 0)
            self.compare(collections.Counter())
            self.r("DEL", "k")

    def test_what_looks_like_a_key_of_an_older_filter(self):
        """Erased, it must take its own entry in the newer filter along, not the other key's in the older one."""
        old = [f"old {i}" for i in range(1200)]
        self.r("CF.RESERVE", "k", "1000", "EXPANSION", "8")
        self.assertEqual(self.r("CF.INSERT", "k", "ITEMS", *old), [1] * len(old))
        alike = [i for i, found in enumerate(self.r("CF.MEXISTS", "k", *range(20_000))) if found]
        self.assertGreater(len(alike), 30)
        self.r("CF.INSERT", "k", "ITEMS", *(f"fill {i}" for i in range(200)))
        self.assertEqual(pairs(self.r("CF.INFO", "k"))["Number of filters"], 2)
        self.r("CF.INSERT", "k", "ITEMS", *alike)
        self.assertEqual(self.many("CF.DEL", alike), [1] * len(alike))
        self.assertEqual(sum(self.r("CF.MEXISTS", "k", *old)), len(old))


if __name__ == "__main__":
    unittest.main()
