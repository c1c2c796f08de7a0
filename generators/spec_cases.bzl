# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Case files from specifications (.mod.py)."""

_SUFFIX = ".mod.py"

def _spec_cases_impl(ctx):
    # All specifications of a folder are read by one process.
    folders = {}
    for spec in ctx.files.srcs:
        if not spec.basename.endswith(_SUFFIX):
            fail("%s: expected a specification, *%s" % (spec.short_path, _SUFFIX))
        folders.setdefault(spec.dirname, []).append(spec)
    cases = []
    for specs in folders.values():
        outputs = []
        for spec in specs:
            # Beside the specification, but in the output folder.
            folder = spec.short_path[len(ctx.label.package):].lstrip("/")[:-len(spec.basename)]
            outputs.append(ctx.actions.declare_file(
                folder + spec.basename.split(".")[0] + ".case",
            ))
        arguments = ctx.actions.args()
        arguments.add("--quiet")
        arguments.add("--out", outputs[0].dirname)
        arguments.add_all(specs)
        ctx.actions.run(
            executable = ctx.executable._spec_reader,
            arguments = [arguments],
            inputs = specs,
            outputs = outputs,
            mnemonic = "SpecCases",
            progress_message = "Reading %d specifications of %s" % (len(specs), ctx.label),
        )
        cases += outputs
    return [DefaultInfo(files = depset(cases), runfiles = ctx.runfiles(files = cases))]

spec_cases = rule(
    implementation = _spec_cases_impl,
    doc = """Reads specifications and writes a case file for each, beside it in the output folder.

    The version folder that a specification stands in (V1_0, V1_1 or V1_2) counts.
    """,
    attrs = {
        "srcs": attr.label_list(
            doc = "The specifications.",
            allow_files = [_SUFFIX],
            mandatory = True,
        ),
        "_spec_reader": attr.label(
            default = "//generators/spec_reader",
            executable = True,
            cfg = "exec",
        ),
    },
)
