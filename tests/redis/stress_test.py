#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Many clients at once, each with keys of its own that it knows, and some that all share: everything that the module
does, in random order, while the server saves itself and feeds a replica. Nothing that was added is denied, and the
replica ends with the same bytes."""
import random
import tempfile
import threading
import time
import unittest

import redis

from servers import Server, dump, under_asan, wait_until

seconds = 20 if under_asan else 4
clients = 4


class Stress(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="sluice-files-")
        self.addCleanup(self.folder.cleanup)
        self.r = Server(
            "folder", self.folder.name, appendonly="yes", auto_aof_rewrite_percentage="0", lazyfree_lazy_user_del="yes"
        )
        self.addCleanup(self.r.remove)
        self.replica = Server()
        self.addCleanup(self.replica.remove)
        self.replica("REPLICAOF", "127.0.0.1", self.r.port)
        self.failures = []

    def work(self, number, end):
        try:
            chance = random.Random(number)
            client = redis.Redis(port=self.r.port, socket_timeout=60)
            run = client.execute_command
            own = {}  # key -> items
            while time.time() < end:
                key = f"{number}:{chance.randrange(4)}"
                items = [f"{number}/{chance.randrange(3000)}" for _ in range(chance.choice([1, 2, 50, 300]))]
                what = chance.randrange(14)
                if what < 5:
                    run("BF.MADD", key, *items)
                    own.setdefault(key, set()).update(items)
                elif what == 5:
                    run("BF.ADD", "shared", items[0])
                elif what == 6:
                    run("BF.MEXISTS", "shared", *items)
                elif what == 7 and key in own:
                    run("COPY", key, key + "c", "REPLACE")
                    self.found(run, key + "c", own[key])
                elif what == 8 and key in own:
                    other = key + "m"
                    run("UNLINK", other)
                    run("BF.INSERT", other, "LIKE", key, "ITEMS", *items)
                    run("BF.MERGE", key, other)
                    own[key].update(items)
                elif what == 9 and key in own:
                    run("RESTORE", key, "0", run("DUMP", key), "REPLACE")
                elif what == 10 and key in own:
                    run("UNLINK", key + "l")
                    for n, data in dump(lambda *words: run(*words), key):
                        run("BF.LOADCHUNK", key + "l", n, data)
                    self.found(run, key + "l", own[key])
                elif what == 11 and key in own:
                    self.in_its_turn(run, "BF.SAVEFILE", key, f"f{number}", "REPLACE")
                    run("UNLINK", key + "f")
                    self.in_its_turn(run, "BF.LOADFILE", key + "f", f"f{number}")
                    self.found(run, key + "f", own[key])
                elif what == 12 and chance.random() < 0.1:
                    run("UNLINK", key)
                    own.pop(key, None)
                elif what == 13:
                    run("BF.RESERVE", f"{key}r{chance.random()}", "0.01", str(chance.randrange(1, 5000)))
                if key in own:
                    self.found(run, key, own[key])
            client.close()
        except Exception as e:  # the thread's failure is the test's
            self.failures.append(repr(e))

    def in_its_turn(self, run, *words):
        """Four work in the background at a time, and others are told to come again."""
        while True:
            try:
                return run(*words)
            except redis.exceptions.ResponseError as e:
                if "try again when one is done" not in str(e):
                    raise
                time.sleep(0.01)

    def found(self, run, key, items):
        if sum(run("BF.MEXISTS", key, *items)) != len(items):
            raise AssertionError(f"{key} lost an item")

    def test_everything_at_once(self):
        end = time.time() + seconds
        threads = [threading.Thread(target=self.work, args=(n, end)) for n in range(clients)]
        for t in threads:
            t.start()
        while time.time() < end:
            for words in (["BGSAVE"], ["BGREWRITEAOF"]):
                try:
                    self.r(*words)
                except redis.exceptions.ResponseError:
                    pass  # one of the other kind is running
            time.sleep(0.5)
        for t in threads:
            t.join()
        self.assertEqual(self.failures, [])
        self.assertTrue(self.r.is_alive())
        wait_until(lambda: self.replica.client.info("replication").get("master_link_status") == "up")
        self.r("WAIT", 1, 10_000)
        self.assertEqual(self.r("DEBUG", "DIGEST"), self.replica("DEBUG", "DIGEST"))
        before = self.r("DEBUG", "DIGEST")
        self.r.restart()
        self.assertEqual(self.r("DEBUG", "DIGEST"), before)


if __name__ == "__main__":
    unittest.main()
