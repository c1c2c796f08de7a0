# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Text files as constants of C++."""

load("@rules_cc//cc:defs.bzl", "cc_library")

def embedded_text(name, src, header, constant, **kwargs):
    """A cc_library that defines the content of a file: `const std::string_view CONSTANT`.

    Args:
      name: the library's name.
      src: the file, which does not contain `)embedded"`.
      header: the header of this package that declares the constant, in namespace nncert.
      constant: what the constant is called.
      **kwargs: as for cc_library.
    """
    native.genrule(
        name = name + "_source",
        srcs = [src],
        outs = [name + ".cc"],
        cmd = " && ".join([
            "! grep --quiet --fixed-strings ')embedded\"' $<",
            "{ " + "; ".join([
                "echo '// Generated from %s.'" % src,
                "echo '#include \"%s/%s\"'" % (native.package_name(), header),
                "echo 'namespace nncert {'",
                "printf '%%s' 'const std::string_view %s = R\"embedded('" % constant,
                "cat $<",
                "echo ')embedded\";'",
                "echo '}  // namespace nncert'",
            ]) + "; } > $@",
        ]),
    )
    cc_library(
        name = name,
        srcs = [name + ".cc"],
        hdrs = [header],
        **kwargs
    )
