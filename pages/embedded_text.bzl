# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Text files as constants of C++."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def embedded_text(name, src, constant, **kwargs):
    """A cc_library with the content of a file: `inline constexpr std::string_view CONSTANT` in NAME.h.

    Args:
      name: the library's name, and that of its header.
      src: the file, which does not contain `)embedded"`.
      constant: what the constant is called, in namespace nncert.
      **kwargs: as for cc_library.
    """
    guard = "NNCERT_" + (native.package_name() + "/" + name).replace("/", "_").upper() + "_H_"
    native.genrule(
        name = name + "_header",
        srcs = [src],
        outs = [name + ".h"],
        cmd = " && ".join([
            "! grep --quiet --fixed-strings ')embedded\"' $<",
            "{ " + "; ".join([
                "echo '// Generated from %s.'" % src,
                "echo '#ifndef %s'" % guard,
                "echo '#define %s'" % guard,
                "echo '#include <string_view>'",
                "echo 'namespace nncert {'",
                "echo '/// The content of %s.'" % src,
                "printf '%%s' 'inline constexpr std::string_view %s = R\"embedded('" % constant,
                "cat $<",
                "echo ')embedded\";'",
                "echo '}  // namespace nncert'",
                "echo '#endif'",
            ]) + "; } > $@",
        ]),
    )
    cc_library(
        name = name,
        hdrs = [name + ".h"],
        **kwargs
    )
