#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What RedisBloom does not have: seeds, schemes, plans, unions, statistics; the other dialect; limits."""
import random
import unittest

import redis

from servers import ServerTest, dump, under_asan, wait_until


def pairs(flat):
    return dict(zip((name.decode() for name in flat[0::2]), flat[1::2]))


class Seeds(ServerTest):
    seed = ()  # each filter draws its own

    def seed_of(self, key):
        return int(pairs(self.r("BF.STATS", key))["Seed"])

    def test_each_filter_draws_its_own(self):
        for key in "abc":
            self.r("BF.ADD", key, "x")
        self.assertEqual(len({self.seed_of(key) for key in "abc"}), 3)

    def test_one_can_be_given(self):
        self.r("BF.RESERVE", "a", "0.01", "100", "SEED", "18446744073709551615")
        self.r("BF.INSERT", "b", "SEED", "7", "ITEMS", "x")
        self.assertEqual((self.seed_of("a"), self.seed_of("b")), (2**64 - 1, 7))
        self.refused("ERR invalid seed", "BF.RESERVE", "c", "0.01", "100", "SEED", "-1")

    def test_equal_seeds_give_equal_bytes(self):
        for key in "ab":
            self.r("BF.INSERT", key, "SEED", "7", "ITEMS", *range(90))
        self.assertEqual(dump(self.r, "a"), dump(self.r, "b"))

    def test_copies_and_dumps_keep_it(self):
        self.r("BF.ADD", "a", "x")
        self.r("COPY", "a", "b")
        self.r("RESTORE", "c", "0", self.r("DUMP", "a"))
        self.assertEqual(self.seed_of("a"), self.seed_of("b"))
        self.assertEqual(self.seed_of("a"), self.seed_of("c"))
        self.assertEqual(dump(self.r, "a"), dump(self.r, "b"))
        self.assertEqual(dump(self.r, "a"), dump(self.r, "c"))

    def test_the_module_s_argument(self):
        other = self.another("seed", 42)
        other("BF.ADD", "a", "x")
        other("BF.RESERVE", "b", "0.01", "10")
        self.assertEqual([int(pairs(other("BF.STATS", key))["Seed"]) for key in "ab"], [42, 42])


class Many(ServerTest):
    def test_items_of_one_command_do_as_items_one_by_one(self):
        draw = random.Random(7)
        for words in (
            [],  # grows
            ["SCHEME", "gated"],
            ["SCHEME", "classic", "EXPANSION", "1"],
            ["SCHEME", "single"],  # has a list
            ["NONSCALING"],  # is full in the middle of a command
        ):
            self.r("FLUSHALL")
            for key in ("many", "one"):
                self.r("BF.RESERVE", key, "0.01", "300", *words, "SEED", "5")
            for length in (2, 3, 500, 1, 700, 150):
                items = [draw.randrange(2500) for _ in range(length)]  # some of them twice, some not for the first time
                answers = self.r("BF.MADD", "many", *items)
                for item, answer in zip(items, answers):
                    try:
                        self.assertEqual(self.r("BF.ADD", "one", item), answer, (words, item))
                    except redis.ResponseError as full:
                        self.assertIn(str(full), str(answer))
                        break
            self.assertEqual(dump(self.r, "many"), dump(self.r, "one"), words)


