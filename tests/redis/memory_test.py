#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What is new must fit into what is left of maxmemory: no command reaches beyond it. Replicas take what they are told."""
import unittest

import redis

from servers import ServerTest, dump, load, under_asan, wait_until

limit = 100 << 20


@unittest.skipIf(under_asan, "the sanitizer's own memory is counted, too")
class Room(ServerTest):
    options = {"maxmemory": str(limit)}

    def setUp(self):
        super().setUp()
        # A filter of 60 MB is there.
        self.r("BF.RESERVE", "first", "0.01", "40000000", "NONSCALING")
        self.assertGreater(self.used(), 40 << 20)

    def used(self):
        return self.server.client.info("memory")["used_memory"]

    def out_of_memory(self, *words):
        before = self.used()
        with self.assertRaisesRegex(redis.exceptions.ResponseError, "^OOM .*are left of maxmemory"):
            self.r(*words)
        # Nothing was taken: what a client's words need is given back.
        wait_until(lambda: self.used() < before + (1 << 20))

    def test_new_filters(self):
        self.out_of_memory("BF.RESERVE", "second", "0.01", "60000000", "NONSCALING")
        self.out_of_memory("BF.INSERT", "second", "CAPACITY", "60000000", "NONSCALING", "ITEMS", "x")
        self.out_of_memory("BF.RESERVE", "second", "0.01", "9", "LIKE", "first")
        self.assertEqual(self.r("EXISTS", "second"), 0)
        self.assertEqual(self.r("BF.RESERVE", "second", "0.01", "10000000", "NONSCALING"), b"OK")

    def test_growth(self):
        self.r("BF.RESERVE", "small", "0.01", "1000", "EXPANSION", "32768")
        reply = self.r("BF.MADD", "small", *range(3000))
        self.assertRegex(str(reply[-1]), "^OOM .*are left of maxmemory")
        taken = len(reply) - 1
        self.assertGreaterEqual(taken, 1000)
        self.assertEqual(sum(self.r("BF.MEXISTS", "small", *range(taken))), taken)

    def test_what_is_loaded(self):
        header = dump(self.r, "first")[0]
        self.out_of_memory("BF.LOADCHUNK", "second", *header)
        self.assertEqual(self.r("EXISTS", "second"), 0)
        payload = self.r("DUMP", "first")  # nearly all zero: a few kilobytes
        with self.assertRaises(redis.exceptions.ResponseError):
            self.r("RESTORE", "second", "0", payload)
        self.assertEqual(self.r("EXISTS", "second"), 0)
        self.r("CONFIG", "SET", "maxmemory", str(2 * limit))
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory", str(limit))
        self.assertEqual(self.r("RESTORE", "second", "0", payload), b"OK")

    def test_unions(self):
        self.r("CONFIG", "SET", "maxmemory", "0")
        self.r("BF.RESERVE", "a", "0.01", "20000000", "NONSCALING", "SEED", "1")
        self.r("CONFIG", "SET", "maxmemory", str(limit))
        self.out_of_memory("BF.MERGE", "b", "a")

    def test_a_server_that_evicts_makes_room(self):
        """It is always full: an eighth of maxmemory may be new at once."""
        self.r("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory-policy", "noeviction")
        written = 0
        while self.used() <= limit - (4 << 20):  # the server may evict the large filter, too
            self.r("SET", f"s{written}", b"x" * (1 << 20))
            written += 1
            self.assertLess(written, 1000)
        self.assertEqual(self.r("BF.RESERVE", "second", "0.01", "6000000", "NONSCALING"), b"OK")  # 9 MB
        self.out_of_memory("BF.RESERVE", "third", "0.01", "40000000", "NONSCALING")
        self.r("SET", "s", "x")
        self.assertLess(self.used(), limit + (1 << 20))  # what clients hold is not counted alike everywhere

    def test_a_replica_takes_what_it_is_told(self):
        replica = self.another("seed", 7, maxmemory=str(3 << 20))
        replica("REPLICAOF", "127.0.0.1", self.server.port)
        wait_until(lambda: replica.client.info("replication")["master_link_status"] == "up")
        self.r("BF.RESERVE", "second", "0.01", "2000000", "NONSCALING")  # 3 MB
        self.r("BF.ADD", "second", "x")
        load(self.r, "third", dump(self.r, "second"))
        self.assertEqual(self.r("WAIT", 1, 60_000), 1)
        self.assertEqual([replica("BF.EXISTS", key, "x") for key in ("second", "third")], [1, 1])

    def test_small_ones_are_not_asked_about(self):
        self.r("CONFIG", "SET", "maxmemory", str(self.used() + (1 << 20)))
        self.addCleanup(self.r, "CONFIG", "SET", "maxmemory", str(limit))
        for i in range(50):
            self.assertEqual(self.r("BF.ADD", f"k{i}", "x"), 1)


if __name__ == "__main__":
    unittest.main()
