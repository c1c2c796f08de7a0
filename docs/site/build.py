# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Makes a site of the documentation, with search; checks every link.

./bazelw run //docs/site:build -- --out=DIR
"""

from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

from tools.dev import workspace

# The Python that Debian's Sphinx belongs to.
_PYTHON = "/usr/bin/python3"

# Code in a line, or a link of Markdown.
_CODE_OR_LINK = re.compile(r"`+[^`]*`+|(!?)\[((?:[^\[\]`]|\[[^\]]*\]|`[^`]*`)*)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^\s*(```|~~~)")

# What tells Sphinx that a page has no place in the lists of the first one.
_UNLISTED = "---\norphan: true\n---\n"

_FIRST_PAGE = """\
<meta http-equiv="refresh" content="0; url=docs/index.html"><a href="docs/index.html">nncert</a>
"""


def _page_of(target: pathlib.Path) -> pathlib.Path | None:
    """The page that a file or folder has; None when it has none."""
    if target.is_dir():
        target = target / "README.md"
    return target if target.suffix == ".md" and target.is_file() else None


class _Stage:
    """The pages as Sphinx is to read them: those that the first one leads to, by whatever way."""

    def __init__(self, root: pathlib.Path, stage: pathlib.Path) -> None:
        self._root = root
        self._stage = stage
        self._waiting = [root / "docs/index.md"]
        self._seen = set(self._waiting)
        self._listed = {
            (root / f"docs/{line.strip()}.md").resolve()
            for line in self._waiting[0].read_text().splitlines()
        }
        self.problems: list[str] = []

    def write(self) -> None:
        """Writes all pages."""
        while self._waiting:
            page = self._waiting.pop()
            place = self._stage / page.relative_to(self._root)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(self._text_of(page))

    def _text_of(self, page: pathlib.Path) -> str:
        lines = []
        is_code = False
        for number, line in enumerate(page.read_text().splitlines(), start=1):
            if _FENCE.match(line):
                is_code = not is_code
            elif not is_code and not line.startswith("    "):
                line = _CODE_OR_LINK.sub(lambda link: self._link(page, number, link), line)
            lines.append(line)
        is_listed = page in self._listed or page == self._root / "docs/index.md"
        return ("" if is_listed else _UNLISTED) + "\n".join(lines) + "\n"

    def _link(self, page: pathlib.Path, number: int, link: re.Match[str]) -> str:
        image, text, target = link.groups()
        if target is None:
            return link.group(0)
        name, _, anchor = target.partition("#")
        if not name or re.match(r"[a-z]+:", name):
            return link.group(0)
        path = (page.parent / name).resolve()
        if not path.exists() or not path.is_relative_to(self._root):
            self.problems.append(
                f"{page.relative_to(self._root)}:{number}: there is no {name} that it could link to"
            )
            return text
        leads_to = _page_of(path)
        if leads_to is None:
            # A source file, which the site has not.
            return link.group(0) if image else text
        if leads_to not in self._seen:
            self._seen.add(leads_to)
            self._waiting.append(leads_to)
        if path.is_dir():
            name = f"{name.rstrip('/')}/README.md"
        return f"[{text}]({name}{'#' + anchor if anchor else ''})"


def build(root: pathlib.Path, out: pathlib.Path) -> list[str]:
    """Builds the site of the workspace at root; returns what is wrong with it, a line each."""
    with tempfile.TemporaryDirectory() as folder:
        pages = pathlib.Path(folder, "pages")
        stage = _Stage(root.resolve(), pages)
        stage.write()
        command = [_PYTHON, "-m", "sphinx", "-q", "-b", "html", "-j", "1"]
        command += ["-c", str(pathlib.Path(__file__).parent), "-d", f"{folder}/trees"]
        result = subprocess.run(
            [*command, str(pages), str(out)], check=False, capture_output=True, text=True
        )
        problems = [*stage.problems, *result.stderr.replace(f"{pages}/", "").splitlines()]
        if result.returncode != 0:
            problems.append(
                f"Sphinx ended with status {result.returncode}; it is of the Debian packages "
                "python3-sphinx and python3-myst-parser, which ./bazelw test installs"
            )
            return problems
    (out / "index.html").write_text(_FIRST_PAGE)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes a site of the documentation.")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the folder of the site")
    out = parser.parse_args().out
    if not out.is_absolute():
        parser.error(f"--out is {out}; expected an absolute path")
    out.mkdir(parents=True, exist_ok=True)
    problems = build(workspace.workspace_root(), out)
    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"To read it: {out}/index.html")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
