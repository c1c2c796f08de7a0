# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""What drivers' shared objects export: their entry points and nothing else."""

from __future__ import annotations

import pathlib
import subprocess
import unittest

_ENTRY_POINTS = ["nncert_create_device", "nncert_driver_abi"]
_DRIVERS = pathlib.Path("drivers")


def _exports(driver: pathlib.Path) -> list[str]:
    """Returns the names that the shared object defines for others."""
    listing = subprocess.run(
        ["nm", "--dynamic", "--defined-only", str(driver)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(line.split()[-1] for line in listing.splitlines())


class ExportsTest(unittest.TestCase):
    def test_the_entry_points_alone(self) -> None:
        drivers = sorted(_DRIVERS.glob("*/lib*.so"))
        self.assertGreaterEqual(len(drivers), 5, drivers)
        for driver in drivers:
            with self.subTest(driver):
                self.assertEqual(_exports(driver), _ENTRY_POINTS)

    def test_options_of_the_linker_are_added(self) -> None:
        driver = _DRIVERS / "sample" / "libsample_with_linkopts.so"
        dynamic = subprocess.run(
            ["readelf", "--dynamic", str(driver)], check=True, capture_output=True, text=True
        ).stdout
        self.assertIn("soname: [of_its_own]", dynamic)


if __name__ == "__main__":
    unittest.main()
