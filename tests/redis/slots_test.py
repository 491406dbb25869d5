# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Slots move to other nodes with all that is in them: key by key (MIGRATE), and, where the server knows it (Valkey 9),
all at once (CLUSTER MIGRATESLOTS)."""
import unittest

import redis

from clusters import Cluster
from servers import wait_until


class Slots(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster(primaries=3, replicas=0)
        cls.addClassCleanup(cls.cluster.remove)

    def owner_of(self, slot):
        for begin, end, node, *_ in self.cluster.nodes[0]("CLUSTER", "SLOTS"):
            if begin <= slot <= end:
                return next(n for n in self.cluster.nodes if n.port == node[1])
        raise AssertionError(f"nobody has slot {slot}")

    def fill(self, tag):
        """Keys of one slot: one filter, one that has grown, a ledger. Returns the slot and its owner."""
        slot = self.cluster.nodes[0]("CLUSTER", "KEYSLOT", f"{{{tag}}}")
        owner = self.owner_of(slot)
        owner("BF.RESERVE", f"{{{tag}}}one", "0.0001", "200000", "NONSCALING")
        for key in "one", "grown":
            for first in range(0, 20_000, 1000):
                owner("BF.MADD", f"{{{tag}}}{key}", *range(first, first + 1000))
        owner("CF.INSERT", f"{{{tag}}}ledger", "ITEMS", *range(2000))
        return slot, owner

    def holds(self, node, tag):
        for key in "one", "grown":
            self.assertEqual(sum(node("BF.MEXISTS", f"{{{tag}}}{key}", *range(20_000))), 20_000)
        self.assertEqual(sum(node("CF.MEXISTS", f"{{{tag}}}ledger", *range(2000))), 2000)
        self.assertEqual(node("CF.DEL", f"{{{tag}}}ledger", "7"), 1)
        node("BF.MADD", f"{{{tag}}}grown", *range(20_000, 21_000))
        self.assertEqual(sum(node("BF.MEXISTS", f"{{{tag}}}grown", *range(20_000, 21_000))), 1000)

    def digests(self, node, tag):
        return [node("DEBUG", "DIGEST-VALUE", f"{{{tag}}}{key}") for key in ("one", "grown", "ledger")]

    def test_key_by_key(self):
        slot, source = self.fill("a")
        before = self.digests(source, "a")
        target = next(n for n in self.cluster.nodes if n is not source)
        target("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id())
        source("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id())
        for key in "one", "grown", "ledger":
            self.assertEqual(source("MIGRATE", "127.0.0.1", target.port, f"{{a}}{key}", 0, 20_000), b"OK")
        for node in self.cluster.nodes:
            node("CLUSTER", "SETSLOT", slot, "NODE", target.id())
        self.assertEqual(self.digests(target, "a"), before)
        self.holds(target, "a")

    def test_all_at_once(self):
        slot, source = self.fill("b")
        before = self.digests(source, "b")
        target = next(n for n in self.cluster.nodes if n is not source)
        try:
            self.assertEqual(source("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", slot, slot, "NODE", target.id()), b"OK")
        except redis.exceptions.ResponseError as e:
            if "unknown subcommand" not in str(e).lower():
                raise  # refused, because a module does not allow it
            self.skipTest("this server has no CLUSTER MIGRATESLOTS")
        wait_until(lambda: self.owner_of(slot) is target, 60)
        wait_until(lambda: target("EXISTS", "{b}one") == 1, 60)
        self.assertEqual(self.digests(target, "b"), before)
        self.holds(target, "b")


if __name__ == "__main__":
    unittest.main()
