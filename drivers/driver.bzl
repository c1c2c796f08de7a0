# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Drivers as shared objects."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

# A label of this workspace, whichever the driver is in.
_EXPORTS = str(Label("//drivers:exports.lds"))

def nn_driver(name, srcs, deps, linkopts = [], additional_linker_inputs = [], features = [], **kwargs):
    """A driver in a shared object, lib<name>.so, that exports the driver's entry points alone.

    Whatever else is linked into it stays its own: it neither finds nor replaces a symbol of the
    program that loads it.

    Args:
      name: the driver's name, which --driver finds it by.
      srcs: source files, one of them with NNCERT_REGISTER_DRIVER.
      deps: libraries.
      linkopts: as for cc_binary.
      additional_linker_inputs: as for cc_binary.
      features: as for cc_binary.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = "lib%s.so" % name,
        srcs = srcs,
        additional_linker_inputs = additional_linker_inputs + [_EXPORTS],
        # Gold, which Bazel chooses where the toolchain is its own, exports templates that the C++ library has as well. This
        # linker does not know --start-lib, nor all that is lld's (third_party/compilers).
        features = features + ["-supports_start_end_lib"],
        linkopts = linkopts + [
            "-fuse-ld=bfd",
            "-Wl,--version-script=$(location %s)" % _EXPORTS,
            "-Wl,-Bsymbolic",
        ],
        linkshared = True,
        deps = deps,
        **kwargs
    )
    native.alias(
        name = name,
        actual = ":lib%s.so" % name,
        testonly = kwargs.get("testonly"),
        visibility = kwargs.get("visibility"),
    )
