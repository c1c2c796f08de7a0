# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The operation definitions and their tests: one target for each source file, so that a new one needs no line anywhere."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

_TEST_DEPS = [
    "//reference:operation",
    "//reference/execution:executor",
    "//reference/number:honest_machine",
    "//reference/ops/common",
    "//reference/testing",
    "//reference/testing:operation_test_main",
    "@com_google_googletest//:gtest",
]

def operation_test(name, tests, deps):
    """Declares a test that runs the tests of an operation definition.

    Args:
      name: that of the definition's file, and "_test".
      tests: the library of the tests, NAME_tests.
      deps: the operations that the models of the tests are made of.
    """
    cc_test(
        name = name,
        size = "small",
        deps = deps + [tests],
    )

def _definition_under_test(test, definitions):
    """The definition that NAME_test or NAME_more_test is about: the one with the longest fitting name."""
    found = ""
    for definition in definitions:
        if test.startswith(definition + "_") and len(definition) > len(found):
            found = definition
    if not found:
        fail("%s.cc is named for no definition" % test)
    return found

def operations(name, srcs, hdrs, other_operations = {}):
    """Declares a library for each definition, a test for each test source, and a library of all definitions.

    Args:
      name: the library of all definitions.
      srcs: the definitions, NAME.cc, and their tests, NAME_test.cc or NAME_more_test.cc.
      hdrs: what definitions tell others, NAME.h.
      other_operations: the definitions that a test needs beside the one that it is named for, by the name of the test.
    """
    stems = [src[:-len(".cc")] for src in srcs]
    definitions = [stem for stem in stems if not stem.endswith("_test")]
    for definition in definitions:
        header = definition + ".h"
        cc_library(
            name = definition,
            srcs = [definition + ".cc"],
            hdrs = [header] if header in hdrs else [],
            # Definitions register themselves, so they are linked whether referred to or not.
            alwayslink = True,
            deps = [
                "//hal:types",
                "//random:split_mix",
                "//reference:operation",
                "//reference/number",
                "//reference/ops/common",
                "@com_google_absl//absl/container:inlined_vector",
                "@com_google_absl//absl/status",
                "@com_google_absl//absl/status:statusor",
                "@com_google_absl//absl/strings",
                "@com_google_absl//absl/types:span",
                "@farmhash",
            ],
        )
    cc_library(
        name = name,
        deps = [":" + definition for definition in definitions],
    )
    for stem in stems:
        if stem.endswith("_test"):
            # Compiled once, for //reference/fast runs them again with its kernels.
            cc_library(
                name = stem + "s",
                testonly = True,
                srcs = [stem + ".cc"],
                alwayslink = True,
                deps = _TEST_DEPS,
            )
            operation_test(
                name = stem,
                tests = ":" + stem + "s",
                deps = [":" + _definition_under_test(stem, definitions)] + [
                    ":" + other
                    for other in other_operations.get(stem, [])
                ],
            )
