# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Case files that are made from the catalogue."""

_VERSIONS = ["V1_0", "V1_1", "V1_2"]

def _systematic_cases_impl(ctx):
    cases = [ctx.actions.declare_file(version + ".case") for version in _VERSIONS]
    arguments = ctx.actions.args()
    arguments.add("--out", cases[0].dirname)
    ctx.actions.run(
        executable = ctx.executable._make_cases,
        arguments = [arguments],
        outputs = cases,
        mnemonic = "SystematicCases",
        progress_message = "Making systematic cases",
    )
    return [DefaultInfo(files = depset(cases), runfiles = ctx.runfiles(files = cases))]

systematic_cases = rule(
    implementation = _systematic_cases_impl,
    doc = "Writes V1_0.case, V1_1.case and V1_2.case, with the systematic cases of each HAL version.",
    attrs = {
        # Not built once more for the host, as it would be with cfg = "exec".
        "_make_cases": attr.label(
            default = "//spec_tests/systematic:make_cases",
            executable = True,
            cfg = "target",
        ),
    },
)
