#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What an item costs a Redis server: nanoseconds of its processor for each item that is added or asked for, bytes, and
the false positive rate, counted. Filters of the module, Redis's own set and a bitmap whose positions the client
computes, and RedisBloom's filters if --redisbloom names its module.

Contestants take turns; medians stand. The time is that of the server's main thread (/proc/PID/schedstat), so that the
client may be as slow as it likes. Reading a command and writing its answer is part of it: what that takes alone is the
first row, SMISMEMBER of a key that is not there.
"""
import argparse
import math
import os
import socket
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "redis"))
from servers import Server  # noqa: E402

together = 100  # items of one command, or single commands sent at once


def word(text):
    return b"$%d\r\n%s\r\n" % (len(text), text)


def command(words, items):
    """`words`, and behind them items that are words already."""
    return b"*%d\r\n" % (len(words) + len(items)) + b"".join(word(w.encode()) for w in words) + b"".join(items)


class Client:
    """Sends what is given and counts the lines of the answers."""

    def __init__(self, server):
        self.server = server
        self.socket = socket.create_connection(("127.0.0.1", server.port))

    def nanoseconds(self):
        time.sleep(0.05)  # the server ends what it does after an answer, and is only then counted
        with open(f"/proc/{self.server.process.pid}/schedstat", encoding="ascii") as file:
            return int(file.read().split()[0])

    def ask(self, sent, lines):
        self.socket.sendall(sent)
        answer = b""
        while answer.count(b"\n") < lines:
            some = self.socket.recv(1 << 20)
            if not some:
                raise ConnectionError("the server closed the connection")
            answer += some
        if answer.startswith(b"-") or b"\n-" in answer:
            raise RuntimeError(answer[answer.index(b"-") :].split(b"\r\n")[0].decode())
        return answer


class Items:
    """A key whose commands take many items, or one."""

    def __init__(self, client, name, key, reserve=(), add=(), ask=(), add_one=(), ask_one=(), one_answer=False):
        self.client, self.name, self.key, self.reserve = client, name, key, reserve
        self.many = {"add": add, "hit": ask, "miss": ask}
        self.one = {"add": add_one, "hit": ask_one, "miss": ask_one}
        self.one_answer = one_answer  # the command that adds says how many were new, and no more

    def make(self):
        self.client.server("DEL", self.key)
        if self.reserve:
            self.client.server(*self.reserve)

    def pieces(self, what, first, count, single):
        """What is sent, and the lines of its answer."""
        for begin in range(first, first + count, together):
            items = [b"$16\r\nuser%012d\r\n" % i for i in range(begin, min(begin + together, first + count))]
            if single:
                yield b"".join(command(self.one[what], [item]) for item in items), len(items)
            else:
                lines = 1 if what == "add" and self.one_answer else len(items) + 1
                yield command(self.many[what], items), lines

    @staticmethod
    def found(answer):
        return answer.count(b":1\r\n")


class Bitmap(Items):
    """A classic filter as clients make it of a string: one BITFIELD for each item, never one for many."""

    def __init__(self, client, name, key, items, rate):
        super().__init__(client, name, key)
        self.bits = math.ceil(-items * math.log(rate) / math.log(2) ** 2)
        self.positions = round(self.bits / items * math.log(2))

    def pieces(self, what, first, count, single):
        mask = 2**64 - 1
        for begin in range(first, first + count, together):
            sent = []
            for i in range(begin, min(begin + together, first + count)):
                a = (i + 1) * 0x9E3779B97F4A7C15 & mask
                a = (a ^ a >> 32) * 0xBF58476D1CE4E5B9 & mask
                b = (a ^ a >> 32) * 0x94D049BB133111EB & mask | 1
                words = ["BITFIELD", self.key]
                for j in range(self.positions):
                    position = str((a + j * b & mask) % self.bits)
                    words += ["SET", "u1", position, "1"] if what == "add" else ["GET", "u1", position]
                sent.append(command(words, []))
            yield b"".join(sent), len(sent) * (self.positions + 1)

    def found(self, answer):
        return sum(b":0" not in one for one in answer.split(b"*%d\r\n" % self.positions)[1:])


def measured(contestant, what, first, count, single):
    """Nanoseconds an item, and the share of the items that were found."""
    before, found = contestant.client.nanoseconds(), 0
    for sent, lines in contestant.pieces(what, first, count, single):
        found += contestant.found(contestant.client.ask(sent, lines))
    return (contestant.client.nanoseconds() - before) / count, found / count


def filters(client, of, items, rates, classic):
    """The filters of a module."""
    for rate in rates:
        for scheme in ("", "classic") if classic else ("",):
            key = f"bf{rate}{scheme}"
            options = ("SCHEME", scheme) if scheme else ()
            yield Items(client, f"{of} BF {rate}{' ' + scheme if scheme else ''}", key,
                        ("BF.RESERVE", key, rate, items, *options),
                        ("BF.MADD", key), ("BF.MEXISTS", key), ("BF.ADD", key), ("BF.EXISTS", key))  # fmt: skip
    yield Items(client, f"{of} CF", "cf", ("CF.RESERVE", "cf", items), ("CF.INSERT", "cf", "ITEMS"),
                ("CF.MEXISTS", "cf"), ("CF.ADD", "cf"), ("CF.EXISTS", "cf"))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=float, default=1e6, help="of each filter (1e6)")
    parser.add_argument("--rates", default="0.01,0.0001", help="error rates of BF filters, of the bitmap the first")
    parser.add_argument("--rounds", type=int, default=3, help="in which all take turns (3)")
    parser.add_argument("--redisbloom", help="RedisBloom's module, redisbloom.so")
    o = parser.parse_args()
    if o.redisbloom and not os.path.exists(o.redisbloom):
        parser.error(f"there is no module {o.redisbloom}")
    items, rates = int(o.items), o.rates.split(",")
    servers = [Server("seed", 7)]
    try:
        ours = Client(servers[0])
        everybody = [Items(ours, "the floor", "none", add=("SMISMEMBER", "none"), ask=("SMISMEMBER", "none"),
                           add_one=("SISMEMBER", "none"), ask_one=("SISMEMBER", "none")),
                     *filters(ours, "sluice", items, rates, classic=True)]  # fmt: skip
        if o.redisbloom:
            servers.append(Server(module=o.redisbloom))
            everybody += filters(Client(servers[1]), "RedisBloom", items, rates, classic=False)
        everybody += [Items(ours, "a set", "set", (), ("SADD", "set"), ("SMISMEMBER", "set"), ("SADD", "set"),
                            ("SISMEMBER", "set"), one_answer=True),
                      Bitmap(ours, f"a bitmap, {rates[0]}", "bitmap", items, float(rates[0]))]  # fmt: skip
        usual = [(what, single) for single in (False, True) for what in ("add", "hit", "miss")]
        kinds = {c.name: usual[3:] if isinstance(c, Bitmap) else usual for c in everybody}
        times = {c.name: {kind: [] for kind in kinds[c.name]} for c in everybody}
        about = {}
        for turn in range(o.rounds):
            for c in everybody:
                print(f"round {turn + 1}: {c.name}", file=sys.stderr, flush=True)
                for what, single in kinds[c.name]:
                    if what == "add":
                        c.make()
                    first = items if what == "miss" else 0
                    nanoseconds, found = measured(c, what, first, items, single)
                    times[c.name][what, single].append(nanoseconds)
                    if what == "hit" and found < 1 and c.name != "the floor":
                        raise RuntimeError(f"{c.name} lost {(1 - found) * items:.0f} items")
                    if what == "miss":
                        about[c.name] = found, (c.client.server("MEMORY", "USAGE", c.key) or 0) / items
                c.client.server("DEL", c.key)
        version = servers[0]("INFO", "server")["redis_version"]
        print(f"{items:,} items of 16 bytes, Redis {version}; ns of the server's processor an item, {together} in a command")
        print("and one by one\n")
        print("| | bytes an item | FPR | add | hit | miss | one by one: add | hit | miss |\n|---|---:|---:|" + "---:|" * 6)
        for c in everybody:
            found, size = about[c.name]
            row = [f"{statistics.median(times[c.name][kind]):.0f}" if kind in times[c.name] else "-" for kind in usual]
            print(f"| {c.name} | {size:.2f} | {found:.2g} | " + " | ".join(row) + " |")
    finally:
        for server in servers:
            server.remove()


if __name__ == "__main__":
    main()
