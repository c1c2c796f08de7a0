# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The reports of a certification: of a good driver, a limited, a wrong, a crashing and a flaky one."""

from __future__ import annotations

import json
import pathlib
import shutil
import tempfile
import unittest

import jsonschema  # type: ignore[import]

from pages.testing import figures
from pages.testing.figures import Json
from tools.nncert_process import MISBEHAVING, start

# A driver's name may be anything.
_HOSTILE = "<script>alert(1)</script>&\"'.so"

_THREE_FAULTS = "faulty:strides_swapped+relu6_as_relu+concatenation_reversed"

# What each driver is certified with, in a few seconds. Each failing case is run again in eight
# processes: there are few.
_RUNS = {
    "sample": ("--driver=sample", "--suites=specs,basic,random_graphs", "--graphs=100"),
    "xnnpack": ("--driver=xnnpack", "--suites=specs", "--filter=^GeneratedTests.*conv_2d"),
    "faulty": (
        f"--driver={_THREE_FAULTS}",
        "--suites=specs",
        "--filter=^GeneratedTests\\.(add_|conv_2d_padding|depthwise_conv_2d_padding|floor"
        "|grouped_conv_2d_groups_nhwc_(relaxed_|quant8_)?relu6|concatenation_(dim[12]|quant8|v1_2))",
    ),
    "crash": (
        f"--driver={_HOSTILE}:execute_crash",
        "--suites=specs,basic",
        "--filter=^GeneratedTests.*(slice|add_)|^Neural",
    ),
    "flaky": (
        "--driver=faulty:floor_spoils_tanh",
        "--suites=specs",
        "--filter=^GeneratedTests\\.(floor|relu|tanh)",
        "--jobs=1",
    ),
}


