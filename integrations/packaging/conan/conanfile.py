# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""sluice for Conan 2, from this copy of the sources: conan create integrations/packaging/conan
Not run where the project is tested, which has no Conan; that it is Python is checked."""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy

root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))


class Sluice(ConanFile):
    name = "sluice"
    license = "Apache-2.0"
    description = "Access-efficient Bloom filters: the library"
    settings = "os", "compiler", "build_type", "arch"
    requires = "boost/[>=1.74]", "xxhash/[>=0.8]"

    def set_version(self):
        with open(os.path.join(root, "include/sluice/detail/version.hpp")) as f:
            self.version = re.search('SLUICE_VERSION "(.*)"', f.read())[1]

    def export_sources(self):
        for pattern in "CMakeLists.txt", "LICENSE", "include/*", "src/*", "integrations/packaging/*":
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.variables["SLUICE_BUILD_APPS"] = False
        for name, header in ("boost", "BOOST"), ("xxhash", "XXHASH"):
            toolchain.variables[f"SLUICE_{header}_INCLUDE_DIR"] = self.dependencies[name].cpp_info.includedirs[0]
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()

    def package_info(self):
        self.cpp_info.libs = ["sluice"]
        self.cpp_info.set_property("cmake_file_name", "sluice")
        self.cpp_info.set_property("cmake_target_name", "sluice::sluice")
