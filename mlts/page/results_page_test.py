# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Opens pages of made-up results in headless Chromium and holds them against results.json."""

from __future__ import annotations

import json
import math
import os
import subprocess
import tempfile
import unittest
from collections.abc import Callable, Iterator
from typing import Optional

from pages.testing import chromium, figures
from pages.testing.figures import Json, Path

_WRITER = "mlts/page/write_sample_results"

# What the ticks beneath each distribution of the part are at: the figure's axis and each row.
_TICKS = """
(part => [...document.querySelectorAll(part + ' path.rug')].map(
    rug => rug.getAttribute('d').split('M').slice(1).map(Number.parseFloat)))(%s)
"""

# The ratios of contrast of every text to what is behind it: WCAG 2, "relative luminance".
_CONTRASTS = """
(() => {
  const channels = color => color.match(/[0-9.]+/g).slice(0, 3).map(Number);
  const luminance = color => channels(color)
      .map(c => c / 255)
      .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const paper = luminance(getComputedStyle(document.body).backgroundColor);
  const ratios = {};
  for (const element of document.querySelectorAll('body, body *:not(script)')) {
    const says = [...element.childNodes].some(n => n.nodeType === 3 && n.data.trim() !== '');
    if (!says || element.tagName === 'title') continue;
    const style = getComputedStyle(element);
    const color = element.closest('svg') ? style.fill : style.color;
    const ink = luminance(color);
    ratios[color] = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  }
  return ratios;
})()
"""


def _times(benchmark: Json) -> Iterator[Json]:
    """The distributions of a benchmark in the order in which the page draws them."""
    executors: list[str] = []
    for latency in benchmark["latency"]:
        if latency["executor"] not in executors:
            executors.append(latency["executor"])
    for executor in executors:
        for latency in benchmark["latency"]:
            if latency["executor"] == executor:
                for clock in ("wall", "timeInDriver", "timeOnDevice"):
                    if clock in latency:
                        yield latency[clock]
    for throughput in benchmark["throughput"]:
        yield throughput["latency"]
    for compilation in benchmark["compilation"]:
        for kind in ("withoutCache", "saving", "fromCache"):
            if kind in compilation:
                yield compilation[kind]


def _is_exempt(path: Path, benchmark: Optional[Json]) -> bool:
    """Whether a figure is not shown as a text: quantiles, which are drawn, and what says nothing."""
    if path[-1] == "quantiles":
        return True
    # Without labels there is no top 1 to compare.
    comparison = (benchmark or {}).get("comparison", {})
    return (
        path[-2:-1] == ("comparison",)
        and path[-1] in ("changed", "driverAloneRight", "baselineAloneRight", "mcnemarP")
        and "top1Difference" not in comparison
        and comparison["changed"] == 0
    )


