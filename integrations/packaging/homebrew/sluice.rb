# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# sluice for Homebrew on Linux, from a source archive of ./dev release that lies here:
#   brew install --formula integrations/packaging/homebrew/sluice.rb
# Not run where the project is tested, which has no Homebrew. On macOS it does not compile yet: docs/installation.md.
class Sluice < Formula
  desc "Access-efficient Bloom filters: command and libraries"
  homepage "file://#{__dir__}/../../../README.md"
  url "file://#{__dir__}/../../../build/release-files/sluice-0.1.0.tar.gz"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "cli11" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "boost"
  depends_on "fmt"
  depends_on "hiredis"
  depends_on "libpcap"
  depends_on :linux
  depends_on "tbb"
  depends_on "xxhash"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"keys").write "weir\ngate\n"
    system bin/"sluice", "build", "-o", "f.sluice", "keys"
    assert_equal "2", shell_output("#{bin}/sluice query --count f.sluice keys").strip
  end
end
