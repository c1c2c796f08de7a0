# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of lint.py."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

from tools.dev import lint, workspace

_INCLUDES: dict[str, list[str]] = {
    "hal/memory.cc": ["hal/memory.h", "hal/types.h"],
    "hal/memory.h": [],
    "hal/memory_test.cc": ["hal/memory.h"],
    "hal/orphan.h": ["hal/orphan.h"],
    "hal/ring.h": ["hal/types.h"],
    "hal/types.h": [],
    "hot/inner.h": [],
    "hot/outer.h": ["hot/inner.h"],
    "hot/level.cc": ["hot/outer.h"],
    "tools/nncert.cc": ["hal/ring.h"],
    "tools/unrelated.cc": [],
    "tools/unrelated.h": [],
    "tools/user.cc": ["hal/types.h", "tools/unrelated.h"],
}


class FilesToLintTest(unittest.TestCase):
    def check(self, changed: list[str], linted: list[str]) -> None:
        self.assertEqual(lint.files_to_lint(changed, _INCLUDES), linted)

    def test_is_nothing_for_nothing(self) -> None:
        self.check([], [])

    def test_takes_sources_and_tests_as_they_are(self) -> None:
        self.check(
            ["tools/nncert.cc", "hal/memory_test.cc"], ["hal/memory_test.cc", "tools/nncert.cc"]
        )

    def test_sees_a_header_through_the_source_beside_it(self) -> None:
        self.check(["hal/memory.h"], ["hal/memory.cc"])
        self.check(["hal/memory.h", "hal/memory_test.cc"], ["hal/memory.cc", "hal/memory_test.cc"])

    def test_sees_a_header_and_the_source_beside_it_at_once(self) -> None:
        self.check(["hal/memory.h", "hal/memory.cc"], ["hal/memory.cc"])

    def test_sees_another_header_through_a_source_that_includes_it(self) -> None:
        self.check(["hal/types.h"], ["hal/memory.cc"])

    def test_does_not_trust_a_name(self) -> None:
        self.check(["tools/unrelated.h"], ["tools/user.cc"])

    def test_sees_a_header_through_a_source_that_is_linted_anyway(self) -> None:
        self.check(["hal/types.h", "tools/user.cc"], ["tools/user.cc"])

    def test_sees_a_header_through_other_headers(self) -> None:
        self.check(["hot/inner.h"], ["hot/level.cc"])

    def test_takes_a_header_that_nobody_includes_as_it_is(self) -> None:
        self.check(["hal/orphan.h"], ["hal/orphan.h"])

    def test_is_every_source_and_lonely_header_for_all_files(self) -> None:
        self.check(
            list(_INCLUDES),
            [
                "hal/memory.cc",
                "hal/memory_test.cc",
                "hal/orphan.h",
                "hot/level.cc",
                "tools/nncert.cc",
                "tools/unrelated.cc",
                "tools/user.cc",
            ],
        )


class AffectedByTest(unittest.TestCase):
    def test_is_the_cc_files_among_the_changed_ones(self) -> None:
        changed = {"README.md", "hal/types.h", "deleted.cc", "hal/memory.cc", "hal/BUILD"}
        self.assertEqual(lint.affected_by(changed, _INCLUDES), ["hal/memory.cc", "hal/types.h"])

    def test_is_all_files_when_other_findings_are_looked_for(self) -> None:
        self.assertEqual(lint.affected_by({".clang-tidy"}, _INCLUDES), list(_INCLUDES))


