#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""10,000 payloads that were changed, cut off, stretched or made up, through RESTORE, BF.LOADCHUNK and CF.LOADCHUNK: each gives a
filter or an error, and the server lives. Without the server's own checksum, or none would reach the module; every
other one of those with a changed header gets the header's checksum anew, or none would get beyond that."""
import random
import struct
import unittest

import redis

from headers import resealed
from redisbloom import Chain
from servers import ServerTest, dump
from spread import lines, numbers, spread

payloads = 10_000


def mutant(chance, data, donors):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        how = chance.randrange(8)
        at = chance.randrange(len(data)) if data else 0
        # Headers are where there is most to get wrong.
        if data and chance.random() < 0.6:
            at = min(len(data) - 1, chance.randrange(500))
        if how == 0 and data:
            data[at] ^= 1 << chance.randrange(8)
        elif how == 1 and data:
            data[at] = chance.choice([0, 1, 127, 128, 255])
        elif how == 2:
            data[at : at + 8] = struct.pack(
                "<Q",
                chance.choice(
                    [0, 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1, chance.getrandbits(64), chance.randrange(5000)]
                ),
            )
        elif how == 3:
            del data[at:]
        elif how == 4:
            del data[at : at + chance.randrange(1, 40)]
        elif how == 5:
            data[at:at] = chance.randbytes(chance.randrange(1, 40))
        elif how == 6:
            other = chance.choice(donors)
            begin = chance.randrange(len(other))
            data[at : at + 64] = other[begin : begin + 64]
        elif how == 7:
            data[at : at + 4] = struct.pack("<I", chance.choice([0, 1, 2, 5, 255, 2**31, 2**32 - 1]))
    return bytes(data)