class ReportPageTest(figures.FiguresTestCase):
    WIDTH = 1200

    folder: pathlib.Path
    summaries: dict[str, str]

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # Names with slashes are paths.
        hostile = cls.folder / _HOSTILE
        hostile.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(MISBEHAVING, hostile)
        cls.summaries = {}
        for name, arguments in _RUNS.items():
            driver = arguments[0].replace(_HOSTILE, str(hostile))
            with start(cls.folder, "certify", driver, *arguments[1:], f"--out={name}") as process:
                cls.summaries[name], errors = process.communicate()
            assert (cls.folder / name / "report.html").exists(), cls.summaries[name] + errors
        super().setUpClass()

    def report(self, name: str) -> Json:
        return json.loads((self.folder / name / "report.json").read_text())

    def path_of(self, name: str) -> str:
        return str(self.folder / name / "report.html")

    def test_nothing_is_complained_of_and_nobody_is_asked(self) -> None:
        for name in _RUNS:
            for width in (400, self.WIDTH):
                with self.subTest(name, width=width):
                    page = self.look_at(name, width, "print")
                    # What was asked for before has been told by the time of a later answer.
                    page.evaluate("new Promise(done => setTimeout(() => done(1), 0))")
                    self.assertEqual(page.complaints, [])
                    path = self.folder.resolve() / name / "report.html"
                    self.assertEqual(page.requests, [path.as_uri()])

    def test_every_figure_of_the_report_is_shown(self) -> None:
        for name in _RUNS:
            with self.subTest(name):
                timing = json.loads((self.folder / name / "timing.json").read_text())
                del timing["format"]
                reports = (self.report(name), timing)
                expected = [
                    leaf
                    for report in reports
                    for leaf in figures.leaves(report)
                    if figures.is_figure(leaf[1])
                ]
                self.assertGreater(len(expected), 20)
                shown = self.look_at(name).evaluate(figures.FIGURES % '"body"')
                self.assert_shows(shown, expected)

    def test_reports_follow_their_schema(self) -> None:
        schema = json.loads(pathlib.Path("docs/report.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        validator = jsonschema.Draft202012Validator(schema)
        # Members come in the order in which the schema has them.
        order = list(schema["properties"])
        for name in _RUNS:
            with self.subTest(name):
                report = self.report(name)
                self.assertEqual([error.message for error in validator.iter_errors(report)], [])
                members = [member for member in report if member in order]
                self.assertEqual(members, sorted(members, key=order.index))
                matrix = [(c["operation"], c["type"], c["version"]) for c in report["matrix"]]
                self.assertEqual(matrix, sorted(matrix))
        for member in schema["required"]:
            broken = self.report("faulty")
            del broken[member]
            self.assertFalse(validator.is_valid(broken), member)
        broken = self.report("faulty")
        broken["failures"][0]["reproducer"]["elements"]["worst"][0]["expected"] = "much"
        self.assertFalse(validator.is_valid(broken))

    def test_the_headline_is_the_last_line_of_the_summary(self) -> None:
        for name in _RUNS:
            with self.subTest(name):
                headline = self.look_at(name).evaluate(
                    "document.querySelector('.headline').innerText"
                )
                self.assertEqual(headline, self.summaries[name].splitlines()[-1])

    def test_nothing_overflows(self) -> None:
        for name in _RUNS:
            for width in (400, self.WIDTH):
                with self.subTest(name, width=width):
                    scroll_width, inner_width = self.look_at(name, width).evaluate(figures.OVERFLOW)
                    self.assertLessEqual(scroll_width, inner_width)

    def test_every_failure_has_what_it_takes_to_mend_it(self) -> None:
        page = self.look_at("faulty")
        failures = self.report("faulty")["failures"]
        self.assertGreater(len(failures), 5)
        named = set()
        for i, failure in enumerate(failures):
            with self.subTest(operation=failure["operation"], type=failure["type"]):
                part = f"document.querySelector('#failure-{i + 1}')"
                text = page.evaluate(f"{part}.innerText")
                self.assertEqual(page.evaluate(f"{part}.querySelectorAll('.model svg').length"), 1)
                command = page.evaluate(f"{part}.querySelector('pre').innerText")
                self.assertEqual(command, failure["reproducer"]["command"])
                self.assertTrue((self.folder / failure["reproducer"]["file"]).exists())
                self.assertEqual(failure["reproducer"]["operations"], 1)
                self.assertTrue(failure["reproducer"]["isSmallest"])
                for element in failure["reproducer"]["elements"]["worst"]:
                    self.assertIn(element["place"], text)
                    self.assertGreater(element["thresholds"], 1)
                    low, high = element["enclosure"]
                    self.assertFalse(low <= element["actual"] <= high)
                self.assertIn(f"As if {failure['causes'][0]['rule']}:", text)
                named.update(failure["causes"][0]["rule"].split("+"))
        self.assertLessEqual(set(_THREE_FAULTS.removeprefix("faulty:").split("+")), named)
        self.assertIn("Likely causes", self.summaries["faulty"])

    def test_what_crashes_is_said_to(self) -> None:
        failures = self.report("crash")["failures"]
        self.assertIn("CRASH", [failure["verdict"] for failure in failures])
        text = self.look_at("crash").evaluate("document.querySelector('#failures').innerText")
        self.assertIn("CRASH", text)
        self.assertIn("None known: the driver gives no results to compare", text)

    def test_cases_are_searched(self) -> None:
        page = self.open("faulty")
        cases = self.report("faulty")["cases"]
        said = "document.querySelector('#cases output').textContent"
        self.assertTrue(page.evaluate(said).startswith(f"{len(cases)} of {len(cases)}"))
        page.evaluate(
            "(() => { const field = document.querySelector('#cases input[type=search]');"
            "field.value = 'Floor'; field.dispatchEvent(new Event('input')); })()"
        )
        found = [case for case in cases if "floor" in json.dumps(case).lower()]
        self.assertTrue(page.evaluate(said).startswith(f"{len(found)} of {len(cases)}"))
        page.evaluate(
            "(() => { const choice = document.querySelector('#cases select[aria-label=verdict]');"
            "choice.value = [...choice.options].find(o => o.text === 'PASS').value;"
            "choice.dispatchEvent(new Event('change')); })()"
        )
        passed = [case for case in found if case["verdict"] == "PASS"]
        self.assertTrue(page.evaluate(said).startswith(f"{len(passed)} of {len(cases)}"))

    def test_failures_are_searched(self) -> None:
        page = self.open("faulty")
        page.evaluate(
            "(() => { const field = document.querySelector('#failures input[type=search]');"
            "field.value = 'grouped_conv_2d'; field.dispatchEvent(new Event('input')); })()"
        )
        shown = page.evaluate(
            "[...document.querySelectorAll('#failures .part')].filter(part => !part.hidden)"
            ".map(part => part.querySelector('h3').innerText.split(' ')[0])"
        )
        self.assertEqual(set(shown), {"GROUPED_CONV_2D"})

    def test_it_reads_without_its_script(self) -> None:
        page = self.open("faulty", runs_scripts=False)
        text = page.evaluate("document.body.innerText")
        for failure in self.report("faulty")["failures"]:
            self.assertIn(failure["reproducer"]["command"], text)

    def test_nothing_is_cut_off_on_paper(self) -> None:
        # As wide as A4 within its margins, where nobody can scroll.
        page = self.look_at("faulty", 718, "print")
        wide = page.evaluate(
            "[...document.querySelectorAll('.part table, .part svg, #suites table, #failing table')]"
            ".filter(part => part.getBoundingClientRect().right > innerWidth)"
            ".map(part => part.textContent.slice(0, 80))"
        )
        self.assertEqual(wide, [])

    def test_hostile_names_are_texts(self) -> None:
        page = self.look_at("crash")
        scripts = page.evaluate(
            "[...document.querySelectorAll('script')].map(script => script.type)"
        )
        self.assertEqual(sorted(scripts), ["", "application/json"])
        heading = page.evaluate("document.querySelector('h1').textContent")
        self.assertEqual(heading, self.report("crash")["driver"])
        self.assertIn("<script>alert(1)</script>", heading)
        styled = page.evaluate("document.querySelectorAll('[style], img, iframe, link').length")
        self.assertEqual(styled, 0)


if __name__ == "__main__":
    unittest.main()
