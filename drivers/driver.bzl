# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Drivers as shared objects."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

_EXPORTS = "//drivers:exports.lds"

def nn_driver(name, srcs, deps, **kwargs):
    """A driver in a shared object, lib<name>.so, that exports the driver's entry points alone.

    Whatever else is linked into it stays its own: it neither finds nor replaces a symbol of the
    program that loads it.

    Args:
      name: the driver's name, which --driver finds it by.
      srcs: source files, one of them with NNCERT_REGISTER_DRIVER.
      deps: libraries.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = "lib%s.so" % name,
        srcs = srcs,
        additional_linker_inputs = [_EXPORTS],
        linkopts = [
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
        visibility = kwargs.get("visibility"),
    )
