#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What a key costs, added and asked in bulk, against one node and against three: CPU time of the client and of the
servers, bytes on the wire. Times are printed, and the client's is demanded; two cores cannot show how nodes scale."""
import json
import os
import statistics
import struct
import subprocess
import tempfile
import time
import unittest

from clusters import Cluster
from servers import ServerTest
from spread import command

count = 5_000_000
rounds = 5
most_client_ns = 300


def cpu_of(nodes):
    """User and system time of servers, in seconds."""
    total = 0.0
    for n in nodes:
        info = n("INFO", "cpu")
        total += float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
    return total


class Load(ServerTest):
    def measure(self, nodes, *words):
        """Of one command: seconds, CPU nanoseconds a key of the client and of the servers, and what it said."""
        before, begun = cpu_of(nodes), time.time()
        process = subprocess.Popen([command, "redis", *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        said = process.stdout.read()
        process.stdout.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        seconds = time.time() - begun
        return seconds, (used.ru_utime + used.ru_stime) / count * 1e9, (cpu_of(nodes) - before) / count * 1e9, json.loads(said)

    def quietly(self, *words):
        subprocess.run([command, "redis", *words], check=True, capture_output=True)

    def test_bulk_against_one_node_and_three(self):
        cluster = Cluster(primaries=3, replicas=0)
        self.addCleanup(cluster.remove)
        here = f"127.0.0.1:{self.r.port}"
        places = {  # where, and how many keys the filter is made for: the last one is in no cache
            "one node": (here, [self.r], count),
            "three nodes": (cluster.to, cluster.nodes, count),
            "one node, 785 MB": (here, [self.r], 400_000_000),
        }
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"".join(struct.pack("<Q", i) for i in range(count)))
            file.flush()
            got = {}
            for _ in range(rounds):  # in turn, so that what else the machine does hits all alike
                for place, (to, nodes, planned) in places.items():
                    self.quietly("build", "--to", to, "f", "--keys", str(planned), "--fpr", "0.001", "--parts", "64",
                                 "--input", "u64", "/dev/null")  # fmt: skip
                    for verb, words in ("add", ["--threads", "1"]), ("query", []):
                        words = [verb, "--to", to, "f", "--input", "u64", *words, file.name]
                        got.setdefault((verb, place), []).append(self.measure(nodes, *words))
                    self.quietly("drop", "--to", to, "f")
        print(f"\n{count} integers, {rounds} rounds, medians")
        print(f"{'':25} {'client ns':>10} {'servers ns':>10} {'keys/s':>10} {'bytes sent':>10} {'received':>10}")
        for (verb, place), some in got.items():
            client, servers = (statistics.median(s[i] for s in some) for i in (1, 2))
            seconds, said = statistics.median(s[0] for s in some), some[0][3]
            print(
                f"{verb + ', ' + place:25} {client:10.0f} {servers:10.0f} {count / seconds:10.0f} "
                f"{said['bytes_sent'] / count:10.2f} {said['bytes_received'] / count:10.3f}",
                flush=True,
            )
            self.assertLess(client, most_client_ns)
            self.assertLess(said["bytes_sent"] / count, 8.2)
            if verb == "query":
                self.assertEqual(said["present"], count)


if __name__ == "__main__":
    unittest.main()
