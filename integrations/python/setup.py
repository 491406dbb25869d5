"""Says what pyproject.toml cannot: that the wheel is of one machine, because it has a compiled module, and its version,
which the library's header states."""
import os
import pathlib

from setuptools import Distribution, setup

if not list(pathlib.Path("sluice").glob("_core*.so")):
    raise SystemExit("sluice/_core is not built; ./dev wheel builds it and then packs it")


class Compiled(Distribution):
    def has_ext_modules(self):
        return True


setup(version=os.environ["SLUICE_VERSION"], distclass=Compiled)
