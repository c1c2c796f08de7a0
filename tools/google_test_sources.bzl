# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""GoogleTest sources of test cases."""

def _google_test_sources_impl(ctx):
    sources = []
    for stem, names in ctx.attr.tests.items():
        files = [file for file in ctx.files.cases if file.basename == stem + ".case"]
        if len(files) != 1:
            fail("%s: there are %d case files %s.case; expected one" % (ctx.label, len(files), stem))
        for name in names:
            source = ctx.actions.declare_file("%s/%s_test.cc" % (ctx.label.name, name))
            arguments = ctx.actions.args()
            arguments.add("convert")
            arguments.add("--filter=^%s$" % name)
            arguments.add(source, format = "--out=%s")
            arguments.add(files[0])
            ctx.actions.run(
                executable = ctx.executable._nncert,
                arguments = [arguments],
                inputs = files,
                outputs = [source],
                mnemonic = "GoogleTestSource",
                progress_message = "Writing a GoogleTest source of %s" % name,
            )
            sources.append(source)
    return [DefaultInfo(files = depset(sources))]

google_test_sources = rule(
    implementation = _google_test_sources_impl,
    doc = """Writes cases as GoogleTest sources, NAME_test.cc each, by `nncert convert`.""",
    attrs = {
        "cases": attr.label_list(
            doc = "Targets of spec_cases.",
            allow_files = [".case"],
            mandatory = True,
        ),
        "tests": attr.string_list_dict(
            doc = "The names of cases by the case file that they are in, without .case.",
            mandatory = True,
        ),
        # Not built once more for the host, as it would be with cfg = "exec": it is the nncert that is tested.
        "_nncert": attr.label(
            default = "//tools:nncert",
            executable = True,
            cfg = "target",
        ),
    },
)
