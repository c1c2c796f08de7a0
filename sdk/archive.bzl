# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""One library of many, for those who link without Bazel."""

load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

def _libraries_of(ctx, targets):
    """The libraries of this workspace that targets are made of, as a set."""
    libraries = {}
    for target in targets:
        for linked in target[CcInfo].linking_context.linker_inputs.to_list():
            if linked.owner.workspace_name != ctx.label.workspace_name:
                continue
            for library in linked.libraries:
                libraries[library.pic_static_library or library.static_library] = True
    return libraries

# The commands that join libraries: of the compiler ($1), ar ($2), the archive, and the libraries.
_AS_ONE_OBJECT = """
    "$1" -r -nostdlib -no-pie -o "$3.o" -Wl,--whole-archive "${@:4}" -Wl,--no-whole-archive
    rm -f "$3" && "$2" rcs "$3" "$3.o" && rm "$3.o"
"""
_AS_THEY_ARE = """
    (echo "create $3"; printf 'addlib %s\\n' "${@:4}"; echo save; echo end) | "$2" -M
"""

def _archive_impl(ctx):
    without = _libraries_of(ctx, ctx.attr.without)
    libraries = [library for library in _libraries_of(ctx, ctx.attr.deps) if library and library not in without]
    archive = ctx.actions.declare_file("lib%s.a" % ctx.label.name)
    toolchain = find_cpp_toolchain(ctx)
    ctx.actions.run_shell(
        command = "set -e\n" + (_AS_ONE_OBJECT if ctx.attr.as_one_object else _AS_THEY_ARE),
        arguments = [toolchain.compiler_executable, toolchain.ar_executable, archive.path] +
                    [library.path for library in libraries],
        inputs = depset(libraries, transitive = [toolchain.all_files]),
        outputs = [archive],
        use_default_shell_env = True,
        mnemonic = "JoinLibraries",
        progress_message = "Joining libraries as %s" % archive.short_path,
    )
    return [DefaultInfo(files = depset([archive]), runfiles = ctx.runfiles(files = [archive]))]

archive = rule(
    implementation = _archive_impl,
    attrs = {
        "as_one_object": attr.bool(doc = "Whether all is linked or nothing, for what registers itself and is referred to by nobody."),
        "deps": attr.label_list(mandatory = True, providers = [CcInfo], doc = "What it consists of, with all that this needs of the workspace."),
        "without": attr.label_list(providers = [CcInfo], doc = "What is to be linked beside it."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    doc = "libNAME.a: libraries of this workspace in one.",
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
