# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests of a driver with the cases of specifications."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def spec_test(name, cases, driver = "//:driver", deps = [], **kwargs):
    """Runs every case of `cases` on a driver.

    --test_env=NNCERT_DRIVER=PATH puts another driver in its place.

    Args:
      name: the target's name.
      cases: a spec_cases target.
      driver: the driver's shared object.
      deps: libraries with definitions of extensions, so that the oracle knows them.
      **kwargs: as for cc_test.
    """
    cc_test(
        name = name,
        args = [
            "--driver=$(rootpath %s)" % driver,
            "--driver_host=$(rootpath //hal/transport:driver_host)",
            "$(rootpaths %s)" % cases,
        ],
        data = [
            cases,
            driver,
            "//hal/transport:driver_host",
        ],
        deps = ["//spec_tests:spec_test_main"] + deps,
        **kwargs
    )
