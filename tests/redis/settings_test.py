# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What the server knows of the module. CONFIG has its settings: its arguments are their usual values, the server's
configuration comes after them, and what makes no sense changes nothing. COMMAND DOCS has its commands' arguments."""
import os
import tempfile
import unittest

import redis

from servers import Server, ServerTest


class Settings(ServerTest):
    arguments = ("ERROR_RATE", "0.02", "max-work", "32mb")
    options = {"enable_protected_configs": "yes"}

    def get(self, name, server=None):
        found = (server or self.r)("CONFIG", "GET", f"sluice.{name}")
        return (found[1] if isinstance(found, list) else next(iter(found.values()))).decode()

    def set(self, name, value):
        self.addCleanup(self.r, "CONFIG", "SET", f"sluice.{name}", self.get(name))
        return self.r("CONFIG", "SET", f"sluice.{name}", value)

    def refused(self, pattern, *words):
        with self.assertRaisesRegex(redis.exceptions.ResponseError, pattern):
            self.r(*words)

    def test_arguments_are_usual_values(self):
        names = "error-rate", "initial-size", "expansion", "max-bytes", "max-work", "folder"
        told = {n: self.get(n) for n in names}
        self.assertEqual(told, {"error-rate": "0.02", "initial-size": "100", "expansion": "2",
                                "max-bytes": str(1 << 30), "max-work": str(32 << 20), "folder": ""})  # fmt: skip

    def test_new_filters_are_made_as_it_says(self):
        self.set("error-rate", "0.001")
        self.set("initial-size", "5000")
        self.set("expansion", "4")
        self.r("BF.ADD", "k", "x")
        info = dict(zip(*[iter(self.r("BF.INFO", "k"))] * 2))
        self.assertEqual((info[b"Capacity"], info[b"Expansion rate"]), (5000, 4))
        self.assertIn(b"ratio:0.000", self.r("BF.DEBUG", "k")[1])

    def test_the_most_bytes_of_a_key(self):
        self.set("max-bytes", "10kb")
        self.refused("OOM|too large|max-bytes|memory", "BF.RESERVE", "k", "0.001", "1000000")
        self.r("BF.RESERVE", "k", "0.001", "1000")

    def test_files_are_switched_on(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused("files are off", "BF.SAVEFILE", "k", "f")
            self.r("BF.RESERVE", "k", "0.01", "100", "NONSCALING")
            self.set("folder", folder)
            self.assertEqual(self.r("BF.SAVEFILE", "k", "f"), b"OK")
            self.assertTrue(os.path.exists(os.path.join(folder, "f")))
            self.r("CONFIG", "SET", "sluice.folder", "")
            self.refused("files are off", "BF.SAVEFILE", "k", "f")

    def test_what_makes_no_sense_changes_nothing(self):
        for name, value, why in (("error-rate", "2", "a rate between 0 and 1"), ("expansion", "-1", "from 0 to 32768"),
                                 ("folder", "here", "absolute path"), ("max-work", "1", "a number of bytes")):  # fmt: skip
            before = self.get(name)
            self.refused(why, "CONFIG", "SET", f"sluice.{name}", value)
            self.assertEqual(self.get(name), before)

    def test_the_folder_is_protected(self):
        server = self.another()
        with self.assertRaisesRegex(redis.exceptions.ResponseError, "protected"):
            server("CONFIG", "SET", "sluice.folder", "/tmp")

    def test_a_configuration_file_comes_after_the_arguments(self):
        with tempfile.TemporaryDirectory() as folder:
            config = os.path.join(folder, "redis.conf")
            with open(config, "w") as f:
                f.write("sluice.expansion 8\n")
            server = Server("EXPANSION", "3", configuration=config)
            self.addCleanup(server.remove)
            self.assertEqual(self.get("expansion", server), "8")
            server("CONFIG", "SET", "sluice.initial-size", "77")
            server("CONFIG", "REWRITE")
            with open(config) as f:
                self.assertIn("sluice.initial-size", f.read())


class Documentation(ServerTest):
    """COMMAND DOCS: what it says of arguments is what commands take."""

    def test_every_command_has_its_arguments(self):
        names = [c.decode() for c in self.raw("COMMAND", "LIST", "FILTERBY", "MODULE", "sluice")]
        self.assertEqual(len(names), 31)
        docs = self.pairs(self.raw("COMMAND", "DOCS", *names))
        for name in names:
            with self.subTest(name):
                about = self.pairs(docs[name])
                self.assertIn("O(", about["complexity"].decode())
                arguments = [self.pairs(a) for a in about["arguments"]]
                arity = self.arity_of(name)
                required = [a for a in arguments if b"optional" not in a.get("flags", [])]
                least = len(required) + sum("token" in a and a["type"] != b"pure-token" for a in required)
                if arity > 0:
                    self.assertEqual(least, arity - 1)
                    self.assertEqual(len(arguments), len(required))
                else:
                    self.assertGreaterEqual(least, -arity - 1)
                    self.assertTrue(any(a.get("flags") for a in arguments))
                keys = [a for a in arguments if a["type"] == b"key"]
                self.assertEqual(len(keys), 0 if name == "bf.plan" else 1)

    def test_words_stand_before_their_values(self):
        about = self.pairs(self.raw("COMMAND", "DOCS", "cf.insert"))["cf.insert"]
        arguments = [self.pairs(a) for a in self.pairs(about)["arguments"]]
        told = [(a["name"], a["type"], a.get("token"), a.get("flags")) for a in arguments]
        self.assertEqual(told[1], (b"capacity", b"integer", b"CAPACITY", [b"optional"]))
        self.assertEqual(told[3], (b"nocreate", b"pure-token", b"NOCREATE", [b"optional"]))
        self.assertEqual(told[-1], (b"item", b"string", b"ITEMS", [b"multiple"]))

    def test_options_are_taken(self):
        values = {"SCHEME": "gated", "BITSPERKEY": 24, "BLOCK": 512, "TIGHTENING": 0.5, "ERROR": 0.01, "LIKE": "other",
                  "CAPACITY": 1000, "BUCKETSIZE": 2}  # fmt: skip
        before = {"bf.reserve": ("new", 0.01, 1000), "bf.insert": ("new",), "bf.plan": (0.01, 1000),
                  "cf.reserve": ("new", 1000), "cf.insert": ("new",), "cf.insertnx": ("new",)}  # fmt: skip
        self.r("BF.RESERVE", "other", 0.01, 1000)
        for name, words in before.items():
            arguments = [self.pairs(a) for a in self.pairs(self.pairs(self.raw("COMMAND", "DOCS", name))[name])["arguments"]]
            options = [a["token"].decode() for a in arguments if b"optional" in a.get("flags", [])]
            self.assertIn("EXPANSION", options)
            for option in options:
                with self.subTest(f"{name} {option}"):
                    self.r("DEL", "new")
                    if option == "NOCREATE":
                        self.r("CF.RESERVE" if name.startswith("cf") else "BF.RESERVE", *before[name[:3] + "reserve"])
                    alone = option in ("NOCREATE", "NONSCALING")
                    items = ("ITEMS", "a") if "insert" in name else ()
                    self.r(name.upper(), *words, option, *(() if alone else (values.get(option, 2),)), *items)

    def pairs(self, flat):
        if isinstance(flat, dict):
            return {(k.decode() if isinstance(k, bytes) else k): v for k, v in flat.items()}
        return {name.decode(): value for name, value in zip(flat[0::2], flat[1::2])}

    def raw(self, *words):
        """As the server says it: the client has its own idea of COMMAND."""
        connection = redis.Connection(port=self.server.port)
        self.addCleanup(connection.disconnect)
        connection.send_command(*words)
        return connection.read_response()

    def arity_of(self, name):
        return self.raw("COMMAND", "INFO", name)[0][1]


if __name__ == "__main__":
    unittest.main()