class Schemes(ServerTest):
    def test_each_can_be_had(self):
        for scheme in ("blocked", "gated", "bloom-g", "classic", "alpha", "single", "sequential", "mht"):
            key = "k" + scheme
            self.assertEqual(self.r("BF.RESERVE", key, "0.001", "1000", "SCHEME", scheme), b"OK")
            self.r("BF.MADD", key, *range(3000))  # grows
            self.assertEqual(sum(self.r("BF.MEXISTS", key, *range(3000))), 3000)
            links = pairs(self.r("BF.STATS", key))["Links"]
            self.assertEqual({pairs(link)["Scheme"].decode() for link in links}, {scheme})
            self.r("RESTORE", key + "2", "0", self.r("DUMP", key))
            self.assertEqual(dump(self.r, key), dump(self.r, key + "2"))
            self.assertEqual(sum(self.r("BF.MEXISTS", key + "2", *range(3000))), 3000)

    def test_words_that_are_none(self):
        self.refused_with("no such scheme", "BF.RESERVE", "k", "0.01", "100", "SCHEME", "round")
        self.refused_with("made from all its keys at once", "BF.RESERVE", "k", "0.01", "100", "SCHEME", "sealed")
        self.refused_with("as often as they are added", "BF.RESERVE", "k", "0.01", "100", "SCHEME", "ledger")
        self.refused("ERR BLOCK must be 256 or 512", "BF.RESERVE", "k", "0.01", "100", "BLOCK", "100")
        self.refused("ERR BITSPERKEY must be in the range [4, 64]", "BF.RESERVE", "k", "0.01", "100", "BITSPERKEY", "1")
        self.refused_with("do not reach the rate", "BF.RESERVE", "k", "0.0001", "10000", "BITSPERKEY", "8")

    def test_no_option_comes_twice(self):
        for twice in (
            ["SEED", "1", "SEED", "2"],
            ["SCHEME", "gated", "scheme", "gated"],
            ["BLOCK", "256", "BLOCK", "256"],
            ["BITSPERKEY", "20", "BITSPERKEY", "20"],
            ["TIGHTENING", "0.4", "TIGHTENING", "0.4"],
            ["EXPANSION", "2", "EXPANSION", "2"],
            ["NONSCALING", "NONSCALING"],
        ):
            self.refused(f"ERR {twice[0]} is given twice", "BF.RESERVE", "k", "0.01", "100", *twice)
            self.refused(f"ERR {twice[0]} is given twice", "BF.INSERT", "k", *twice, "ITEMS", "x")
        for twice in (["CAPACITY", "5", "CAPACITY", "5"], ["ERROR", "0.1", "er", "0.1"], ["NOCREATE", "NOCREATE"]):
            self.refused(f"ERR {twice[0]} is given twice", "BF.INSERT", "k", *twice, "ITEMS", "x")
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_bits_per_key_and_blocks(self):
        self.r("BF.RESERVE", "k", "0.01", "10000", "NONSCALING", "BITSPERKEY", "16", "BLOCK", "256")
        about = pairs(self.r("BF.STATS", "k"))
        self.assertAlmostEqual(about["Bytes"], 20_000, delta=100)

    def test_a_plan_is_what_comes(self):
        for words in (
            ["0.01", "20000"],
            ["0.0001", "20000"],
            ["0.001", "20000", "NONSCALING"],
            ["0.001", "20000", "SCHEME", "classic"],
            ["0.01", "20000", "BITSPERKEY", "20"],
        ):
            planned = pairs(self.r("BF.PLAN", *words))
            self.r("DEL", "k")
            self.r("BF.RESERVE", "k", *words)
            self.r("BF.MADD", "k", *range(20000))
            about = pairs(self.r("BF.STATS", "k"))
            self.assertEqual(planned["Bytes"], about["Bytes"])
            self.assertEqual(planned["Scheme"], pairs(about["Links"][0])["Scheme"])
            self.assertAlmostEqual(float(about["FPR now"]) / float(planned["FPR of the first link"]), 1, delta=0.35)
            self.assertLessEqual(float(planned["FPR of the first link"]), float(words[0]))


