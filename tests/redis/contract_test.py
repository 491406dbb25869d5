#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Every command, reply and error, as RedisBloom gives them, through a client that nobody here wrote."""
import unittest

import redis

from servers import ServerTest


class Reserve(ServerTest):
    def test_makes_an_empty_filter(self):
        self.assertEqual(self.r("BF.RESERVE", "k", "0.001", "1000"), b"OK")
        self.assertEqual(self.r("BF.CARD", "k"), 0)
        self.assertEqual(self.r("BF.INFO", "k")[:2], [b"Capacity", 1000])
        self.assertEqual(self.r("TYPE", "k"), b"sluice-bf")

    def test_refuses_numbers_that_are_none(self):
        self.refused("ERR bad error rate", "BF.RESERVE", "k", "much", "100")
        self.refused("ERR error rate must be in the range (0.000000, 1.000000)", "BF.RESERVE", "k", "0", "100")
        self.refused("ERR error rate must be in the range (0.000000, 1.000000)", "BF.RESERVE", "k", "1", "100")
        self.refused("ERR error rate must be in the range (0.000000, 1.000000)", "BF.RESERVE", "k", "-0.1", "100")
        self.refused("ERR bad error rate", "BF.RESERVE", "k", "nan", "100")
        self.refused("ERR bad capacity", "BF.RESERVE", "k", "0.1", "many")
        self.refused("ERR capacity must be in the range [1, 1073741824]", "BF.RESERVE", "k", "0.1", "0")
        self.refused("ERR capacity must be in the range [1, 1073741824]", "BF.RESERVE", "k", "0.1", "1073741825")
        self.refused("ERR no expansion", "BF.RESERVE", "k", "0.1", "100", "EXPANSION")
        self.refused("ERR bad expansion", "BF.RESERVE", "k", "0.1", "100", "EXPANSION", "x")
        self.refused(
            "ERR expansion must be in the range [0, 32768]", "BF.RESERVE", "k", "0.1", "100", "EXPANSION", "32769"
        )
        self.refused(
            "ERR expansion must be in the range [0, 32768]", "BF.RESERVE", "k", "0.1", "100", "EXPANSION", "-1"
        )
        self.refused(
            "Nonscaling filters cannot expand", "BF.RESERVE", "k", "0.1", "100", "EXPANSION", "2", "NONSCALING"
        )
        self.refused("Unknown argument received", "BF.RESERVE", "k", "0.1", "100", "FROBNICATE")
        self.refused_with("wrong number of arguments", "BF.RESERVE", "k", "0.1")
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_refuses_a_key_that_is_there(self):
        self.r("BF.RESERVE", "k", "0.1", "100")
        self.refused("ERR item exists", "BF.RESERVE", "k", "0.1", "100")
        self.r("SET", "s", "x")
        self.refused(
            "WRONGTYPE Operation against a key holding the wrong kind of value", "BF.RESERVE", "s", "0.1", "100"
        )

    def test_expansion_zero_does_not_scale(self):
        self.r("BF.RESERVE", "k", "0.01", "10", "EXPANSION", "0")
        self.assertIsNone(self.r("BF.INFO", "k")[9])

    def test_large_rates_are_capped(self):
        self.r("BF.RESERVE", "k", "0.9", "1000", "NONSCALING")
        self.r("BF.MADD", "k", *range(1000))
        self.assertLess(sum(self.r("BF.MEXISTS", "k", *range(10_000, 20_000))), 3500)

    def test_absurd_sizes_are_refused_by_their_sizes(self):
        self.refused_with("Insufficient memory to create filter", "BF.RESERVE", "k", "0.00001", "1073741824")
        self.refused_with("1073741824 are the most", "BF.RESERVE", "k", "0.00001", "1073741824")
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_a_rate_that_no_filter_reaches(self):
        self.refused_with("could not create filter", "BF.RESERVE", "k", "1e-30", "1000")


