# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Certifications whose processes are killed and interrupted at random moments."""

from __future__ import annotations

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import threading
import time
import unittest
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from typing import Any

from tools import nncert_process
from tools.nncert_process import MISBEHAVING, NNCERT, TWO_OPERATIONS_SPEC, hosts_of, wait_until
from tools.nncert_test_case import NncertTest

_SAMPLE = pathlib.Path("drivers/sample/libsample.so").absolute()

# Kills are for the cases: of the random graphs there is one, so that even a driver without a fault
# is not certified.
# Cases whose process was killed are run again, however busy the machine is.
# Some two thousand cases of operations of all kinds, a few seconds' worth.
_CASES = ("--suites=specs", "--filter=^(a|d|f|g|l)", "--rerun_time=1h")

# Each is a case that is run again in eight processes. In one run:
_MOST_KILLS = 20
# And before one that is interrupted:
_KILLS_OF_A_SESSION = 6

_KILLED = "the driver's process was killed by SIGKILL (Killed)"

# Where a loss that belongs to no case can be.
_FINDING = re.compile(
    r"(before the first case|after \w+\.\S+|during \w+\.\S+, which came to [A-Z]+): "
    + re.escape(_KILLED)
    + r", when it had \d+ MiB of memory"
)


def _children(process: int) -> list[int]:
    """The living processes that a process has started.

    Looks at no other processes: on a busy machine, where there are many, a certification would come
    to its end meanwhile.
    """
    children = []
    for file in pathlib.Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children += [int(child) for child in file.read_text().split()]
        except OSError:
            continue
    return sorted(child for child in children if _is_living(child))


def _is_living(process: int) -> bool:
    try:
        stat = pathlib.Path(f"/proc/{process}/stat").read_text(errors="replace")
    except OSError:
        return False
    # The state follows the name, which is in parentheses.
    return stat.rpartition(")")[2].split()[0] not in "ZX"


class _Killer:
    """Kills what a process has started, each child once, at random moments, until `is_over`."""

    def __init__(
        self,
        process: subprocess.Popen[str],
        count: int,
        longest_pause: float,
        seed: int,
        is_over: Callable[[], bool] = lambda: False,
    ) -> None:
        self._process = process
        self._count = count
        self._is_over = is_over
        self._longest_pause = longest_pause
        self._random = random.Random(seed)
        self.killed: set[int] = set()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()

    def _run(self) -> None:
        while len(self.killed) < self._count and self._process.poll() is None:
            time.sleep(self._random.uniform(0, self._longest_pause))
            if self._is_over():
                return
            # One that has been killed may take a while to die.
            living = [child for child in _children(self._process.pid) if child not in self.killed]
            if not living:
                continue
            child = self._random.choice(living)
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                continue
            self.killed.add(child)


