#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Which replicas are waited for: those that a cluster has, also where they have nothing yet, and after a failover."""
import json
import unittest

from clusters import Cluster
from servers import Server, wait_until
from spread import Failed, Running, lines, numbers, spread


def waiting_clients(node):
    return node("INFO", "clients")["blocked_clients"]


def waits(node):
    return node("INFO", "commandstats").get("cmdstat_wait", {"calls": 0})["calls"]


class Waited(unittest.TestCase):
    def kill(self, victim):
        """Its replica takes over, and the others know that it is gone."""
        left = [n for n in self.cluster.alive() if n is not victim]
        id_of_it = victim.id()
        victim.kill()

        def gone(node):
            about = [line.split() for line in self.cluster.cli("-p", node.port, "CLUSTER", "NODES").splitlines()]
            return any(line[0] == id_of_it and "fail" in line[2].split(",") for line in about)

        wait_until(lambda: sum(n.role() == "master" for n in left) == 3 and all(gone(n) for n in left), 90)
        wait_until(self.cluster.is_ready, 90)

    def test_the_first_build_of_a_new_cluster_and_a_failover_right_after_it(self):
        self.cluster = Cluster(sync_delay=1000)  # until somebody says otherwise
        self.addCleanup(self.cluster.remove)
        primaries = self.cluster.primaries()
        for n in primaries:
            self.assertEqual([len(range_of_slots) for range_of_slots in n("CLUSTER", "SLOTS")], [3] * 3)  # no replica
        keys = numbers(0, 30_000)
        build = Running("build", self.cluster.to, "f", "--keys", 200_000, "--wait-timeout", 90)
        self.addCleanup(build.remove)
        wait_until(lambda: any(waiting_clients(n) for n in primaries) or build.process.poll() is not None, 60)
        self.assertIsNone(build.process.poll())
        for n in primaries:
            n("CONFIG", "SET", "repl-diskless-sync-delay", 0)
        build.give(keys)
        about, said = build.end()
        self.assertIn("3 of 3 nodes have replicas", said)
        self.assertEqual((about["keys_unacknowledged"], about["keys_replicated"]), (0, len(keys)))
        primaries[0].kill()
        wait_until(lambda: len(self.cluster.primaries()) == 3, 90)
        found = spread("query", self.cluster.to, "f", "--count", stdin=lines(keys))
        self.assertEqual(int(found.stdout), len(keys))

    def test_a_failover_in_between(self):
        """The number of replicas is asked again, and the report says for how many keys one was waited for."""
        self.cluster = Cluster()
        self.addCleanup(self.cluster.remove)
        victim, *others = self.cluster.primaries()
        spread("build", self.cluster.to, "f", "--keys", 2_000_000, "--key", "x")
        before = [waits(n) for n in others]
        add = Running("add", self.cluster.to, "f")
        self.addCleanup(add.remove)
        add.give(numbers(0, 1_100_000))  # of which the first half a million are sent
        wait_until(lambda: all(waits(n) > b for n, b in zip(others, before)), 60)
        self.kill(victim)
        add.give(numbers(2_000_000, 100_000))
        about, said = add.end()
        alone = 1_200_000 - about["keys_replicated"]
        self.assertIn("3 of 3 nodes have replicas", said)
        self.assertIn(f"no replica was waited for, for {alone} of 1200000 keys", said)
        self.assertEqual((about["keys_read"], about["keys_unacknowledged"]), (1_200_000, 0))
        self.assertGreater(alone, 100_000 // 4)  # a third of those that came afterwards, at least
        self.assertLess(alone, 700_000 // 2)
        result = spread("add", self.cluster.to, "f", "--json", stdin=lines(numbers(0, 30_000)))
        self.assertIn(b"2 of 3 nodes have replicas", result.stderr)
        self.assertAlmostEqual(json.loads(result.stdout)["keys_replicated"], 20_000, delta=2000)
        result = spread("add", self.cluster.to, "f", "--json", "--wait", 0, stdin=lines(numbers(0, 30_000)))
        self.assertEqual(json.loads(result.stdout)["keys_replicated"], 0)

    def test_a_server_that_does_not_say_which_replicas_it_has(self):
        server = Server("seed", 7)
        self.addCleanup(server.remove)
        server("ACL", "SETUSER", "silent", "on", ">sesame", "~*", "+@all", "-info")
        who = ["--user", "silent", "--keys", 100, "--key", "x"]
        with self.assertRaises(Failed) as e:
            spread("build", server.port, "f", *who, environment={"REDISCLI_AUTH": "sesame"})
        self.assertIn("does not say which replicas it has", str(e.exception))
        self.assertIn("--wait", str(e.exception))
        self.assertEqual(server("DBSIZE"), 0)
        spread("build", server.port, "f", *who, "--wait", 0, environment={"REDISCLI_AUTH": "sesame"})


if __name__ == "__main__":
    unittest.main()
