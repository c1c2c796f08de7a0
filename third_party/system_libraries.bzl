# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""Repositories for the libraries that Debian installs.

A repository holds links to the library's headers (so that they are inputs of the sandbox, and system headers for the
compiler) and names its libraries to the linker.
"""

def _missing(repository_ctx, what):
    fail("\n".join([
        "",
        "@%s: cannot find %s." % (repository_ctx.name, what),
        "It is in the Debian package %s: start the build with ./bazelw, which installs what is missing, or run" %
        repository_ctx.attr.debian_package,
        "    apt-get install --no-install-recommends " + repository_ctx.attr.debian_package,
    ]))

def find_library(repository_ctx, file_name):
    """Returns the path at which the linker finds a library.

    Args:
      repository_ctx: of a rule that has the attribute debian_package.
      file_name: for example "libgtest.a".
    """
    result = repository_ctx.execute(["g++", "-print-file-name=" + file_name])
    path = result.stdout.strip()
    if result.return_code != 0 or path == file_name:
        _missing(repository_ctx, file_name)
    return repository_ctx.path(path)

def link_headers(repository_ctx):
    """Links each of the attribute headers, a name below /usr/include, into the folder include.

    Args:
      repository_ctx: of a rule that has the attributes headers and debian_package.
    """
    for header in repository_ctx.attr.headers:
        target = repository_ctx.path("/usr/include/" + header)
        if not target.exists:
            _missing(repository_ctx, target)
        repository_ctx.symlink(target, repository_ctx.attr.include_prefixes.get(header, "include/" + header))

def _system_library_impl(repository_ctx):
    link_headers(repository_ctx)
    for file_name in repository_ctx.attr.shared_libraries:
        find_library(repository_ctx, file_name)
    for file_name in repository_ctx.attr.static_libraries:
        repository_ctx.symlink(find_library(repository_ctx, file_name), "lib/" + file_name)
    for program in repository_ctx.attr.programs:
        target = repository_ctx.which(program)
        if target == None:
            _missing(repository_ctx, program)
        repository_ctx.symlink(target, "bin/" + program)
    repository_ctx.symlink(repository_ctx.attr.build_file, "BUILD")

SYSTEM_LIBRARY_ATTRIBUTES = {
    "debian_package": attr.string(
        mandatory = True,
        doc = "What to install when something is missing; one of debian_packages.txt.",
    ),
    "headers": attr.string_list(doc = "Folders and files below /usr/include."),
    "include_prefixes": attr.string_dict(
        doc = "Where to link a folder of headers when that is not include/<its name>.",
    ),
}

system_library = repository_rule(
    implementation = _system_library_impl,
    attrs = dict(
        SYSTEM_LIBRARY_ATTRIBUTES,
        build_file = attr.label(mandatory = True, allow_single_file = True),
        programs = attr.string_list(doc = "Linked to as bin/<name>."),
        shared_libraries = attr.string_list(doc = "Looked for; the BUILD file names them to the linker."),
        static_libraries = attr.string_list(doc = "Linked to as lib/<name>."),
    ),
    doc = "A repository of one installed library and a BUILD file.",
    local = True,
)