class Unions(ServerTest):
    def test_every_key_of_either(self):
        self.r("BF.RESERVE", "a", "0.001", "1000")
        self.r("BF.RESERVE", "b", "0.5", "1", "LIKE", "a")
        self.r("BF.MADD", "a", *range(400))
        self.r("BF.MADD", "b", *range(300, 800))
        self.assertEqual(self.r("BF.MERGE", "a", "b"), b"OK")
        self.assertEqual(sum(self.r("BF.MEXISTS", "a", *range(800))), 800)
        self.assertAlmostEqual(self.r("BF.CARD", "a"), 800, delta=30)
        self.assertEqual(self.r("BF.INFO", "a", "FILTERS"), [1])
        self.assertEqual(self.r("BF.CARD", "b"), 500)

    def test_into_a_new_key_and_of_several(self):
        self.r("BF.RESERVE", "a", "0.001", "100")
        for key in "bc":
            self.r("BF.INSERT", key, "LIKE", "a", "ITEMS", *(f"{key}{i}" for i in range(250)))
        self.r("BF.MADD", "a", *(f"a{i}" for i in range(250)))
        self.r("BF.MERGE", "d", "a", "b", "c")
        for key in "abc":
            self.assertEqual(sum(self.r("BF.MEXISTS", "d", *(f"{key}{i}" for i in range(250)))), 250)
        self.r("BF.MADD", "d", *range(1000))
        self.assertEqual(sum(self.r("BF.MEXISTS", "d", *range(1000))), 1000)
        for key in "abc":
            self.assertEqual(sum(self.r("BF.MEXISTS", "d", *(f"{key}{i}" for i in range(250)))), 250)

    def test_filters_that_do_not_scale_are_united_and_overfull(self):
        self.r("BF.RESERVE", "a", "0.001", "100", "NONSCALING")
        self.r("BF.RESERVE", "b", "0.1", "1", "LIKE", "a")
        self.r("BF.MADD", "a", *range(100))
        self.r("BF.MADD", "b", *range(100, 200))
        self.r("BF.MERGE", "a", "b")
        self.assertEqual(sum(self.r("BF.MEXISTS", "a", *range(200))), 200)
        self.assertEqual(self.r("BF.INFO", "a", "FILTERS"), [1])
        self.assertEqual(pairs(self.r("BF.STATS", "a"))["Overfull"], 1)
        self.assertIn("sluice_overfull_filters:1", self.server.cli("INFO", "sluice"))

    def test_a_key_keeps_its_time(self):
        self.r("BF.RESERVE", "a", "0.01", "100")
        self.r("BF.RESERVE", "b", "0.01", "100", "LIKE", "a")
        self.r("EXPIRE", "a", "1000")
        self.r("BF.MERGE", "a", "b")
        self.assertGreater(self.r("TTL", "a"), 900)

    def test_others_are_refused_with_the_reason(self):
        self.r("BF.RESERVE", "a", "0.01", "100", "SEED", "1")
        self.r("BF.RESERVE", "seed", "0.01", "100", "SEED", "2")
        self.r("BF.RESERVE", "size", "0.01", "200", "SEED", "1")
        self.r("BF.RESERVE", "bits", "0.01", "100", "SEED", "1", "BITSPERKEY", "40")
        self.refused_with("seeds differ: 1 and 2", "BF.MERGE", "a", "seed")
        self.refused_with("different error rates, capacities", "BF.MERGE", "a", "size")
        self.refused_with("geometry differs", "BF.MERGE", "a", "bits")
        self.refused("ERR not found", "BF.RESERVE", "x", "0.01", "100", "LIKE", "nothing")

    def test_itself(self):
        self.r("BF.MADD", "a", "x", "y")
        before = dump(self.r, "a")
        self.r("BF.MERGE", "a", "a")
        self.assertEqual(dump(self.r, "a"), before)


class Memory(ServerTest):
    def test_small_filters_are_small(self):
        self.r("BF.MADD", "k", *range(100))
        self.assertLessEqual(self.r("MEMORY", "USAGE", "k"), 760)

    def test_the_server_s_own_count_agrees(self):
        before = int(self.server.client.info("memory")["used_memory"])
        count = 300
        for i in range(count):
            self.r("BF.RESERVE", f"k{i}", "0.01", "5000")
        used = int(self.server.client.info("memory")["used_memory"]) - before
        told = sum(self.r("MEMORY", "USAGE", f"k{i}") for i in range(count))
        self.assertAlmostEqual(used / told, 1, delta=0.06)

    def test_totals(self):
        def totals():
            return {
                name: int(value)
                for name, value in (
                    line.split(":") for line in self.server.cli("INFO", "sluice").split("\n")[1:] if ":" in line
                )
            }

        self.r("BF.MADD", "a", *range(50))
        self.r("BF.MADD", "b", *range(20))
        self.r("COPY", "a", "c")
        t = totals()
        self.assertEqual((t["sluice_filters"], t["sluice_keys"], t["sluice_overfull_filters"]), (3, 120, 0))
        # The names of the keys, and what the server keeps for them, are not the module's.
        names = 3 * 100
        told = sum(self.r("MEMORY", "USAGE", key) for key in "abc")
        self.assertLessEqual(t["sluice_memory_bytes"], told)
        self.assertGreater(t["sluice_memory_bytes"], told - names)
        self.assertGreaterEqual(t["sluice_module_bytes"], t["sluice_memory_bytes"])
        self.r("UNLINK", "a", "b", "c")
        t = totals()
        self.assertEqual((t["sluice_filters"], t["sluice_keys"], t["sluice_memory_bytes"]), (0, 0, 0))

    def test_large_filters_are_freed_in_the_background(self):
        self.r("BF.RESERVE", "large", "0.01", "1000000")
        self.r("BF.RESERVE", "small", "0.01", "100")
        self.r("CONFIG", "RESETSTAT")
        self.r("UNLINK", "large", "small")
        wait_until(lambda: self.server.client.info("memory")["lazyfree_pending_objects"] == 0)
        self.assertEqual(self.server.client.info("memory")["lazyfreed_objects"], 1)

    def test_the_limit_is_maxmemory_where_there_is_one(self):
        small = self.another(maxmemory="20mb")
        with self.assertRaisesRegex(
            redis.exceptions.ResponseError, "Insufficient memory to create filter.*20971520 are the most"
        ):
            small("BF.RESERVE", "k", "0.01", "100000000")
        self.assertEqual(small("BF.RESERVE", "k", "0.01", "100000"), b"OK")

    def test_the_limit_of_the_argument_holds_for_growth(self):
        small = self.another("max-bytes", "100kb")
        small("BF.RESERVE", "k", "0.01", "20000", "SEED", "1")
        reply = None
        taken = 0
        for begin in range(0, 400_000, 1000):
            reply = small("BF.MADD", "k", *range(begin, begin + 1000))
            taken += sum(1 for one in reply if not isinstance(one, Exception))
            if isinstance(reply[-1], Exception):
                break
        self.assertRegex(str(reply[-1]), "problem inserting into filter.*are the most")
        self.assertEqual(sum(small("BF.MEXISTS", "k", *range(taken))), taken)

    @unittest.skipIf(under_asan, "the sanitizer's shadow takes more than the limit")
    def test_memory_that_the_system_refuses_is_an_error(self):
        limited = self.another("max-bytes", "1000gb", limit_memory_kb=600_000)
        for words in (["BF.RESERVE", "k", "0.000001", "1073741824"], ["BF.RESERVE", "k", "0.01", "1000000000"]):
            with self.assertRaisesRegex(redis.exceptions.ResponseError, "Insufficient memory"):
                limited(*words)
        self.assertTrue(limited("PING"))
        self.assertEqual(limited("BF.ADD", "k", "x"), 1)