class Add(ServerTest):
    def test_new_and_present(self):
        self.assertEqual(self.r("BF.ADD", "k", "a"), 1)
        self.assertEqual(self.r("BF.ADD", "k", "a"), 0)
        self.assertEqual(self.r("BF.EXISTS", "k", "a"), 1)
        self.assertEqual(self.r("BF.EXISTS", "k", "b"), 0)
        self.assertEqual(self.r("BF.CARD", "k"), 1)

    def test_many_in_their_order(self):
        self.assertEqual(self.r("BF.MADD", "k", "a", "b", "a", "c"), [1, 1, 0, 1])
        self.assertEqual(self.r("BF.MADD", "k", "c", "d"), [0, 1])
        self.assertEqual(self.r("BF.MEXISTS", "k", "a", "x", "b", "c"), [1, 0, 1, 1])

    def test_defaults_are_redisbloom_s(self):
        self.r("BF.ADD", "k", "a")
        self.assertEqual(
            self.r("BF.INFO", "k"),
            [
                b"Capacity",
                100,
                b"Size",
                self.r("BF.INFO", "k", "SIZE")[0],
                b"Number of filters",
                1,
                b"Number of items inserted",
                1,
                b"Expansion rate",
                2,
            ],
        )

    def test_items_are_bytes(self):
        items = [b"", b"\x00", b"\x00\x00", b"\xff\xfe\n", b"x" * 100_000]
        self.assertEqual(self.r("BF.MADD", "k", *items), [1] * 5)
        self.assertEqual(self.r("BF.MEXISTS", "k", *items, b"\x00\x00\x00"), [1] * 5 + [0])

    def test_a_filter_that_does_not_scale_gets_full(self):
        self.r("BF.RESERVE", "k", "0.001", "3", "NONSCALING")
        self.assertEqual(self.r("BF.MADD", "k", "a", "b", "c"), [1, 1, 1])
        self.refused("ERR non scaling filter is full", "BF.ADD", "k", "d")
        self.assertEqual(self.r("BF.ADD", "k", "a"), 0)
        reply = self.r("BF.MADD", "k", "a", "d", "b", "e")  # stops at the first that has no room
        self.assertEqual(reply[0], 0)
        self.assertEqual(str(reply[1]), "non scaling filter is full")
        self.assertEqual(len(reply), 2)
        self.assertEqual(self.r("BF.CARD", "k"), 3)

    def test_wrong_types_and_arity(self):
        self.r("SET", "s", "x")
        for words in (
            ["BF.ADD", "s", "a"],
            ["BF.MADD", "s", "a"],
            ["BF.INSERT", "s", "ITEMS", "a"],
            ["BF.CARD", "s"],
            ["BF.INFO", "s"],
            ["BF.DEBUG", "s"],
            ["BF.SCANDUMP", "s", "0"],
            ["BF.LOADCHUNK", "s", "1", "x"],
            ["BF.STATS", "s"],
            ["BF.MERGE", "s", "s"],
            ["BF.MERGE", "d", "s"],
        ):
            self.refused("WRONGTYPE Operation against a key holding the wrong kind of value", *words)
        self.assertEqual(self.r("BF.EXISTS", "s", "a"), 0)  # as RedisBloom
        self.assertEqual(self.r("BF.MEXISTS", "s", "a", "b"), [0, 0])
        for words in (
            ["BF.ADD", "k"],
            ["BF.ADD", "k", "a", "b"],
            ["BF.MADD", "k"],
            ["BF.EXISTS", "k"],
            ["BF.EXISTS", "k", "a", "b"],
            ["BF.MEXISTS", "k"],
            ["BF.CARD"],
            ["BF.CARD", "k", "x"],
            ["BF.INFO"],
            ["BF.INFO", "k", "SIZE", "x"],
            ["BF.SCANDUMP", "k"],
            ["BF.LOADCHUNK", "k", "1"],
            ["BF.INSERT", "k", "ITEMS"],
            ["BF.INSERT", "k"],
            ["BF.DEBUG"],
            ["BF.MERGE", "k"],
            ["BF.PLAN", "0.01"],
        ):
            self.refused_with("wrong number of arguments", *words)

    def test_grows_and_keeps_its_rate(self):
        self.r("BF.RESERVE", "k", "0.01", "100", "EXPANSION", "2")
        for begin in range(0, 20_000, 500):
            self.r("BF.MADD", "k", *range(begin, begin + 500))
        self.assertEqual(sum(self.r("BF.MEXISTS", "k", *range(20_000))), 20_000)
        filters = self.r("BF.INFO", "k", "FILTERS")[0]
        self.assertEqual(filters, 8)  # 100 (2^8 - 1) = 25,500
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [25_500])
        wrong = sum(
            sum(self.r("BF.MEXISTS", "k", *range(begin, begin + 10_000)))
            for begin in range(10**6, 10**6 + 10**5, 10_000)
        )
        # At most 1% of 100,000, and four standard deviations: always the same, by its seed.
        self.assertLess(wrong, 1000 + 4 * 31.5)
        self.assertGreater(wrong, 200)  # it is a filter, not a set

    def test_expansion_of_one_and_of_many(self):
        self.r("BF.RESERVE", "one", "0.01", "50", "EXPANSION", "1")
        self.r("BF.MADD", "one", *range(140))
        self.assertEqual(self.r("BF.INFO", "one", "FILTERS"), [3])
        self.r("BF.RESERVE", "many", "0.01", "10", "EXPANSION", "1000")
        self.r("BF.MADD", "many", *range(1000))
        self.assertEqual(self.r("BF.INFO", "many", "CAPACITY"), [10_010])
        self.assertEqual(sum(self.r("BF.MEXISTS", "one", *range(140))), 140)
        self.assertEqual(sum(self.r("BF.MEXISTS", "many", *range(1000))), 1000)


