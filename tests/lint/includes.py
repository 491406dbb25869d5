#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
"""The library's headers include what they use: for each name of the standard library below, and for SLUICE_API, the header that has it, and not another header that happens to include it. Every header also compiles alone, which says less: it may live on what others include today."""
import pathlib
import re
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parents[2]
names_of = {
    "<algorithm>": "any_of clamp copy fill fill_n find find_if lower_bound max min partition sort unique upper_bound",
    "<array>": "array",
    "<atomic>": "atomic atomic_ref",
    "<bit>": "bit_ceil bit_width countr_zero endian popcount",
    "<cmath>": "ceil exp floor ldexp log log2 pow sqrt",
    "<concepts>": "convertible_to integral invocable same_as unsigned_integral",
    "<cstddef>": "byte ptrdiff_t size_t",
    "<cstdint>": "int64_t uint16_t uint32_t uint64_t uint8_t",
    "<cstdlib>": "free realloc",
    "<cstring>": "memcpy memset",
    "<functional>": "function",
    "<limits>": "numeric_limits",
    "<memory>": "make_shared make_unique shared_ptr unique_ptr",
    "<memory_resource>": "pmr",
    "<mutex>": "mutex",
    "<new>": "align_val_t bad_alloc",
    "<optional>": "nullopt optional",
    "<span>": "as_bytes span",
    "<stdexcept>": "runtime_error",
    "<string>": "string to_string",
    "<string_view>": "string_view u8string_view",
    "<thread>": "jthread thread",
    "<type_traits>": "conditional_t is_array_v is_enum_v is_reference_v is_same_v is_trivially_copyable_v is_void_v remove_cv_t remove_cvref_t underlying_type_t",
    "<utility>": "declval exchange forward move pair swap",
    "<variant>": "get_if holds_alternative variant visit",
    "<vector>": "vector",
}
header_of = {name: header for header, names in names_of.items() for name in names.split()}

failed = []
headers = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "include/sluice/*.hpp"],
                         cwd=root, capture_output=True, text=True, check=True).stdout.split()
if len(headers) < 50:
    sys.exit("lint: the headers of the library are not where they were")
for header in headers:
    text = (root / header).read_text()
    code = re.sub(r"//.*", "", text)
    included = set(re.findall(r'^#include ([<"][^>"]+[>"])', text, re.M))
    used = {header_of[name]: "std::" + name for name in re.findall(r"\bstd::(\w+)", code) if name in header_of}
    if re.search(r"\bSLUICE_API\b", code) and not header.endswith("/api.hpp"):
        used['"sluice/detail/api.hpp"'] = "SLUICE_API"
    failed += [f"{header} uses {used[wanted]} and does not include {wanted}" for wanted in sorted(used.keys() - included)]

for sentence in failed:
    print("lint:", sentence, file=sys.stderr)
sys.exit(1 if failed else 0)
