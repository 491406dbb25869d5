#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""One filter over a cluster of six: spread evenly, found by other clients, united part by part."""
import os
import subprocess
import tempfile
import unittest

from redis.cluster import RedisCluster

from clusters import Cluster
from spread import Failed, lines, numbers, part_of, sluice, spread, told


class Spread(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def test_five_million_keys_over_64_parts(self):
        port = self.cluster.port
        count = 5_000_000
        keys = subprocess.run(["seq", str(count)], capture_output=True, check=True).stdout
        about = told("build", port, "many", "--keys", count, "--fpr", "0.001", stdin=keys, timeout=300)
        self.assertEqual((about["parts"], about["nodes"], about["keys_read"]), (64, 3, count))
        self.assertEqual(about["keys_unacknowledged"], 0)
        self.assertEqual(int(spread("query", port, "many", "--count", stdin=keys, timeout=300).stdout), count)
        info = told("info", port, "many")
        self.assertEqual(sorted(n["parts"] for n in info["nodes"]), [21, 21, 22])
        for n in info["nodes"]:
            self.assertAlmostEqual(n["keys"] / info["keys"], 1 / 3, delta=0.02)
        others = subprocess.run(["seq", "10000001", "12000000"], capture_output=True, check=True).stdout
        found = int(spread("query", port, "many", "--count", stdin=others, timeout=300).stdout)
        expected = info["fpr_now"] * 2_000_000
        self.assertLess(abs(found - expected), 5 * expected**0.5)  # by chance once in a million
        self.assertLess(info["fpr_now"], 1.1 * about["fpr_promised"])

    def test_a_sealed_filter_is_the_file_in_parts(self):
        port = self.cluster.port
        keys = lines(numbers(0, 400_000))
        about = told("build", port, "release", "--static", "--fpr", "0.0001", stdin=keys)
        self.assertEqual((about["scheme"], about["parts"], about["nodes"]), ("sealed", 64, 3))
        self.assertEqual((about["keys_new"], about["parts_unacknowledged"]), (400_000, 0))
        self.assertEqual(spread("query", port, "release", "--count", stdin=keys).stdout, b"400000\n")
        info = told("info", port, "release")
        self.assertEqual((info["keys"], sorted(n["parts"] for n in info["nodes"])), (400_000, [21, 21, 22]))
        with tempfile.TemporaryDirectory() as folder:
            here, there = os.path.join(folder, "here"), os.path.join(folder, "there")
            sluice("build", "-o", here, "--static", "--fpr", "0.0001", stdin=keys)
            spread("save", port, "release", "-o", there)
            with open(here, "rb") as a, open(there, "rb") as b:
                self.assertEqual(a.read(), b.read())
        with self.assertRaises(Failed) as e:
            spread("add", port, "release", "--key", "x")
        self.assertIn("takes no more keys", str(e.exception))

    def test_another_client_finds_the_same(self):
        port = self.cluster.port
        told("build", port, "third", "--keys", 20_000, "--parts", 8, "--seed", 5, stdin=lines(numbers(0, 2000)))
        blocks = told("info", port, "third")["blocks"]
        other = RedisCluster(host="127.0.0.1", port=port)
        self.addCleanup(other.close)
        for item in numbers(0, 200):
            key = f"third{{{part_of(item, 5, blocks, 8)}}}"
            self.assertEqual(other.execute_command("BF.EXISTS", key, item), 1)

    def test_parts_of_two_filters_are_merged_in_their_slots(self):
        port = self.cluster.port
        for name, first in ("monday", 0), ("tuesday", 5000), ("week", 10_000):
            told("build", port, name, "--keys", 20_000, "--parts", 8, stdin=lines(numbers(first, 5000)))
        other = RedisCluster(host="127.0.0.1", port=port)
        self.addCleanup(other.close)
        for part in range(8):
            other.execute_command("BF.MERGE", f"week{{{part}}}", f"monday{{{part}}}", f"tuesday{{{part}}}")
        self.assertEqual(spread("query", port, "week", "--count", stdin=lines(numbers(0, 15_000))).stdout, b"15000\n")

    def test_a_missing_part_is_an_error(self):
        port = self.cluster.port
        told("build", port, "holed", "--keys", 20_000, "--parts", 8, stdin=lines(numbers(0, 100)))
        other = RedisCluster(host="127.0.0.1", port=port)
        self.addCleanup(other.close)
        other.delete("holed{3}")
        with self.assertRaises(Failed) as e:
            spread("query", port, "holed", stdin=lines(numbers(0, 100)))
        self.assertIn("part 3 of holed", str(e.exception))


if __name__ == "__main__":
    unittest.main()
