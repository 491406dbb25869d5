# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""A cluster on loopback: primaries and replicas with the module and an AOF, made by redis-cli; none outlives its test."""
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile

import redis

from servers import module, server_program, wait_until


def free_ports(count):
    """Whose bus ports, 10,000 above, are free as well."""
    chance = random.Random()
    found = []
    while len(found) < count:
        port = chance.randrange(20_000, 50_000)
        try:
            for p in port, port + 10_000:
                with socket.socket() as s:
                    s.bind(("127.0.0.1", p))
        except OSError:
            continue
        if port not in found:
            found.append(port)
    return found


class Node:
    def __init__(self, port, folder, timeout_ms, host="127.0.0.1", within=(), sync_delay=0):
        self.host, self.port, self.folder, self.timeout_ms, self.within = host, port, folder, timeout_ms, within
        self.sync_delay = sync_delay
        self.at = f"{host}:{port}"
        self.client = self.log = None
        os.makedirs(folder, exist_ok=True)
        self.start()

    def start(self):
        self.close()
        self.log = open(os.path.join(self.folder, "log"), "ab")
        self.process = subprocess.Popen(
            [
                *self.within, server_program, "--port", str(self.port), "--bind", self.host, "--protected-mode", "no",
                "--dir", self.folder, "--save", "", "--appendonly", "yes", "--cluster-enabled", "yes", "--cluster-config-file", "nodes.conf",
                "--cluster-node-timeout", str(self.timeout_ms),
                "--repl-diskless-sync-delay", str(self.sync_delay),
                "--enable-debug-command", "yes", "--loadmodule", os.path.abspath(module),
            ],
            stdout=self.log, stderr=self.log,
        )  # fmt: skip
        self.client = redis.Redis(host=self.host, port=self.port, socket_timeout=20)
        wait_until(self.answers)

    def answers(self):
        try:
            return self.client.ping()
        except redis.exceptions.RedisError:
            return False

    def __call__(self, *words):
        return self.client.execute_command(*words)

    def id(self):
        return self("CLUSTER", "MYID").decode()

    def role(self):
        return self("ROLE")[0].decode()

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop_running(self):
        self.process.send_signal(signal.SIGSTOP)

    def run_again(self):
        self.process.send_signal(signal.SIGCONT)

    def close(self):
        for opened in self.client, self.log:
            if opened is not None:
                opened.close()

    def remove(self):
        if self.process.poll() is None:
            self.run_again()
            self.kill()
        self.close()


class Cluster:
    """Three primaries with a replica each, of nodes that are there, or on loopback. With a sync_delay, in seconds, its
    replicas have nothing yet."""

    def __init__(self, primaries=3, replicas=1, timeout_ms=2000, make_nodes=None, sync_delay=0):
        self.folder = tempfile.mkdtemp(prefix="sluice-cluster-")
        self.nodes = []
        try:
            if make_nodes is None:
                for port in free_ports(primaries * (1 + replicas)):
                    self.nodes.append(Node(port, os.path.join(self.folder, str(port)), timeout_ms, sync_delay=sync_delay))
            else:
                make_nodes(self)
            self.to = ",".join(n.at for n in self.nodes)
            self.port = self.nodes[0].port
            self.cli("--cluster", "create", *(n.at for n in self.nodes), "--cluster-replicas", replicas, "--cluster-yes")
            wait_until(lambda: self.is_ready(replicas=sync_delay == 0), 60)
        except BaseException:
            self.remove()
            raise

    def cli(self, *words):
        words = ["redis-cli", *(str(w) for w in words)]
        result = subprocess.run(words, capture_output=True, text=True, timeout=300)
        if result.returncode != 0:
            raise AssertionError(f"{words}: {result.stdout[-1500:]}{result.stderr[-500:]}")
        return result.stdout

    def alive(self):
        return [n for n in self.nodes if n.process.poll() is None]

    def is_ready(self, replicas=True):
        """Everybody agrees, and every replica follows its primary."""
        try:
            for n in self.alive():
                state = n("CLUSTER", "INFO")
                if "ok" not in str(state["cluster_state"] if isinstance(state, dict) else state.split(b"\r\n")[0]):
                    return False
                role = n("ROLE")
                if replicas and role[0] == b"slave" and role[3] != b"connected":
                    return False
        except redis.exceptions.RedisError:
            return False
        return True

    def primaries(self):
        return [n for n in self.alive() if n.role() == "master"]

    def replica_of(self, primary):
        for n in self.alive():
            if n is not primary and n.role() == "slave" and n("ROLE")[1:3] == [primary.host.encode(), primary.port]:
                return n
        return None

    def remove(self):
        for n in self.nodes:
            n.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


class Machines:
    """Network namespaces, joined by a bridge of this one, in which nodes run as on machines of their own."""

    network = "10.213.77"
    made = 0

    def __init__(self, count):
        self.count = count
        Machines.made += 1  # names are free again some time after their end
        self.tag = f"sl{os.getpid() % 100_000}-{Machines.made}"
        self.bridge = self.tag + "b"
        try:
            self.ip("link", "add", self.bridge, "type", "bridge")
            self.ip("addr", "add", f"{self.network}.254/24", "dev", self.bridge)
            self.ip("link", "set", self.bridge, "up")
            for i in range(count):
                self.ip("netns", "add", self.name(i))
                self.ip("link", "add", self.link(i), "type", "veth", "peer", "name", "eth0", "netns", self.name(i))
                self.ip("link", "set", self.link(i), "master", self.bridge, "up")
                self.ip("-n", self.name(i), "addr", "add", f"{self.host(i)}/24", "dev", "eth0")
                for device in "lo", "eth0":
                    self.ip("-n", self.name(i), "link", "set", device, "up")
        except BaseException:
            self.remove()
            raise

    @staticmethod
    def why_not():
        """Why there can be none here, or None."""
        if shutil.which("ip") is None:
            return "the program ip (iproute2) is not there"
        if os.geteuid() != 0:
            return "network namespaces need root"
        tried = subprocess.run(["ip", "netns", "add", "sluice-try"], capture_output=True, text=True)
        if tried.returncode != 0:
            return "network namespaces are not allowed here: " + tried.stderr.strip()
        subprocess.run(["ip", "netns", "del", "sluice-try"], check=True)
        return None

    def ip(self, *words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    def name(self, i):
        return f"{self.tag}n{i}"

    def link(self, i):
        return f"{self.tag}v{i}"

    def host(self, i):
        return f"{self.network}.{i + 1}"

    def make_nodes(self, cluster):
        """Two on each machine; redis-cli puts a replica on another machine than its primary."""
        for port in 7000, 7001:
            for i in range(self.count):
                folder = os.path.join(cluster.folder, f"{i}-{port}")
                within = ("ip", "netns", "exec", self.name(i))
                cluster.nodes.append(Node(port, folder, 2000, self.host(i), within))

    def pull_cable(self, i):
        self.ip("link", "set", self.link(i), "down")

    def plug_in(self, i):
        self.ip("link", "set", self.link(i), "up")

    def part_from_others(self, i):
        """Clients still reach it, the other machines do not."""
        for other in range(self.count):
            if other != i:
                self.ip("-n", self.name(i), "route", "add", "blackhole", f"{self.host(other)}/32")

    def join_others(self, i):
        for other in range(self.count):
            if other != i:
                self.ip("-n", self.name(i), "route", "del", "blackhole", f"{self.host(other)}/32")

    def remove(self):
        for i in range(self.count):
            subprocess.run(["ip", "netns", "del", self.name(i)], capture_output=True)
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True)
