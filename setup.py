# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: how the extension is compiled, the version, which the library's header states, and
which machines a wheel is for. Everything that is made on the way lies in build/python-package.

SLUICE_PYTHON_BUILT: a folder in which the extension lies already; then nothing is compiled (./dev wheel, debian/rules).
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from wheel.bdist_wheel import bdist_wheel

root = pathlib.Path(__file__).resolve().parent
made = root / "build" / "python-package"
version = re.search('^#define SLUICE_VERSION "(.*)"', (root / "include/sluice/detail/version.hpp").read_text(), re.M)[1]


def run(*words):
    print(*words, flush=True)
    if subprocess.run(words).returncode != 0:
        raise SystemExit(f"{words[0]} failed; on Debian, sluice is compiled with g++, cmake, ninja-build, libboost-dev, "
                         "libxxhash-dev and python3-dev")


def compiled(folder):
    """Where CMake has put the extension, once it has built it for this Python."""
    for program in ("cmake", "ninja"):
        if shutil.which(program) is None:
            raise SystemExit(f"there is no {program}; on Debian: apt install g++ cmake ninja-build libboost-dev "
                             "libxxhash-dev python3-dev")
    import pybind11  # where pip builds alone, it lies where CMake does not look
    off = [f"-DSLUICE_{name}=OFF" for name in ("BUILD_APPS", "BUILD_REDIS", "INSTALL", "WARNINGS_AS_ERRORS")]
    run("cmake", "-G", "Ninja", "-S", str(root), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_CXX_FLAGS_RELEASE=-O3", "-DSLUICE_BUILD_PYTHON=ON", "-DSLUICE_PYTHON_ALONE=ON", *off, f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dpybind11_DIR={pybind11.get_cmake_dir()}")
    run("cmake", "--build", str(folder), "--target", "sluice_python")
    return folder / "python" / "sluice"


class by_cmake(build_ext):
    def build_extension(self, extension):
        built = os.environ.get("SLUICE_PYTHON_BUILT")
        folder = pathlib.Path(built) if built else compiled(made / f"cmake-{sys.implementation.cache_tag}")
        found = list(folder.glob("_core*" + sysconfig.get_config_var("EXT_SUFFIX")))
        if len(found) != 1:
            raise SystemExit(f"{folder} has no extension for this Python, {sys.version.split()[0]}")
        place = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(found[0], place)
        if shutil.which("strip"):
            run("strip", "--strip-unneeded", str(place))


class tagged(bdist_wheel):
    """A wheel for every Linux with the C library that the extension needs, if it needs nothing else."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        modules = list(pathlib.Path(self.bdist_dir).glob("sluice/_core*.so"))
        if not platform.startswith("linux_") or len(modules) != 1:
            return python, abi, platform
        content = modules[0].read_bytes()
        needed = set(re.findall(rb"\x00((?:lib|ld-)[\w.+-]*\.so[.\d]*)(?=\x00)", content))
        versions = [int(minor) for minor in re.findall(rb"\x00GLIBC_2\.(\d+)", content)]
        if not versions or any(not re.match(rb"(libc|libm|ld-linux[\w-]*)\.so\.\d$", name) for name in needed):
            return python, abi, platform
        return python, abi, f"manylinux_2_{max(versions)}_{platform.removeprefix('linux_')}"


made.mkdir(parents=True, exist_ok=True)
setup(
    version=version,
    ext_modules=[Extension("sluice._core", [])],
    cmdclass={"build_ext": by_cmake, "bdist_wheel": tagged},
    options={"egg_info": {"egg_base": str(made)}, "build": {"build_base": str(made)}},
)
