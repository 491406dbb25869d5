# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""A server that fills the holes of its memory moves small filters, and nothing is lost. Only servers with jemalloc of
their own can (Debian's have not): elsewhere this is skipped."""
import time
import unittest

import redis

from servers import ServerTest

keys = 4000
kept = range(0, keys, 10)  # every tenth: what is left lies among holes
items = 300


class Defrag(ServerTest):
    options = {"active-defrag-ignore-bytes": "100kb", "active-defrag-threshold-lower": "1",
               "active-defrag-cycle-min": "40", "active-defrag-cycle-max": "60"}  # fmt: skip

    def moved(self):
        return self.r.client.info("stats")["active_defrag_key_hits"]

    def digests(self):
        return [self.r("DEBUG", "DIGEST-VALUE", f"k{i}") for i in kept]

    def test_small_filters_are_moved_and_keep_their_keys(self):
        try:
            self.r("CONFIG", "SET", "activedefrag", "yes")
        except redis.exceptions.ResponseError as e:
            self.skipTest(str(e))
        self.r("CONFIG", "SET", "activedefrag", "no")
        # Of some hundred to some thousand bytes, every second one a ledger.
        family = ["BF" if i % 20 == 0 else "CF" for i in range(keys)]
        text = [[f"{i}:{j}" for j in range(items)] for i in range(keys)]
        for i in range(keys):
            size = str(items + i % 700)
            self.r(f"{family[i]}.RESERVE", f"k{i}", *(["0.01", size] if family[i] == "BF" else [size]))
            self.r(f"{family[i]}.INSERT", f"k{i}", "ITEMS", *text[i])
        for i in set(range(keys)) - set(kept):
            self.r("DEL", f"k{i}")
        before = self.digests()
        self.r("CONFIG", "SET", "activedefrag", "yes")
        # Of such keys the server has nothing to move but what the module offers.
        for _ in range(600):
            time.sleep(0.1)
            if self.moved() > len(kept) / 2:
                break
        self.assertGreater(self.moved(), len(kept) / 2)
        self.assertEqual(self.digests(), before)
        for i in kept:
            self.assertEqual(self.r(f"{family[i]}.MEXISTS", f"k{i}", *text[i]), [1] * items)
            self.r(f"{family[i]}.ADD", f"k{i}", "new")
            self.assertEqual(self.r(f"{family[i]}.EXISTS", f"k{i}", "new"), 1)


if __name__ == "__main__":
    unittest.main()
