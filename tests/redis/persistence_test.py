#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What was acknowledged is there afterwards: restarts, the AOF, replicas, kill -9; and the same bytes everywhere."""
import os
import random
import socket
import threading
import time
import unittest

import redis

from servers import Server, ServerTest, dump, load, wait_until


def fill(r):
    """Keys of all sorts. Returns what is in them."""
    r("BF.MADD", "small", *range(10))
    r("BF.RESERVE", "grown", "0.01", "100")
    for begin in range(0, 5000, 500):
        r("BF.MADD", "grown", *range(begin, begin + 500))
    r("BF.RESERVE", "gated", "0.0001", "3000", "NONSCALING")
    r("BF.MADD", "gated", *range(2500))
    r("BF.RESERVE", "listed", "0.001", "2000", "SCHEME", "mht")
    r("BF.MADD", "listed", *range(2000))
    r("BF.RESERVE", "empty", "0.01", "1000")
    return {"small": 10, "grown": 5000, "gated": 2500, "listed": 2000, "empty": 0}


def check(test, r, contents):
    for key, count in contents.items():
        if count:
            test.assertEqual(sum(r("BF.MEXISTS", key, *range(count))), count)
        test.assertLessEqual(r("BF.CARD", key), count)


def digest(r):
    return r("DEBUG", "DIGEST")