class Hostile(ServerTest):
    arguments = ("max-bytes", "8mb")
    options = {"rdbcompression": "no", "loglevel": "warning"}

    def setUp(self):
        super().setUp()
        self.r("DEBUG", "SET-SKIP-CHECKSUM-VALIDATION", "1")
        self.r("BF.MADD", "small", *range(50))
        self.r("BF.RESERVE", "grown", "0.01", "20", "EXPANSION", "3")
        self.r("BF.MADD", "grown", *range(600))
        for scheme in ("gated", "mht", "single", "classic", "bloom-g", "alpha", "sequential"):
            self.r("BF.RESERVE", scheme, "0.001", "150", "SCHEME", scheme)
            self.r("BF.MADD", scheme, *range(150))
        chain = Chain(50, 0.01)
        for i in range(200):
            chain.add(b"%d" % i)
        # Parts of filters, of which sealed ones have a list; one that takes all keys, and one that does not.
        for parts in 1, 2:
            words = ["--static", "--fpr", "0.001", "--scheme", "sealed", "--parts", parts]
            spread("build", self.r.port, "words", *words, stdin=lines(numbers(0, 8000)))
            self.r("RENAME", "words{0}", f"sealed{parts}")
            self.r("DEL", "words{1}", "words")
        spread("build", self.r.port, "words", "--fpr", "0.001", "--keys", 200, "--parts", 1, stdin=lines(numbers(0, 200)))
        self.r("RENAME", "words{0}", "part")
        self.r("DEL", "words")
        for number, data in chain.dump():
            self.r("BF.LOADCHUNK", "imported", number, data)
        self.r("BF.MADD", "imported", *range(200, 300))
        self.r("CF.RESERVE", "ledger", "2000", "EXPANSION", "0")
        self.r("CF.INSERT", "ledger", "ITEMS", *range(2000))
        self.r("CF.RESERVE", "ledgers", "20", "EXPANSION", "2", "ERROR", "0.001")
        self.r("CF.INSERT", "ledgers", "ITEMS", *range(300))
        self.r("CF.RESERVE", "listed", "300", "EXPANSION", "4")
        self.r("CF.INSERT", "listed", "ITEMS", *range(300), *["same"] * 100)
        self.keys = [key.decode() for key in self.r("KEYS", "*")]
        self.family = {key: "CF" if key in ("ledger", "ledgers", "listed") else "BF" for key in self.keys}
        self.foreign = chain.dump()

    def use_ledger(self, key):
        items = [str(i) for i in range(150)]
        with self.server.client.pipeline(transaction=False) as p:
            for words in (
                ["CF.MEXISTS", key, "1", "2", "x"],
                ["CF.COUNT", key, "same"],
                ["CF.INFO", key],
                ["CF.INSERT", key, "ITEMS", *items],  # pages are made tidy
                *(["CF.DEL", key, item] for item in items),
                ["CF.DEL", key, "same"],
                ["CF.INSERTNX", key, "ITEMS", *items],
                ["CF.SCANDUMP", key, "0"],
                ["CF.SCANDUMP", key, "1"],
                ["MEMORY", "USAGE", key],
                ["DUMP", key],
                ["COPY", key, "other"],
                ["DEBUG", "DIGEST-VALUE", key],
                ["DEL", "other", key],
            ):
                p.execute_command(*words)
            taken = p.execute(raise_on_error=False)[3]
        # What is taken need not be found: of blocks that no insertion has made, anything may be said.
        self.assertTrue(isinstance(taken, Exception) or set(taken) <= {1, -1})

    def use(self, key):
        """A filter that was accepted is asked, described, added to and dumped; errors are answers, too."""
        if self.r("TYPE", key) == b"sluice-cf":
            return self.use_ledger(key)
        with self.server.client.pipeline(transaction=False) as p:
            for words in (
                ["BF.MEXISTS", key, "1", "2", "x"],
                ["BF.EXISTS", key, "1"],
                ["BF.INFO", key],
                ["BF.DEBUG", key],
                ["BF.CARD", key],
                ["BF.STATS", key],
                ["BF.ADD", key, "new"],
                ["BF.MADD", key, "a", "b", "c"],
                ["BF.EXISTS", key, "new"],
                ["BF.SCANDUMP", key, "0"],
                ["BF.SCANDUMP", key, "1"],
                ["MEMORY", "USAGE", key],
                ["DUMP", key],
                ["COPY", key, "other"],
                ["DEBUG", "DIGEST-VALUE", key],
                ["DEL", "other", key],
            ):
                p.execute_command(*words)
            replies = p.execute(raise_on_error=False)
        if replies[6] in (0, 1):
            self.assertEqual(replies[8], 1)  # what was taken is found

    def run_payloads(self, make, send):
        chance = random.Random(18)
        accepted = 0
        batch = 200
        for _ in range(payloads // 2 // batch):
            with self.server.client.pipeline(transaction=False) as p:
                for i in range(batch):
                    send(p, f"m{i}", make(chance))
                replies = p.execute(raise_on_error=False)
            for i, reply in enumerate(replies):
                if not isinstance(reply, Exception):
                    accepted += 1
                    self.use(f"m{i}")
                self.r("DEL", f"m{i}")
        self.assertTrue(self.server.is_alive())
        self.assertTrue(self.r("PING"))
        self.assertGreater(accepted, payloads // 2 // 100)
        self.assertLess(accepted, payloads // 2)
        print(f"{accepted} of {payloads // 2} accepted", flush=True)

    def test_restore(self):
        originals = [self.r("DUMP", key) for key in self.keys]

        def make(chance):
            whole = chance.choice(originals)
            changed = mutant(chance, whole[:-10], originals)
            return (resealed(changed) if chance.random() < 0.5 else changed) + whole[-10:]

        self.run_payloads(make, lambda p, key, payload: p.execute_command("RESTORE", key, "0", payload, "REPLACE"))

    def test_load_chunk(self):
        dumps = [dump(self.r, key, self.family[key]) for key in self.keys] + [self.foreign]
        families = [self.family[key] for key in self.keys] + ["BF"]
        headers = [d[0][1] for d in dumps]

        def make(chance):
            number = chance.randrange(len(dumps))
            changed = mutant(chance, headers[number], headers)
            return number, resealed(changed) if chance.random() < 0.5 else changed

        def send(p, key, payload):
            # The header decides; the data comes as well, so that what was accepted is used.
            family = families[payload[0]]
            p.execute_command(f"{family}.LOADCHUNK", key, "1", payload[1])
            self.data[key] = family, dumps[payload[0]][1:]

        self.data = {}
        use = self.use

        def use_with_data(key):
            chance = random.Random(key)
            family, pieces = self.data[key]
            for number, data in pieces:
                if family == "CF" and chance.random() < 0.5:  # blocks that no insertion has made
                    data = mutant(chance, data, [data])[: len(data)].ljust(len(data), b"\xa5")
                try:
                    self.r(f"{family}.LOADCHUNK", key, number, data)
                    self.r(f"{family}.LOADCHUNK", key, chance.randrange(-3, 5000), data[: chance.randrange(1, 64)])
                except redis.exceptions.ResponseError:
                    pass
            use(key)

        self.use = use_with_data
        self.run_payloads(make, send)


if __name__ == "__main__":
    unittest.main()