class KillTest(NncertTest):
    def setUp(self) -> None:
        super().setUp()
        self.journal = self.folder / "report/journal"

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return nncert_process.start(self.folder, *arguments)

    def certify(self, expected_status: int, *arguments: str) -> str:
        """Runs a certification to its end; returns what it printed."""
        with self.start("certify", "--out=report", *_CASES, *arguments) as process:
            output, errors = process.communicate()
        self.assertEqual(process.returncode, expected_status, output + errors)
        return output

    def report(self) -> Any:
        return json.loads((self.folder / "report/report.json").read_text())

    def timing(self) -> Any:
        return json.loads((self.folder / "report/timing.json").read_text())

    def journal_size(self) -> int:
        return self.journal.stat().st_size if self.journal.exists() else 0

    def check_losses(self, report: Any, undisturbed: Any, kills: int) -> None:
        """Each kill is in the report, once, and nothing else is different.

        A case whose process was killed passes when it is run again, and the report says both.
        """
        self.assertEqual(len(report["cases"]), len(undisturbed["cases"]))
        losses = len(report["findings"])
        for case, expected in zip(report["cases"], undisturbed["cases"]):
            if case == expected:
                continue
            losses += 1
            self.assertEqual(case["verdict"], "FLAKY", case)
            odds, crash = case["detail"].splitlines()[:2]
            self.assertTrue(odds.startswith("failed 1 of 9 runs: 0 of 8 alone "), odds)
            self.assertIn("in the run of all cases CRASH: ", crash)
            self.assertIn(_KILLED, crash)
            for key in ("name", "mode", "operation"):
                self.assertEqual(case[key], expected[key])
        for finding in report["findings"]:
            self.assertEqual(finding["kind"], "PROCESS")
            self.assertRegex(finding["detail"], _FINDING)
        self.assertEqual(losses, kills)
        self.assertEqual(self.timing()["process"]["restarts"], kills)

    def check_junit(self, report: Any) -> None:
        """JUnit's XML says the same as the report."""
        suites = ElementTree.parse(self.folder / "report/junit.xml").getroot()
        tests = len(report["cases"]) + len(report["findings"])
        self.assertEqual(suites.get("tests"), str(tests))
        errors = [element.get("message", "") for element in suites.iter("error")]
        self.assertEqual(errors, [])
        failures = [element.get("message", "") for element in suites.iter("failure")]
        findings = [f"PROCESS: {finding['detail']}" for finding in report["findings"]]
        self.assertEqual(failures[: len(findings)], findings)
        flaky = failures[len(findings) :]
        self.assertEqual(len(flaky), report["counts"]["FLAKY"])
        for failure in flaky:
            self.assertIn("FLAKY: failed 1 of 9 runs", failure)

    def test_each_kill_is_one_loss(self) -> None:
        self.certify(0, "--driver=sample", "--jobs=2")
        undisturbed = self.report()
        self.assertEqual(undisturbed["findings"], [])
        self.assertEqual(self.timing()["process"]["restarts"], 0)
        # The kills are over before the run of cases is, however busy the machine. What comes after
        # it, a look into the failures, has processes too, and takes what kills them for failures.
        most_of_it = 3 * self.journal_size() // 4
        longest_pause = self.timing()["seconds"] / (2 * _MOST_KILLS)
        for seed in (4, 5):
            with self.subTest(seed):
                self._check_kills(undisturbed, most_of_it, longest_pause, seed)

    def _check_kills(
        self, undisturbed: Any, most_of_it: int, longest_pause: float, seed: int
    ) -> None:
        """So many kills are as many losses."""
        shutil.rmtree(self.folder / "report")
        with self.start(
            "certify", "--out=report", *_CASES, "--driver=sample", "--jobs=2"
        ) as process:
            wait_until(lambda: self.journal_size() > 0)
            killer = _Killer(
                process,
                _MOST_KILLS,
                longest_pause,
                seed=seed,
                is_over=lambda: self.journal_size() >= most_of_it,
            )
            output, errors = process.communicate()
            killer.join()
        kills = len(killer.killed)
        self.assertGreaterEqual(kills, _MOST_KILLS // 2, output + errors)
        self.assertEqual(process.returncode, 1, output + errors)
        report = self.report()
        self.check_losses(report, undisturbed, kills)
        self.check_junit(report)
        self.assertIn(f"Its processes: {kills} restarts", output)
        self.assertEqual(report["counts"]["CRASH"], 0)
        self.assertIn(f"FLAKY {report['counts']['FLAKY']}", output)
        for finding in report["findings"][:10]:
            self.assertIn(f"PROCESS: {finding['detail']}\n", output)
        # Those of a case in both modes are one dump.
        dumped = {
            case["name"].replace("_dynamic_output_shape", "")
            for case in report["cases"]
            if case["verdict"] == "FLAKY" and "CRASH: the driver cannot be" not in case["detail"]
        }
        dumps = list((self.folder / "report/failures").rglob("*.case"))
        self.assertEqual(len(dumps), len(dumped))
        self.assertFalse((self.folder / "report/running").exists())

    def test_a_driver_that_always_dies_costs_time_by_the_case(self) -> None:
        # Every process, as soon as it is seen: hardly one comes to run a case.
        driver = shutil.copy(_SAMPLE, self.folder / "mine.so")
        arguments = ("certify", "--out=report", *_CASES, "--jobs=1", f"--driver={driver}")
        samples = []
        with self.start(*arguments) as process:
            wait_until(lambda: self.journal_size() > 0)
            killer = _Killer(process, 10**9, 0.001, seed=5)
            start = time.monotonic()
            # Enough to see how the time grows, on a busy machine as well.
            while process.poll() is None and time.monotonic() < start + (
                6 if len(killer.killed) > 100 else 30
            ):
                time.sleep(0.02)
                samples.append((time.monotonic() - start, self.journal_size()))
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate()
            killer.join()
        # On a fast machine it comes to its end before that, or is about to: its report is there.
        self.assertIn(process.returncode, (1, 3, -signal.SIGINT), output + errors)
        self.assertGreater(self.timing()["process"]["restarts"], 40)
        # The second half of what it came to took about as long as the first.
        end, size = samples[-1]
        half = next(moment for moment, so_far in samples if so_far >= size / 2)
        self.assertLess(end - half, 4 * half + 1, samples)
        self.assertEqual(hosts_of(pathlib.Path(driver)), set())

    def _interrupt(self, number: int, size: int, *arguments: str) -> bool:
        """Runs a certification until its journal is so large, and then sends it a signal. Whether
        that came before it ended by itself."""
        with self.start("certify", "--out=report", *_CASES, *arguments) as process:
            while process.poll() is None and self.journal_size() < size:
                time.sleep(0.0005)
            process.send_signal(number)
            output, errors = process.communicate()
        if process.returncode in (0, 1):
            return False
        # One that goes on may get the signal before it has begun to run cases.
        if process.returncode != -number:
            self.assertEqual(process.returncode, 3, output + errors)
            self.assertIn(f"to go on: {NNCERT} certify --resume ", output)
        return True

    def _dumps(self) -> set[str]:
        failures = self.folder / "report/failures"
        return {str(path.relative_to(failures)) for path in failures.rglob("*") if path.is_file()}

    def test_interrupted_again_and_again_it_comes_to_the_same(self) -> None:
        # However busy the machine is, all failures are looked into, which are few.
        driver = ("--driver=faulty:first_element@operation=FLOOR", "--explain_time=1h")
        self.certify(1, *driver, "--jobs=2")
        expected = self.report()
        dumps = self._dumps()
        size = self.journal_size()
        self.assertGreater(expected["counts"]["FAIL"], 0)
        shutil.rmtree(self.folder / "report")
        generator = random.Random(6)
        points = sorted(generator.randrange(1, size) for _ in range(8))
        interruptions = 0
        for i, point in enumerate(points):
            number = (signal.SIGINT, signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)[i % 4]
            resume = ["--resume"] if i > 0 else []
            interruptions += self._interrupt(number, point, *driver, "--jobs=2", *resume)
        self.assertGreater(interruptions, 4)
        output = self.certify(1, *driver, "--jobs=2", "--resume")
        self.assertNotIn("INTERRUPTED", output)
        report = self.report()
        self.assertNotIn("unfinished", report)
        for key in expected:
            self.assertEqual(report[key], expected[key], key)
        self.assertEqual(self.timing()["process"]["restarts"], 0)
        self.assertGreater(self.timing()["process"]["cpuSeconds"], 0)
        self.assertEqual(self._dumps(), dumps)
        self.assertFalse((self.folder / "report/running").exists())
        # There is nothing left to do, and it is said again.
        self.certify(1, *driver, "--jobs=2", "--resume")
        self.assertEqual(self.report()["cases"], report["cases"])
        self.assertEqual(self.timing()["process"]["restarts"], 0)

    def test_losses_of_an_interrupted_run_are_in_the_report_of_the_resumed_one(self) -> None:
        self.certify(0, "--driver=sample", "--jobs=2")
        undisturbed = self.report()
        size = self.journal_size()
        shutil.rmtree(self.folder / "report")
        kills = 0
        for session in range(3):
            arguments = ["--driver=sample", "--jobs=2", *(["--resume"] if session > 0 else [])]
            with self.start("certify", "--out=report", *_CASES, *arguments) as process:
                before = self.journal_size()
                wait_until(lambda: self.journal_size() > before + size // 50)
                killer = _Killer(process, _KILLS_OF_A_SESSION, 0.01, seed=session)
                killer.join()
                process.send_signal(signal.SIGINT)
                output, errors = process.communicate()
            self.assertEqual(process.returncode, 3, output + errors)
            kills += len(killer.killed)
            self.assertEqual(self.timing()["process"]["restarts"], kills)
        self.assertEqual(kills, 3 * _KILLS_OF_A_SESSION)
        output = self.certify(1, "--driver=sample", "--resume")
        self.assertIn(f"Its processes: {kills} restarts", output)
        self.check_losses(self.report(), undisturbed, kills)
        self.check_junit(self.report())

    def test_no_host_outlives_nncert(self) -> None:
        (self.folder / "two.mod.py").write_text(TWO_OPERATIONS_SPEC)
        for kind in ("load_hang", "prepare_hang", "execute_hang", "execute_spin", "release_hang"):
            with self.subTest(kind=kind):
                self.assertEqual(hosts_of(MISBEHAVING), set())
                with self.start("run", f"--driver={MISBEHAVING}:{kind}", "two.mod.py") as process:
                    wait_until(lambda: len(hosts_of(MISBEHAVING)) > 0)
                    time.sleep(1)
                    self.assertIsNone(process.poll())
                    process.kill()
                    process.communicate()
                wait_until(lambda: not hosts_of(MISBEHAVING))


if __name__ == "__main__":
    unittest.main()
