# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Headers that the compiler parses once for all that include them."""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "CPP_COMPILE_ACTION_NAME")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

# What nearly every file of ours includes, of the standard library and of Abseil.
USUAL_HEADERS = [
    "absl/functional/function_ref.h",
    "absl/status/status.h",
    "absl/status/statusor.h",
    "absl/strings/match.h",
    "absl/strings/str_cat.h",
    "absl/strings/str_format.h",
    "absl/strings/str_join.h",
    "absl/strings/str_split.h",
    "absl/time/time.h",
    "absl/types/span.h",
    "algorithm",
    "array",
    "cmath",
    "cstddef",
    "cstdint",
    "cstring",
    "functional",
    "limits",
    "map",
    "memory",
    "mutex",
    "optional",
    "set",
    "string",
    "string_view",
    "thread",
    "utility",
    "variant",
    "vector",
]

# What nearly every test includes beside these, and how a test is compiled.
HEADERS_OF_TESTS = [
    "gmock/gmock.h",
    "gtest/gtest.h",
    "filesystem",
    "fstream",
    "sstream",
] + USUAL_HEADERS
COPTS_OF_TESTS = [
    "-O0",
    "-U_FORTIFY_SOURCE",
]

def _precompiled_header_impl(ctx):
    # Beside its precompiled form, where the compiler looks for that. The name is no source's, for sources are looked for first.
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(
        ["#include <%s>\n" % name for name in ctx.attr.headers] +
        ["#include \"%s\"\n" % name for name in ctx.attr.workspace_headers],
    ))
    outputs = [header]

    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiler = cc_common.get_tool_for_action(feature_configuration = features, action_name = CPP_COMPILE_ACTION_NAME)

    # Where Clang is the only compiler, the header is all: the programs for fuzzing are few.
    contexts = [dep[CcInfo].compilation_context for dep in ctx.attr.deps]
    if "clang" not in compiler:
        precompiled = ctx.actions.declare_file(header.basename + ".gch")
        variables = cc_common.create_compile_variables(
            feature_configuration = features,
            cc_toolchain = toolchain,
            source_file = header.path,
            output_file = precompiled.path,
            quote_include_directories = depset(transitive = [context.quote_includes for context in contexts]),
            system_include_directories = depset(transitive = [context.system_includes for context in contexts]),
            use_pic = True,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts +
                                 ["-x", "c++-header"],
        )
        ctx.actions.run(
            executable = compiler,
            arguments = cc_common.get_memory_inefficient_command_line(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
                variables = variables,
            ),
            env = cc_common.get_environment_variables(
                feature_configuration = features,
                action_name = CPP_COMPILE_ACTION_NAME,
                variables = variables,
            ),
            inputs = depset([header], transitive = [toolchain.all_files] + [context.headers for context in contexts]),
            outputs = [precompiled],
            mnemonic = "CppPrecompile",
            progress_message = "Precompiling %s" % header.short_path,
        )
        outputs.append(precompiled)

    # To Clang a file includes all that a precompiled header has been made of, and Bazel wants that to be declared. Where it lies
    # is not passed on: to include it by its own name takes a dependency of one's own.
    headers = depset(outputs, transitive = [context.headers for context in contexts])
    return [
        DefaultInfo(files = depset(outputs)),
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = headers)),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "copts": attr.string_list(doc = "As those of the files that include it: a compiler takes no header that was compiled otherwise."),
        "deps": attr.label_list(mandatory = True, providers = [CcInfo], doc = "What the headers belong to."),
        "headers": attr.string_list(mandatory = True, doc = "What it includes, without brackets."),
        "workspace_headers": attr.string_list(doc = "What it includes thereafter, without quotation marks."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    doc = "NAME.h, which includes some headers, and its precompiled form. A file takes it by -include.",
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
