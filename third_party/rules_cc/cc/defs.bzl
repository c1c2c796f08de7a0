# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The C++ rules, as upstream's rules_cc names them; each is Bazel's native rule.

Compiling a library of ours is, for the most part, parsing the headers of the standard library and of Abseil: cc_library has
GCC parse them once. With upstream's rules_cc everything builds as well, and takes longer.
"""

_PRECOMPILED = "third_party/abseil/precompiled"

# GCC 12 is wrong about some inlined functions of std::string and of absl::InlinedVector. It keeps that to itself, for they are
# of system headers, unless these were precompiled.
_WRONG_WARNINGS = ["-Wno-array-bounds", "-Wno-restrict", "-Wno-stringop-overflow", "-Wno-stringop-overread"]

def _is_list(value):
    return type(value) == "list"

def cc_library(name, srcs = [], copts = [], deps = [], **kwargs):
    """cc_library, whose sources find the usual headers precompiled.

    Left as they are: the libraries of other repositories, sources that are compiled with options of their own (GCC passes by
    what was compiled otherwise), and tests, which have another precompiled header (.bazelrc).
    """
    sources = srcs if _is_list(srcs) else []
    compiled = [source for source in sources if source.endswith(".cc") and not source.endswith("_test.cc")]
    if native.repository_name() == "@" and compiled and not copts and _is_list(deps):
        copts = ["-include", _PRECOMPILED + ".h"] + _WRONG_WARNINGS
        deps = deps + ["@nncert//third_party/abseil:precompiled"]
    native.cc_library(name = name, srcs = srcs, copts = copts, deps = deps, **kwargs)

cc_binary = native.cc_binary
cc_import = native.cc_import
cc_proto_library = native.cc_proto_library
cc_test = native.cc_test
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
