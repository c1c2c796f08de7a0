# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The tests of the operation definitions: one for each source file, so that a new one needs no line anywhere."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def operation_tests(srcs):
    """Declares a cc_test named after each source file.

    Args:
      srcs: the test sources, each with a file name that ends in _test.cc.
    """
    for src in srcs:
        cc_test(
            name = src[:-len(".cc")],
            size = "small",
            srcs = [src],
            deps = [
                ":ops",
                "//reference:executor",
                "//reference:operation",
                "//reference/number:honest_machine",
                "//reference/testing",
                "//reference/testing:operation_test_main",
                "@com_google_googletest//:gtest",
            ],
        )