class Insert(ServerTest):
    def test_options(self):
        self.assertEqual(
            self.r("BF.INSERT", "k", "CAPACITY", "1000", "ERROR", "0.001", "EXPANSION", "4", "ITEMS", "a", "b", "a"),
            [1, 1, 0],
        )
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [1000])
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [4])

    def test_options_by_their_first_letters(self):
        self.assertEqual(self.r("BF.INSERT", "k", "cap", "500", "err", "0.001", "exp", "3", "it", "a"), [1])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), [500])
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [3])
        self.refused("ERR not found", "BF.INSERT", "x", "NoCr", "ITEMS", "a")
        self.r("BF.INSERT", "n", "NONS", "ITEMS", "a")
        self.assertEqual(self.r("BF.INFO", "n", "EXPANSION"), [None])

    def test_no_create(self):
        self.refused("ERR not found", "BF.INSERT", "k", "NOCREATE", "ITEMS", "a")
        self.r("BF.ADD", "k", "a")
        self.assertEqual(self.r("BF.INSERT", "k", "NOCREATE", "ITEMS", "a", "b"), [0, 1])

    def test_errors(self):
        self.refused("Bad error rate", "BF.INSERT", "k", "ERROR", "x", "ITEMS", "a")
        self.refused("Bad error rate", "BF.INSERT", "k", "ERROR", "1", "ITEMS", "a")
        self.refused("Bad capacity", "BF.INSERT", "k", "CAPACITY", "x", "ITEMS", "a")
        self.refused("Bad capacity", "BF.INSERT", "k", "CAPACITY", "0", "ITEMS", "a")
        self.refused("Bad expansion", "BF.INSERT", "k", "EXPANSION", "x", "ITEMS", "a")
        self.refused("Unknown argument received", "BF.INSERT", "k", "WHAT", "ITEMS", "a")
        self.refused_with("wrong number of arguments", "BF.INSERT", "k", "CAPACITY", "10")
        self.refused_with("wrong number of arguments", "BF.INSERT", "k", "NONSCALING", "CAPACITY")


