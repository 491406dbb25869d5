#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Parts of a filter: made, added to and asked, by digest and by item; refused where they do not belong; kept."""
import os
import random
import socket
import tempfile
import threading
import unittest

import redis

from servers import Server, ServerTest, dump, load, wait_until
from spread import Failed, Running, lines, numbers, packed, part_of, sluice, spread, told

seed = 7
parts = 4


class Parts(ServerTest):
    def build(self, name="words", keys=numbers(0, 20_000), *words):
        self.about = told(
            "build", self.r.port, name, "--keys", 20_000, "--fpr", "0.001", "--seed", seed, "--parts", parts, *words,
            stdin=lines(keys),
        )
        self.blocks = told("info", self.r.port, name)["blocks"]
        self.identity = self.r("HGET", name, "identity")

    def sorted_by_part(self, items):
        by_part = [[] for _ in range(parts)]
        for item in items:
            by_part[part_of(item, seed, self.blocks, parts)].append(item)
        return by_part

    def test_keys_are_where_they_belong(self):
        self.build()
        self.assertEqual(self.about["keys_read"], 20_000)
        for part, items in enumerate(self.sorted_by_part(numbers(0, 20_000))):
            self.assertEqual(sum(self.r("BF.MEXISTS", f"words{{{part}}}", *items)), len(items))
        self.assertEqual(sum(self.r("BF.CARD", f"words{{{part}}}") for part in range(parts)), self.about["keys_new"])

    def test_digests_and_items_are_the_same_keys(self):
        self.build(keys=[])
        for part, items in enumerate(self.sorted_by_part(numbers(0, 2000))):
            key = f"words{{{part}}}"
            half = len(items) // 2
            self.assertGreater(self.r("BF.DIGESTADD", key, self.identity, packed(items[:half], seed)), half - 5)
            self.r("BF.MADD", key, *items[half:])
            bits = self.r("BF.DIGESTEXISTS", key, self.identity, packed(items, seed))
            self.assertTrue(all(bits[i // 8] >> (i % 8) & 1 for i in range(len(items))))
            self.assertEqual(len(bits), (len(items) + 7) // 8)
            self.assertEqual(sum(self.r("BF.MEXISTS", key, *items)), len(items))
            self.assertEqual(self.r("BF.DIGESTADD", key, self.identity, packed(items, seed)), 0)
        self.assertEqual(spread("query", self.r.port, "words", "--count", stdin=lines(numbers(0, 2000))).stdout, b"2000\n")

    def test_what_belongs_elsewhere_is_refused_and_nothing_added(self):
        self.build(keys=[])
        by_part = self.sorted_by_part(numbers(0, 1000))
        mixed = by_part[1][:50] + by_part[2][:1]
        before = self.r("DEBUG", "DIGEST")
        for words in (
            ("BF.MADD", "words{1}", *mixed),
            ("BF.ADD", "words{1}", mixed[-1]),
            ("BF.EXISTS", "words{1}", mixed[-1]),
            ("BF.MEXISTS", "words{1}", *mixed),
            ("BF.DIGESTADD", "words{1}", self.identity, packed(mixed, seed)),
            ("BF.DIGESTEXISTS", "words{1}", self.identity, packed(mixed, seed)),
        ):
            self.refused("ERR this key belongs to part 2 of 4, and here is part 1", *words)
        self.assertEqual(self.r("DEBUG", "DIGEST"), before)

    def test_what_is_no_part_of_this_filter(self):
        self.build(keys=[])
        one = packed([b"x"], seed)
        self.refused("ERR not found", "BF.DIGESTADD", "other{1}", self.identity, one)
        self.refused("ERR not found", "BF.DIGESTEXISTS", "other{1}", self.identity, one)
        self.refused_with("is one of another filter", "BF.DIGESTADD", "words{1}", "0" * 16, one)
        self.refused_with("8 bytes each", "BF.DIGESTADD", "words{1}", self.identity, one[:7])
        self.refused_with("8 bytes each", "BF.DIGESTEXISTS", "words{1}", self.identity, b"")
        self.r("BF.ADD", "plain", "x")
        self.refused_with("not a part of one", "BF.DIGESTADD", "plain", self.identity, one)
        self.r("SET", "text", "x")
        for command in "BF.DIGESTADD", "BF.DIGESTEXISTS":
            self.refused(
                "WRONGTYPE Operation against a key holding the wrong kind of value", command, "text", self.identity, one
            )
        self.refused_with("no shape of its own", "BF.RESERVE", "like", "0.01", "100", "LIKE", "words{1}")

    def test_an_empty_part_can_be_made_twice_and_nothing_is_overwritten(self):
        self.build(keys=[])
        header = self.r("HGET", "words", "filter")
        self.assertEqual(self.r("BF.RESERVEPART", "words{0}", header), b"OK")
        before = self.r("DEBUG", "DIGEST")
        self.refused("ERR item exists", "BF.RESERVEPART", "words{1}", header)
        items = self.sorted_by_part(numbers(0, 100))[0]
        self.r("BF.MADD", "words{0}", *items)
        self.assertNotEqual(self.r("DEBUG", "DIGEST"), before)
        self.refused("ERR item exists", "BF.RESERVEPART", "words{0}", header)
        self.assertEqual(sum(self.r("BF.MEXISTS", "words{0}", *items)), len(items))
        for bad in b"", b"x", header[:-1], header + b"x":
            self.refused_with("header of a part", "BF.RESERVEPART", "new", bad)

    def test_more_keys_than_planned_are_taken(self):
        self.build(keys=numbers(0, 30_000))
        self.assertEqual(spread("query", self.r.port, "words", "--count", stdin=lines(numbers(0, 30_000))).stdout, b"30000\n")
        flat = self.r("BF.STATS", "words{0}")
        stats = dict(zip(flat[0::2], flat[1::2]))
        self.assertEqual((stats[b"Part"], stats[b"Overfull"]), (b"0 of 4", 1))

    def test_equal_parts_can_be_merged_and_others_not(self):
        self.build("a", numbers(0, 9000))
        self.build("b", numbers(9000, 9000))
        self.build("all", [])
        for part in range(parts):
            self.r("BF.MERGE", f"all{{{part}}}", f"a{{{part}}}", f"b{{{part}}}")
        self.assertEqual(spread("query", self.r.port, "all", "--count", stdin=lines(numbers(0, 18_000))).stdout, b"18000\n")
        self.refused_with("cannot be merged", "BF.MERGE", "all{0}", "a{1}")
        self.r("BF.ADD", "plain", "x")
        self.refused_with("cannot be merged", "BF.MERGE", "all{0}", "plain")

    def test_dumps_copies_rdb_and_aof_keep_everything(self):
        r = self.r = self.another(
            appendonly="yes", aof_use_rdb_preamble="no", appendfsync="always", auto_aof_rewrite_percentage="0"
        )
        self.build()
        before = r("DEBUG", "DIGEST")
        load(r, "again{0}", dump(r, "words{0}"))
        r("COPY", "words{1}", "again{1}")
        r("RESTORE", "again{2}", "0", r("DUMP", "words{2}"))
        r("BF.MERGE", "again{3}", "words{3}")
        for part in range(parts):
            self.assertEqual(dump(r, f"again{{{part}}}"), dump(r, f"words{{{part}}}"))
            items = self.sorted_by_part(numbers(30_000, 500))[part]
            r("BF.MADD", f"again{{{part}}}", *items)
            r("DEL", f"again{{{part}}}")
        self.is_kept_by_the_log(r, before)
        self.assertEqual(spread("query", r.port, "words", "--count", stdin=lines(numbers(0, 20_000))).stdout, b"20000\n")

    def test_replicas_have_the_same_bytes(self):
        self.build(keys=numbers(0, 5000))
        replica = self.another(replicaof=f"127.0.0.1 {self.r.port}")
        wait_until(lambda: replica("INFO", "replication")["master_link_status"] == "up")
        self.assertEqual(told("add", self.r.port, "words", stdin=lines(numbers(5000, 5000)))["keys_unacknowledged"], 0)
        self.assertEqual(replica("DEBUG", "DIGEST"), self.r("DEBUG", "DIGEST"))
        # Nobody else has it: two replicas are too many.
        result = spread("add", self.r.port, "words", "--wait", 2, "--wait-timeout", 0.2, stdin=lines([b"x"]), status=1)
        self.assertIn(b"not on as many replicas", result.stderr)

    def test_what_changes_nothing_is_propagated(self):
        """Else a newer server waits for nothing after it, and the replica may not have what somebody added before."""
        r = self.r = self.another(appendonly="yes", appendfsync="always", repl_ping_replica_period=3600)
        self.build(keys=[])
        items = self.sorted_by_part(numbers(0, 3000))[0]
        r("BF.DIGESTADD", "words{0}", self.identity, packed(items, seed))
        header = r("HGET", "words", "filter")
        r("BF.RESERVEPART", "empty", header)
        r("BF.LOADCHUNK", "begun", 1, header)
        replica = self.another(replicaof=f"127.0.0.1 {r.port}")
        wait_until(lambda: replica("INFO", "replication")["master_link_status"] == "up")
        before = r("DEBUG", "DIGEST")
        for words, answer in (
            (("BF.DIGESTADD", "words{0}", self.identity, packed(items, seed)), 0),
            (("BF.RESERVEPART", "empty", header), b"OK"),
            (("BF.LOADCHUNK", "begun", 1, header), b"OK"),
        ):
            offset = r("INFO", "replication")["master_repl_offset"]
            self.assertEqual(r(*words), answer)
            grown = r("INFO", "replication")["master_repl_offset"] - offset
            self.assertGreater(grown, len(words[0]))
            self.assertLess(grown, 1000)  # not all of these keys
            self.assertEqual(r("WAIT", 1, 20_000), 1)
            self.assertEqual((r("DEBUG", "DIGEST"), replica("DEBUG", "DIGEST")), (before, before))
        self.is_kept_by_the_log(r, before)

    def test_files_of_the_command_line_come_and_go(self):
        with tempfile.TemporaryDirectory() as folder:
            one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
            keys = numbers(0, 50_000)
            for options in (
                ["--fpr", "0.001"],
                ["--fpr", "0.00001"],
                ["--fpr", "0.00001", "--static", "--scheme", "gated"],
                ["--scheme", "bloom-g", "--fpr", "0.001"],
                ["--scheme", "blocked", "--fpr", "0.01", "--block-bits", "256"],
            ):
                sluice("build", "-o", one, "--force", *options, stdin=lines(keys))
                spread("load", self.r.port, "loaded", one)
                self.assertEqual(spread("query", self.r.port, "loaded", "--count", stdin=lines(keys)).stdout, b"50000\n")
                spread("save", self.r.port, "loaded", "-o", two, "--force")
                with open(one, "rb") as a, open(two, "rb") as b:
                    self.assertEqual(a.read(), b.read())
                spread("drop", self.r.port, "loaded")
                self.assertEqual(self.r("DBSIZE"), 0)

    def test_the_same_lines_as_from_a_file(self):
        self.build(keys=numbers(0, 20_000))
        asked = lines(numbers(15_000, 10_000)[::-1])
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "file")
            spread("save", self.r.port, "words", "-o", file)
            for absent in [], ["--absent"]:
                here = sluice("query", *absent, file, stdin=asked).stdout
                self.assertEqual(spread("query", self.r.port, "words", *absent, stdin=asked).stdout, here)
                self.assertGreater(here.count(b"\n"), 4000)

    def test_keys_are_made_as_those_of_the_filter_were(self):
        genome = b">a\nACGTACGTTTGACCAGTACCATGACCAATTGACC\n"
        told("build", self.r.port, "genome", "--keys", 100_000, "--input", "kmers:5", "--canonical", "--parts", 2, stdin=genome)
        count = lambda *words: spread("query", self.r.port, "genome", "--count", *words, stdin=genome).stdout  # noqa: E731
        self.assertEqual(count(), b"30\n")
        self.assertEqual(count("--input", "kmers:5"), b"30\n")
        with self.assertRaisesRegex(Failed, "were made by --input kmers:5 --canonical, and --input kmers:6"):
            count("--input", "kmers:6")
        spread("add", self.r.port, "genome", stdin=b">b\nGGGGG\n")
        self.assertEqual(spread("query", self.r.port, "genome", "--key", "ccccc", "--count").stdout, b"1\n")
        there = [self.r("BF.EXISTS", f"genome{{{part}}}", item) for part in (0, 1) for item in ("ttgac", "gtcaa")
                 if self.holds(f"genome{{{part}}}", item)]
        self.assertEqual(there, [1, 1])
        for static in [], ["--static", "--scheme", "sealed"]:
            with tempfile.TemporaryDirectory() as folder:
                one, two = os.path.join(folder, "one"), os.path.join(folder, "two")
                sluice("build", "-o", one, "--input", "kmers:5", "--canonical", *static, stdin=genome)
                spread("load", self.r.port, "loaded", one)
                self.assertEqual(spread("query", self.r.port, "loaded", "--count", stdin=genome).stdout, b"30\n")
                spread("save", self.r.port, "loaded", "-o", two)
                with open(one, "rb") as a, open(two, "rb") as b:
                    self.assertEqual(a.read(), b.read())
                spread("drop", self.r.port, "loaded")

    def holds(self, key, item):
        """Does the item belong to this part?"""
        try:
            self.r("BF.EXISTS", key, item)
        except redis.exceptions.ResponseError:
            return False
        return True

    def test_integers_too(self):
        stdin = lines(numbers(0, 3000))
        told("build", self.r.port, "ids", "--keys", 3000, "--input", "decimal", "--parts", 2, stdin=stdin)
        self.assertEqual(spread("query", self.r.port, "ids", "--input", "decimal", "--count", stdin=stdin).stdout, b"3000\n")
        self.refused_with("items are bytes", "BF.ADD", "ids{0}", "1")


class Refusals(ServerTest):
    def refused_program(self, sentence, verb, name, *words, **how):
        with self.assertRaises(Failed) as e:
            spread(verb, self.r.port, name, *words, **how)
        self.assertEqual(e.exception.result.returncode, 2)
        self.assertIn(sentence, e.exception.result.stderr.decode())

    def build(self, name="words", **how):
        return told("build", self.r.port, name, "--keys", 20_000, "--parts", 4, stdin=lines(numbers(0, 100)), **how)

    def test_nothing_is_overwritten(self):
        self.r("SET", "words", "x")
        self.refused_program("words is there already", "build", "words", "--keys", 100, "--key", "x")
        self.refused_program("is no filter of a cluster", "query", "words", "--key", "x")
        self.r("DEL", "words")
        self.r("SET", "words{0}", "x")
        self.refused_program("words{0} is there already", "build", "words", "--keys", 100, "--key", "x")
        self.assertEqual(self.r("GET", "words{0}"), b"x")

    def test_ledgers_stay_whole(self):
        """Whoever asks to spread one, or points at one, is told so, and nothing is made."""
        self.r("CF.ADD", "sessions", "x")
        before = self.r("DEBUG", "DIGEST")
        for verb in "query", "add":
            self.refused_program("ledgers, which give keys back, are not spread", verb, "sessions", "--key", "x")
        for verb in "info", "drop":
            self.refused_program("sessions, on", verb, "sessions")
            self.refused_program("ledgers, which give keys back, are not spread", verb, "sessions")
        self.refused_program("sessions is there already", "build", "sessions", "--keys", 100, "--key", "x")
        for word in "--erasable", "--erase":
            self.refused_program(
                "ledgers, which give keys back, are not spread", "build", "words", word, "--keys", 100, "--key", "x"
            )
        with tempfile.TemporaryDirectory() as folder:
            for words in [], ["--grow"]:
                path = os.path.join(folder, "ledger")
                sluice("build", "--force", "-o", path, "--erasable", *words, stdin=lines(numbers(0, 1000)))
                self.refused_program("ledgers, which give keys back, are not spread", "load", "words", path)
        self.assertEqual(self.r("DEBUG", "DIGEST"), before)
        self.assertEqual(self.r("DBSIZE"), 1)
        self.r("DEL", "words{0}")
        self.build()
        self.refused_program("words is there already", "build", "words", "--keys", 100, "--key", "x")

    def test_a_part_that_is_missing_or_something_else(self):
        self.build()
        self.r("RENAME", "words{2}", "elsewhere")
        many = lines(numbers(0, 100))
        for verb in "query", "add":
            self.refused_program("part 2 of words (key words{2}", verb, "words", stdin=many)
            self.refused_program("is missing", verb, "words", stdin=many)
        self.refused_program("is missing", "info", "words")
        self.r("SET", "words{2}", "x")
        for verb in "query", "add":
            self.refused_program("is something else than a filter", verb, "words", stdin=many)
        result = spread("drop", self.r.port, "words", status=1)
        self.assertIn(b"words{2}", result.stderr)
        self.assertEqual(sorted(self.r("KEYS", "*")), [b"elsewhere", b"words{2}"])

    def test_a_drop_that_fails_can_be_repeated(self):
        """What tells of the parts is there as long as one of them is; and only what is known to be foreign stays."""
        self.build()
        before = self.r("DEBUG", "DIGEST")
        everything = ["ACL", "SETUSER", "ann", "reset", "on", ">sesame", "~*", "+@all"]
        how = {"environment": {"REDISCLI_AUTH": "sesame"}}
        self.r(*everything, "-bf.scandump")
        self.refused_program("NOPERM", "drop", "words", "--user", "ann", **how)
        self.assertEqual(self.r("DEBUG", "DIGEST"), before)
        self.r(*everything, "-unlink", "(~words +unlink)", "(~words{0} +unlink)")
        self.refused_program("NOPERM", "drop", "words", "--user", "ann", **how)
        self.assertEqual(sorted(self.r("KEYS", "*")), [b"words", b"words{1}", b"words{2}", b"words{3}"])
        spread("drop", self.r.port, "words")
        self.assertEqual(self.r("DBSIZE"), 0)

    def test_a_descriptor_that_does_not_match(self):
        self.build()
        told("build", self.r.port, "other", "--keys", 20_000, "--parts", 4, "--seed", 9, "--key", "x")
        self.r("RENAME", "other{1}", "words{1}")
        self.refused_program("is one of another filter", "query", "words", stdin=lines(numbers(0, 100)))
        self.refused_program("is one of another filter", "add", "words", stdin=lines(numbers(0, 100)))
        self.r("HSET", "words", "filter", "x")
        self.refused_program("has a descriptor that cannot be read", "query", "words", "--key", "x")
        self.refused_program("there is no filter none", "query", "none", "--key", "x")

    def test_names_and_options(self):
        self.refused_program("nor have braces", "build", "a{1}", "--keys", 100, "--key", "x")
        self.build("there")
        self.refused_program("--timeout is from 0.001", "query", "there", "--key", "x", "--timeout", "0.0009")
        self.refused_program("--wait-timeout is from 0.001", "add", "there", "--key", "x", "--wait-timeout", "0.0009")
        self.refused_program("tunnel", "query", "words", "--key", "x", "--tls")
        self.refused_program("pipe", "build", "words", stdin=b"x\n")
        self.refused_program("cannot be cut into", "build", "words", "--keys", 100, "--parts", 64, "--key", "x")
        with self.assertRaises(Failed) as e:
            sluice("redis", "info", "--to", "127.0.0.1:1", "words")
        self.assertIn("connecting", str(e.exception))

    def test_a_server_without_the_module(self):
        port = self.r.port
        bare = Bare()
        self.addCleanup(bare.remove)
        with self.assertRaises(Failed) as e:
            spread("build", bare.port, "words", "--keys", 100, "--key", "x")
        self.assertIn("has not loaded the module", str(e.exception))
        self.assertNotEqual(port, bare.port)

    def test_passwords(self):
        r = self.another()
        r("CONFIG", "SET", "requirepass", "open sesame")
        r.client = redis.Redis(port=r.port, password="open sesame")
        self.addCleanup(r.client.close)
        with self.assertRaises(Failed) as e:
            spread("build", r.port, "words", "--keys", 100, "--key", "x")
        self.assertIn("REDISCLI_AUTH", str(e.exception))
        spread("build", r.port, "words", "--keys", 100, "--key", "x", environment={"REDISCLI_AUTH": "open sesame"})
        with tempfile.NamedTemporaryFile("w") as f:
            f.write("open sesame\n")
            f.flush()
            spread("query", r.port, "words", "--key", "x", "--password-file", f.name)
            r("ACL", "SETUSER", "reader", "on", ">sesame", "~*", "+@all")
            with self.assertRaises(Failed):
                spread("query", r.port, "words", "--key", "x", "--user", "reader", "--password-file", f.name)
            f.seek(0)
            f.write("\nopen sesame\n")
            f.flush()
            with self.assertRaisesRegex(Failed, "no password in its first line"):
                spread("query", r.port, "words", "--key", "x", "--password-file", f.name)
        spread("query", r.port, "words", "--key", "x", "--user", "reader", environment={"REDISCLI_AUTH": "sesame"})

    def test_users_without_a_password(self):
        """Who is named is asked for, also where the default user could do everything."""
        self.build()
        self.r("ACL", "SETUSER", "asks", "on", "nopass", "~*", "+@all", "-bf.digestadd")
        spread("query", self.r.port, "words", "--key", "1", "--user", "asks")
        self.refused_program("NOPERM", "add", "words", "--key", "x", "--user", "asks")
        self.refused_program("does not let us in", "query", "words", "--key", "x", "--user", "nobody")

    def test_a_server_that_takes_no_connections(self):
        """It says why, instead of its first answer; and where it takes some again, what was begun goes on."""
        r = self.another()
        r("CONFIG", "SET", "requirepass", "sesame")
        r.client = redis.Redis(port=r.port, password="sesame")
        self.addCleanup(r.client.close)
        how = {"REDISCLI_AUTH": "sesame"}
        spread("build", r.port, "words", "--keys", 1000, "--key", "x", environment=how)
        add = Running("add", f"127.0.0.1:{r.port}", "words", environment=how)
        self.addCleanup(add.remove)
        wait_until(lambda: any(client["cmd"] == "info" for client in r.client.client_list()))  # all but keys is said
        r("CONFIG", "SET", "maxclients", 1)
        r("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        for environment in how, {}:
            with self.assertRaisesRegex(Failed, "connecting: ERR max number of clients reached"):
                spread("query", r.port, "words", "--key", "x", environment=environment)
        refused = r("INFO", "stats")["rejected_connections"]
        giver = threading.Thread(target=add.give, args=[numbers(0, 600_000)])  # more than it gathers
        giver.start()
        wait_until(lambda: r("INFO", "stats")["rejected_connections"] > refused)
        r("CONFIG", "SET", "maxclients", 100)
        giver.join()
        self.assertEqual(add.end()[0]["keys_read"], 600_000)

    def test_a_server_that_is_protected(self):
        why = b"DENIED Redis is running in protected mode"
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def refuse():
            for _ in range(2):
                link, _ = listener.accept()
                with link:
                    link.sendall(b"-" + why + b"\r\n")

        threading.Thread(target=refuse, daemon=True).start()
        for environment in {}, {"REDISCLI_AUTH": "sesame"}:
            port = listener.getsockname()[1]
            result = spread("query", port, "words", "--key", "x", environment=environment, status=2)
            self.assertIn(why, result.stderr)

    def test_the_reason_for_giving_up(self):
        """Not that nothing was answered in the last moment."""
        self.build()
        self.r("CONFIG", "SET", "min-replicas-to-write", 1)
        self.addCleanup(self.r, "CONFIG", "SET", "min-replicas-to-write", 0)
        said = f"an answer: 127.0.0.1:{self.r.port}: NOREPLICAS"
        self.refused_program(said, "add", "words", "--key", "y", "--timeout", 0.1)

    def test_the_rights_of_the_document_are_enough(self):
        """Those that docs/cluster.md names, on the filter's keys alone."""
        asks = "+hget +bf.digestexists +cluster|slots +ping +asking".split()
        adds = asks + "+bf.digestadd +wait +info +cluster|nodes".split()
        makes = "+exists +hsetnx +hset".split()
        folder = self.enterContext(tempfile.TemporaryDirectory())
        file = f"{folder}/words.sluice"

        def may(rights, verb, *words, **how):
            self.r("ACL", "SETUSER", "ann", "reset", "on", "nopass", "~words", "~words{*}", "-@all", *rights)
            with tempfile.NamedTemporaryFile("w") as password:
                password.write("any\n")
                password.flush()
                return spread(verb, self.r.port, *words, "--user", "ann", "--password-file", password.name, **how)

        words = lines(numbers(0, 1000))
        may([*adds, *makes, "+bf.reservepart"], "build", "words", "--keys", 1000, stdin=words)
        self.assertEqual(may(asks, "query", "words", "--count", stdin=words).stdout, b"1000\n")
        may(adds, "add", "words", "--key", "x")
        self.assertIn(b"planned_keys", may([*asks, "+bf.stats"], "info", "words").stdout)
        may([*asks, "+bf.scandump"], "save", "words", "-o", file)
        cannot_add = [right for right in adds if right != "+bf.digestadd"]
        with self.assertRaises(Failed) as e:
            may(cannot_add, "add", "words", "--key", "y")
        self.assertIn("digestadd", str(e.exception))
        may([*asks, "+bf.scandump", "+unlink"], "drop", "words")
        self.assertEqual(self.r("DBSIZE"), 0)
        loads = [*cannot_add, *makes, "+bf.loadchunk"]
        may(loads, "load", "words", file)
        self.assertEqual(may(asks, "query", "words", "--count", stdin=words).stdout, b"1000\n")
        may([*asks, "+bf.scandump", "+unlink"], "drop", "words")
        may(loads, "build", "words", "--static", "--key", "x")


class Bare(Server):
    """A server without the module."""

    without_module = True


class Hostile(ServerTest):
    def test_headers_that_were_changed(self):
        told("build", self.r.port, "words", "--keys", 20_000, "--parts", 2, "--key", "x")
        header = self.r("HGET", "words", "filter")
        chance = random.Random(19)
        for number in range(3000):
            changed = bytearray(header)
            for _ in range(chance.choice([1, 1, 2, 8])):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            for words in (("BF.RESERVEPART", f"k{number}", bytes(changed)), ("BF.LOADCHUNK", f"l{number}", 1, bytes(changed))):
                try:
                    self.r(*words)
                except redis.exceptions.ResponseError:
                    pass
        self.assertTrue(self.r.is_alive())
        self.assertEqual(self.r("PING"), True)


if __name__ == "__main__":
    unittest.main()
