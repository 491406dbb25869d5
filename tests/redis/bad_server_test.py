#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The client and servers that mean it ill: it ends, with a sentence, after the time that it was given, and with little
memory. The bad server stands before a good one and passes its answers on, but for those that the test spoils."""
import os
import resource
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

from servers import Server, wait_until
from spread import command, lines, numbers, spread, told

patience = 2  # --timeout
outer_limit = 90  # of a client that must end after its patience, on a machine that may stand still meanwhile
memory_limit = 1 << 30  # of addresses; and of pages in use much less
memory_in_use = 200 << 20


class Stream:
    """Commands or replies, as bytes, one after the other."""

    def __init__(self, link):
        self.file = link.makefile("rb")

    def one(self):
        """None at the end."""
        line = self.file.readline()
        if not line.endswith(b"\r\n"):
            return None
        if line[:1] == b"$" and int(line[1:]) >= 0:
            return line + self.file.read(int(line[1:]) + 2)
        if line[:1] == b"*":
            return line + b"".join(self.one() for _ in range(int(line[1:])))
        return line


def name_of(asked):
    words = asked.split(b"\r\n")
    return words[2].upper().decode()


class BadServer:
    """`spoilt` has for the name of a command what is sent in place of its answer: a function of the connection, the
    command and the good answer."""

    def __init__(self, good):
        self.good, self.spoilt, self.ends = good, {}, threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.asked = []
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        try:
            while True:
                threading.Thread(target=self.serve, args=[self.listener.accept()[0]], daemon=True).start()
        except OSError:
            pass

    def serve(self, link):
        with link, socket.create_connection(("127.0.0.1", self.good.port)) as server:
            commands, replies = Stream(link), Stream(server)
            try:
                while (asked := commands.one()) is not None and not self.ends.is_set():
                    server.sendall(asked)
                    said = replies.one()
                    name = name_of(asked)
                    self.asked.append(name)
                    link.sendall(said) if name not in self.spoilt else self.spoilt[name](link, asked, said)
            except OSError:
                pass

    def close(self):
        self.ends.set()
        self.listener.close()

    def one_byte_now_and_then(self, link, asked, said):
        link.sendall(b"+")
        while not self.ends.wait(0.5):
            link.sendall(b"x")

    def without_end(self, beginning):
        def send(link, asked, said):
            link.sendall(beginning)
            while not self.ends.is_set():
                link.sendall(bytes(1 << 16))

        return send


class Bad(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.good = Server("seed", 7)
        told("build", cls.good.port, "f", "--keys", 20_000, "--parts", 4, stdin=lines(numbers(0, 1000)))
        # Parts of more than 2 MiB, which need not come in one piece.
        told("build", cls.good.port, "large", "--keys", 5_000_000, "--parts", 4, "--key", "x")

    @classmethod
    def tearDownClass(cls):
        cls.good.remove()

    def setUp(self):
        self.bad = BadServer(self.good)
        self.addCleanup(self.bad.close)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def to(self):
        return f"127.0.0.1:{self.bad.port}"

    def ends_with(self, sentence, verb, *words, spoilt=None, stdin=b"", name="f"):
        """The program ends by itself, with status 2 and this sentence, and had little memory. Returns the seconds."""
        self.bad.spoilt = spoilt or self.bad.spoilt
        begun = time.time()
        with tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as given:
            given.write(stdin)
            given.seek(0)
            words = [command, "redis", verb, "--to", self.to(), name, "--timeout", str(patience), *words]
            process = subprocess.Popen(
                words, stdin=given, stdout=subprocess.DEVNULL, stderr=said, preexec_fn=with_little_memory
            )
            ended = threading.Timer(outer_limit, process.kill)
            ended.start()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            ended.cancel()
            said.seek(0)
            text = said.read().decode()
        self.assertEqual(process.returncode, 2, text[-2000:])
        self.assertIn(sentence, text)
        self.assertLess(used.ru_maxrss * 1024, memory_in_use)
        return time.time() - begun

    def test_one_byte_now_and_then(self):
        slow = self.bad.one_byte_now_and_then
        self.ends_with("no answer in time", "query", "--key", "1", spoilt={"PING": slow})
        self.ends_with("given up after 2 s", "query", "--key", "1", spoilt={"HGET": slow})
        self.ends_with("given up after 2 s", "query", "--key", "1", spoilt={"BF.DIGESTEXISTS": slow})
        self.ends_with("no answer in time", "add", "--key", "1", spoilt={"INFO": slow})

    def test_an_answer_without_end(self):
        for beginning in b"$9000000000000\r\n", b"*2\r\n:1\r\n$900000000\r\n":
            with self.subTest(beginning):
                spoilt = {"HGET": self.bad.without_end(beginning)}
                self.ends_with("larger than any", "query", "--key", "1", spoilt=spoilt)
        # Its end is looked for again and again: time may run out before that.
        self.ends_with("127.0.0.1", "query", "--key", "1", spoilt={"HGET": self.bad.without_end(b"-")})

    def test_more_elements_than_any_answer_has(self):
        deep = b"*1000000\r\n" * 7
        for beginning in b"*2147483647\r\n", deep, b"*1000000\r\n" + b"*2\r\n:1\r\n:2\r\n" * 30_000:
            with self.subTest(beginning[:30]):
                spoilt = {"HGET": lambda link, asked, said: link.sendall(beginning)}
                self.ends_with("larger than any", "query", "--key", "1", spoilt=spoilt)

    def test_nobody_reads_what_is_sent(self):
        # More than the system takes on the way. The server stops reading, as if it were busy for ever.
        spoilt = {"BF.DIGESTEXISTS": lambda link, asked, said: self.bad.ends.wait()}
        keys = lines(numbers(0, 524_288 * 2))
        self.ends_with("given up after 2 s", "query", "--count", spoilt=spoilt, stdin=keys)

    def test_a_cluster_of_nodes_that_nobody_reaches(self):
        """A server that names any number of nodes which accept connections and say nothing."""
        silent = socket.create_server(("127.0.0.1", 0), backlog=1000)
        self.addCleanup(silent.close)
        port = silent.getsockname()[1]
        nodes = b"".join(b"*2\r\n$%d\r\n127.0.%d.%d\r\n:%d\r\n" % (len(f"127.0.{i}.{j}"), i, j, port)
                         for i in range(100, 104) for j in range(100, 200))  # fmt: skip
        slots = b"*1\r\n*%d\r\n:0\r\n:16383\r\n" % (2 + 400) + nodes
        self.ends_with("given up after 2 s", "query", "--key", "1",
                       spoilt={"CLUSTER": lambda link, asked, said: link.sendall(slots)})  # fmt: skip

    def save(self, sentence, spoil, name="large"):
        out = os.path.join(self.folder.name, "out")
        self.ends_with(sentence, "save", "-o", out, spoilt={"BF.SCANDUMP": spoil}, name=name)
        self.assertEqual(os.listdir(self.folder.name), [])

    def test_places_that_do_not_advance(self):
        header = self.good("BF.SCANDUMP", "large{0}", 0)[1]
        piece = self.good("BF.SCANDUMP", "large{0}", 1)[1]
        for place, bytes_of_it in (0, header), (1, header), (1, piece), (0, piece), (-5, piece), (2, piece[:1]):
            with self.subTest(place):
                answer = b"*2\r\n:%d\r\n$%d\r\n" % (place, len(bytes_of_it)) + bytes_of_it + b"\r\n"

                def spoil(link, asked, said):
                    is_first = b"large{0}\r\n$1\r\n0\r\n" in asked
                    link.sendall(said if is_first and place != 0 else answer)

                self.save("part 0 of large", spoil)

    def test_a_byte_at_a_time(self):
        """As it would be, but for its pace: each of some million answers is in time."""

        def spoil(link, asked, said):
            place = int(asked.split(b"\r\n")[6])
            piece = said[said.index(b"\r\n", said.index(b"$")) + 2 :][:1]
            link.sendall(said if place == 0 else b"*2\r\n:%d\r\n$1\r\n" % (place + 1) + piece + b"\r\n")

        self.save("part 0 of large", spoil)

    def test_smaller_pieces_than_ours_are_taken(self):
        """Another version may cut otherwise, into pieces of a MiB or more."""
        served = []

        def spoil(link, asked, said):
            place = int(asked.split(b"\r\n")[6])
            data = said[said.index(b"\r\n", said.index(b"$")) + 2 : -2]
            if place != 0 and len(data) > 1 << 20:
                data = data[: 1 << 20]
                said = b"*2\r\n:%d\r\n$%d\r\n" % (place + len(data), len(data)) + data + b"\r\n"
            served.append(place)
            link.sendall(said)

        self.bad.spoilt = {"BF.SCANDUMP": spoil}
        one, two = os.path.join(self.folder.name, "one"), os.path.join(self.folder.name, "two")
        spread("save", self.bad.port, "large", "-o", one)
        spread("save", self.good.port, "large", "-o", two)
        self.assertGreater(len(served), 2 * 4)  # parts came in more pieces than they have
        with open(one, "rb") as a, open(two, "rb") as b:
            self.assertEqual(a.read(), b.read())

    def test_an_interrupt_leaves_nothing(self):
        for number in signal.SIGTERM, signal.SIGINT, signal.SIGHUP:
            with self.subTest(number):
                self.bad.spoilt = {"BF.SCANDUMP": lambda link, asked, said: self.bad.ends.wait()}
                self.bad.asked.clear()
                out = os.path.join(self.folder.name, "out")
                process = subprocess.Popen([command, "redis", "save", "--to", self.to(), "f", "-o", out])
                self.addCleanup(process.kill)
                wait_until(lambda: "BF.SCANDUMP" in self.bad.asked, 60)
                self.assertEqual(os.listdir(self.folder.name), [".out.partial"])
                process.send_signal(number)
                self.assertEqual(process.wait(60), -number)
                self.assertEqual(os.listdir(self.folder.name), [])


class Making(unittest.TestCase):
    """Who has made a filter, where another does at the same time, or where the answer is lost."""

    build = ("f", "--keys", 20_000, "--parts", 4)

    def setUp(self):
        self.good = Server("seed", 7)
        self.addCleanup(self.good.remove)
        self.bad = BadServer(self.good)
        self.addCleanup(self.bad.close)

    def test_of_two_with_one_plan_one_is_refused(self):
        """The other begins when the first has seen that nothing is there."""

        def let_another_build(link, asked, said):
            if asked.endswith(b"f{3}\r\n"):
                spread("build", self.good.port, *self.build, stdin=lines(numbers(0, 100)))
            link.sendall(said)

        self.bad.spoilt = {"EXISTS": let_another_build}
        refused = spread("build", self.bad.port, *self.build, "--key", "x", status=2)
        self.assertIn(b"f was made by somebody else at the same time", refused.stderr)
        self.assertEqual(told("info", self.good.port, "f")["keys"], 100)

    def test_an_answer_that_is_lost(self):
        """It is ours when it is made once more; and replicas are waited for after something that is propagated."""

        def lose(link, asked, said):
            link.shutdown(socket.SHUT_RDWR) if self.bad.asked.count("HSETNX") == 1 else link.sendall(said)

        self.bad.spoilt = {"HSETNX": lose}
        # There are no replicas: what matters is what was sent.
        spread("build", self.bad.port, *self.build, "--key", "x", "--wait", 1, "--wait-timeout", 0.01, status=1)
        first = self.bad.asked.index("WAIT")
        self.assertEqual(self.bad.asked[first - 2 : first], ["HSETNX", "HSET"])
        self.assertEqual(self.bad.asked.count("HSETNX"), 2)
        self.assertEqual(spread("query", self.good.port, "f", "--key", "x").stdout, b"x\n")

    def test_a_primary_that_becomes_a_replica_while_it_waits(self):
        """What it has written may be gone: it is written once more."""
        spread("build", self.good.port, *self.build)
        for error in b"UNBLOCKED force unblock from blocking operation", b"ERR WAIT cannot be used with replica instances":
            self.bad.asked.clear()

            def demoted_once(link, asked, said):
                link.sendall(b"-" + error + b"\r\n" if self.bad.asked.count("WAIT") == 1 else b":1\r\n")

            self.bad.spoilt = {"WAIT": demoted_once}
            about = told("add", self.bad.port, "f", "--key", "x", "--wait", 1, "--wait-timeout", 0.05)
            self.assertEqual((about["keys_unacknowledged"], about["keys_replicated"]), (0, 1))
            self.assertEqual(self.bad.asked.count("BF.DIGESTADD"), 2)


def with_little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (memory_limit, memory_limit))


if __name__ == "__main__":
    unittest.main()
