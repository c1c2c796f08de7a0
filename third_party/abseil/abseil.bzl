# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Abseil as Debian installs it, with upstream's labels."""

load("//third_party:system_libraries.bzl", "SYSTEM_LIBRARY_ATTRIBUTES", "find_library", "link_headers")

# Package -> targets. Every target is the whole of Abseil: the linker keeps what is used (--as-needed).
_TARGETS = {
    "algorithm": ["algorithm", "container"],
    "base": ["base", "config", "core_headers", "dynamic_annotations", "endian", "log_severity", "prefetch"],
    "cleanup": ["cleanup"],
    "container": [
        "btree",
        "fixed_array",
        "flat_hash_map",
        "flat_hash_set",
        "inlined_vector",
        "node_hash_map",
        "node_hash_set",
    ],
    "debugging": ["debugging", "failure_signal_handler", "leak_check", "stacktrace", "symbolize"],
    "flags": ["commandlineflag", "config", "flag", "marshalling", "parse", "reflection", "usage"],
    "functional": ["any_invocable", "bind_front", "function_ref"],
    "hash": ["hash"],
    "memory": ["memory"],
    "meta": ["type_traits"],
    "numeric": ["bits", "int128"],
    "random": ["bit_gen_ref", "distributions", "random", "seed_sequences"],
    "status": ["status", "statusor"],
    "strings": ["cord", "str_format", "strings"],
    "synchronization": ["synchronization"],
    "time": ["time"],
    "types": ["any", "compare", "optional", "span", "variant"],
    "utility": ["utility"],
}

_BUILD = """
load("@rules_cc//cc:defs.bzl", "cc_library")

cc_library(
    name = "libraries",
    hdrs = glob([
        "include/absl/**/*.h",
        "include/absl/**/*.inc",
    ]),
    includes = ["include"],
    linkopts = {linkopts},
    visibility = [
        "@nncert//third_party/abseil:__pkg__",
        "@nncert//third_party/googletest:__pkg__",
        "@nncert//third_party/thread_sanitizer:__pkg__",
    ],
)

cc_library(
    name = "abseil",
    visibility = ["//:__subpackages__"],
    deps = [":libraries"] + select({{
        "@nncert//third_party/thread_sanitizer:enabled": ["@nncert//third_party/thread_sanitizer:abseil"],
        "//conditions:default": [],
    }}),
)
"""

_PACKAGE = """
package(default_visibility = ["//visibility:public"])
"""

_ALIAS = """
alias(
    name = "{name}",
    actual = "//:abseil",
)
"""

def _abseil_library_impl(repository_ctx):
    link_headers(repository_ctx)

    # The shared libraries, not the archives: a driver is a shared object, the archives are not position-independent,
    # and one process must not hold two copies of Abseil.
    folder = find_library(repository_ctx, "libabsl_base.so").dirname
    names = sorted([
        entry.basename[len("lib"):-len(".so")]
        for entry in folder.readdir()
        if entry.basename.startswith("libabsl_") and entry.basename.endswith(".so")
    ])
    linkopts = (
        ["-Wl,--push-state,--as-needed"] +
        ["-l" + name for name in names if not name.endswith("test_util")] +
        ["-Wl,--pop-state", "-pthread"]
    )
    repository_ctx.file("BUILD", _BUILD.format(linkopts = repr(linkopts)))
    for package, targets in _TARGETS.items():
        repository_ctx.file(
            "absl/%s/BUILD" % package,
            _PACKAGE + "".join([_ALIAS.format(name = target) for target in targets]),
        )

abseil_library = repository_rule(
    implementation = _abseil_library_impl,
    attrs = SYSTEM_LIBRARY_ATTRIBUTES,
    doc = "The repository @com_google_absl.",
    local = True,
)
