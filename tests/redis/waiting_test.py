#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Nobody waits for our planner and our models: what commands cost the server's main thread. Its own processor time is
measured, so that other programs on the machine do not matter, and limits are far above what is needed and far below
what one model takes."""
import unittest

import redis

from headers import load_changed, schemes
from servers import ServerTest, under_asan

slower = 20 if under_asan else 1


def pairs(flat):
    return dict(zip((name.decode() for name in flat[0::2]), flat[1::2]))


class Waiting(ServerTest):
    def main_thread(self):
        """Seconds of processor time."""
        cpu = self.server.client.info("cpu")
        return cpu["used_cpu_user_main_thread"] + cpu["used_cpu_sys_main_thread"]

    def costs_little(self, commands, seconds_each=0.002):
        """Every command, an error or not, takes the main thread less than this on average; a model takes ten times as
        long. Returns the replies."""
        commands = list(commands)
        begun = self.main_thread()
        with self.server.client.pipeline(transaction=False) as p:
            for words in commands:
                p.execute_command(*words)
            replies = p.execute(raise_on_error=False)
        spent = self.main_thread() - begun
        self.assertLess(spent, slower * (0.02 + seconds_each * len(commands)))
        return replies

    def test_new_links(self):
        for rate in ("0.01", "0.001", "0.0001", "0.000001"):
            self.r("BF.RESERVE", f"k{rate}", rate, "1", "EXPANSION", "1")
        replies = self.costs_little(["BF.ADD", f"k{rate}", f"item{i}"]
                                    for i in range(14) for rate in ("0.01", "0.001", "0.0001", "0.000001"))
        self.assertGreater(sum(1 for one in replies if one == 1), 50)  # each made a link

    def test_new_filters(self):
        replies = self.costs_little(["BF.RESERVE", f"k{i}", "0.000001", f"{1000 + i}"] for i in range(40))
        self.assertEqual(replies, [b"OK"] * 40)
        replies = self.costs_little(
            ["BF.RESERVE", f"{scheme}{i}", "0.0001", f"{1000 + i}", "SCHEME", scheme]
            for scheme in schemes for i in range(5))
        self.assertEqual(replies, [b"OK"] * 40)

    def test_a_chain_that_can_grow_no_further(self):
        self.r("BF.RESERVE", "k", "0.000000001", "1", "EXPANSION", "1")
        while isinstance(self.r("BF.MADD", "k", *range(40))[-1], int):
            pass
        replies = self.costs_little(["BF.ADD", "k", f"more{i}"] for i in range(100))
        self.assertGreater(sum(isinstance(one, redis.exceptions.ResponseError) for one in replies), 90)
        self.assertIn("no filter has a rate of", str(next(one for one in replies if one not in (0, 1))))

    def test_what_was_loaded_causes_no_more_work(self):
        self.r("BF.INSERT", "source", "CAPACITY", "1", "EXPANSION", "1", "ITEMS", "x")
        commands = []
        for scheme, number in schemes.items():
            for block_bits in (64, 100, 256, 512, 1024, 4096):
                for error in (0.999, 0.2, 1e-9):
                    key = f"{scheme}{block_bits}{error}"
                    load_changed(self.r, "source", key, scheme=number, block_bits=block_bits, error=error)
                    commands.append(["BF.ADD", key, "y"])
        replies = self.costs_little(commands)
        self.assertGreater(sum(1 for one in replies if one == 1), len(commands) // 2)
        for words, reply in zip(commands, replies):
            if reply == 1:
                self.assertEqual(self.r("BF.MEXISTS", words[1], "x", "y"), [1, 1])

    def test_plans(self):
        plans = [["BF.PLAN", "0.0001", f"{2000 + i}"] for i in range(6)]
        plans += [["BF.PLAN", "0.2", "486", "SCHEME", scheme, "NONSCALING"] for scheme in schemes]
        replies = self.costs_little(plans)
        for reply in replies:
            self.assertEqual(len(pairs(reply)), 9)
        self.assertEqual(self.costs_little(plans), replies)  # they are remembered
        for reply in self.costs_little(["BF.PLAN", "1e-15", f"{i + 1}"] for i in range(50)):
            self.assertIn("no filter has a rate of", str(reply))

    def test_replies_from_threads_speak_the_client_s_protocol(self):
        words = ["BF.PLAN", "0.0001", "4321"]
        self.assertIn("Error rate => (double) 0.0001", self.server.cli("--no-raw", *words, protocol=3))
        self.assertIn('"0.0001"', self.server.cli("--no-raw", *words, protocol=2))

    def test_statistics_of_many_links(self):
        self.r("BF.RESERVE", "k", "0.0001", "10", "EXPANSION", "1", "SCHEME", "gated")
        self.r("BF.MADD", "k", *range(150))
        links = self.r("BF.INFO", "k", "FILTERS")[0]
        self.assertGreater(links, 12)
        (reply,) = self.costs_little([["BF.STATS", "k"]])
        about = pairs(reply)
        self.assertEqual(len(about["Links"]), links)
        self.assertEqual(about["Estimated"], 0)
        self.assertGreaterEqual(float(about["Blocks per hit"]), 1)

    def test_statistics_of_large_filters(self):
        self.r("BF.RESERVE", "k", "0.0001", "20000000")  # 50 MB
        self.r("BF.MADD", "k", *range(1000))
        (reply,) = self.costs_little([["BF.STATS", "k"]])
        about = pairs(reply)
        self.assertEqual((about["Keys"], about["Estimated"]), (1000, 1))

    def test_where_a_client_cannot_wait(self):
        self.r("BF.RESERVE", "k", "0.0001", "1000", "SCHEME", "gated")
        self.r("BF.MADD", "k", *range(900))
        with self.server.client.pipeline(transaction=True) as p:
            p.execute_command("BF.STATS", "k")
            inside = pairs(p.execute()[0])
        outside = pairs(self.r("BF.STATS", "k"))
        self.assertEqual((inside["Estimated"], outside["Estimated"]), (1, 0))
        for exact in ("Keys", "Capacity", "Fill", "FPR now", "Blocks per miss", "Bytes"):
            self.assertEqual(inside[exact], outside[exact])
        self.refused_with("cannot run inside MULTI", "EVAL", "return redis.call('BF.PLAN', '0.0001', '77')", "0")
        planned = self.r("BF.PLAN", "0.0001", "77")
        self.assertEqual(self.r("EVAL", "return redis.call('BF.PLAN', '0.0001', '77')", "0"), planned)
        # What was asked before is known.
        with self.server.client.pipeline(transaction=True) as p:
            p.execute_command("BF.STATS", "k")
            self.assertEqual(pairs(p.execute()[0]), outside)

    def test_links_are_bounded(self):
        """A chain that is saved can be loaded: its links are counted when it grows, too."""
        self.r("BF.RESERVE", "k", "0.25", "1", "EXPANSION", "1", "TIGHTENING", "0.9999")
        for begin in range(0, 8000, 500):
            reply = self.r("BF.MADD", "k", *range(begin, begin + 500))
            if isinstance(reply[-1], Exception):
                break
        self.assertIn("4096 links", str(reply[-1]))
        self.assertEqual(self.r("BF.INFO", "k", "FILTERS"), [4096])
        self.r("RESTORE", "again", "0", self.r("DUMP", "k"))
        self.assertEqual(self.r("BF.EXISTS", "again", "1"), 1)
        (reply,) = self.costs_little([["BF.STATS", "k"]], seconds_each=0.02)
        self.assertEqual(len(pairs(reply)["Links"]), 4096)


if __name__ == "__main__":
    unittest.main()
