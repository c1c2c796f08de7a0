# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""nncert mlts as people use it, on networks that are built in: honest drivers and unreliable ones."""

from __future__ import annotations

import unittest

from tools.mlts_test_case import UNRELIABLE, MltsTestCase


class MltsTest(MltsTestCase):
    def test_every_figure_of_an_honest_driver(self) -> None:
        run = self.measure("sample", "--models=^(shapes_float|tones_lstm)$", "--samples=40")
        # Timing is not asserted here: a busy machine may make any driver slow.
        self.assertIn(run.returncode, [0, 1], run.stdout + run.stderr)
        results = self.results()
        self.assertTrue(results["isComplete"])
        self.assertEqual(results["driver"], "sample")
        names = [benchmark["name"] for benchmark in results["benchmarks"]]
        self.assertEqual(names, ["shapes_float", "tones_lstm"])
        for benchmark in results["benchmarks"]:
            self.assertEqual(benchmark["status"], "RUN")
            drivers = [accuracy["driver"] for accuracy in benchmark["accuracy"]]
            self.assertEqual(drivers[:2], ["sample", "reference"])
            self.assertEqual(len(benchmark["accuracy"][0]["topK"]), 5)
            self.assertEqual(benchmark["comparison"]["changed"], 0)
            executors = {
                latency["executor"]
                for latency in benchmark["latency"]
                if latency["driver"] == "sample"
            }
            self.assertEqual(executors, {"sync", "async", "burst"})
            for latency in benchmark["latency"]:
                self.assertGreaterEqual(latency["wall"]["count"], 20)
            compilation = benchmark["compilation"][0]
            self.assertGreater(compilation["cacheBytes"], 0)
            self.assertIn("fromCache", compilation)
            self.assertEqual(len(benchmark["layers"]), benchmark["operations"])
            threads = [
                throughput["threads"]
                for throughput in benchmark["throughput"]
                if throughput["driver"] == "sample"
            ]
            self.assertEqual(threads, [1, 2, 4])
            self.assertIn("leak", benchmark)
            outcomes = {check["name"]: check["outcome"] for check in benchmark["checks"]}
            for name in [
                "top 1 against the baseline",
                "outputs when timed",
                "new inputs",
                "driver-reported timing",
                "network from the cache",
                "leaks",
            ]:
                self.assertEqual(outcomes[name], "PASS", benchmark["checks"])
        self.assertIn("xnnpack", str(results["benchmarks"][0]["latency"]))
        self.assertIn("TENSOR_FLOAT32", str(results["claims"]))
        for name in ["report.html", "results.csv"]:
            self.assertGreater((self.folder / "out" / name).stat().st_size, 1000)

    def test_run_is_like_itself(self) -> None:
        self.measure("sample", "--models=^shapes_quant8$", "--samples=20")
        compared = self.nncert("mlts", "compare", "out", "out/results.json")
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)

    def test_lost_accuracy_is_worse_than_before(self) -> None:
        self.measure("sample", "--models=^shapes_quant8$", out="before")
        # Needs all samples: two points are ten of five hundred.
        self.assert_caught(
            "loses_accuracy", "top 1 against the baseline", "below reference", "--samples=0"
        )
        self.assertIn("SOFTMAX", self.results()["benchmarks"][0]["firstDivergingOperation"])
        compared = self.nncert("mlts", "compare", "before", "out")
        self.assertEqual(compared.returncode, 1, compared.stdout + compared.stderr)
        self.assertIn("top 1 against the baseline", compared.stdout)

    def test_leaked_descriptor(self) -> None:
        self.assert_caught("leaks_a_descriptor", "leaks", "descriptors, 1 [1, 1] a load")

    def test_leaked_memory(self) -> None:
        self.assert_caught("leaks_memory", "leaks", "bytes of memory")

    def test_leaked_thread(self) -> None:
        exact = "threads, 1 [1, 1] a load"
        # On a busy machine its host may start one of its own meanwhile, which makes
        # 1.047 [1.029, 1.065]: then once more.
        for _ in range(3):
            said = self.assert_caught(
                "leaks_a_thread", "leaks", "each load leaves behind threads, 1"
            )
            if exact in said:
                break
        self.assertIn(exact, said)

    def test_previous_result_when_timed(self) -> None:
        self.assert_caught(
            "gives_the_previous_result_when_timed", "outputs when timed", "the inference before"
        )

    def test_impossible_timing(self) -> None:
        check = "driver-reported timing"
        self.assert_caught("reports_more_time_than_passed", check, "10000000 us in the driver")
        self.assert_caught(
            "reports_more_on_the_device_than_in_the_driver", check, "1 us on the device, and 0"
        )

    def test_crash_costs_its_benchmark_alone(self) -> None:
        run = self.measure(
            f"{UNRELIABLE}:crashes_later", "--models=^(shapes_quant8|tones_lstm)$", "--samples=10"
        )
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        benchmarks = self.results()["benchmarks"]
        self.assertEqual([benchmark["status"] for benchmark in benchmarks], ["FAILED", "FAILED"])
        for benchmark in benchmarks:
            self.assertIn("SIGABRT", benchmark["detail"])
        # What was known before it crashed is kept.
        self.assertEqual(benchmarks[0]["accuracy"][0]["sequences"], 10)
        self.assertTrue(self.results()["isComplete"])

    def test_bad_input(self) -> None:
        (self.folder / "empty").mkdir()
        for arguments, message in [
            (["--driver=none"], "driver none"),
            (["--models=("], "--models"),
            (["--models=^nothing$"], "leaves none"),
            (["--data=empty"], "empty"),
            (["--data=nowhere"], "nowhere"),
            (["--timing=0s"], "--timing"),
            (["compare", "empty"], "there are 1 results"),
            (["compare", "empty", "empty"], "empty"),
            (["measure"], "unknown argument measure"),
        ]:
            run = self.nncert("mlts", *arguments)
            self.assertEqual(run.returncode, 2, arguments)
            self.assertIn(message, run.stderr)

    def test_broken_network_does_not_cost_the_others(self) -> None:
        data = self.folder / "data"
        data.mkdir()
        (data / "broken.tflite").write_text("no network")
        run = self.measure("sample", "--data=data")
        self.assertEqual(run.returncode, 2, run.stdout + run.stderr)
        (benchmark,) = self.results()["benchmarks"]
        self.assertEqual(benchmark["status"], "UNREADABLE")
        self.assertIn("broken.tflite", benchmark["detail"])


if __name__ == "__main__":
    unittest.main()