class WorkspaceTest(unittest.TestCase):
    """In a repository of one commit."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        lint.git(self.root, "init", "--quiet")
        self.write(".gitignore", "*.ignored\n")
        self.write("edited.cc")
        self.write("deleted.cc")
        self.write("kept name.cc")
        self.commit()
        self.first = lint.head_of_clean_tree(self.root)

    def write(self, name: str, text: str = "") -> None:
        (self.root / name).write_text(text)

    def commit(self) -> None:
        identity = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.com"]
        lint.git(self.root, "add", "--all")
        lint.git(self.root, *identity, "commit", "--quiet", "--message=A commit")


class ChangedSinceTest(WorkspaceTest):
    def test_is_nothing_at_the_commit_itself(self) -> None:
        self.assertEqual(lint.changed_since(self.root, self.first), set())

    def test_has_what_is_committed_edited_deleted_and_new(self) -> None:
        self.write("committed, with \u00e4.cc")
        self.commit()
        self.write("edited.cc", "int edited;\n")
        (self.root / "deleted.cc").unlink()
        self.write("new.cc")
        self.write("new.ignored")
        self.assertEqual(
            lint.changed_since(self.root, self.first),
            {"committed, with \u00e4.cc", "edited.cc", "deleted.cc", "new.cc"},
        )

    def test_knows_the_names_below_a_folder_of_sources_inside_of_a_repository(self) -> None:
        (self.root / "sources").mkdir()
        self.write("sources/new.cc")
        self.commit()
        self.assertEqual(lint.changed_since(self.root / "sources", self.first), {"new.cc"})

    def test_fails_for_a_commit_that_is_unknown(self) -> None:
        with self.assertRaisesRegex(lint.GitError, "^git diff: .*0123456789"):
            lint.changed_since(self.root, "0123456789" * 4)


class ChangedFilesTest(WorkspaceTest):
    def setUp(self) -> None:
        super().setUp()
        (self.root / "tools/dev").mkdir(parents=True)
        self.write("edited.cc", "int edited;\n")
        self.files = ["edited.cc", "kept name.cc"]

    def test_compares_with_the_commit_that_is_written_down(self) -> None:
        self.write("tools/dev/linted_commit.txt", f"{self.first}\n")
        self.assertEqual(lint.changed_files(self.root, self.files), ["edited.cc"])

    def test_is_all_files_when_the_commit_is_unknown(self) -> None:
        self.write("tools/dev/linted_commit.txt", "0123456789" * 4)
        self.assertEqual(lint.changed_files(self.root, self.files), self.files)


class HeadOfCleanTreeTest(WorkspaceTest):
    def test_fails_for_changes_that_are_not_committed(self) -> None:
        self.write("edited.cc", "int edited;\n")
        with self.assertRaisesRegex(lint.GitError, "not committed"):
            lint.head_of_clean_tree(self.root)


class IncludesOfTest(WorkspaceTest):
    def test_is_what_stands_in_quotes(self) -> None:
        self.write(
            "edited.cc", '#include "hal/a.h"\n\n#include <vector>\n#include "hal/b.h"  // b\n'
        )
        self.assertEqual(
            lint.includes_of(self.root, ["edited.cc", "kept name.cc"]),
            {"edited.cc": {"hal/a.h", "hal/b.h"}, "kept name.cc": set()},
        )


class LargestFirstTest(WorkspaceTest):
    def test_is_by_the_size_of_files(self) -> None:
        self.write("edited.cc", "int edited;\n")
        self.write("new.cc", "int new_and_longer;\n")
        self.assertEqual(
            lint.largest_first(self.root, ["edited.cc", "kept name.cc", "new.cc"]),
            ["new.cc", "edited.cc", "kept name.cc"],
        )


class FindingsInTest(WorkspaceTest):
    def setUp(self) -> None:
        super().setUp()
        self.write(
            ".clang-tidy",
            'Checks: "-*,modernize-use-nullptr"\nWarningsAsErrors: "*"\nHeaderFilterRegex: ".*"\n',
        )
        (self.root / "generated").mkdir()

    def places(self, file: str) -> list[str]:
        """Returns where findings are in a file."""
        findings = lint.findings_in(self.root, str(self.root / "generated"), file)
        return sorted(finding.partition(": ")[0] for finding in findings)

    def test_are_in_a_source_and_in_its_headers_but_not_in_generated_ones(self) -> None:
        self.write("a.h", "inline int* in_a_header = 0;\n")
        self.write("generated/b.h", "inline int* in_a_generated_header = 0;\n")
        self.write("a.cc", '#include "a.h"\n#include "b.h"\nint* in_a_source = 0;\n')
        self.assertEqual(self.places("a.cc"), ["a.cc:3:20", "a.h:1:27"])

    def test_are_in_a_header_by_itself(self) -> None:
        self.write("a.h", "inline int* in_a_header = 0;\n")
        self.assertEqual(self.places("a.h"), ["a.h:1:27"])

    def test_has_one_for_a_header_that_does_not_exist(self) -> None:
        self.write("a.cc", '#include "missing.h"\n')
        self.assertEqual(self.places("a.cc"), ["a.cc:1:10"])

    def test_are_none_in_what_is_right(self) -> None:
        self.write("a.cc", "int* right = nullptr;\n")
        self.assertEqual(self.places("a.cc"), [])


class LevelSourceTest(unittest.TestCase):
    def test_is_a_file(self) -> None:
        self.assertTrue((workspace.workspace_root() / lint.LEVEL_SOURCE).is_file())


if __name__ == "__main__":
    unittest.main()
