# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Tests of a driver with the cases of specifications."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def spec_test(name, cases, driver = "//:driver", suite = "", deps = [], **kwargs):
    """Runs every case of `cases` on a driver.

    --test_env=NNCERT_DRIVER=PATH puts another driver in its place.

    Args:
      name: the target's name.
      cases: a spec_cases target.
      driver: the driver's shared object.
      suite: the suite of certify that the cases are of, if they are: `nncert merge` takes their results then.
      deps: libraries with definitions of extensions, so that the oracle knows them.
      **kwargs: as for cc_test.
    """
    cc_test(
        name = name,
        args = [
            "--driver=$(rootpath %s)" % driver,
            "--suite=" + suite,
            "$(rootpaths %s)" % cases,
        ],
        data = [
            cases,
            driver,
        ],
        deps = ["//spec_tests:spec_test_main"] + deps,
        **kwargs
    )
