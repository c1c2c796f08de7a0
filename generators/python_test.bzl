# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Python tests whose report names every test case."""

_MAIN = "//generators:run_unittest.py"

def python_test(name, srcs, **kwargs):
    """A py_test that runs the unittest cases of its sources.

    A py_test's own report has one case, the whole test; this one's has every case, so that they
    can be counted. --test_filter takes a part of a case's name.

    Args:
      name: the target's name.
      srcs: Python modules with unittest.TestCase classes.
      **kwargs: as for py_test.
    """
    package = native.package_name().replace("/", ".")
    modules = [package + "." + source[:-len(".py")].replace("/", ".") for source in srcs]
    native.py_test(
        name = name,
        srcs = srcs + [_MAIN],
        main = _MAIN,
        args = modules,
        **kwargs
    )