class Arguments(ServerTest):
    arguments = ("ERROR_RATE", "0.001", "INITIAL_SIZE", "1000", "EXPANSION", "4")

    def test_defaults(self):
        self.r("BF.ADD", "k", "x")
        self.assertEqual(self.r("BF.INFO", "k")[1::2][0], 1000)
        self.assertEqual(self.r("BF.INFO", "k", "EXPANSION"), [4])
        self.assertLess(float(pairs(self.r("BF.STATS", "k"))["FPR when full"]), 0.0006)

    def test_wrong_ones_stop_the_server_with_a_sentence(self):
        import os
        import subprocess

        from servers import free_port, module, server_program

        for words, sentence in (
            (["colour", "red"], "there is no argument 'colour'"),
            (["ERROR_RATE", "2"], "ERROR_RATE is a rate between 0 and 1"),
            (["seed"], "the argument 'seed' has no value"),
            (["max-bytes", "lots"], "max-bytes is a number of bytes"),
            (["folder", "here"], "folder is the absolute path"),
            (["compat", "x"], "compat is redisbloom or valkey"),
        ):
            run = subprocess.run(
                [
                    server_program,
                    "--port",
                    str(free_port()),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--loadmodule",
                    os.path.abspath(module),
                    *words,
                ],
                capture_output=True,
                text=True,
                timeout=20,
            )
            self.assertNotEqual(run.returncode, 0)
            self.assertIn(sentence, run.stdout)


