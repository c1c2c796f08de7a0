# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: it can be built, every link leads somewhere, and it can be searched."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from docs.site import build
from tools.dev import workspace


class SiteTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def problems_of(self, **pages: str) -> list[str]:
        """What is wrong with a workspace that has these pages in docs."""
        docs = self.folder / "docs"
        docs.mkdir()
        for name, text in pages.items():
            (docs / f"{name}.md").write_text(text)
        return build.build(self.folder, self.folder / "out")

    def test_site_has_every_page_and_search(self) -> None:
        root = workspace.workspace_root()
        self.assertEqual(build.build(root, self.folder / "out"), [])
        for page in sorted((root / "docs").rglob("*.md")):
            place = page.relative_to(root).with_suffix(".html")
            self.assertTrue((self.folder / "out" / place).is_file(), f"no page leads to {page}")
        index = (self.folder / "out/searchindex.js").read_text()
        self.assertTrue("a driver of fifty lines" in index.lower(), "no heading is found")
        self.assertTrue((self.folder / "out/search.html").is_file())
        for name in ("index.html", "README.html"):
            self.assertTrue((self.folder / "out" / name).is_file(), name)

    def test_good_pages_have_no_problems(self) -> None:
        (self.folder / "tool.cc").write_text("")
        problems = self.problems_of(
            index="# First\n\n[other](other.md#a-part), [tool](../tool.cc)\n",
            other="# Other\n\n## A part\n\n`[x](y.md)`\n\n    [code](z.md)\n",
        )
        self.assertEqual(problems, [])

    def test_link_to_nothing_is_a_problem(self) -> None:
        problems = self.problems_of(index="# First\n\n[a](none.md) and [b](../none.cc)\n")
        self.assertEqual(len(problems), 2, problems)
        self.assertEqual(problems[0], "docs/index.md:3: there is no none.md that it could link to")

    def test_link_to_a_heading_that_is_not_there_is_a_problem(self) -> None:
        problems = self.problems_of(
            index="# First\n\n[a](other.md#part)\n", other="# Other\n\n## A part\n"
        )
        self.assertEqual(len(problems), 1, problems)
        self.assertIn("part", problems[0])


if __name__ == "__main__":
    unittest.main()
