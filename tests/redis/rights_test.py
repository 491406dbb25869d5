#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""LIKE: which keys the server is told of, so that rights and slots are checked; and what replicas and the log get, of
every shape that can be loaded."""
import os
import shutil
import subprocess
import tempfile
import unittest

import redis

from headers import load_changed, schemes
from redisbloom import Chain
from servers import ServerTest, load, wait_until

command = os.environ.get("SLUICE_COMMAND", "build/release/sluice")


class Rights(ServerTest):
    def setUp(self):
        super().setUp()
        self.r("BF.RESERVE", "secret", "0.01", "1000", "SEED", "4711")
        self.r("BF.RESERVE", "mine0", "0.01", "1000", "SEED", "1")
        self.r("ACL", "SETUSER", "ann", "on", "nopass", "resetkeys", "~mine*", "-@all", "+bf.reserve", "+bf.insert")
        self.ann = redis.Redis(port=self.server.port, username="ann", password="x")
        self.addCleanup(self.ann.close)

    def denied(self, *words):
        with self.assertRaises(redis.exceptions.NoPermissionError):
            self.ann.execute_command(*words)

    def test_a_filter_of_others_is_no_model(self):
        self.denied("BF.RESERVE", "mine1", "0.01", "100", "LIKE", "secret")
        self.denied("BF.INSERT", "mine1", "LIKE", "secret", "ITEMS", "x")
        self.denied("BF.RESERVE", "secret2", "0.01", "100")
        for second in (["LIKE", "mine0", "LIKE", "secret"], ["LIKE", "secret", "LIKE", "mine0"]):
            for words in (["BF.RESERVE", "mine1", "0.01", "100", *second], ["BF.INSERT", "mine1", *second, "ITEMS", "x"]):
                with self.assertRaises(redis.exceptions.ResponseError) as e:
                    self.ann.execute_command(*words)
                self.assertIn("LIKE is given twice", str(e.exception))
        self.assertEqual(self.r("EXISTS", "mine1"), 0)
        self.assertEqual(self.ann.execute_command("BF.RESERVE", "mine1", "0.01", "100", "LIKE", "mine0"), b"OK")
        self.assertEqual(self.ann.execute_command("BF.INSERT", "mine2", "LIKE", "mine0", "ITEMS", "LIKE", "secret"), [1, 1])

    def test_the_server_knows_the_keys(self):
        def keys(*words):
            return self.server.cli("COMMAND", "GETKEYS", *words).split("\n")

        self.assertEqual(keys("BF.RESERVE", "new", "0.01", "9", "SEED", "7", "LIKE", "old"), ["new", "old"])
        self.assertEqual(keys("BF.INSERT", "new", "LIKE", "old", "ITEMS", "LIKE", "x"), ["new", "old"])
        self.assertEqual(keys("BF.RESERVE", "LIKE", "0.01", "9"), ["LIKE"])

    def test_in_a_cluster_both_are_in_one_slot(self):
        node = self.another("seed", 7, cluster_enabled="yes")
        node("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
        wait_until(lambda: "cluster_state:ok" in node.cli("CLUSTER", "INFO"))
        self.assertEqual(node("BF.RESERVE", "{a}one", "0.01", "100"), b"OK")
        self.assertEqual(node("BF.RESERVE", "{a}two", "0.01", "100", "LIKE", "{a}one"), b"OK")
        for words in (["BF.RESERVE", "{b}two", "0.01", "100", "LIKE", "{a}one"],
                      ["BF.INSERT", "{b}two", "LIKE", "{a}one", "ITEMS", "x"]):
            with self.assertRaises(redis.exceptions.ResponseError) as e:
                node(*words)
            self.assertIn("same slot", str(e.exception))


class LikeOfEveryShape(ServerTest):
    """What a filter is made like may have come from outside. A server of these tests ends if it is sent a command that it
    refuses (servers.py)."""

    options = {"appendonly": "yes", "appendfsync": "always"}

    @classmethod
    def setUpClass(cls):
        cls.files = tempfile.mkdtemp(prefix="sluice-files-")
        cls.arguments = ("folder", cls.files)
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        shutil.rmtree(cls.files, ignore_errors=True)

    def build(self, name, *options):
        subprocess.run([command, "build", "-o", os.path.join(self.files, name), *options],
                       input="".join(f"{i}\n" for i in range(300)), text=True, check=True, stdout=subprocess.DEVNULL)
        self.r("BF.LOADFILE", name, name)

    def test_on_a_replica_and_after_a_restart(self):
        replica = self.another("seed", 8, "ERROR_RATE", 0.2, "INITIAL_SIZE", 7, "EXPANSION", 4)
        self.r("BF.INSERT", "small", "CAPACITY", "20", "ITEMS", *range(90))
        for scheme, number in schemes.items():
            self.r("BF.RESERVE", scheme, "0.001", "40", "SCHEME", scheme)
            self.r("BF.MADD", scheme, *range(100))
            load_changed(self.r, scheme, scheme + " and many keys", capacity=2**33, scheme=number)
        load_changed(self.r, "small", "most keys", capacity=2**40)
        load_changed(self.r, "small", "wide blocks", block_bits=4096)
        load_changed(self.r, "small", "narrow blocks", block_bits=64, scheme=6)
        load_changed(self.r, "small", "high rate", error=0.999, tightening=0.999999)
        load_changed(self.r, "small", "low rate", error=1e-300)
        load_changed(self.r, "small", "steep", expansion=32768)
        self.build("one")
        self.build("chain", "--grow", "--first-keys", "64")
        self.build("static", "--static", "--scheme", "gated")
        sources = [key.decode() for key in self.r("KEYS", "*")]
        self.assertGreater(len(sources), 24)
        replica("REPLICAOF", "127.0.0.1", self.server.port)
        wait_until(lambda: replica.client.info("replication")["master_link_status"] == "up")
        made = []
        for number, source in enumerate(sources):
            self.assertEqual(self.r("BF.RESERVE", f"r{number}", "0.01", "100", "LIKE", source), b"OK")
            self.assertEqual(self.r("BF.INSERT", f"i{number}", "LIKE", source, "ITEMS", "v", "w"), [1, 1])
            self.r("BF.ADD", f"r{number}", "x")
            made += [f"r{number}", f"i{number}"]
            for grown in made[-2:]:
                self.r("BF.MADD", grown, *range(120))  # a refusal in the end is an answer
        digest = self.r("DEBUG", "DIGEST")
        self.assertEqual(self.r("WAIT", 1, 20_000), 1)
        wait_until(lambda: replica("DEBUG", "DIGEST") == digest)
        for number in range(len(sources)):
            self.assertEqual(replica("BF.EXISTS", f"r{number}", "x"), 1)
            self.assertEqual(replica("BF.MEXISTS", f"i{number}", "v", "w"), [1, 1])
        self.is_kept_by_the_log(self.server, digest)

    def test_what_has_no_shape_is_refused(self):
        chain = Chain(50, 0.01)
        chain.add(b"x")
        load(self.r, "imported", chain.dump())
        self.build("sealed", "--static", "--scheme", "sealed", "--fpr", "0.001")
        for source in "imported", "sealed":
            self.refused_with("could not create filter", "BF.RESERVE", "k", "0.01", "100", "LIKE", source)
            self.refused_with("could not create filter", "BF.INSERT", "k", "LIKE", source, "ITEMS", "x")
        self.assertEqual(self.r("EXISTS", "k"), 0)

    def test_capacities_that_none_has(self):
        self.r("BF.INSERT", "small", "CAPACITY", "20", "ITEMS", *range(9))
        for capacity in (0, 2**40 + 1, 2**64 - 1):
            with self.assertRaises(redis.exceptions.ResponseError):
                load_changed(self.r, "small", "k", capacity=capacity)
        self.assertEqual(self.r("EXISTS", "k"), 0)


if __name__ == "__main__":
    unittest.main()