class Valkey(ServerTest):
    arguments = ("compat", "valkey")

    def test_integers_in_both_protocols(self):
        self.r("BF.ADD", "k", "a")
        for protocol in (2, 3):
            self.assertEqual(self.server.cli("--no-raw", "BF.EXISTS", "k", "a", protocol=protocol), "(integer) 1")

    def test_info(self):
        self.r("BF.RESERVE", "k", "0.01", "100")
        whole = self.r("BF.INFO", "k")
        self.assertEqual(
            [n.decode() for n in whole[0::2]],
            [
                "Capacity",
                "Size",
                "Number of filters",
                "Number of items inserted",
                "Error rate",
                "Expansion rate",
                "Tightening ratio",
                "Max scaled capacity",
            ],
        )
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), 100)
        self.assertEqual(self.r("BF.INFO", "k", "ERROR"), b"0.01")
        self.assertEqual(self.r("BF.INFO", "k", "TIGHTENING"), b"0.5")
        self.assertGreater(self.r("BF.INFO", "k", "MAXSCALEDCAPACITY"), 10**6)
        self.refused("ERR invalid information value", "BF.INFO", "k", "COLOUR")
        self.r("BF.RESERVE", "n", "0.01", "100", "NONSCALING")
        self.assertEqual(len(self.r("BF.INFO", "n")), 12)

    def test_errors(self):
        self.r("SET", "s", "x")
        self.refused("WRONGTYPE Operation against a key holding the wrong kind of value", "BF.EXISTS", "s", "a")
        self.refused("ERR (0 < error rate range < 1)", "BF.RESERVE", "k", "1", "100")
        self.refused("ERR bad error rate", "BF.RESERVE", "k", "x", "100")
        self.refused("ERR (capacity should be larger than 0)", "BF.RESERVE", "k", "0.1", "0")
        self.refused("ERR bad capacity", "BF.RESERVE", "k", "0.1", "x")
        self.refused("ERR bad expansion", "BF.RESERVE", "k", "0.1", "100", "EXPANSION", "0")
        self.refused("ERROR", "BF.RESERVE", "k", "0.1", "100", "WHAT")
        self.refused("ERROR", "BF.RESERVE", "k", "0.1", "100", "NONSCALING", "EXPANSION", "2")
        self.refused("ERR unknown argument received", "BF.INSERT", "k", "it", "a")
        self.refused("ERR bad tightening ratio", "BF.INSERT", "k", "TIGHTENING", "x", "ITEMS", "a")
        self.refused("ERR (0 < tightening ratio range < 1)", "BF.INSERT", "k", "TIGHTENING", "2", "ITEMS", "a")
        self.refused("ERR invalid seed", "BF.INSERT", "k", "SEED", "short", "ITEMS", "a")
        self.refused("ERR not found", "BF.INSERT", "k", "NOCREATE", "ITEMS", "a")
        self.refused(
            "ERR cannot use NONSCALING and VALIDATESCALETO options together",
            "BF.INSERT",
            "k",
            "NONSCALING",
            "VALIDATESCALETO",
            "1000",
        )
        self.refused(
            "ERR provided VALIDATESCALETO causes bloom object to exceed memory limit",
            "BF.INSERT",
            "k",
            "VALIDATESCALETO",
            "1000000000",
        )

    def test_limits(self):
        self.refused("ERR operation exceeds bloom object memory limit", "BF.RESERVE", "k", "0.00001", "1073741824")
        self.refused("ERR operation exceeds bloom object memory limit", "BF.RESERVE", "k", "0.01", "100000000000")
        small = self.another("compat", "valkey", "max-bytes", "90kb")
        small("BF.RESERVE", "k", "0.01", "20000")
        reply = small("BF.MADD", "k", *range(21_000))
        self.assertEqual(str(reply[-1]), "operation exceeds bloom object memory limit")
        small("BF.RESERVE", "e", "0.000000001", "1", "EXPANSION", "1")
        reply = small("BF.MADD", "e", *range(100))
        self.assertEqual(str(reply[-1]), "false positive degrades to 0 on scale out")

    def test_info_is_flat_in_resp3(self):
        self.r("BF.RESERVE", "k", "0.01", "100", "NONSCALING")
        self.assertTrue(self.server.cli("--no-raw", "BF.INFO", "k", protocol=3).lstrip().startswith("1) "))

    def test_insert_without_items(self):
        self.assertEqual(self.r("BF.INSERT", "k", "CAPACITY", "500", "SEED", "x" * 32, "VALIDATESCALETO", "10000"), [])
        self.assertEqual(self.r("BF.INFO", "k", "CAPACITY"), 500)
        self.assertEqual(self.r("BF.INSERT", "n"), [])
        self.assertEqual(self.r("BF.INSERT", "n", "ITEMS", "a"), [1])


class Twin(ServerTest):
    """Random scripts beside a set: nothing that was added is ever denied, and what is said to be new was not there."""

    def test_random_scripts(self):
        chance = random.Random(18)
        for script in range(6):
            key = f"k{script}"
            capacity = chance.choice([1, 2, 7, 64, 300])
            self.r(
                "BF.RESERVE",
                key,
                chance.choice(["0.01", "0.0005"]),
                capacity,
                "EXPANSION",
                chance.choice([1, 2, 8]) if capacity > 7 else 2,
            )
            added = set()
            for _ in range(60):
                items = [str(chance.randrange(1500)) for _ in range(chance.choice([1, 1, 3, 40]))]
                for item, fresh in zip(
                    items, self.r("BF.MADD", key, *items) if len(items) > 1 else [self.r("BF.ADD", key, items[0])]
                ):
                    if fresh:
                        self.assertNotIn(item, added)
                    added.add(item)
                if chance.random() < 0.1:
                    self.r("RESTORE", key, "0", self.r("DUMP", key), "REPLACE")
                self.assertEqual(sum(self.r("BF.MEXISTS", key, *added)), len(added))
                one = chance.choice(sorted(added))
                self.assertEqual(self.r("BF.EXISTS", key, one), 1)


if __name__ == "__main__":
    unittest.main()
