# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Installs nncert with what a driver is built with.

./bazelw run //sdk:install -- --prefix=DIR
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess
import sys

# What this program runs among: the files of the workspace that it was built with.
_FILES = pathlib.Path(__file__).parent.parent

# Which of them are not nncert's own at run time.
_NOT_AT_RUN_TIME = {"sdk", "external"}

_PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
Name: nncert-hal
Description: What a Neural Networks HAL driver is made of
Version: {version}
Cflags: -I${{prefix}}/include/nncert
Libs: -L${{prefix}}/lib -lnncert-hal -Wl,--exclude-libs,libnncert-hal.a {libraries}
"""

_RULES_PKG_CONFIG = """\
prefix=${{pcfiledir}}/../..
Name: nncert-rules
Description: The rules of the operations of the Neural Networks HAL
Version: {version}
Requires: nncert-hal
Libs: -L${{prefix}}/lib -lnncert-rules -Wl,--exclude-libs,libnncert-rules.a -Wl,--gc-sections -lfarmhash
"""

_CMAKE = """\
# find_package(nncert): the targets nncert::hal, for drivers, and nncert::rules, for those that check models by the rules
# of operations.
get_filename_component(_nncert_prefix "${{CMAKE_CURRENT_LIST_DIR}}/../../.." ABSOLUTE)
if(NOT TARGET nncert::hal)
  add_library(nncert::hal STATIC IMPORTED)
  set_target_properties(nncert::hal PROPERTIES
    IMPORTED_LOCATION "${{_nncert_prefix}}/lib/libnncert-hal.a"
    INTERFACE_INCLUDE_DIRECTORIES "${{_nncert_prefix}}/include/nncert"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "{libraries}"
    INTERFACE_LINK_OPTIONS "-Wl,--exclude-libs,libnncert-hal.a")
  add_library(nncert::rules STATIC IMPORTED)
  set_target_properties(nncert::rules PROPERTIES
    IMPORTED_LOCATION "${{_nncert_prefix}}/lib/libnncert-rules.a"
    INTERFACE_LINK_LIBRARIES "nncert::hal;farmhash"
    INTERFACE_LINK_OPTIONS "-Wl,--exclude-libs,libnncert-rules.a;-Wl,--gc-sections")
endif()
set(nncert_VERSION {version})
"""


def version() -> str:
    """The version of nncert, by its own word."""
    command = [str(_FILES / "tools/nncert"), "--version"]
    result = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return result.stdout.split()[-1]


def _libraries() -> list[str]:
    """What libnncert-hal.a needs, as flags of the linker, which takes what is used of it."""
    program = ["g++", "-print-file-name=libabsl_base.so"]
    base = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    abseil = sorted(
        path.name[len("lib") : -len(".so")]
        for path in pathlib.Path(base).resolve().parent.glob("libabsl_*.so")
        if not path.name.endswith("test_util.so")
    )
    return [
        "-Wl,--push-state,--as-needed",
        *(f"-l{name}" for name in [*abseil, "glog", "nettle"]),
        "-pthread",
        "-Wl,--pop-state",
    ]


def _copy(source: pathlib.Path, target: pathlib.Path) -> None:
    """Copies a file, or a link to one, as a file that its owner can write."""
    target.parent.mkdir(parents=True, exist_ok=True)
    # A program that runs cannot be written, but can be replaced.
    target.unlink(missing_ok=True)
    shutil.copyfile(source, target)
    target.chmod(0o755 if source.stat().st_mode & 0o100 else 0o644)


def _copy_all(source: pathlib.Path, target: pathlib.Path, left_out: set[str]) -> None:
    """Copies all files of a folder, but for some names at its top."""
    for path in sorted(source.rglob("*")):
        place = path.relative_to(source)
        if place.parts[0] not in left_out and path.is_file() and "__pycache__" not in place.parts:
            _copy(path, target / place)


def _link(target: str, link: pathlib.Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(target)


def install(prefix: pathlib.Path) -> None:
    """Installs everything below a folder, which may be moved afterwards."""
    program = prefix / "lib/nncert/nncert"
    files = prefix / "lib/nncert/nncert.runfiles/nncert"
    shutil.rmtree(files.parent, ignore_errors=True)
    _copy(_FILES / "tools/nncert", program)
    _copy_all(_FILES, files, _NOT_AT_RUN_TIME)
    # Headers are for compilers alone.
    for header in [*files.glob("hal/**/*.h"), *files.glob("reference/*.h"), files / "tools/nncert"]:
        header.unlink()
    _link("../lib/nncert/nncert", prefix / "bin/nncert")
    _link(
        "../lib/nncert/nncert.runfiles/nncert/hal/transport/driver_host",
        prefix / "bin/nncert-driver-host",
    )
    headers = [
        *_FILES.glob("hal/**/*.h"),
        *_FILES.glob("hal/*.def"),
        _FILES / "reference/validate_model.h",
    ]
    for header in headers:
        _copy(header, prefix / "include/nncert" / header.relative_to(_FILES))
    for schema in (*_FILES.glob("hal/**/*.capnp"), *_FILES.glob("cases/*.capnp")):
        _copy(schema, prefix / "share/nncert/schema" / schema.relative_to(_FILES))
    for library in ("libnncert-hal.a", "libnncert-rules.a"):
        _copy(_FILES / "sdk" / library, prefix / "lib" / library)
    _copy_all(_FILES / "sdk/template", prefix / "share/nncert/template", set())
    libraries = _libraries()
    for path, text, separator in (
        ("lib/pkgconfig/nncert-hal.pc", _PKG_CONFIG, " "),
        ("lib/pkgconfig/nncert-rules.pc", _RULES_PKG_CONFIG, " "),
        ("lib/cmake/nncert/nncert-config.cmake", _CMAKE, ";"),
    ):
        (prefix / path).parent.mkdir(parents=True, exist_ok=True)
        (prefix / path).write_text(
            text.format(version=version(), libraries=separator.join(libraries))
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Installs nncert and what drivers are built with.")
    parser.add_argument(
        "--prefix", required=True, type=pathlib.Path, help="the folder, such as /usr/local"
    )
    prefix = parser.parse_args().prefix.expanduser()
    if not prefix.is_absolute():
        parser.error(f"--prefix is {prefix}; expected an absolute path")
    try:
        install(prefix)
    except OSError as error:
        print(f"install: {error}", file=sys.stderr)
        return 1
    print(f"Installed into {prefix}: {prefix}/bin/nncert; to begin a driver:")
    print(f"    cp -r {prefix}/share/nncert/template mydriver && make -C mydriver \\")
    print(f"        PKG_CONFIG_PATH={prefix}/lib/pkgconfig")
    return 0


if __name__ == "__main__":
    sys.exit(main())
