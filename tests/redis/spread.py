# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What the tests of parts and of clusters share: the program, keys, and which part a key belongs to, computed here anew."""
import ctypes
import json
import os
import struct
import subprocess
import tempfile

command = os.environ.get("SLUICE_COMMAND", "build/release/sluice")
xxh = ctypes.CDLL("libxxhash.so.0")
xxh.XXH3_64bits_withSeed.restype = ctypes.c_uint64
xxh.XXH3_64bits_withSeed.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint64]


def digest(item, seed):
    return xxh.XXH3_64bits_withSeed(item, len(item), seed)


def part_of(item, seed, blocks, parts, page_blocks=64):
    page = (digest(item, seed) * blocks >> 64) // page_blocks
    pages = -(-blocks // page_blocks)
    return ((page + 1) * parts - 1) // pages


def packed(items, seed):
    return b"".join(struct.pack("<Q", digest(item, seed)) for item in items)


def numbers(first, count):
    return [str(i).encode() for i in range(first, first + count)]


def lines(items):
    return b"\n".join(items) + b"\n"


class Failed(AssertionError):
    def __init__(self, result):
        super().__init__(f"status {result.returncode}: {result.stderr.decode()[-2000:]}")
        self.result = result


def sluice(*words, stdin=b"", status=0, timeout=120, environment=None):
    """What the program prints; its status must be the one that is expected, or any, for None."""
    result = subprocess.run(
        [command, *(str(w) for w in words)],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        env={**os.environ, **(environment or {})},
    )
    if status is not None and result.returncode != status:
        raise Failed(result)
    return result


def spread(verb, to, name, *words, **how):
    """`to` is a port of this machine, or what --to takes."""
    return sluice("redis", verb, "--to", f"127.0.0.1:{to}" if isinstance(to, int) else to, name, *words, **how)


def told(verb, to, name, *words, **how):
    return json.loads(spread(verb, to, name, "--json", *words, **how).stdout)


class Running:
    """The program, which reads keys from a pipe."""

    def __init__(self, verb, to, name, *words, environment=None):
        self.said = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [command, "redis", verb, "--to", to, name, "--json", *(str(w) for w in words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.said, env={**os.environ, **(environment or {})},
        )  # fmt: skip

    def give(self, keys):
        self.process.stdin.write(lines(keys))
        self.process.stdin.flush()

    def end(self, seconds=120):
        """What it reports, and what it said."""
        try:
            printed, _ = self.process.communicate(timeout=seconds)
            self.said.seek(0)
            text = self.said.read().decode()
            if self.process.returncode != 0:
                raise AssertionError(f"status {self.process.returncode}: {text}")
            return json.loads(printed), text
        finally:
            self.remove()

    def remove(self):
        self.process.kill()
        self.process.wait()
        for opened in self.process.stdin, self.process.stdout, self.said:
            opened.close()
