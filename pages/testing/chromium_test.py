# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What is left of a browser: nothing."""

from __future__ import annotations

import os
import pathlib
import tempfile
import unittest
from unittest import mock

from pages.testing import chromium


class ChromiumTest(unittest.TestCase):
    def test_leaves_nothing_behind(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "page.html")
            page.write_text("<p>text</p>")
            temporary = pathlib.Path(folder, "temporary")
            temporary.mkdir()
            with mock.patch.object(tempfile, "tempdir", str(temporary)):
                with chromium.Browser() as browser:
                    browser.open(str(page), 400, 300)
                    (profile,) = temporary.iterdir()
                    # Chromium has its socket in a folder for temporary files of its own.
                    socket = os.readlink(profile / "SingletonSocket")
                    self.assertTrue(socket.startswith(str(profile)), socket)
                self.assertEqual(list(temporary.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
