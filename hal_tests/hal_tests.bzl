# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests of a driver by the suites of hal_tests/."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def hal_test(name, suite, cases, systematic = [], driver = "//:driver", deps = [], **kwargs):
    """Runs a suite on a driver.

    --test_env=NNCERT_DRIVER=PATH puts another driver in its place.

    Args:
      name: the target's name.
      suite: the suite's name (hal_tests/suites.cc).
      cases: targets of case files, for suites that are about cases.
      systematic: those of the systematic cases, for the suites that take them as well (hal_tests/check.h).
      driver: the driver's shared object.
      deps: libraries with definitions of extensions, so that validation knows them.
      **kwargs: as for cc_test.
    """
    cc_test(
        name = name,
        args = [
            "--driver=$(rootpath %s)" % driver,
            "--suite=" + suite,
        ] + (["--systematic"] if systematic else []) +
               ["$(rootpaths %s)" % target for target in cases + systematic],
        data = cases + systematic + [
            driver,
        ],
        deps = ["//hal_tests:hal_test_main"] + deps,
        **kwargs
    )
