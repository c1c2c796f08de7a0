# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""A certification in parts, and the list of what a whole one consists of."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import unittest
from typing import Any

from tools.answer_records import records_of
from tools.nncert_process import start, wait_until
from tools.nncert_test_case import NncertTest

_FAULTS = "--driver=faulty:strides_swapped+relu6_as_relu"

# What is run whole and in shards: cases of which some fail, tests of calls of which some fail, and
# random graphs of which some fail.
_RUNS = {
    "cases": (
        _FAULTS,
        "--suites=specs,memory",
        "--filter=(max_pool_2d_valid|floor)",
        "--explain_time=0",
        "--rerun_time=1h",
    ),
    "calls": (
        "--driver=faulty:request_overlap",
        "--suites=basic,validate_request,output_shapes",
        "--filter=(add|floor|Status|Version)",
        "--explain_time=0",
    ),
    "graphs": (_FAULTS, "--suites=random_graphs,basic", "--graphs=700", "--explain_time=0"),
}


class ShardsTest(NncertTest):
    def setUp(self) -> None:
        super().setUp()
        for name in ("whole", "parts"):
            (self.folder / name).mkdir()

    def nncert_in(self, where: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        with start(self.folder / where, *arguments) as process:
            output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def run_interrupted(self, where: str, journal: str, size: int, *arguments: str) -> None:
        """Begins a run and interrupts it, if it has not ended before, once a journal is so long."""
        path = self.folder / where / journal
        with start(self.folder / where, *arguments) as process:
            wait_until(
                lambda: process.poll() is not None or (path.exists() and path.stat().st_size > size)
            )
            process.send_signal(signal.SIGINT)
            process.communicate()

    def refuse(self, *arguments: str) -> str:
        result = self.nncert_in("parts", *arguments)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        return result.stderr

    def files(self, where: str) -> dict[str, bytes]:
        """What two runs have in common, failing cases included."""
        out = self.folder / where / "out"
        paths = [out / "report.json", out / "junit.xml", *out.glob("failures/**/*")]
        return {str(path.relative_to(out)): path.read_bytes() for path in paths if path.is_file()}

    def test_shards_merged_are_the_whole_byte_for_byte(self) -> None:
        for name, arguments in _RUNS.items():
            with self.subTest(name):
                for where in ("whole", "parts"):
                    shutil.rmtree(self.folder / where)
                    (self.folder / where).mkdir()
                whole = self.nncert_in("whole", "certify", "--out=out", *arguments)
                self.assertEqual(whole.returncode, 1, whole.stdout + whole.stderr)
                expected = self.files("whole")
                self.assertGreater(len(expected), 2 if name != "calls" else 1)
                for number in (3, 1, 2):
                    shard = [f"--shard={number}/3", f"--out={number}", f"--jobs={number}"]
                    if number == 1:
                        journal = "1/graphs.journal" if name == "graphs" else "1/journal"
                        self.run_interrupted("parts", journal, 600, "certify", *shard, *arguments)
                        shard.append("--resume")
                    part = self.nncert_in("parts", "certify", *shard, *arguments)
                    self.assertIn(part.returncode, (0, 1), part.stdout + part.stderr)
                    self.assertRegex(part.stdout, rf"all shards but {number}/3|NOT CERTIFIED")
                # They may have been moved meanwhile.
                (self.folder / "parts/2").rename(self.folder / "parts/elsewhere")
                shards = ("3", "1", "elsewhere")
                merged = self.nncert_in("parts", "merge", "--out=out", *arguments, *shards)
                self.assertEqual(merged.returncode, 1, merged.stdout + merged.stderr)
                found = self.files("parts")
                self.assertEqual(sorted(found), sorted(expected))
                for file, content in expected.items():
                    self.assertEqual(found[file], content, file)
                if name == "cases":
                    # The driver answers the same, in whatever order; what was interrupted twice.
                    whole_answers, merged_answers = (
                        set(records_of((self.folder / where / "out/answers").read_bytes()))
                        for where in ("whole", "parts")
                    )
                    self.assertEqual(merged_answers, whole_answers)
                    self.assertGreater(len(whole_answers), 10)
                if name != "graphs":
                    continue
                # What a shard has not run is run.
                merged = self.nncert_in("parts", "merge", "--out=out", *arguments, "3", "elsewhere")
                self.assertEqual(merged.returncode, 1, merged.stdout + merged.stderr)
                self.assertEqual(self.files("parts"), expected)

    def test_what_is_no_shard_of_the_run_is_refused(self) -> None:
        _, *arguments = _RUNS["cases"]
        for number, driver in ((1, "sample"), (2, "xnnpack")):
            part = self.nncert_in(
                "parts",
                "certify",
                f"--driver={driver}",
                f"--shard={number}/2",
                f"--out={number}",
                *arguments,
            )
            self.assertIn(part.returncode, (0, 1), part.stdout + part.stderr)
        merge = ("merge", "--driver=sample", *arguments)
        self.assertIn("another run than the first shard", self.refuse(*merge, "--out=o", "1", "2"))
        self.assertIn("--out is the folder of a shard", self.refuse(*merge, "--out=1", "1"))
        self.assertIn("nowhere: No such file", self.refuse(*merge, "--out=o", "nowhere"))
        self.assertIn("neither the journal", self.refuse(*merge, "--out=o", "."))
        self.assertIn("takes as it is", self.refuse(*merge, "--out=o o", "1"))
        for shard in ("0/2", "3/2", "1", "1/0", "1/2/3", "a/b", "-1/2", "1/1001"):
            self.assertIn(
                "NUMBER/COUNT", self.nncert_in("parts", "certify", f"--shard={shard}").stderr
            )

    def test_the_list_is_that_of_a_complete_run(self) -> None:
        lists = {}
        for version in ("1.0", "1.1", "1.2"):
            made = self.nncert_in("parts", "must_pass", f"--hal={version}", "--out=list.txt")
            self.assertEqual(made.returncode, 0, made.stderr)
            text = (self.folder / "parts/list.txt").read_text()
            self.assertIn(hashlib.sha256(text.encode()).hexdigest(), made.stdout)
            lists[version] = text
        # A device of an earlier version has fewer tests of calls.
        lengths = [len(text) for text in lists.values()]
        self.assertEqual(lengths, sorted(set(lengths)))
        lines = lists["1.2"].splitlines()
        suites = [line.split()[1] for line in lines if line.startswith("suite ")]
        listed = self.nncert_in("parts", "certify", "--list").stdout.splitlines()
        self.assertEqual(suites, [line for line in listed if not line.startswith(" ")])
        # A run that is interrupted is held against the same list.
        for version, driver in (("1.2", "sample"), ("1.0", "sample:1.0")):
            with self.subTest(version):
                certify = ("certify", f"--driver={driver}", f"--out={version}")
                self.run_interrupted("parts", f"{version}/journal", 10000, *certify)
                out = self.folder / "parts" / version
                report: Any = json.loads((out / "report.json").read_text())
                outcome = report["mustPass"]
                self.assertEqual((out / "must_pass.txt").read_text(), lists[version])
                self.assertEqual(
                    outcome["sha256"], hashlib.sha256(lists[version].encode()).hexdigest()
                )
                missing = sum(suite["tests"] for suite in outcome["missing"])
                self.assertEqual(outcome["results"] + missing, outcome["tests"])
                verdicts = (out / "verdicts.txt").read_text().splitlines()
                results = [line for line in verdicts if line.split()[0] in ("PASS", "UNSUPPORTED")]
                self.assertEqual(len(results), outcome["results"])
                self.assertEqual(len(results), len(report["cases"]))
                # What is not complete is not submitted.
                self.assertIn("no statement.json", self.refuse("submit", version))
        refused = self.nncert_in("parts", "verify-submission", "list.txt")
        self.assertEqual(refused.returncode, 1, refused.stderr)
        self.assertIn("REFUSED: no package of nncert", refused.stdout)
        self.assertIn("nowhere", self.refuse("verify-submission", "nowhere.tar.gz"))
        self.assertIn("--hal", self.nncert_in("parts", "must_pass", "--hal=2.0").stderr)

    def test_profiles_are_suites_and_amounts(self) -> None:
        quick = self.nncert_in("parts", "certify", "--driver=sample:1.0", "--profile=quick")
        self.assertEqual(quick.returncode, 0, quick.stdout + quick.stderr)
        self.assertRegex(quick.stdout, r"\nINCOMPLETE: .*left out: systematic, validate_model, ")
        report = json.loads((self.folder / "parts/nncert-report/report.json").read_text())
        names = [suite["name"] for suite in report["suites"]]
        self.assertEqual(names, ["specs", "basic", "output_shapes", "random_graphs"])
        graphs = report["randomGraphs"]
        self.assertEqual(graphs["graphs"], 1000)
        self.assertEqual(sum(graphs["counts"].values()), graphs["graphs"])
        self.assertEqual(graphs["failures"], [])
        self.assertNotIn("mustPass", report)
        refused = self.refuse("certify", "--profile=fast")
        self.assertIn("expected one of full, quick, vts", refused)


if __name__ == "__main__":
    unittest.main()