class ResultsPageTest(figures.FiguresTestCase):
    folder: tempfile.TemporaryDirectory[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory(dir=os.environ.get("TEST_TMPDIR"))
        cls.addClassCleanup(cls.folder.cleanup)
        subprocess.run([_WRITER, cls.folder.name], check=True)
        super().setUpClass()

    def path_of(self, name: str, file: str = "report.html") -> str:
        return os.path.join(self.folder.name, name, file)

    def results_of(self, name: str) -> Json:
        with open(self.path_of(name, "results.json"), encoding="utf-8") as file:
            return json.load(file)

    def assert_is_quiet(self, page: chromium.Page, name: str) -> None:
        # An answer to a later question: what was asked for before has been told by then.
        page.evaluate("new Promise(done => setTimeout(() => done(1), 0))")
        self.assertEqual(page.complaints, [])
        self.assertEqual(page.requests, ["file://" + os.path.abspath(self.path_of(name))])

    def test_nothing_is_complained_of_and_nobody_is_asked(self) -> None:
        for name in ("sample", "hostile"):
            for width in (400, self.WIDTH):
                for media in ("", "print"):
                    with self.subTest(name, width=width, media=media):
                        self.assert_is_quiet(self.look_at(name, width, media), name)

    def test_every_figure_of_a_benchmark_is_shown(self) -> None:
        for name in ("sample", "hostile"):
            page = self.look_at(name)
            for i, benchmark in enumerate(self.results_of(name)["benchmarks"]):
                with self.subTest(name, benchmark=i):
                    shown = page.evaluate(figures.FIGURES % json.dumps(f"#benchmark-{i + 1}"))
                    expected = [
                        (path, value)
                        for path, value in figures.leaves(benchmark)
                        if figures.is_figure(value) and not _is_exempt(path, benchmark)
                    ]
                    self.assertGreater(len(expected), 0)
                    self.assert_shows(shown, expected)

    def test_every_figure_of_the_run_is_shown(self) -> None:
        for name in ("sample", "hostile"):
            page = self.look_at(name)
            results = self.results_of(name)
            for part in ("claims", "stress"):
                expected = [
                    leaf for leaf in figures.leaves(results[part]) if figures.is_figure(leaf[1])
                ]
                self.assertGreater(len(expected), 0)
                self.assert_shows(page.evaluate(figures.FIGURES % json.dumps("#" + part)), expected)
            expected = [
                ((member,), value) for member, value in results.items() if figures.is_figure(value)
            ]
            self.assertEqual([path for path, _ in expected], [("format",), ("seconds",)])
            self.assert_shows(page.evaluate(figures.FIGURES % '"header"'), expected)

    def test_every_quantile_is_drawn_in_its_place(self) -> None:
        page = self.look_at("sample")
        drawn = 0
        for i, benchmark in enumerate(self.results_of("sample")["benchmarks"]):
            rows = page.evaluate(_TICKS % json.dumps(f"#benchmark-{i + 1}"))
            times = list(_times(benchmark))
            self.assertEqual(len(rows), len(times))
            for row, time in zip(rows, times):
                quantiles = time["quantiles"]
                self.assertEqual(len(row), len(quantiles))
                drawn += len(row)
                # Positions are linear in the values, or in their logarithms.
                errors = []
                scales: tuple[Callable[[float], float], ...] = (float, math.log)
                for scale in scales:
                    values = [scale(value) for value in quantiles]
                    slope = (row[-1] - row[0]) / (values[-1] - values[0])
                    errors.append(
                        max(
                            abs(row[0] + slope * (value - values[0]) - position)
                            for value, position in zip(values, row)
                        )
                    )
                # Both ends and the position itself are rounded to tenths of a pixel.
                self.assertLessEqual(min(errors), 0.16)
        self.assertGreater(drawn, 10000)

    def test_every_text_is_shown(self) -> None:
        page = self.look_at("sample")
        text = page.evaluate("document.body.innerText")
        results = self.results_of("sample")
        # The outcomes of checks are signs, and those of benchmarks words of their own.
        enumerators = {"outcome", "status"}
        for path, value in figures.leaves(results):
            if isinstance(value, str) and path[-1] not in enumerators:
                self.assertIn(value, text, path)
        self.assertIn("3 of 8 benchmarks are right.", text)
        self.assertEqual(text.count("\u2717 "), 0)
        failed = page.evaluate("document.querySelectorAll('section .sign.wrong').length")
        self.assertEqual(failed, 4)
        self.assertIn("CRASH", page.evaluate("document.querySelector('#stress').innerText"))

    def test_nothing_overflows(self) -> None:
        for name in ("sample", "hostile"):
            for width in (320, 400, 768, self.WIDTH):
                with self.subTest(name, width=width):
                    page = self.look_at(name, width)
                    scroll_width, inner_width = page.evaluate(figures.OVERFLOW)
                    self.assertLessEqual(scroll_width, inner_width)

    def test_nothing_is_cut_off_on_paper(self) -> None:
        # As wide as A4 within its margins, where nobody can scroll.
        page = self.look_at("sample", 718, "print")
        wide = page.evaluate(
            "[...document.querySelectorAll('table, svg')]"
            ".filter(part => part.getBoundingClientRect().right > innerWidth)"
            ".map(part => part.textContent.slice(0, 80))"
        )
        self.assertEqual(wide, [])

    def test_text_can_be_told_from_its_ground(self) -> None:
        for media, scheme in (("", "light"), ("", "dark"), ("print", "light")):
            with self.subTest(media=media, scheme=scheme):
                page = self.look_at("sample", media=media, scheme=scheme)
                contrasts = page.evaluate(_CONTRASTS)
                self.assertGreater(len(contrasts), 4)
                for color, ratio in contrasts.items():
                    self.assertGreaterEqual(ratio, 4.5, color)

    def test_it_reads_without_its_script(self) -> None:
        with_script = self.look_at("sample")
        without = self.open("sample", runs_scripts=False)
        text = "document.body.textContent"
        self.assertEqual(without.evaluate("document.querySelectorAll('button').length"), 0)
        self.assertGreater(with_script.evaluate("document.querySelectorAll('button').length"), 0)
        added = with_script.evaluate("document.querySelector('.controls').textContent")
        self.assertEqual(with_script.evaluate(text).replace(added, "", 1), without.evaluate(text))

    def test_paper_has_what_is_folded(self) -> None:
        page = self.open("sample")
        # The script would unfold it as well, when it is really printed.
        height = "document.querySelector('details table').getBoundingClientRect().height"
        page.set_media("print")
        self.assertGreater(page.evaluate(height), 0)
        self.assertEqual(page.evaluate("document.querySelectorAll('details[open]').length"), 0)
        self.assertIn("data", page.call("Page.printToPDF"))

    def test_the_table_of_benchmarks_is_sorted_and_filtered(self) -> None:
        page = self.open("sample")
        names = "[...document.querySelectorAll('table.sortable tbody th')].filter(" + (
            "name => name.getClientRects().length > 0).map(name => name.textContent)"
        )
        original = page.evaluate(names)
        self.assertEqual(original[0], "mobilenet_v1_1.0_224")
        page.evaluate("document.querySelector('table.sortable th button').click()")
        self.assertEqual(page.evaluate(names), sorted(original))
        page.evaluate("document.querySelector('table.sortable th button').click()")
        self.assertEqual(page.evaluate(names), sorted(original, reverse=True))
        # By time: those that have none are last.
        page.evaluate("[...document.querySelectorAll('table.sortable th button')].pop().click()")
        by_time = page.evaluate(names)
        self.assertEqual(by_time[:2], ["mobilenet_v1_0.5_160_quant", "mobilenet_v1_1.0_224"])
        page.evaluate(
            "(field => { field.value = 'MobileNet'; field.dispatchEvent(new Event('input')); })"
            "(document.querySelector('input[type=search]'))"
        )
        self.assertEqual(len(page.evaluate(names)), 5)
        page.evaluate("document.querySelector('input[type=checkbox]').click()")
        self.assertEqual(
            page.evaluate(names), ["mobilenet_v1_0.5_160_quant", "ssd_mobilenet_v1_coco_quantized"]
        )

    def test_hostile_texts_are_texts(self) -> None:
        page = self.look_at("hostile")
        self.assertEqual(page.evaluate("document.querySelectorAll('script').length"), 1)
        self.assertEqual(page.evaluate("document.querySelectorAll('style').length"), 1)
        self.assertEqual(page.evaluate("document.querySelectorAll('img, iframe, link').length"), 0)
        attributes = page.evaluate(
            "[...new Set([...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()))]"
        )
        self.assertEqual([name for name in attributes if name.startswith("on")], [])
        links = page.evaluate(
            "[...document.querySelectorAll('[href]')].map(e => e.getAttribute('href'))"
        )
        self.assertTrue(all(link.startswith("#") for link in links), links)
        heading = page.evaluate("document.querySelector('h1').textContent")
        self.assertEqual(heading, self.results_of("hostile")["driver"])


if __name__ == "__main__":
    unittest.main()
