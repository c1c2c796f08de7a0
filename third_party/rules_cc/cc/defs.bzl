# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The C++ rules, as upstream's rules_cc names them; each is Bazel's native rule.

Compiling a library of ours is, for the most part, parsing the headers of the standard library, of Abseil, and of what it is
built upon: cc_library has the compiler parse them once. With upstream's rules_cc everything builds as well, and takes longer.
"""

load("@nncert//third_party:precompiled_header.bzl", "COPTS_OF_TESTS")

# By folder, the longest that fits: the folder of a precompiled header, all of which a library there may depend on.
_PRECOMPILED = {
    "": "third_party/abseil",
    "certifying": "harness",
    "diagnosis": "harness",
    "fuzzing": "harness",
    "hal_tests": "harness",
    "mlts": "harness",
    # Trains while the rest is built, and would have what it is compiled with built a second time, as a tool.
    "mlts/training": "third_party/abseil",
    "random_graph": "harness",
    "reference/benchmarks": "reference",
    "reference/fast": "reference",
    "reference/ops": "reference",
    "tools": "harness",
}

# The same for tests.
_PRECOMPILED_FOR_TESTS = {
    "": "third_party/googletest",
    "cases": "harness/testing",
    "certifying": "harness/testing",
    "diagnosis": "harness/testing",
    "drivers": "harness/testing",
    "hal_tests": "harness/testing",
    "harness": "harness/testing",
    "mlts": "harness/testing",
    "mlts/training": "third_party/googletest",
    "random_graph": "harness/testing",
    "reference": "reference/testing",
    "spec_tests": "harness/testing",
}

# GCC 12 is wrong about some inlined functions of std::string and of absl::InlinedVector. It keeps that to itself, for they are
# of system headers, unless these were precompiled.
_WRONG_WARNINGS = ["-Wno-array-bounds", "-Wno-restrict", "-Wno-stringop-overflow", "-Wno-stringop-overread"]

def _is_list(value):
    return type(value) == "list"

def _folder_for(package, folders):
    """What the longest folder that the package is in stands for."""
    names = package.split("/")
    for length in range(len(names), 0, -1):
        folder = "/".join(names[:length])
        if folder in folders:
            return folders[folder]
    return folders[""]

def _is_test(source):
    # Expectations that the tests of operations share are compiled for longer than they run, too.
    return source.endswith("_test.cc") or native.package_name() == "reference/testing"

def _with_precompiled(srcs, copts, deps):
    """The copts and deps of a target, with which its sources find the usual headers precompiled.

    Left as they are: what belongs to other repositories, and what is compiled with options of its own (the compiler passes by what
    was compiled otherwise).
    """
    if native.repository_name() != "@" or copts or not srcs or not _is_list(srcs) or not _is_list(deps):
        return copts, deps

    # What another target writes is a test (tools/google_test_sources.bzl), or a header, or not compiled.
    sources = [source for source in srcs if source.endswith(".cc")]
    tests = [source for source in sources if _is_test(source)]
    if tests and tests != sources:
        return copts, deps
    is_library = sources and not tests
    folder = _folder_for(native.package_name(), _PRECOMPILED if is_library else _PRECOMPILED_FOR_TESTS)
    copts = ["-include", folder + "/precompiled.h"] + _WRONG_WARNINGS + ([] if is_library else COPTS_OF_TESTS)
    return copts, deps + ["@nncert//%s:precompiled" % folder]

def cc_binary(name, srcs = [], copts = [], deps = [], **kwargs):
    """cc_binary, whose sources find the usual headers precompiled."""
    copts, deps = _with_precompiled(srcs, copts, deps)
    native.cc_binary(name = name, srcs = srcs, copts = copts, deps = deps, **kwargs)

def cc_library(name, srcs = [], copts = [], deps = [], **kwargs):
    """cc_library, whose sources find the usual headers precompiled."""
    # One of headers alone compiles nothing.
    if _is_list(srcs) and any([source.endswith(".cc") for source in srcs]):
        copts, deps = _with_precompiled(srcs, copts, deps)
    native.cc_library(name = name, srcs = srcs, copts = copts, deps = deps, **kwargs)

def cc_test(name, srcs = [], copts = [], deps = [], **kwargs):
    """cc_test, whose sources find the usual headers precompiled."""
    copts, deps = _with_precompiled(srcs, copts, deps)
    native.cc_test(name = name, srcs = srcs, copts = copts, deps = deps, **kwargs)

cc_import = native.cc_import
cc_proto_library = native.cc_proto_library
cc_toolchain = native.cc_toolchain
cc_toolchain_suite = native.cc_toolchain_suite
fdo_prefetch_hints = native.fdo_prefetch_hints
fdo_profile = native.fdo_profile
objc_import = native.objc_import
objc_library = native.objc_library