class Restarts(unittest.TestCase):
    def server(self, **options):
        server = Server(**options)
        self.addCleanup(server.remove)
        return server

    def test_rdb(self):
        r = self.server()
        contents = fill(r)
        before = digest(r), [dump(r, key) for key in contents]
        r("SAVE")
        r.restart()
        check(self, r, contents)
        self.assertEqual((digest(r), [dump(r, key) for key in contents]), before)
        r("BF.MADD", "grown", *range(5000, 12_000))  # it goes on growing as it would have
        check(self, r, {"grown": 12_000})

    def test_aof_of_commands_rewritten_and_replayed(self):
        r = self.server(
            appendonly="yes", aof_use_rdb_preamble="no", appendfsync="always", auto_aof_rewrite_percentage="0"
        )
        contents = fill(r)
        before = digest(r)
        r.restart()  # every command again
        self.assertEqual(digest(r), before)
        r("BGREWRITEAOF")
        wait_until(
            lambda: r.client.info("persistence")["aof_rewrite_in_progress"] == 0
            and r.client.info("persistence")["aof_rewrite_scheduled"] == 0
        )
        self.assertEqual(r.client.info("persistence")["aof_last_bgrewrite_status"], "ok")
        r("BF.MADD", "small", *range(10, 20))
        after = digest(r)
        self.assertNotEqual(after, before)
        r.restart()
        self.assertEqual(digest(r), after)
        check(self, r, {**contents, "small": 20})
        base = [f for f in os.listdir(os.path.join(r.folder, "appendonlydir")) if "base" in f]
        with open(os.path.join(r.folder, "appendonlydir", base[0]), "rb") as f:
            self.assertIn(b"BF.LOADCHUNK", f.read())

    def test_a_filter_half_loaded_stays_half_loaded(self):
        r = self.server()
        r("BF.RESERVE", "a", "0.01", "20000")
        r("BF.MADD", "a", *range(10_000))
        r("BF.MADD", "a", *range(10_000, 25_000))
        (one, header), *data = dump(r, "a")
        self.assertEqual(len(data), 2)
        load(r, "b", [(one, header), data[0]])
        for words in (
            ["BF.ADD", "b", "x"],
            ["BF.EXISTS", "b", "x"],
            ["BF.MEXISTS", "b", "x"],
            ["BF.SCANDUMP", "b", "0"],
            ["BF.MERGE", "b", "a"],
            ["BF.STATS", "b"],
        ):
            with self.assertRaisesRegex(redis.exceptions.ResponseError, "being loaded"):
                r(*words)
        r("SAVE")
        r.restart()
        with self.assertRaisesRegex(redis.exceptions.ResponseError, "being loaded"):
            r("BF.EXISTS", "b", "x")
        load(r, "b", data[1:])
        check(self, r, {"b": 25_000})
        self.assertEqual(dump(r, "a"), dump(r, "b"))
        load(r, "b", data)  # the same again is no harm
        with self.assertRaisesRegex(redis.exceptions.ResponseError, "received bad data"):
            r("BF.LOADCHUNK", "b", data[0][0], bytes(len(data[0][1])))
        check(self, r, {"b": 25_000})

    def test_a_filter_half_loaded_stays_half_loaded_in_the_aof(self):
        """A rewrite of the AOF writes what has arrived: with zeros for the rest the filter would be complete."""
        r = self.server(appendonly="yes", aof_use_rdb_preamble="no", auto_aof_rewrite_percentage="0")
        r("BF.RESERVE", "a", "0.01", "20000")
        for begin in range(0, 25_000, 5000):
            r("BF.MADD", "a", *range(begin, begin + 5000))
        r("CF.RESERVE", "c", "20000")
        r("CF.INSERT", "c", "ITEMS", *range(20_000))
        (one, header), (end, first), second = dump(r, "a")
        half = len(first) // 2 + 3
        load(r, "b", [(one, header), (1 + half, first[:half])])
        (one_of_c, header_of_c), (end_of_c, all_of_c) = dump(r, "c", "CF")
        load(r, "d", [(one_of_c, header_of_c)], "CF")
        load(r, "e", [(one, header)])

        def rewrite():
            r("BGREWRITEAOF")
            wait_until(
                lambda: r.client.info("persistence")["aof_rewrite_in_progress"] == 0
                and r.client.info("persistence")["aof_rewrite_scheduled"] == 0
            )
            self.assertEqual(r.client.info("persistence")["aof_last_bgrewrite_status"], "ok")

        rewrite()
        before = digest(r)
        r.restart()
        self.assertEqual(digest(r), before)
        for words in (["BF.EXISTS", "b", "x"], ["CF.EXISTS", "d", "x"], ["BF.EXISTS", "e", "x"]):
            with self.assertRaisesRegex(redis.exceptions.ResponseError, "being loaded"):
                r(*words)
        rewrite()
        load(r, "b", [(end, first), second])  # into the new file, behind what was rewritten
        load(r, "d", [(end_of_c, all_of_c)], "CF")
        r.restart()
        check(self, r, {"a": 25_000, "b": 25_000})
        self.assertEqual(sum(r("CF.MEXISTS", "d", *range(20_000))), 20_000)
        self.assertEqual((dump(r, "a"), dump(r, "c", "CF")), (dump(r, "b"), dump(r, "d", "CF")))

    def test_kill_during_writes(self):
        r = self.server(appendonly="yes", appendfsync="always")
        acknowledged = []
        stop = threading.Event()

        def write(number):
            client = redis.Redis(port=r.port)
            i = 0
            while not stop.is_set():
                items = [f"{number}:{i + n}" for n in range(3)]
                try:
                    client.execute_command("BF.MADD", f"k{number % 2}", *items)
                except (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError):
                    return
                acknowledged.extend((f"k{number % 2}", item) for item in items)
                i += 3

        writers = [threading.Thread(target=write, args=(n,)) for n in range(4)]
        for w in writers:
            w.start()
        time.sleep(1.2)
        r.kill()
        stop.set()
        for w in writers:
            w.join()
        self.assertGreater(len(acknowledged), 300)
        r.start()
        for key in ("k0", "k1"):
            items = [item for k, item in acknowledged if k == key]
            self.assertEqual(sum(r("BF.MEXISTS", key, *items)), len(items))


