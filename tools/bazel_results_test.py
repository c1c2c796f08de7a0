# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What bazel test left of the tests of a driver, as a certification."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import unittest
import zipfile

from tools.answer_records import records_of
from tools.nncert_test_case import NncertTest

_FAULTY = pathlib.Path("drivers/faulty/libfaulty.so").resolve()
_CASES = {
    version: sorted(str(path) for path in pathlib.Path(f"spec_tests/specs/{version}").glob("*"))
    for version in ("V1_0", "V1_1", "V1_2")
}


class BazelResultsTest(NncertTest):
    def setUp(self) -> None:
        super().setUp()
        self.driver = f"{_FAULTY}:strides_swapped+relu6_as_relu"
        self.logs = self.folder / "logs"

    def bazel_runs(
        self, program: str, *arguments: str, shard: int = 0, shards: int = 1, packs: bool = True
    ) -> pathlib.Path:
        """Runs a test as Bazel does; gives the folder that Bazel keeps of it."""
        kept = self.logs / program / f"shard_{shard + 1}_of_{shards}" / "test.outputs"
        written = kept if not packs else self.folder / "written"
        written.mkdir(parents=True)
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TEST_", "GTEST_", "XML_", "NNCERT_"))
        }
        environment = {
            "NNCERT_DRIVER": self.driver,
            "TEST_UNDECLARED_OUTPUTS_DIR": str(written),
            "GTEST_TOTAL_SHARDS": str(shards),
            "GTEST_SHARD_INDEX": str(shard),
        }
        subprocess.run(
            [program, *arguments],
            env={**inherited, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if packs:
            kept.mkdir(parents=True)
            with zipfile.ZipFile(kept / "outputs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for path in sorted(written.rglob("*")):
                    archive.write(path, path.relative_to(written))
            shutil.rmtree(written)
        return kept

    def files(self, out: str) -> dict[str, bytes]:
        folder = self.folder / out
        paths = [folder / "report.json", folder / "junit.xml", *folder.glob("failures/**/*")]
        return {
            str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()
        }

    def merge(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self.nncert("merge", f"--driver={self.driver}", "--out=out", *arguments, "logs")

    def compare_with_certify(self, *arguments: str) -> dict[str, bytes]:
        """Certifies twice, by what bazel test left and without; gives what both came to."""
        merged = self.merge(*arguments)
        self.assertEqual(merged.returncode, 1, merged.stdout + merged.stderr)
        found = self.files("out")
        answers = set(records_of((self.folder / "out/answers").read_bytes()))
        shutil.rmtree(self.folder / "out")
        whole = self.nncert("certify", f"--driver={self.driver}", "--out=out", *arguments)
        self.assertEqual(whole.returncode, 1, whole.stdout + whole.stderr)
        expected = self.files("out")
        self.assertEqual(sorted(found), sorted(expected))
        for file, content in expected.items():
            self.assertEqual(found[file], content, file)
        self.assertEqual(answers, set(records_of((self.folder / "out/answers").read_bytes())))
        return found

    def test_cases_are_those_of_certify_byte_for_byte(self) -> None:
        chosen = "--gtest_filter=*conv_2d*:*relu6*:*floor*"
        for shard in (0, 1):
            self.bazel_runs(
                "spec_tests/V1_0", "--suite=specs", *_CASES["V1_0"], chosen, shard=shard, shards=2
            )
        # Bazel does not pack them any more, from version 7 on. Of HAL 1.2, nothing was run.
        self.bazel_runs("spec_tests/V1_1", "--suite=specs", *_CASES["V1_1"], chosen, packs=False)
        # Bazel keeps the same of tests of other things.
        other = self.logs / "other/test.outputs"
        other.mkdir(parents=True)
        with zipfile.ZipFile(other / "outputs.zip", "w") as archive:
            archive.writestr("journal", "of somebody else")
        found = self.compare_with_certify(
            "--suites=specs", "--filter=(conv_2d|relu6|floor)", "--explain_time=0", "--rerun_time=0"
        )
        self.assertGreater(len(found), 2)

    def test_calls_and_graphs_are_those_of_certify_byte_for_byte(self) -> None:
        self.driver = f"{_FAULTY}:relu6_as_relu"
        cases = [path for paths in _CASES.values() for path in paths]
        self.bazel_runs("hal_tests/basic", "--suite=basic", *cases)
        graphs = self.bazel_runs("random_graph/random_graph_test", "--gtest_filter=*_graphs_0_to_*")
        with zipfile.ZipFile(graphs / "outputs.zip") as archive:
            self.assertGreater(archive.getinfo("graphs.journal").file_size, 1000)
        self.compare_with_certify(
            "--suites=basic,random_graphs", "--graphs=500", "--explain_time=0"
        )

    def test_what_is_of_another_run_is_refused(self) -> None:
        floor = ("--suite=specs", *_CASES["V1_0"], "--gtest_filter=*.floor")
        kept = self.bazel_runs("spec_tests/V1_0", *floor, packs=False)
        selected = ("--suites=specs", "--filter=floor")
        merged = self.merge(*selected)
        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        for change, reason in (
            (("--driver=sample",), "is of another run than this: "),
            (("--deadline=9s",), "--deadline=9s"),
        ):
            refused = self.nncert(
                "merge", f"--driver={self.driver}", "--out=o", *selected, *change, "logs"
            )
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn(reason, refused.stderr)
            self.assertIn("test.outputs", refused.stderr)
        refused = self.merge(*selected, "--plain")
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("--plain: the tests that bazel test runs are judged by", refused.stderr)
        tests = (kept / "tests.txt").read_text()
        for text, reason in (
            (tests.replace("GeneratedTests.floor\n", "GeneratedTests.ceiling\n"), "cases are not"),
            (tests.replace(" specs ", " systematic "), "cases are not"),
            (tests[: len(tests) // 2], "must-pass list: expected"),
            ("", "must-pass list: expected"),
        ):
            (kept / "tests.txt").write_text(text)
            refused = self.merge(*selected, "--suites=specs,systematic")
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn(reason, refused.stderr)

    def test_archives_that_no_test_leaves_are_refused(self) -> None:
        kept = self.logs / "a/test.outputs"
        kept.mkdir(parents=True)
        bomb = b"0" * (1 << 20)
        for name, entries in {
            "leads elsewhere": {"tests.txt": b"", "failures/../../../escaped": b"1"},
            "more than any test leaves": {"tests.txt": b""}
            | {f"failures/{number}": bomb for number in range(1030)},
            "must-pass list": {"tests.txt": b"nonsense"},
        }.items():
            with zipfile.ZipFile(kept / "outputs.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for entry, content in entries.items():
                    archive.writestr(entry, content)
            refused = self.merge()
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn(name, refused.stderr)
            self.assertEqual(len(refused.stderr.splitlines()), 1, refused.stderr)
        whole = (kept / "outputs.zip").read_bytes()
        for content in (b"", whole[:-30], whole[:40] + b"\xff" * 4 + whole[44:], b"PK" * 40):
            (kept / "outputs.zip").write_bytes(content)
            refused = self.merge()
            self.assertEqual(refused.returncode, 2, refused.stdout)
            self.assertIn("outputs.zip", refused.stderr)
        self.assertFalse(list(self.folder.rglob("escaped")))


if __name__ == "__main__":
    unittest.main()
