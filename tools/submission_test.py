# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Packages of complete certifications: that they are judged again, and what their page is."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import tarfile
import tempfile
import unittest

from tools.answer_records import answers_of, records_of
from tools.nncert_process import start, wait_until

# A driver with a fault, so that there are failing cases, smallest ones and drawings, few of each; of
# HAL 1.0, so that a complete run takes no minutes.
_FAULTY = pathlib.Path("drivers/faulty/libfaulty_1_0.so").resolve()
_DRIVER = f"--driver={_FAULTY}:relu6_as_relu@operation=L2_POOL_2D"

_FLOOR = "GeneratedTests.floor"
# What it gives, and what is no answer to it.
_FLOORS = struct.pack("<8f", -3, -2, -1, 0, 0, 3, 7, 16777216)
_NO_FLOORS = struct.pack("<8f", -3, -2, -1, 0, 0, 3, 8, 16777216)


class SubmissionTest(unittest.TestCase):
    folder: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # An earlier run is no part of it; what was interrupted goes on, and its answers with it.
        certify = ("certify", _DRIVER, "--out=report")
        earlier = cls.nncert(*certify, "--suites=specs", "--filter=l2_pool")
        assert earlier.returncode == 1, earlier.stdout + earlier.stderr
        answers = cls.folder / "report/answers"
        before = answers.stat().st_size
        with start(cls.folder, *certify) as process:
            wait_until(
                lambda: process.poll() is not None
                or (answers.exists() and answers.stat().st_size > before + 200_000)
            )
            process.send_signal(signal.SIGINT)
            process.communicate()
        run = cls.nncert(*certify, "--resume")
        assert run.returncode == 1, run.stdout + run.stderr
        submitted = cls.nncert("submit", "report", "--out=package.tar.gz")
        assert submitted.returncode == 0, submitted.stderr

    @classmethod
    def nncert(cls, *arguments: str) -> subprocess.CompletedProcess[str]:
        with start(cls.folder, *arguments) as process:
            output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def test_a_package_is_judged_again_and_its_page_is_that_of_the_run(self) -> None:
        verified = self.nncert("verify-submission", "package.tar.gz", "--html=page.html")
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        self.assertIn("\nACCEPTED: ", verified.stdout)
        found = re.search(r"answers: (\d+) of (\d+) cases; of (\d+) it gave no", verified.stdout)
        assert found is not None, verified.stdout
        judged, cases, others = map(int, found.groups())
        self.assertEqual(judged + others, cases)
        self.assertGreater(judged, 3000)
        page = (self.folder / "page.html").read_text()
        section = re.compile('<section id="verification">.*?</section>', re.DOTALL)
        self.assertEqual(len(section.findall(page)), 1)
        self.assertIn("ACCEPTED", section.findall(page)[0])
        self.assertEqual(section.sub("", page), (self.folder / "report/report.html").read_text())
        report = json.loads((self.folder / "report/report.json").read_text())
        # As many as Android's random graph test has.
        graphs = report["randomGraphs"]
        self.assertGreaterEqual(graphs["graphs"], 14500)
        self.assertEqual(sum(graphs["counts"].values()), graphs["graphs"])
        self.assertIn("<svg", page)
        reproducers = [kind for kind in report["failures"] if "reproducer" in kind]
        with tarfile.open(self.folder / "package.tar.gz") as package:
            smallest = [name for name in package.getnames() if name.startswith("smallest/")]
        self.assertEqual(len(smallest), len(reproducers))
        self.assertGreater(len(smallest), 0)

    def test_other_outputs_are_judged_otherwise_though_all_hashes_are_right(self) -> None:
        changed = self.folder / "changed"
        shutil.copytree(self.folder / "report", changed)
        records = records_of((changed / "answers").read_bytes())
        names = [
            line.split(" ", 1)[1]
            for line in (changed / "verdicts.txt").read_text().splitlines()
            if not line.startswith("suite ")
        ]
        place = names.index(_FLOOR)
        self.assertIn(f"PASS {_FLOOR}\n", (changed / "verdicts.txt").read_text())
        self.assertEqual(answers_of(records), (changed / "answers").read_bytes())
        # In the file, answers are in the order in which they came.
        matches = [i for i, record in enumerate(records) if _FLOORS in record]
        self.assertGreater(len(matches), 0)
        for i in matches:
            records[i] = records[i].replace(_FLOORS, _NO_FLOORS)
        (changed / "answers").write_bytes(answers_of(records))
        submitted = self.nncert("submit", "changed", "--out=changed.tar.gz")
        self.assertEqual(submitted.returncode, 0, submitted.stderr)
        verified = self.nncert("verify-submission", "changed.tar.gz", "--html=changed.html")
        self.assertEqual(verified.returncode, 1, verified.stdout + verified.stderr)
        self.assertRegex(
            verified.stdout,
            rf"REFUSED: answers: {re.escape(_FLOOR)} is PASS by the package; judged again by its "
            r"answers it is FAIL \(.*7.*8",
        )
        self.assertEqual(verified.stdout.count("REFUSED: "), len(matches))
        self.assertGreaterEqual(place, 0)
        self.assertIn("REFUSED", (self.folder / "changed.html").read_text())

    def test_answers_that_are_not_whole_are_not_submitted(self) -> None:
        changed = self.folder / "short"
        shutil.copytree(self.folder / "report", changed)
        answers = (changed / "answers").read_bytes()
        (changed / "answers").write_bytes(answers[:-4])
        submitted = self.nncert("submit", "short", "--out=short.tar.gz")
        self.assertEqual(submitted.returncode, 2, submitted.stdout)
        self.assertRegex(submitted.stderr, r"there are no answers to case \d+ of \d+")

    def test_a_package_without_its_answers_is_refused(self) -> None:
        with gzip.open(self.folder / "package.tar.gz") as package:
            tar = package.read()
        with tarfile.open(fileobj=io.BytesIO(tar)) as files:
            listed = files.extractfile("manifest.txt")
            assert listed is not None
            manifest = listed.read().decode()
            answers = files.extractfile("answers")
            assert answers is not None
            digest = hashlib.sha256(answers.read()).hexdigest()
        self.assertIn(f"{digest} ", manifest)
        # Its head has the hash of what stood there.
        (self.folder / "other.tar.gz").write_bytes(gzip.compress(tar[:-512]))
        verified = self.nncert("verify-submission", "other.tar.gz")
        self.assertEqual(verified.returncode, 1, verified.stderr)
        self.assertTrue(verified.stdout.startswith("REFUSED: "), verified.stdout)


if __name__ == "__main__":
    unittest.main()
