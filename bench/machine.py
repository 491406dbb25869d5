# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What a time depends on: the machine, the compiler, the version."""
import datetime
import os
import platform
import re
import subprocess


def text_of(path, default=""):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return default


def output_of(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def caches():
    """The sizes of the data caches of a core, and of the last one, in bytes."""
    sizes = {}
    folder = "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if text_of(f"{folder}/{index}/type") != "Instruction":
            number, unit = re.match(r"(\d+)([KM])", text_of(f"{folder}/{index}/size", "0K")).groups()
            sizes[text_of(f"{folder}/{index}/level")] = int(number) * {"K": 1 << 10, "M": 1 << 20}[unit]
    return sizes


def machine():
    """What a time depends on."""
    model = re.search(r"^model name\s*:\s*(.+)$", text_of("/proc/cpuinfo"), re.M)
    if not model:
        model = re.search(r"^Model name:\s*(.+)$", output_of("lscpu"), re.M)
    flags = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", text_of("/proc/cpuinfo"), re.M)
    known = [f for f in ("avx512f", "avx2", "sse4_2", "asimd", "sve") if flags and f in flags[1].split()]
    return {"processor": model[1] if model else platform.processor(), "architecture": platform.machine(),
            "instruction_sets": known, "cores": os.cpu_count(), "cache_bytes": caches(),
            "memory": re.search(r"MemTotal:\s*(.+)", text_of("/proc/meminfo") + "\nMemTotal: ?")[1],
            "huge_pages": text_of("/sys/kernel/mm/transparent_hugepage/enabled"),
            "kernel": platform.release(), "compiler": output_of("g++", "--version").split("\n")[0]}  # fmt: skip


def about(command):
    """What stands beside every result."""
    return {"date": datetime.date.today().isoformat(), "version": output_of(command, "--version"),
            "commit": output_of("git", "describe", "--always", "--dirty"), "machine": machine()}  # fmt: skip
