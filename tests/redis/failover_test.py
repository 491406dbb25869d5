#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""One filter over a cluster of six while slots move and nodes fail: no acknowledged key is missing, nothing hangs."""
import subprocess
import threading
import time
import unittest

import redis

from clusters import Cluster, Machines
from servers import wait_until
from spread import Failed, command, lines, numbers, spread, told


class Asking(threading.Thread):
    """Asks for keys that were acknowledged, again and again, and notes how long it took and what was wrong."""

    def __init__(self, to, keys):
        super().__init__(daemon=True)
        self.to, self.keys = to, keys
        self.times, self.wrong, self.ends = [], [], threading.Event()

    def run(self):
        while not self.ends.is_set():
            begun = time.time()
            asked = list(self.keys)
            try:
                missing = len(asked) - self.found(asked)
                if missing != 0:
                    self.wrong.append(f"{missing} of {len(asked)} keys are missing")
            except (Failed, subprocess.TimeoutExpired, OSError) as e:
                self.wrong.append(str(e))
            self.times.append(time.time() - begun)
        self.close()

    def end(self):
        self.ends.set()
        self.join(120)
        assert not self.is_alive(), "a question has no end"


class AskingAnew(Asking):
    """Each time by a process of its own, which has to find the nodes."""

    def found(self, keys):
        return int(spread("query", self.to, "f", "--count", stdin=lines(keys), timeout=90).stdout)

    def close(self):
        pass


class AskingOn(Asking):
    """By one process for all, whose connections break."""

    def __init__(self, to, keys):
        super().__init__(to, keys)
        words = [command, "redis", "query", "--to", to, "f"]
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def found(self, keys):
        some = keys[-2000:]  # less than a pipe holds
        self.process.stdin.write(lines(some))
        self.process.stdin.flush()
        for key in some:
            line = self.process.stdout.readline()
            if line != key + b"\n":
                raise OSError(f"{line} in place of {key}; " + (self.process.stderr.read().decode() if not line else ""))
        return len(keys)

    def close(self):
        self.process.stdin.close()
        if self.process.wait(60) != 0:
            self.wrong.append(self.process.stderr.read().decode())
        self.process.stdout.close()
        self.process.stderr.close()


class Asked(unittest.TestCase):
    most_seconds = 25  # of one question, while a node fails: its timeout of 2 s, an election, and a busy machine

    def make_cluster(self):
        return Cluster()

    def setUp(self):
        self.cluster = self.make_cluster()
        self.addCleanup(self.cluster.remove)
        self.to = self.cluster.to
        self.keys = numbers(0, 30_000)
        about = told("build", self.to, "f", "--keys", 200_000, "--wait", 1, stdin=lines(self.keys))
        self.assertEqual(about["keys_unacknowledged"], 0)
        self.asking = [AskingAnew(self.to, self.keys), AskingOn(self.to, self.keys)]
        for a in self.asking:
            a.start()
        self.wait_for_answers(1)

    def wait_for_answers(self, count):
        """From now on."""
        before = [len(a.times) for a in self.asking]
        wait_until(lambda: all(len(a.times) > b + count for a, b in zip(self.asking, before)), 90)

    def require_no_loss(self):
        self.wait_for_answers(2)
        for a in self.asking:
            a.end()
            self.assertEqual(a.wrong, [])
            self.assertLess(max(a.times), self.most_seconds)
            print(f"{self.id().split('.')[-1]}: {type(a).__name__} {len(a.times)} times, the longest {max(a.times):.1f} s")

    def require_all_found(self):
        self.assertEqual(int(spread("query", self.to, "f", "--count", stdin=lines(self.keys)).stdout), len(self.keys))

    def add_acknowledged(self, first, count):
        """Returns whether all of them were."""
        added = numbers(first, count)
        result = spread("add", self.to, "f", "--wait", 1, "--json", stdin=lines(added), status=None, timeout=90)
        if result.returncode == 0:
            self.keys.extend(added)
        else:
            print(f"{self.id().split('.')[-1]}: keys from {first}: {result.stderr.decode()[-500:]}")
        return result.returncode == 0


