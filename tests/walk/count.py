#!/usr/bin/python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The walk of a key: the source files whose functions run more often when one key more is asked or added.

Builds the command, the Redis module and the Python package without inlining and with counters (gcov) into build/walk,
which takes nine minutes on two cores, runs each thing with fewer keys and with more, and prints the files for which the counts
differ; a command that got no key at all is compared as well: then what a call does once is among them.
usage: tests/walk/count.py            docs/architecture.md has what it printed
"""
import glob
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parents[2]
build = root / "build/walk"
work = pathlib.Path(tempfile.mkdtemp())

os.environ["SLUICE_MODULE"] = str(build / "integrations/redis/sluice.so")
sys.path.insert(0, str(root / "tests/redis"))
from servers import Server  # noqa: E402


def quietly(*words, **how):
    return subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **how)


def must(*words, **how):
    done = quietly(*words, **how)
    if done.returncode != 0:
        raise SystemExit(done.stdout.decode(errors="replace"))


def build_all():
    must("cmake", "-S", root, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_CXX_FLAGS=--coverage -O0 -g0 -fno-inline")
    must("cmake", "--build", build, "--target", "sluice-cli", "sluice_redis", "sluice_python")


def counts():
    """(file, function) -> how often it ran since the counters were removed."""
    written = glob.glob(f"{build}/**/*.gcda", recursive=True)
    told = pathlib.Path(tempfile.mkdtemp(dir=work))
    for i in range(0, len(written), 20):
        quietly("gcov", "--json-format", "--hash-filenames", *written[i : i + 20], cwd=told)
    ran = {}
    for name in told.glob("*.gz"):
        with gzip.open(name) as packed:
            unit = json.load(packed)
        for file in unit["files"]:
            path = pathlib.Path(os.path.normpath(os.path.join(unit["current_working_directory"], file["file"])))
            if not path.is_relative_to(root):
                continue
            for f in file["functions"]:
                key = (str(path.relative_to(root)), f["name"])
                ran[key] = ran.get(key, 0) + f["execution_count"]
    return ran


def ran_by(run):
    for name in glob.glob(f"{build}/**/*.gcda", recursive=True):
        os.remove(name)
    run()
    return counts()


def tell(what, fewer, more):
    before, after = ran_by(fewer), ran_by(more)
    files = sorted({file for (file, name), n in after.items() if n > before.get((file, name), 0)})
    print(f"{what}: {len(files)}")
    for file in files:
        print("   ", file)


def program(body):
    """A program in C++ that does more if it has an argument."""
    source = work / "program.cpp"
    source.write_text("#include <sluice/sluice.hpp>\nint main(int more, char**) {" + body + "}\n")
    must("g++", "-std=c++20", "-O0", "--coverage", "-I", root / "include", source, build / "src/libsluice.a", "-o",
         build / "program", cwd=build)
    return lambda: quietly(build / "program"), lambda: quietly(build / "program", "more")


def query(keys):
    return lambda: quietly(build / "sluice", "query", work / "f.sluice", "-", input=keys)


def server(*commands):
    def run():
        one = Server()
        for words in commands:
            one(*words)
        one.remove()

    return run


def python(more):
    text = f"import sluice\nf = sluice.Filter(100000, fpr=1e-4)\nf.add('a')\n{more}"
    return lambda: must("/usr/bin/python3", "-c", text, cwd=work, env={**os.environ, "PYTHONPATH": f"{build}/python"})


build_all()
must(build / "sluice", "build", "-o", work / "f.sluice", "--scheme", "gated", "--keys", "1000000", "--fpr", "1e-4",
     input=b"a\nb\nc\n")
made = "auto f = sluice::filter::for_keys(1000000, {.fpr = 1e-4}); f.insert(1UL); if (more > 1) "
mapped = f'auto f = sluice::filter_file::map("{work}/f.sluice"); if (more > 1) '
reserve = ["bf.reserve", "k", "0.0001", "100000", "SEED", "1"]
tell("sluice query, keys more", query(b"a\n"), query(b"a\nb\nzz\n"))
tell("sluice query, the first key", query(b""), query(b"a\n"))
tell("for_keys, lookups", *program(made + "for (int i = 0; i < 9; ++i) (void)f.may_contain(i);"))
tell("for_keys, insertions", *program(made + "for (int i = 0; i < 9; ++i) f.insert(i);"))
tell("a mapped file, lookups", *program(mapped + "for (int i = 0; i < 9; ++i) (void)f.may_contain(std::to_string(i));"))
tell("BF.MADD, items more", server(reserve, ["bf.madd", "k", "a", "b"]), server(reserve, ["bf.madd", "k", *"abcd"]))
tell("BF.MADD, the first items", server(reserve), server(reserve, ["bf.madd", "k", *"abca"]))
tell("Python's in", python(""), python("'a' in f, 'zz' in f"))
shutil.rmtree(work)
