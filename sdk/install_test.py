# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""An installed nncert: its template is built outside of the workspace, certified, and found out."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from sdk import deb, install

_RIGHT = "std::max(value, 0.0F)"
_WRONG = "std::max(value, 0.5F)"


class InstallTest(unittest.TestCase):
    folder: pathlib.Path
    prefix: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        first = cls.folder / "before"
        install.install(first)
        # Nothing knows where it was installed.
        cls.prefix = cls.folder / "prefix"
        first.rename(cls.prefix)

    def run_there(self, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Runs a command with nothing of Bazel's but what it is given."""
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **variables}
        return subprocess.run(
            command, cwd=self.folder, env=environment, check=False, text=True, capture_output=True
        )

    def template(self, name: str, body: str = _RIGHT) -> pathlib.Path:
        """A copy of the template, with another body of its loop."""
        copy = self.folder / name
        shutil.copytree(self.prefix / "share/nncert/template", copy)
        text = (copy / "driver.cc").read_text()
        self.assertIn(_RIGHT, text)
        (copy / "driver.cc").write_text(text.replace(_RIGHT, body))
        return copy

    def build(self, project: pathlib.Path, compiler: str) -> pathlib.Path:
        built = self.run_there(
            "make",
            "-C",
            str(project),
            f"CXX={compiler}",
            "CXXFLAGS=-O1 -Wall -Wextra -Werror",
            f"PKG_CONFIG_PATH={self.prefix}/lib/pkgconfig",
        )
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        return project / "libmydriver.so"

    def certify(self, driver: pathlib.Path) -> subprocess.CompletedProcess[str]:
        return self.run_there(
            f"{self.prefix}/bin/nncert",
            "certify",
            f"--driver={driver}",
            f"--out={driver.parent}/report",
            "--suites=specs,validate_model,validate_request",
            "--filter=(^|[.])relu_",
        )

    def test_template_of_gcc_is_certified(self) -> None:
        driver = self.build(self.template("gcc"), "g++")
        result = self.certify(driver)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"PASS [1-9]")
        # What breaks a rule of an operation is refused, too.
        self.assertRegex(result.stdout, r"validate_model .* [1-9]\d* passed, 0 failed")
        self.assertRegex(result.stdout, r"validate_request .* [1-9]\d* passed, 0 failed")
        # All that a driver exports of its own is what a driver has to.
        names = self.run_there("nm", "-D", "--defined-only", str(driver)).stdout
        exported = {line.split()[-1] for line in names.splitlines() if " T " in line}
        self.assertEqual(exported, {"nncert_create_device", "nncert_driver_abi"})

    def test_bug_in_template_of_clang_is_found(self) -> None:
        result = self.certify(self.build(self.template("clang", _WRONG), "clang++"))
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(
            result.stdout,
            r"RELU TENSOR_FLOAT32 FAIL: 4 of 4 .*\n +GeneratedTests\.relu\S*: .*expected 0, actual",
        )

    def test_template_is_built_by_cmake(self) -> None:
        project = self.template("cmake")
        for command in (
            ("cmake", "-S", str(project), "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"),
            ("cmake", "--build", "build"),
        ):
            result = self.run_there(*command)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertTrue((self.folder / "build/libmydriver.so").is_file())

    def test_package_has_it_all_and_names_what_it_needs(self) -> None:
        package = self.folder / "nncert.deb"
        deb.make_package(package)
        needed = self.run_there("dpkg-deb", "--field", str(package), "Depends").stdout
        for name in ("libabsl-dev", "libc6", "libstdc++6", "python3-numpy"):
            self.assertIn(name, needed)
        root = self.folder / "root"
        unpacked = self.run_there("dpkg-deb", "--extract", str(package), str(root))
        self.assertEqual(unpacked.returncode, 0, unpacked.stderr)
        version = self.run_there(f"{root}/usr/bin/nncert", "--version").stdout
        self.assertEqual(version, f"nncert {install.version()}\n")

    def test_everything_is_there(self) -> None:
        for name in (
            "bin/nncert-driver-host",
            "share/nncert/schema/hal/transport/driver.capnp",
            "share/nncert/schema/hal/schema/model.capnp",
            "include/nncert/hal/operations.def",
            "include/nncert/reference/validate_model.h",
        ):
            self.assertTrue((self.prefix / name).is_file(), name)
        listed = self.run_there(f"{self.prefix}/bin/nncert", "certify", "--list")
        self.assertIn("specs\n", listed.stdout)


if __name__ == "__main__":
    unittest.main()