class Changes(Asked):
    def test_live_resharding_and_a_slot_moved_by_hand(self):
        source, target = self.cluster.primaries()[:2]
        self.cluster.cli(
            "--cluster", "reshard", self.cluster.nodes[0].at, "--cluster-from", source.id(), "--cluster-to", target.id(),
            "--cluster-slots", "2730", "--cluster-yes",
        )  # fmt: skip
        self.assertTrue(self.add_acknowledged(30_000, 5000))
        # One slot by hand: while it is on its way, one of its keys is there and questions are redirected for once.
        part = next(p for p in range(64) if self.owner(p) is source)
        slot = int(source("CLUSTER", "KEYSLOT", str(part)))
        target("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id())
        source("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id())
        source("MIGRATE", "127.0.0.1", target.port, f"f{{{part}}}", 0, 20_000)
        with self.assertRaises(redis.exceptions.ResponseError) as e:
            source("BF.CARD", f"f{{{part}}}")
        self.assertIn("ASK", type(e.exception).__name__.upper() + str(e.exception))
        self.assertTrue(self.add_acknowledged(35_000, 5000))  # with ASKING
        self.wait_for_answers(2)
        for node in target, source:
            node("CLUSTER", "SETSLOT", slot, "NODE", target.id())
        self.require_no_loss()

    def owner(self, part):
        for n in self.cluster.primaries():
            try:
                n("BF.CARD", f"f{{{part}}}")
                return n
            except redis.exceptions.ResponseError:
                pass
        return None

    def test_kill_9_of_a_primary(self):
        victim = self.cluster.primaries()[0]
        victim.kill()
        for i in range(5):  # those of the new primary, which has no replica, are not acknowledged
            self.add_acknowledged(40_000 + 1000 * i, 1000)
        wait_until(lambda: len(self.cluster.primaries()) == 3, 60)
        self.require_no_loss()
        victim.start()
        wait_until(self.cluster.is_ready, 60)
        self.assertTrue(self.add_acknowledged(50_000, 1000))
        self.require_all_found()

    def test_a_primary_that_stands_still(self):
        victim = self.cluster.primaries()[1]
        victim.stop_running()
        self.add_acknowledged(40_000, 3000)
        others = [n for n in self.cluster.nodes if n is not victim]
        wait_until(lambda: sum(n.role() == "master" for n in others) == 3, 60)
        self.require_no_loss()
        victim.run_again()
        wait_until(lambda: victim.role() == "slave", 60)
        wait_until(self.cluster.is_ready, 60)
        self.require_all_found()

    def test_a_replica_restarts(self):
        replica = self.cluster.replica_of(self.cluster.primaries()[2])
        replica.kill()
        self.add_acknowledged(40_000, 3000)  # counted, if nobody else has them; status 1
        replica.start()
        wait_until(self.cluster.is_ready, 60)
        self.assertTrue(self.add_acknowledged(43_000, 3000))
        self.require_no_loss()


class CutOff(Asked):
    """Three machines with two nodes each. Skipped where there can be no network namespaces."""

    def make_cluster(self):
        why_not = Machines.why_not()
        if why_not:
            self.skipTest(why_not)
        self.machines = Machines(3)
        self.addCleanup(self.machines.remove)
        return Cluster(make_nodes=self.machines.make_nodes)

    def machine_of(self, node):
        return next(i for i in range(3) if self.machines.host(i) == node.host)

    def wait_for_three_elsewhere(self, lost):
        others = [n for n in self.cluster.nodes if self.machine_of(n) != lost]
        wait_until(lambda: sum(n.role() == "master" for n in others) == 3, 60)

    def test_a_machine_without_its_cable(self):
        lost = self.machine_of(self.cluster.primaries()[0])
        self.machines.pull_cable(lost)
        self.add_acknowledged(40_000, 3000)
        self.wait_for_three_elsewhere(lost)
        self.wait_for_answers(1)
        self.machines.plug_in(lost)
        wait_until(self.cluster.is_ready, 60)
        self.assertTrue(self.add_acknowledged(50_000, 3000))
        self.require_no_loss()
        self.require_all_found()

    def test_a_machine_that_clients_still_reach(self):
        lost = self.machine_of(self.cluster.primaries()[0])
        self.machines.part_from_others(lost)
        self.add_acknowledged(40_000, 3000)  # its replica does not hear of them: not acknowledged, or elsewhere
        self.wait_for_three_elsewhere(lost)
        self.wait_for_answers(1)
        self.machines.join_others(lost)
        wait_until(self.cluster.is_ready, 60)
        self.assertTrue(self.add_acknowledged(50_000, 3000))
        self.require_no_loss()
        self.require_all_found()


if __name__ == "__main__":
    unittest.main()
