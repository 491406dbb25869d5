#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""How fast, beside GET and SET in the same run; and how much memory, beside RedisBloom's formula. Ratios are
demanded, times are printed."""
import math
import statistics
import subprocess
import unittest

from servers import ServerTest

rounds = 7


class Load(ServerTest):
    def rate(self, *words, requests=60_000):
        """Requests a second, by redis-benchmark, not pipelined."""
        out = subprocess.run(
            [
                "redis-benchmark",
                "-p",
                str(self.server.port),
                "-n",
                str(requests),
                "-c",
                "20",
                "-r",
                "100000",
                "--csv",
                *words,
            ],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        return float(out.strip().split("\n")[-1].split(",")[1].strip('"'))

    def medians(self, commands, requests=60_000):
        """In turn, so that what else the machine does hits all alike."""
        rates = {name: [] for name in commands}
        for _ in range(rounds):
            for name, words in commands.items():
                rates[name].append(self.rate(*words, requests=requests))
        return {name: statistics.median(some) for name, some in rates.items()}

    def test_single_commands_beside_get_and_set(self):
        for error, key in (("0.01", "k"), ("0.0001", "gated")):
            self.r("BF.RESERVE", key, error, "1000000")
            for begin in range(0, 10**6, 10_000):
                self.r("BF.MADD", key, *(f"item:{i:012}" for i in range(begin, begin + 10_000)))
        got = self.medians(
            {
                "GET": ["GET", "key:__rand_int__"],
                "BF.EXISTS": ["BF.EXISTS", "k", "item:__rand_int__"],
                "BF.EXISTS at 0.01%": ["BF.EXISTS", "gated", "item:__rand_int__"],
                "SET": ["SET", "key:__rand_int__", "x"],
                "BF.ADD": ["BF.ADD", "k", "item:__rand_int__"],
            }
        )
        for name, value in got.items():
            print(f"{name:20} {value:10.0f} a second", flush=True)
        print(
            f"BF.EXISTS / GET {got['BF.EXISTS'] / got['GET']:.2f}, at 0.01% {got['BF.EXISTS at 0.01%'] / got['GET']:.2f}, BF.ADD / SET {got['BF.ADD'] / got['SET']:.2f}"
        )
        self.assertGreaterEqual(got["BF.EXISTS"], 0.9 * got["GET"])
        self.assertGreaterEqual(got["BF.EXISTS at 0.01%"], 0.9 * got["GET"])

    def test_many_keys_at_once(self):
        self.r("BF.RESERVE", "k", "0.01", "1000000")
        for begin in range(0, 10**6, 10_000):
            self.r("BF.MADD", "k", *(f"item:{i:012}" for i in range(begin, begin + 10_000)))
        items = ["item:__rand_int__"] * 100
        got = self.medians(
            {
                "BF.EXISTS": ["BF.EXISTS", "k", "item:__rand_int__"],
                "BF.MEXISTS 100": ["BF.MEXISTS", "k", *items],
                "BF.MADD 100": ["BF.MADD", "k", *items],
            },
            requests=20_000,
        )
        single, many = got["BF.EXISTS"], 100 * got["BF.MEXISTS 100"]
        print(
            f"keys a second: BF.EXISTS {single:.0f}, BF.MEXISTS of 100 {many:.0f}, {many / single:.1f} times; BF.MADD of 100 {100 * got['BF.MADD 100']:.0f}",
            flush=True,
        )
        self.assertGreaterEqual(many, 20 * single)


class MemoryTable(ServerTest):
    def test_within_15_percent_of_redisbloom_s_formula(self):
        print(
            f"\n{'error':>7} {'capacity':>9} {'formula':>10} {'bytes':>10} {'ratio':>6} {'MEMORY USAGE':>12} {'scheme':>8} {'lines per hit, miss':>20} {'k of RedisBloom':>16}"
        )
        for error in (0.01, 0.0001):
            for capacity in (100, 1000, 10_000, 100_000, 1_000_000, 10_000_000):
                bits_per_key = -math.log(error * 0.5) / math.log(2) ** 2
                formula = (int(capacity * bits_per_key) + 63) // 64 * 8
                hashes = math.ceil(math.log(2) * bits_per_key)
                self.r("BF.RESERVE", "k", str(error), str(capacity))
                about = self.r("BF.STATS", "k")
                about = dict(zip((n.decode() for n in about[0::2]), about[1::2]))
                planned = self.r("BF.PLAN", str(error), str(capacity))
                planned = dict(zip((n.decode() for n in planned[0::2]), planned[1::2]))
                ratio = about["Bytes"] / formula
                print(
                    f"{error:7} {capacity:9} {formula:10} {about['Bytes']:10} {ratio:6.3f} {self.r('MEMORY', 'USAGE', 'k'):12} {planned['Scheme'].decode():>8} "
                    f"{float(planned['Blocks per hit']):13.3f} {float(planned['Blocks per miss']):6.3f} {hashes:16}",
                    flush=True,
                )
                if capacity >= 10_000:  # below, a block more or less is more than that
                    self.assertLess(ratio, 1.15)
                self.r("DEL", "k")


if __name__ == "__main__":
    unittest.main()
