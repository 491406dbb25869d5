#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""How long a server with the module stands still while a key grows: single BF.ADDs from an empty key on, as the server
itself times them (SLOWLOG), the slowest ten of each key.

A new link is planned, allocated and set to zero within the BF.ADD that needs it. What the allocation alone takes is
measured beside it: the same server makes a string of as many bytes (SETRANGE), the median of five times. A pause of the
machine comes to another command each time: keys are grown several times, with the same seed and so with the same links,
and of each command the fastest time counts.
"""
import argparse
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "redis"))
from servers import Server  # noqa: E402

batch = 10_000
slow_microseconds = 200


class Adder:
    """Sends BF.ADDs and counts the answers; the client that the tests use would take ten times as long."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def add(self, key, items):
        head = f"*3\r\n$6\r\nBF.ADD\r\n${len(key)}\r\n{key}\r\n"
        self.socket.sendall("".join(f"{head}${len(item)}\r\n{item}\r\n" for item in items).encode())
        answer = b""
        while answer.count(b"\n") < len(items):
            some = self.socket.recv(1 << 20)
            if not some:
                raise ConnectionError("the server closed the connection")
            answer += some
        if b"-" in answer:
            raise RuntimeError(answer[answer.index(b"-") :].split(b"\r\n")[0].decode())


def milliseconds(microseconds):
    return f"{microseconds / 1000:8.2f}"


def allocation(server, size):
    """What a string of so many bytes takes, in microseconds: the median of five, each of memory that is new as that of a
    link is, and not what was given back a moment ago."""
    times = []
    for _ in range(5):
        server("MEMORY", "PURGE")
        server("SLOWLOG", "RESET")
        server("CONFIG", "SET", "slowlog-log-slower-than", 0)
        server("SETRANGE", "string", size - 1, "x")
        server("CONFIG", "SET", "slowlog-log-slower-than", slow_microseconds)
        times += [entry["duration"] for entry in server.client.slowlog_get(10) if entry["command"].startswith(b"SETRANGE")]
        server("DEL", "string")
    return sorted(times)[len(times) // 2]


def links_of(server, key):
    """Capacity and bytes of each."""
    lines = [dict(part.split(":") for part in line.decode().split()) for line in server("BF.DEBUG", key)[1:]]
    return [(int(line["capacity"]), int(line["bytes"])) for line in lines]


def slow_adds(server, key, items):
    """Microseconds of every BF.ADD that took long, by its item."""
    adder = Adder(server.port)
    slow = {}
    for begin in range(0, items, batch):
        server("SLOWLOG", "RESET")
        adder.add(key, [str(i) for i in range(begin, min(items, begin + batch))])
        for entry in server.client.slowlog_get(256):
            if entry["command"].startswith(b"BF.ADD"):
                slow[int(entry["command"].split()[2])] = entry["duration"]
    return slow


def link_made_by(item, links):
    """The bytes of the link that this item made; 0 if it made none. A few items in a hundred seem to be there already."""
    before = 0
    for capacity, size in links:
        if before <= item <= before * 1.03 + 10:
            return size
        before += capacity
    return 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--items", type=float, default=1e7, help="that each key gets (1e7)")
    options.add_argument("--rates", default="0.01,0.001,0.0001,0.000001", help="of the keys")
    options.add_argument("--rounds", type=int, default=3, help="in which each key is grown (3)")
    arguments = options.parse_args()
    items = int(arguments.items)
    server = Server("seed", 7, **{"slowlog-log-slower-than": slow_microseconds, "slowlog-max-len": 256})
    try:
        for rate in arguments.rates.split(","):
            key = f"rate{rate}"
            rounds = []
            for _ in range(arguments.rounds):
                server("DEL", key)
                server("BF.RESERVE", key, rate, 100)
                rounds.append(slow_adds(server, key, items))
            links = links_of(server, key)
            size = sum(bytes_of_link for _, bytes_of_link in links) / (1 << 20)
            print(f"\nerror rate {rate}: {items:,} BF.ADDs from capacity 100 on, {len(links)} links, {size:.1f} MiB")
            print("      ms     item   bytes of its new link   ms of that allocation   ms without it")
            always = set.intersection(*(set(one) for one in rounds))
            slowest = sorted(((min(one[item] for one in rounds), item) for item in always), reverse=True)
            for duration, item in slowest[:10]:
                made = link_made_by(item, links)
                alone = allocation(server, made) if made else 0
                print(f"{milliseconds(duration)} {item:10,} {made:21,} {milliseconds(alone):>23} "
                      f"{milliseconds(max(0, duration - alone)):>15}")
            print(f"{'' if slowest else 'none; '}all others took less than {slow_microseconds / 1000} ms in one of "
                  f"{arguments.rounds} rounds")
            server("DEL", key)
    finally:
        server.remove()


if __name__ == "__main__":
    main()
