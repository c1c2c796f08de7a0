# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The levels that the hot kernels are compiled for."""

load("@rules_cc//cc:defs.bzl", "cc_library")

# What every level is compiled with. A product and an addition may be fused: no enclosure counts on two roundings.
_COPTS = [
    "-O3",
    "-ffp-contract=fast",
    "-fno-math-errno",
    "-fno-trapping-math",
    # The compiler's own intrinsics begin with vectors that are left undefined.
    "-Wno-maybe-uninitialized",
]

# The levels of x86-64 above the baseline: the psABI's, and the greatest one with dot products of bytes.
X86_64_LEVELS = {
    "x86_64_v2": ["-march=x86-64-v2"],
    "x86_64_v3": ["-march=x86-64-v3"],
    "x86_64_v4": [
        "-march=x86-64-v4",
        "-mprefer-vector-width=512",
    ],
    "x86_64_v4_vnni": [
        "-march=x86-64-v4",
        "-mavx512vnni",
        "-mprefer-vector-width=512",
    ],
}

def hot_level(name, copts = [], **kwargs):
    """Compiles level.cc for one level.

    Args:
      name: the level, which becomes the namespace of all that is in it.
      copts: what makes the compiler use the level's instructions.
      **kwargs: further attributes of the cc_library.
    """
    cc_library(
        name = name,
        srcs = ["level.cc"],
        copts = _COPTS + copts,
        local_defines = ["NNCERT_HOT_LEVEL=" + name],
        visibility = ["//visibility:private"],
        deps = [":level_sources"],
        **kwargs
    )
