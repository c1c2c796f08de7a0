# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert import as people use it: on a good file and on bad ones."""

from __future__ import annotations

import pathlib
import unittest

from tools.nncert_test_case import NncertTest


_NETWORK = pathlib.Path("fuzzing/corpus/tflite_fuzzer/small.tflite").absolute()


class ImportTest(NncertTest):
    def test_network_becomes_a_case_that_passes(self) -> None:
        for variant in ["", "float32", "float16", "relaxed"]:
            for ending in ["case", "mod.py"]:
                out = f"network{variant}.{ending}"
                done = self.nncert("import", str(_NETWORK), f"--out={out}", f"--variant={variant}")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("2 inputs and 2 outputs, of them 1 states", done.stdout)
                run = self.nncert("run", "--in_process", out)
                self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
                self.assertIn("PASS 2", run.stdout)

    def test_seed_says_which_inputs(self) -> None:
        contents = []
        for seed in ["1", "1", "2"]:
            self.nncert("import", str(_NETWORK), "--out=network.case", f"--seed={seed}")
            contents.append((self.folder / "network.case").read_bytes())
        self.assertEqual(contents[0], contents[1])
        self.assertNotEqual(contents[0], contents[2])

    def test_bad_input(self) -> None:
        content = _NETWORK.read_bytes()
        (self.folder / "short.tflite").write_bytes(content[: len(content) // 2])
        (self.folder / "text.tflite").write_text("no network")
        for arguments, message in [
            ([str(_NETWORK)], "say where to write the case"),
            ([str(_NETWORK), str(_NETWORK), "--out=a.case"], "there are 2 files"),
            ([str(_NETWORK), "--out=a.txt"], "no such form of a case"),
            ([str(_NETWORK), "--out=a.case", "--variant=int4"], "there is no variant int4"),
            ([str(_NETWORK), "--out=a.case", "--variant=per_channel"], "no convolution"),
            (["short.tflite", "--out=a.case"], "short.tflite: it is truncated or corrupt"),
            (["text.tflite", "--out=a.case"], "text.tflite: it is no TensorFlow Lite file"),
            (["none.tflite", "--out=a.case"], "none.tflite: there is no such file"),
            (["/dev/zero", "--out=a.case"], "/dev/zero: is no regular file"),
        ]:
            done = self.nncert("import", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(message, done.stderr)
            self.assertFalse((self.folder / "a.case").exists())


if __name__ == "__main__":
    unittest.main()
