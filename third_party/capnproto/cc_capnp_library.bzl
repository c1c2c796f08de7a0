# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""C++ code from Cap'n Proto schemas."""

load("@rules_cc//cc:defs.bzl", "cc_library")

CapnpInfo = provider(
    doc = "The schemas of a library.",
    fields = {"schemas": "depset of .capnp files: its own and those of its dependencies"},
)

def _capnp_sources_impl(ctx):
    schemas = depset(
        direct = ctx.files.srcs,
        transitive = [dep[CapnpInfo].schemas for dep in ctx.attr.deps],
    )
    standard_schemas = ctx.files._standard_schemas

    # The folder that holds capnp/c++.capnp.
    standard_import_path = [
        schema.dirname[:-len("/capnp")]
        for schema in standard_schemas
        if schema.path.endswith("/capnp/c++.capnp")
    ][0]
    outputs = []
    for source in ctx.files.srcs:
        headers = ctx.actions.declare_file(source.basename + ".h")
        code = ctx.actions.declare_file(source.basename + ".c++")
        outputs += [headers, code]
        arguments = ctx.actions.args()
        arguments.add("compile")
        arguments.add("--no-standard-import")
        arguments.add("--import-path=.")
        arguments.add("--import-path=" + standard_import_path)
        arguments.add("-o%s:%s" % (ctx.executable._plugin.path, ctx.bin_dir.path))
        arguments.add(source)
        ctx.actions.run(
            executable = ctx.executable._compiler,
            arguments = [arguments],
            inputs = depset(standard_schemas, transitive = [schemas]),
            tools = [ctx.executable._plugin],
            outputs = [headers, code],
            mnemonic = "CapnpCompile",
            progress_message = "Compiling schema " + source.short_path,
        )
    return [DefaultInfo(files = depset(outputs)), CapnpInfo(schemas = schemas)]

_capnp_sources = rule(
    implementation = _capnp_sources_impl,
    attrs = {
        "deps": attr.label_list(providers = [CapnpInfo]),
        "srcs": attr.label_list(allow_files = [".capnp"], mandatory = True),
        "_compiler": attr.label(
            default = "@capnproto_compiler//:bin/capnp",
            allow_single_file = True,
            executable = True,
            cfg = "host",
        ),
        "_plugin": attr.label(
            default = "@capnproto_compiler//:bin/capnpc-c++",
            allow_single_file = True,
            executable = True,
            cfg = "host",
        ),
        "_standard_schemas": attr.label(default = "@capnproto//:schemas"),
    },
)

def cc_capnp_library(name, srcs, deps = [], **kwargs):
    """A C++ library of the types that Cap'n Proto schemas define.

    The header of package/model.capnp is included as "package/model.capnp.h".

    Args:
      name: of the library.
      srcs: the .capnp files. They may import each other, those of deps and the standard ones ("/capnp/c++.capnp").
      deps: other cc_capnp_library targets.
      **kwargs: the common attributes, such as visibility.
    """
    _capnp_sources(
        name = name + "_sources",
        srcs = srcs,
        deps = [dep + "_sources" for dep in [_with_name(dep) for dep in deps]],
        **kwargs
    )
    cc_library(
        name = name,
        srcs = [":%s_sources" % name],
        hdrs = [":%s_sources" % name],
        # Generated code answers to its generator, not to our warnings.
        copts = ["-w"],
        deps = deps + ["@capnproto//:capnp"],
        **kwargs
    )

def _with_name(label):
    """Spells out the name of a label such as //hal/schema."""
    if ":" in label:
        return label
    return label + ":" + label.rpartition("/")[2]
