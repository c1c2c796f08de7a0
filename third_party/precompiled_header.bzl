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

# How a test is compiled: that takes longer than it runs (third_party/rules_cc/cc/defs.bzl).
COPTS_OF_TESTS = [
    "-O0",
    "-U_FORTIFY_SOURCE",
]

PrecompiledHeaderInfo = provider(
    doc = "A header that has been precompiled.",
    fields = {
        "copts": "How: the compiler takes no header that was compiled otherwise.",
        "path": "What it is included by.",
    },
)

def _compile(ctx, compiler, deps, header, inputs, output, options, what):
    """Has the compiler make something of the header."""
    contexts = [dep[CcInfo].compilation_context for dep in deps]
    variables = cc_common.create_compile_variables(
        feature_configuration = compiler.features,
        cc_toolchain = compiler.toolchain,
        source_file = header.path,
        output_file = output.path,
        quote_include_directories = depset(transitive = [context.quote_includes for context in contexts]),
        system_include_directories = depset(transitive = [context.system_includes for context in contexts]),
        use_pic = True,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + options,
    )
    ctx.actions.run(
        executable = compiler.path,
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = compiler.features,
            action_name = CPP_COMPILE_ACTION_NAME,
            variables = variables,
        ),
        env = dict(
            cc_common.get_environment_variables(
                feature_configuration = compiler.features,
                action_name = CPP_COMPILE_ACTION_NAME,
                variables = variables,
            ),
            CLANG_OPTIONS = "-fpch-codegen" if ctx.attr.functions_apart else "",
        ),
        inputs = depset(
            [header] + inputs,
            transitive = [compiler.toolchain.all_files] + [context.headers for context in contexts],
        ),
        outputs = [output],
        mnemonic = "CppPrecompile",
        progress_message = "Precompiling %s%s" % (what, header.short_path),
    )

def _precompiled_header_impl(ctx):
    # Beside its precompiled form, where the compiler looks for that. The name is no source's, for sources are looked for first.
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(
        ["#include <%s>\n" % name for name in ctx.attr.headers] +
        ["#include \"%s\"\n" % name for name in ctx.attr.workspace_headers],
    ))
    outputs = [header]

    deps = ctx.attr.deps
    copts = ctx.attr.copts
    options = copts
    linking_context = None
    if ctx.attr.base:
        if copts:
            fail("has copts and a base; expected the base's copts", attr = "copts")
        deps = deps + [ctx.attr.base]
        base = ctx.attr.base[PrecompiledHeaderInfo]
        copts = base.copts
        options = copts + ["-include", base.path]
        linking_context = ctx.attr.base[CcInfo].linking_context

    toolchain = find_cpp_toolchain(ctx)
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiler = struct(
        features = features,
        path = cc_common.get_tool_for_action(feature_configuration = features, action_name = CPP_COMPILE_ACTION_NAME),
        toolchain = toolchain,
    )

    # Where Clang is the only compiler, the header is all: the programs for fuzzing are few.
    if "clang" not in compiler.path:
        precompiled = ctx.actions.declare_file(header.basename + ".gch")
        _compile(ctx, compiler, deps, header, [], precompiled, options + ["-x", "c++-header"], "")
        outputs.append(precompiled)
        if ctx.attr.functions_apart:
            functions = ctx.actions.declare_file(header.basename + ".o")
            _compile(ctx, compiler, deps, header, [precompiled], functions, options + ["-x", "c++"], "functions of ")
            linking_context, _ = cc_common.create_linking_context_from_compilation_outputs(
                actions = ctx.actions,
                name = ctx.label.name,
                feature_configuration = features,
                cc_toolchain = toolchain,
                compilation_outputs = cc_common.create_compilation_outputs(pic_objects = depset([functions])),
                disallow_dynamic_library = True,
                linking_contexts = [dep[CcInfo].linking_context for dep in deps],
            )

    # To Clang a file includes all that a precompiled header has been made of, and Bazel wants that to be declared. Where it lies
    # is not passed on: to include it by its own name takes a dependency of one's own.
    headers = depset(outputs, transitive = [dep[CcInfo].compilation_context.headers for dep in deps])
    return [
        DefaultInfo(files = depset(outputs)),
        PrecompiledHeaderInfo(copts = copts, path = "%s/%s" % (ctx.label.package, header.basename)),
        # What the headers belong to is linked with whoever depends on it.
        CcInfo(
            compilation_context = cc_common.create_compilation_context(headers = headers),
            linking_context = linking_context,
        ),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "base": attr.label(
            providers = [CcInfo, PrecompiledHeaderInfo],
            doc = "What it adds to, and is compiled like.",
        ),
        "copts": attr.string_list(doc = """
As those of the files that include it: a compiler takes no header that was compiled otherwise. With a base, the base's."""),
        "deps": attr.label_list(mandatory = True, providers = [CcInfo], doc = "What the headers belong to."),
        "functions_apart": attr.bool(doc = """
Whether its inline functions, and templates that are instantiated in it, are compiled once and linked, not with every file that
calls them. Worth it where nothing is inlined."""),
        "headers": attr.string_list(doc = "What it includes, without brackets."),
        "workspace_headers": attr.string_list(doc = "What it includes thereafter, without quotation marks."),
        "_cc_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    doc = "NAME.h, which includes some headers, and its precompiled form. A file takes it by -include.",
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
