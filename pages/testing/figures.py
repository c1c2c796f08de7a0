# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Holds the figures that a page shows against those of the JSON that it is of."""

from __future__ import annotations

import collections
import decimal
import math
import re
import unittest
from collections.abc import Iterator
from typing import Any, Optional

from pages.testing import chromium

Json = Any
Path = tuple[str, ...]

# Every figure of the page's part that is named: its exact value, its text, the scale that an
# element around it gives, and whether it is shown.
FIGURES = """
(part => [...document.querySelectorAll(part + ' data')].map(figure => ({
  value: figure.getAttribute('value'),
  text: figure.textContent,
  scale: Number((figure.closest('[data-scale]') || {dataset: {scale: 1}}).dataset.scale),
  isShown: figure.getClientRects().length > 0 && figure.getBoundingClientRect().width > 0 &&
      getComputedStyle(figure).visibility === 'visible',
})))(%s)
"""

OVERFLOW = "[document.documentElement.scrollWidth, innerWidth]"

UNFOLD = "document.querySelectorAll('details').forEach(part => { part.open = true; })"


def leaves(json_value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every value that is no object or array, with the names of the members that lead to it."""
    if isinstance(json_value, dict):
        for name, member in json_value.items():
            yield from leaves(member, (*path, name))
    elif isinstance(json_value, list):
        for element in json_value:
            yield from leaves(element, path)
    else:
        yield path, json_value


def is_figure(value: Json) -> bool:
    # What is no number is null in the JSON.
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def _key(value: Json) -> str:
    """The same for equal figures, whether of JSON or of a <data> element."""
    if value is None:
        return "none"
    # Whole numbers by their digits, for a float cannot tell the largest ones apart.
    if isinstance(value, int) or re.fullmatch(r"\d+", str(value)):
        return str(value)
    number = float(value)
    if not math.isfinite(number):
        return "none"
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


def _parsed(text: str) -> decimal.Decimal:
    """The number that a figure's text says; decimal, for the largest ones are rounded up."""
    plain = text.replace("\u2212", "-").replace(",", "").replace("\u221e", "inf")
    return decimal.Decimal(plain)


class FiguresTestCase(unittest.TestCase):
    """A test of pages with figures, each of which has a name.

    To open a page costs more than all that a test asks of it, so there is one browser for all
    tests, and a page of each name that they share.
    """

    # The size of a window, in pixels, unless a test is for another.
    WIDTH = 1280
    HEIGHT = 900

    browser: chromium.Browser
    _pages: dict[str, chromium.Page]

    @classmethod
    def setUpClass(cls) -> None:
        cls.browser = cls.enterClassContext(chromium.Browser())
        cls._pages = {}

    def path_of(self, name: str) -> str:
        """Where the page of a name is."""
        raise NotImplementedError

    def open(self, name: str, runs_scripts: bool = True) -> chromium.Page:
        """A page that a test may do something to."""
        return self.browser.open(self.path_of(name), self.WIDTH, self.HEIGHT, runs_scripts)

    def look_at(
        self, name: str, width: Optional[int] = None, media: str = "", scheme: str = "light"
    ) -> chromium.Page:
        """A page with nothing folded that stays as it is, but for the window and the media."""
        if name not in self._pages:
            self._pages[name] = self.open(name)
            self._pages[name].evaluate(UNFOLD)
        page = self._pages[name]
        width = width or self.WIDTH
        page.set_size(width, self.HEIGHT)
        page.set_media(media, scheme)
        self.assertEqual(page.evaluate("innerWidth"), width)
        return page

    def assert_shows(self, figures: list[Json], expected: list[tuple[Path, Json]]) -> None:
        """The figures have every expected one, as often as it is expected, rightly rounded."""
        shown = collections.Counter(_key(figure["value"]) for figure in figures)
        wanted: collections.Counter[str] = collections.Counter()
        for path, value in expected:
            wanted[_key(value)] += 1
            self.assertGreaterEqual(shown[_key(value)], wanted[_key(value)], f"{path}: {value}")
        for figure in figures:
            self.assertTrue(figure["isShown"], figure)
            value = decimal.Decimal(figure["value"])
            text = _parsed(figure["text"])
            if not value.is_finite():
                self.assertTrue(text.is_nan() if value.is_nan() else text == value, figure)
                continue
            scaled = value / decimal.Decimal(str(figure["scale"]))
            # Half a unit of the third digit; of percents above a tenth, half a tenth of a point.
            precision = abs(scaled) / 200
            if figure["scale"] == 0.01 and abs(scaled) >= decimal.Decimal("0.1"):
                precision = decimal.Decimal("0.05")
            # What is computed in binary may round the other way where it is a close call.
            self.assertLessEqual(abs(text - scaled), precision * decimal.Decimal("1.0001"), figure)
