# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a Debian package of what install.py installs.

./bazelw run //sdk:deb -- --out=/tmp/nncert.deb
"""

from __future__ import annotations

import argparse
import pathlib
import subprocess
import sys
import tempfile

from sdk import install

# What is started or compiled rather than linked.
_NEEDED = {
    "libabsl-dev",
    "libfarmhash-dev",
    "libgoogle-glog-dev",
    "nettle-dev",
    "python3",
    "python3-numpy",
}

_CONTROL = """\
Package: nncert
Version: {version}
Architecture: {architecture}
Maintainer: The nncert Authors <nncert@localhost>
Depends: {depends}
Suggests: pkgconf, cmake, capnproto
Section: devel
Priority: optional
Description: certifies drivers of the Android Neural Networks HAL
 The nncert command with its suites, driver_host, the headers and the library that
 drivers are built with, the schema of the wire, and a driver to begin with.
"""


def _output_of(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def _packages_of(programs: list[pathlib.Path]) -> set[str]:
    """The Debian packages of the shared libraries that programs are linked with."""
    libraries = set()
    for program in programs:
        for line in _output_of("ldd", str(program)).splitlines():
            words = line.split()
            if len(words) > 2 and words[2].startswith("/"):
                libraries.add(words[2])
    # The package may know a file by its place, or by that from before /lib was /usr/lib.
    names = {
        library: {library, str(pathlib.Path(library).resolve()), library.removeprefix("/usr")}
        for library in libraries
    }
    # It is asked once, for it reads all that it knows each time, and fails for a name that it does
    # not know: "libc6:amd64: /lib/x86_64-linux-gnu/libc.so.6".
    command = ["dpkg", "-S", *sorted(set().union(*names.values()))]
    found = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    owners = {}
    for line in found.splitlines():
        owner, _, name = line.partition(": ")
        owners[name] = owner.split(":")[0]
    packages = set()
    for library, its_names in names.items():
        known = sorted(its_names & owners.keys())
        if not known:
            raise RuntimeError(f"no package has {library}")
        packages.add(owners[known[0]])
    return packages


def make_package(out: pathlib.Path) -> None:
    """Writes the package."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        root.chmod(0o755)
        install.install(root / "usr")
        files = root / "usr/lib/nncert/nncert.runfiles/nncert"
        programs = [root / "usr/lib/nncert/nncert", *files.rglob("*.so")]
        programs.append(files / "hal/transport/driver_host")
        depends = sorted(_packages_of(programs) | _NEEDED)
        (root / "DEBIAN").mkdir()
        (root / "DEBIAN/control").write_text(
            _CONTROL.format(
                version=install.version(),
                architecture=_output_of("dpkg", "--print-architecture").strip(),
                depends=", ".join(depends),
            )
        )
        subprocess.run(
            # Smaller than by gzip, in a hundredth of the time.
            ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z3", "--build", folder, str(out)],
            check=True,
            stdout=subprocess.DEVNULL,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes a Debian package of nncert.")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the file: /tmp/nncert.deb")
    out = parser.parse_args().out
    if not out.is_absolute():
        parser.error(f"--out is {out}; expected an absolute path")
    try:
        make_package(out)
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        print(f"deb: {error}", file=sys.stderr)
        return 1
    print(f"{out}: apt-get install {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
