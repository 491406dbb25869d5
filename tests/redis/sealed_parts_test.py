#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Parts of a sealed filter: cut and joined without a byte lost, asked, kept, refused where keys would change them, and
read with suspicion (hostile_test.py has more of that)."""
import os
import struct
import tempfile
import unittest

from servers import ServerTest, dump, load, wait_until
from spread import Failed, digest, lines, numbers, packed, part_of, sluice, spread, told

seed = 11
parts = 4
count = 60_000
keys = numbers(0, count)
header_bytes = 352  # of a part, before the length of its list


def part_key(part):
    return f"words{{{part}}}"


def members(header):
    """The list of a part, as its header has it."""
    size = struct.unpack_from("<Q", header, header_bytes)[0]
    assert size == len(header) - header_bytes - 8
    return list(struct.unpack_from(f"<{size // 8}Q", header, header_bytes + 8))


def with_members(header, some):
    return header[:header_bytes] + struct.pack(f"<{1 + len(some)}Q", 8 * len(some), *some)


class Sealed(ServerTest):
    def build(self, name="words", some=keys):
        return told(
            "build", self.r.port, name, "--static", "--fpr", "0.002", "--seed", seed, "--parts", parts,
            stdin=lines(some),
        )

    def sorted_by_part(self, items):
        blocks = told("info", self.r.port, "words")["blocks"]
        groups = -(-blocks // 64)  # equally many blocks in each
        by_part = [[] for _ in range(parts)]
        for item in items:
            by_part[part_of(item, seed, blocks, parts, blocks // groups)].append(item)
        return by_part

    def found(self, name="words"):
        return int(spread("query", self.r.port, name, "--count", stdin=lines(keys)).stdout)

    def test_is_built_and_asked(self):
        about = self.build()
        self.assertEqual((about["scheme"], about["parts"], about["keys_read"]), ("sealed", parts, count))
        self.assertEqual((about["keys_new"], about["parts_unacknowledged"]), (count, 0))
        self.assertEqual(self.found(), count)
        info = told("info", self.r.port, "words")
        self.assertEqual((info["scheme"], info["keys"]), ("sealed", count))
        self.assertAlmostEqual(info["fpr_now"], about["fpr_promised"], delta=0.1 * about["fpr_promised"])
        for part, items in enumerate(self.sorted_by_part(keys)):
            self.assertEqual(sum(self.r("BF.MEXISTS", part_key(part), *items)), len(items))
        # Those in the lists are among them: without the list they would be missing.
        lists = [members(self.r("BF.SCANDUMP", part_key(part), 0)[1]) for part in range(parts)]
        self.assertGreater(sum(len(some) for some in lists), 5)
        self.assertLessEqual(set().union(*lists), {digest(key, seed) for key in keys})

    def test_files_come_back_byte_for_byte(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = os.path.join(folder, "one"), os.path.join(folder, "two")

            def demand_equal():
                spread("save", self.r.port, "loaded", "-o", two, "--force")
                with open(one, "rb") as a, open(two, "rb") as b:
                    self.assertEqual(a.read(), b.read())
                spread("drop", self.r.port, "loaded")
                self.assertEqual(self.r("DBSIZE"), 0)

            for options, some in (
                (["--fpr", "0.001"], keys),
                (["--fpr", "0.004", "--seed", "9"], keys[:50_000]),
                (["--fpr", "0.00001"], keys),
                (["--fpr", "0.001", "--block-bits", "256", "--scheme", "sealed"], keys),
                (["--fpr", "0.001", "--scheme", "sealed"], keys[:3000]),
                (["--fpr", "0.001", "--scheme", "sealed"], keys[:1]),
            ):
                sluice("build", "-o", one, "--force", "--static", *options, stdin=lines(some))
                about = told("load", self.r.port, "loaded", one)
                self.assertEqual(about["scheme"], "sealed")
                self.assertEqual(
                    int(spread("query", self.r.port, "loaded", "--count", stdin=lines(some)).stdout), len(some)
                )
                # The same lines as from the file, also where an absent key is found.
                asked = lines(numbers(1_000_000, 20_000))
                here = sluice("query", one, stdin=asked, status=None).stdout
                self.assertEqual(spread("query", self.r.port, "loaded", stdin=asked, status=None).stdout, here)
                demand_equal()
                spread("build", self.r.port, "loaded", "--static", *options, stdin=lines(some))
                demand_equal()
            spread("build", self.r.port, "loaded", "--static", "--scheme", "gated", "--fpr", "1e-5", stdin=lines(keys))
            sluice("build", "-o", one, "--force", "--static", "--scheme", "gated", "--fpr", "1e-5", stdin=lines(keys))
            demand_equal()

    def test_keys_and_unions_are_refused_and_nothing_changes(self):
        self.build()
        self.build("others")
        identity = self.r("HGET", "words", "identity")
        item = self.sorted_by_part(keys)[1][0]
        before = self.r("DEBUG", "DIGEST")
        for words in (
            ("BF.ADD", "words{1}", item),  # one that it has
            ("BF.ADD", "words{1}", b"new"),
            ("BF.MADD", "words{1}", item, b"new"),
            ("BF.INSERT", "words{1}", "ITEMS", b"new"),
            ("BF.DIGESTADD", "words{1}", identity, packed([item], seed)),
        ):
            self.refused_with("is sealed and takes no more keys: build it again from all of them", *words)
        for words in (("words{1}", "others{1}"), ("new{1}", "words{1}"), ("new{1}", "words{1}", "others{1}")):
            self.refused_with("build one from the keys of both, or ask both", "BF.MERGE", *words)
        self.refused_with("is not made empty", "BF.RESERVEPART", "new{0}", self.r("HGET", "words", "filter"))
        with self.assertRaises(Failed) as e:
            spread("add", self.r.port, "words", stdin=lines([item]))
        self.assertEqual(e.exception.result.returncode, 2)
        self.assertIn("sluice redis build --static", e.exception.result.stderr.decode().replace("\n", " "))
        self.assertEqual(self.r("DEBUG", "DIGEST"), before)
        self.assertEqual(self.found(), count)

    def test_options_that_do_not_go_together(self):
        for words, sentence in (
            (["--scheme", "sealed", "--keys", 100], "say --static"),
            (["--scheme", "blocked", "--static"], "--static is for sealed and gated"),
            (["--static", "--parts", 5000], "cannot be cut into"),
        ):
            with self.assertRaises(Failed) as e:
                spread("build", self.r.port, "words", "--key", "x", *words)
            self.assertIn(sentence, str(e.exception))
        self.assertEqual(self.r("DBSIZE"), 0)
        self.build()
        with self.assertRaises(Failed) as e:
            self.build()
        self.assertIn("words is there already", str(e.exception))

    def test_dumps_copies_rdb_and_aof_keep_everything(self):
        r = self.r = self.another(
            appendonly="yes", aof_use_rdb_preamble="no", appendfsync="always", auto_aof_rewrite_percentage="0"
        )
        self.build()
        before = r("DEBUG", "DIGEST")
        memory = [r("MEMORY", "USAGE", part_key(part)) for part in range(parts)]
        load(r, "again{0}", dump(r, "words{0}"))
        r("COPY", "words{1}", "again{1}")
        for part in 2, 3:
            r("RESTORE", f"again{{{part}}}", "0", r("DUMP", part_key(part)))
        for part in range(parts):
            again, pieces = f"again{{{part}}}", dump(r, part_key(part))
            self.assertEqual(dump(r, again), pieces)
            self.assertEqual(r("DEBUG", "DIGEST-VALUE", again), r("DEBUG", "DIGEST-VALUE", part_key(part)))
            self.assertAlmostEqual(r("MEMORY", "USAGE", again), memory[part], delta=200)
            self.assertGreater(memory[part], sum(len(data) for _, data in pieces) - header_bytes)
            r("DEL", again)
        # The list is part of what is compared.
        part = max(range(parts), key=lambda p: len(members(r("BF.SCANDUMP", part_key(p), 0)[1])))
        number, header = r("BF.SCANDUMP", part_key(part), 0)
        shorter = with_members(header, members(header)[1:])
        load(r, f"again{{{part}}}", [(number, shorter)] + dump(r, part_key(part))[1:])
        self.assertNotEqual(r("DEBUG", "DIGEST-VALUE", f"again{{{part}}}"), r("DEBUG", "DIGEST-VALUE", part_key(part)))
        r("DEL", f"again{{{part}}}")
        self.is_kept_by_the_log(r, before)
        r("DEBUG", "RELOAD")
        self.assertEqual(r("DEBUG", "DIGEST"), before)
        self.assertEqual(self.found(), count)

    def test_replicas_have_the_same_bytes(self):
        replica = self.another(replicaof=f"127.0.0.1 {self.r.port}")
        wait_until(lambda: replica("INFO", "replication")["master_link_status"] == "up")
        self.assertEqual(self.build()["parts_unacknowledged"], 0)
        self.assertEqual(replica("DEBUG", "DIGEST"), self.r("DEBUG", "DIGEST"))
        late = self.another(replicaof=f"127.0.0.1 {self.r.port}")
        wait_until(lambda: late("INFO", "replication")["master_link_status"] == "up")
        self.assertEqual(late("DEBUG", "DIGEST"), self.r("DEBUG", "DIGEST"))

    def test_lists_that_are_none(self):
        self.build(some=numbers(0, 390_000))  # so that every part has members
        header = self.r("BF.SCANDUMP", "words{1}", 0)[1]
        mine = members(header)
        self.assertGreater(len(mine), 2)
        first, last = (members(self.r("BF.SCANDUMP", part_key(part), 0)[1]) for part in (0, 3))
        near = [mine[0] + i for i in range(100_000)]  # all of this part, and more than there are keys
        for name, some in {
            "in another order": mine[::-1],
            "one twice": mine[:1] + mine,
            "one of the part before": first[-1:] + mine,
            "one of a part behind": mine + last[:1],
            "of another part": first,
            "too long": near,
        }.items():
            with self.subTest(name):
                self.refused_with("received bad data", "BF.LOADCHUNK", "new", 1, with_members(header, some))
        for name, changed in {
            "shorter than it says": header[:-8],
            "a digest cut in two": header[:-3],
            "longer than it says": header + bytes(8),
            "without a length": header[:header_bytes],
            "a length that no list has": header[:header_bytes] + b"\xff" * 8 + header[header_bytes + 8 :],
        }.items():
            with self.subTest(name):
                self.refused_with("received bad data", "BF.LOADCHUNK", "new", 1, changed)
        self.assertEqual(self.r("EXISTS", "new"), 0)
        # What is right is taken, with fewer members, too.
        self.r("BF.LOADCHUNK", "new", 1, with_members(header, mine[1:]))

    def test_a_list_counts_as_memory(self):
        told("build", self.r.port, "words", "--static", "--fpr", "0.001", "--parts", 1, stdin=lines(keys))
        pieces = dump(self.r, "words{0}")
        size = sum(len(data) for _, data in pieces[1:]) + 8 * len(members(pieces[0][1]))
        load(self.another("max-bytes", size), "there", pieces)
        self.r = self.another("max-bytes", size - 8)
        self.refused_with(f"the filter would have {size} bytes", "BF.LOADCHUNK", "there", *pieces[0])


if __name__ == "__main__":
    unittest.main()