class Info(ServerTest):
    def test_fields(self):
        self.r("BF.RESERVE", "k", "0.01", "100", "NONSCALING")
        whole = self.r("BF.INFO", "k")
        self.assertEqual(
            whole[0::2], [b"Capacity", b"Size", b"Number of filters", b"Number of items inserted", b"Expansion rate"]
        )
        for selector, place in (("capacity", 1), ("SIZE", 3), ("Filters", 5), ("ITEMS", 7), ("EXPANSION", 9)):
            self.assertEqual(self.r("BF.INFO", "k", selector), [whole[place]])
        self.refused("Invalid information value", "BF.INFO", "k", "COLOUR")

    def test_missing_keys(self):
        for words in (
            ["BF.INFO", "no"],
            ["BF.DEBUG", "no"],
            ["BF.SCANDUMP", "no", "0"],
            ["BF.STATS", "no"],
            ["BF.MERGE", "d", "no"],
        ):
            self.refused("ERR not found", *words)
        self.assertEqual(self.r("BF.CARD", "no"), 0)
        self.assertEqual(self.r("BF.EXISTS", "no", "a"), 0)
        self.assertEqual(self.r("BF.MEXISTS", "no", "a", "b"), [0, 0])

    def test_debug_has_a_line_for_each_filter(self):
        self.r("BF.MADD", "k", *range(250))
        lines = self.r("BF.DEBUG", "k")
        self.assertEqual(lines[0], b"size:%d" % self.r("BF.CARD", "k"))
        self.assertEqual(len(lines), 3)
        for line in lines[1:]:
            self.assertRegex(
                line.decode(), r"^bytes:\d+ bits:\d+ hashes:\d+ hashwidth:64 capacity:\d+ size:\d+ ratio:\S+$"
            )

    def test_a_union_takes_each_source_once(self):
        for key, items in ("d", range(90)), ("s", range(1000, 1090)), ("other", range(2000, 2090)):
            self.r("BF.RESERVE", key, "0.01", "100", *(["LIKE", "d"] if key != "d" else []))
            self.r("BF.MADD", key, *items)
        for sources in ["s", "s", "s"], ["s"], ["other", "s", "d", "other"], ["other"]:
            self.assertEqual(self.r("BF.MERGE", "d", *sources), b"OK")
        self.assertEqual(self.r("BF.CARD", "d"), 270)
        self.assertEqual(len(self.r("BF.DEBUG", "d")), 1 + 3)
        self.r("BF.MERGE", "new", "s", "s", "other")
        self.assertEqual(self.r("BF.CARD", "new"), 180)

    def test_the_client_s_own_parser(self):
        bf = self.server.client.bf()
        bf.create("k", 0.01, 1000, expansion=2)
        bf.madd("k", "a", "b")
        about = bf.info("k")
        self.assertEqual((about.capacity, about.filterNum, about.insertedNum, about.expansionRate), (1000, 1, 2, 2))
        self.assertEqual(bf.mexists("k", "a", "c"), [1, 0])
        self.assertEqual(bf.insert("n", ["x"], capacity=50, error=0.01, expansion=3, noScale=False), [1])


class Protocols(ServerTest):
    """redis-cli in both protocols: Python's client knows RESP2 only."""

    def check(self, words, resp2, resp3):
        self.assertEqual(self.server.cli(*words, protocol=2), resp2)
        self.assertEqual(self.server.cli(*words, protocol=3), resp3)

    def test_truth_and_numbers(self):
        self.r("BF.ADD", "k", "a")
        self.check(["--no-raw", "BF.EXISTS", "k", "a"], "(integer) 1", "(true)")
        self.check(["--no-raw", "BF.EXISTS", "k", "b"], "(integer) 0", "(false)")
        self.check(["--no-raw", "BF.ADD", "k", "a"], "(integer) 0", "(false)")
        self.check(["--no-raw", "BF.MEXISTS", "k", "a", "b"], "1) (integer) 1\n2) (integer) 0", "1) (true)\n2) (false)")
        self.check(["--no-raw", "BF.MADD", "k", "a"], "1) (integer) 0", "1) (false)")
        self.check(["--no-raw", "BF.CARD", "k"], "(integer) 1", "(integer) 1")

    def test_info(self):
        self.r("BF.RESERVE", "k", "0.01", "100", "NONSCALING")
        size = self.r("BF.INFO", "k", "SIZE")[0]
        self.check(["--no-raw", "BF.INFO", "k", "CAPACITY"], "1) (integer) 100", "1# Capacity => (integer) 100")
        self.check(
            ["--no-raw", "BF.INFO", "k"],
            f" 1) Capacity\n 2) (integer) 100\n 3) Size\n 4) (integer) {size}\n 5) Number of filters\n 6) (integer) 1\n"
            " 7) Number of items inserted\n 8) (integer) 0\n 9) Expansion rate\n10) (nil)",
            f"1# Capacity => (integer) 100\n2# Size => (integer) {size}\n3# Number of filters => (integer) 1\n"
            "4# Number of items inserted => (integer) 0\n5# Expansion rate => (nil)",
        )

    def test_the_end_of_a_dump(self):
        self.r("BF.ADD", "k", "a")
        self.check(["--no-raw", "BF.SCANDUMP", "k", "9999999"], '1) (integer) 0\n2) ""', '1) (integer) 0\n2) ""')

    def test_errors_on_the_wire(self):
        self.assertEqual(
            self.server.cli("--no-raw", "BF.INSERT", "k", "WHAT", "ITEMS", "a"), "(error) Unknown argument received"
        )
        self.assertEqual(self.server.cli("--no-raw", "BF.INFO", "no"), "(error) ERR not found")


