# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""Real servers with the module, on loopback, on free ports: each test starts its own, and none outlives it."""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import redis

module = os.environ.get("SLUICE_MODULE", "build/release/integrations/redis/sluice.so")
under_asan = "SLUICE_UNDER_ASAN" in os.environ  # times and sizes are the sanitizer's then
server_program = os.environ.get("SLUICE_REDIS_SERVER", "redis-server")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Server:
    """One redis-server. Options are its own configuration; arguments are the module's."""

    without_module = False

    def __init__(self, *arguments, module=module, folder=None, limit_memory_kb=None, configuration=None, **options):
        self.module = os.path.abspath(module)
        self.arguments = [str(a) for a in arguments]
        self.options = {"save": "", "enable-debug-command": "yes", "repl-diskless-sync-delay": "0"}
        # What is deleted is gone: Valkey frees it in the background, and may be at it when a test goes on.
        for what in ("user-del", "server-del", "user-flush"):
            self.options[f"lazyfree-lazy-{what}"] = "no"
        # A server that refuses what its primary or its log tells it ends, and the test with it.
        self.options["propagation-error-behavior"] = "panic"
        self.options.update({name.replace("_", "-"): str(value) for name, value in options.items()})
        self.own_folder = folder is None
        self.folder = folder or tempfile.mkdtemp(prefix="sluice-redis-")
        self.limit_memory_kb = limit_memory_kb
        self.configuration = configuration  # a file of it
        self.start()

    def start(self, wait=True):
        for _ in range(5):  # another program may take the port between asking and starting
            self.port = free_port()
            command = [server_program, *([self.configuration] if self.configuration else []), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder]
            for name, value in self.options.items():
                command += ["--" + name, value]
            if not self.without_module:
                command += ["--loadmodule", self.module, *self.arguments]
            if self.limit_memory_kb:
                command = ["bash", "-c", f'ulimit -v {self.limit_memory_kb}; exec "$@"', "-", *command]
            self.log = open(os.path.join(self.folder, "log"), "ab")
            self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
            self.client = redis.Redis(port=self.port, socket_timeout=60)
            if not wait or self._answers():
                return
        raise RuntimeError("the server does not start: " + self.log_text()[-2000:])

    def _answers(self):
        for _ in range(600):
            if self.process.poll() is not None:
                return False
            try:
                if self.client.ping():
                    return True
            except (redis.exceptions.ConnectionError, redis.exceptions.BusyLoadingError):
                pass
            time.sleep(0.02)
        return False

    def log_text(self):
        with open(os.path.join(self.folder, "log"), errors="replace") as f:
            return f.read()

    def __call__(self, *words):
        return self.client.execute_command(*words)

    def cli(self, *words, protocol=2, stdin=None):
        """What redis-cli prints."""
        result = subprocess.run(
            ["redis-cli", "-p", str(self.port), f"-{protocol}", *words], capture_output=True, text=True, input=stdin
        )
        return result.stdout.rstrip("\n")

    def is_alive(self):
        return self.process.poll() is None

    def stop(self, how="nosave"):
        if not self.is_alive() and self.process.returncode != -9:  # which is our own kill()
            print(f"the server ended with {self.process.returncode}:\n{self.log_text()[-6000:]}", file=sys.stderr)
        if self.is_alive():
            try:
                self.client.shutdown(save=how == "save", nosave=how != "save")
            except redis.exceptions.ConnectionError:
                pass
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.client.close()
        self.log.close()

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.client.close()
        self.log.close()

    def restart(self, how="nosave"):
        self.stop(how)
        self.start()

    def remove(self):
        self.stop()
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class ServerTest(unittest.TestCase):
    """A server for the whole class, with the arguments and options that it names, empty before each test.

    Its filters have one seed, so that what is found by chance is the same in every run.
    """

    arguments = ()
    seed = ("seed", 7)
    options = {}

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.seed, *cls.arguments, **cls.options)

    @classmethod
    def tearDownClass(cls):
        cls.server.remove()

    def setUp(self):
        self.server("FLUSHALL")
        self.r = self.server

    def another(self, *arguments, **options):
        """One more server, until the end of the test."""
        server = Server(*arguments, **options)
        self.addCleanup(server.remove)
        return server

    def is_kept_by_the_log(self, server, digest):
        """What has this digest is there again after a restart, and after one from a log that was written anew."""
        server.restart()
        self.assertEqual(server("DEBUG", "DIGEST"), digest)
        server("BGREWRITEAOF")
        wait_until(lambda: server("INFO", "persistence")["aof_rewrite_in_progress"] == 0)
        server.restart()
        self.assertEqual(server("DEBUG", "DIGEST"), digest)

    def refused(self, sentence, *words):
        """The command is answered with this error, which is compared as it stands on the wire."""
        with self.assertRaises(redis.exceptions.ResponseError) as e:
            self.r(*words)
        # The client takes the prefix off what it knows.
        said = str(e.exception)
        self.assertIn(said, (sentence, sentence.removeprefix("ERR ")))

    def refused_with(self, part, *words):
        with self.assertRaises(redis.exceptions.ResponseError) as e:
            self.r(*words)
        self.assertIn(part, str(e.exception))


def dump(server, key, family="BF"):
    """Everything that SCANDUMP gives."""
    pieces = []
    number = 0
    while True:
        number, data = server(family + ".SCANDUMP", key, number)
        if number == 0:
            return pieces
        pieces.append((number, data))


def load(server, key, pieces, family="BF"):
    for number, data in pieces:
        server(family + ".LOADCHUNK", key, number, data)


def wait_until(condition, seconds=20):
    end = time.time() + seconds
    while not condition():
        if time.time() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)