class Replicas(unittest.TestCase):
    def pair(self, *arguments, replica_arguments=()):
        primary = Server(*arguments)
        self.addCleanup(primary.remove)
        replica = Server(*replica_arguments)
        self.addCleanup(replica.remove)
        return primary, replica

    def follow(self, primary, replica):
        replica("REPLICAOF", "127.0.0.1", primary.port)
        wait_until(lambda: replica.client.info("replication").get("master_link_status") == "up")

    def same(self, primary, replica):
        primary("WAIT", 1, 5000)
        self.assertEqual(digest(primary), digest(replica))

    def test_full_sync_and_stream(self):
        # The replica has other defaults and less room: it does what it is told.
        primary, replica = self.pair(
            replica_arguments=("INITIAL_SIZE", 7, "ERROR_RATE", 0.2, "EXPANSION", 0, "max-bytes", "70kb")
        )
        contents = fill(primary)
        self.follow(primary, replica)
        self.same(primary, replica)
        check(self, replica, contents)
        primary("BF.ADD", "new", "x")  # made by adding: with the primary's seed and sizes
        primary("BF.RESERVE", "wide", "0.001", "200000")
        primary(
            "BF.RESERVE",
            "exact",
            "0.01",
            "1000",
            "BITSPERKEY",
            "20",
            "BLOCK",
            "256",
            "SCHEME",
            "gated",
            "EXPANSION",
            "3",
        )
        primary("BF.INSERT", "n", "NONSCALING", "CAPACITY", "5", "ITEMS", *range(9))
        primary("BF.RESERVE", "like", "0.5", "1", "LIKE", "small")
        primary("BF.MADD", "like", *range(1000, 1040))
        primary("BF.MERGE", "union", "small", "like")
        load(primary, "loaded", dump(primary, "grown"))
        for key, count in contents.items():
            primary("BF.MADD", key, *range(count, count + 300)) if key != "gated" else None
        primary("COPY", "grown", "copy")
        self.same(primary, replica)
        self.assertEqual(dump(primary, "new"), dump(replica, "new"))
        self.assertEqual(replica("BF.INFO", "new", "CAPACITY"), [100])

    def test_every_new_key_changes_the_digest(self):
        primary, replica = self.pair()
        self.follow(primary, replica)
        for key in "ab":
            primary("BF.RESERVE", key, "0.000001", "100")  # with a seed of its own, and next to no false positives
        seen = set()
        chance = random.Random(3)
        for i in range(150):
            primary("BF.ADD", chance.choice("ab"), i)
            self.same(primary, replica)
            seen.add(digest(primary))
        self.assertGreaterEqual(len(seen), 149)  # of 150; one may be a false positive

    def test_only_what_changes_is_sent(self):
        primary, replica = self.pair()
        primary("BF.MADD", "a", *range(50))
        self.follow(primary, replica)
        offset = primary.client.info("replication")["master_repl_offset"]
        for _ in range(100):
            primary("BF.MADD", "a", *range(50))
        self.assertLess(primary.client.info("replication")["master_repl_offset"] - offset, 100)

    def test_what_was_refused_is_not_sent(self):
        primary, replica = self.pair("max-bytes", "90kb")  # the replica has more room
        self.follow(primary, replica)
        primary("BF.RESERVE", "k", "0.01", "20000")
        refused = 0
        for begin in range(0, 25_000, 1000):
            refused += isinstance(primary("BF.MADD", "k", *range(begin, begin + 1000))[-1], Exception)
        self.assertGreater(refused, 1)
        self.same(primary, replica)

    def test_scripts_and_transactions(self):
        primary, replica = self.pair()
        self.follow(primary, replica)
        primary("EVAL", "redis.call('BF.ADD', KEYS[1], 'x'); return redis.call('BF.MADD', KEYS[1], 'y', 'z')", 1, "s")
        with primary.client.pipeline(transaction=True) as p:
            p.execute_command("BF.ADD", "t", "x")
            p.execute_command("BF.MADD", "t", "x", "y")
            p.execute_command("BF.EXISTS", "t", "y")
            self.assertEqual(p.execute(), [1, [0, 1], 1])
        self.same(primary, replica)


if __name__ == "__main__":
    unittest.main()