class Events(ServerTest):
    options = {"notify-keyspace-events": "KEA"}

    def test_additions_and_creations(self):
        listener = self.server.client.pubsub()
        listener.psubscribe("__keyspace@0__:k")
        listener.get_message(timeout=5)
        self.r("BF.ADD", "k", "a")
        self.r("BF.ADD", "k", "a")  # nothing new: no event
        self.r("BF.MADD", "k", "a", "b")
        self.r("DEL", "k")
        self.r("BF.RESERVE", "k", "0.01", "100")
        told = []
        while (message := listener.get_message(timeout=1)) is not None:
            told.append(message["data"])
        self.assertEqual(
            [t for t in told if t != b"new"], [b"bloom.reserve", b"bloom.add", b"bloom.add", b"del", b"bloom.reserve"]
        )


class Access(ServerTest):
    def test_lookups_need_the_right_to_read_alone(self):
        self.r("BF.MADD", "words:en", "weir")
        self.r(
            "ACL",
            "SETUSER",
            "reader",
            "on",
            "nopass",
            "%R~words:*",
            "-@all",
            "+bf.exists",
            "+bf.mexists",
            "+bf.card",
            "+bf.info",
            "+bf.add",
            "+bf.insert",
            "+bf.merge",
            "+bf.reserve",
        )
        reader = redis.Redis(port=self.server.port, username="reader", password="")
        self.addCleanup(reader.close)
        self.assertEqual(reader.execute_command("BF.EXISTS", "words:en", "weir"), 1)
        self.assertEqual(reader.execute_command("BF.MEXISTS", "words:en", "weir"), [1])
        self.assertEqual(reader.execute_command("BF.CARD", "words:en"), 1)
        for words in (
            ["BF.ADD", "words:en", "x"],
            ["BF.EXISTS", "other", "x"],
            ["BF.INSERT", "words:en", "ITEMS", "x"],
            ["BF.MADD", "words:en", "x"],
            ["BF.MERGE", "words:en", "words:en"],
        ):
            with self.assertRaises(redis.exceptions.NoPermissionError):
                reader.execute_command(*words)

    def test_keys_of_commands(self):
        def keys(*words):
            return self.r("COMMAND GETKEYS", *words)

        self.assertEqual(keys("BF.MERGE", "d", "a", "b"), ["d", "a", "b"])
        self.assertEqual(keys("BF.RESERVE", "k", "0.01", "100", "LIKE", "a"), ["k", "a"])
        self.assertEqual(keys("BF.INSERT", "k", "LIKE", "a", "ITEMS", "x"), ["k", "a"])
        self.assertEqual(keys("BF.INSERT", "k", "ITEMS", "LIKE", "a"), ["k"])
        self.assertEqual(keys("BF.EXISTS", "k", "a"), ["k"])


if __name__ == "__main__":
    unittest.main()
