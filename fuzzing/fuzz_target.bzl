# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Fuzz targets: a libFuzzer program, and a test that replays its corpus in every build."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library", "cc_test")

_MUTATOR_HOOKS = {
    "bytes": [],
    "cases": [":case_mutator_hook"],
    "messages": [":message_mutator_hook"],
}

def fuzz_target(name, deps, mutates = "cases"):
    """Declares the program `name` (bazel build --config=fuzz) and the test `name`_corpus_test.

    Args:
      name: the target's name; its source is name.cc, its corpus the folder corpus/name.
      deps: what the source needs.
      mutates: what the data are: "cases", case files that are changed field by field, or "messages" of one side of a
        connection, which are changed message by message; or "bytes", which libFuzzer changes by itself.
    """
    cc_library(
        name = name + "_target",
        testonly = True,
        srcs = [name + ".cc"],
        deps = deps + [":fuzz_target"],
        alwayslink = True,
    )

    # Clang's own main. Not built by //...: GCC has no libFuzzer.
    cc_binary(
        name = name,
        testonly = True,
        linkopts = ["-fsanitize=fuzzer"],
        tags = ["manual"],
        deps = [":" + name + "_target"] + _MUTATOR_HOOKS[mutates],
    )
    cc_test(
        name = name + "_corpus_test",
        size = "small",
        args = ["%s/corpus/%s" % (native.package_name(), name)],
        # File by file: of a folder, Bazel does not notice every change.
        data = native.glob(["corpus/%s/*" % name], allow_empty = False),
        deps = [
            ":" + name + "_target",
            ":replay_main",
        ],
    )
