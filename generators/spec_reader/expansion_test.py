# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of expansion.py: names and versions of tests."""

from __future__ import annotations

import unittest
from typing import Optional

from .testing import ADD, Json, error_of, names_of, read, read_one, read_with_spec


def dynamic_names_of(cases: list[Json]) -> list[str]:
    return [case["dynamicOutputShapeName"] for case in cases]


class NamesTest(unittest.TestCase):
    def test_join_specification_model_example_and_variations(self) -> None:
        source = ADD.replace("Model()", 'Model("model")')
        source += (
            'Example(values, name="example").AddNchw(defaultName="nhwc").AddVariations("relaxed")'
        )
        cases = read(source, name="softmax_v1_2.part.mod.py")
        prefix = "softmax_v1_2_model_example"
        expected = ["nhwc", "nhwc_relaxed", "nchw", "nchw_relaxed"]
        self.assertEqual(names_of(cases), [f"{prefix}_{name}" for name in expected])
        expected = [f"{prefix}_dynamic_output_shape_{name}" for name in expected]
        self.assertEqual(dynamic_names_of(cases), expected)

    def test_equal_names_get_a_number(self) -> None:
        source = 'Example(values).AddVariations("relaxed")\n' * 3
        cases = read(ADD + source)
        expected = ["", "_relaxed", "_2", "_relaxed_2", "_3", "_relaxed_3"]
        self.assertEqual(names_of(cases), [f"sample{name}" for name in expected])
        expected = [f"sample_dynamic_output_shape{name}" for name in expected]
        self.assertEqual(dynamic_names_of(cases), expected)

    def test_numbers_do_not_repeat_other_names(self) -> None:
        source = 'Example(values, name="2")\nExample(values)\nExample(values)'
        self.assertEqual(names_of(read(ADD + source)), ["sample_2", "sample", "sample_3"])

    def test_static_names_of_an_example_come_before_its_dynamic_names(self) -> None:
        # The name of a static test may be what a dynamic one would have been called.
        source = 'Example(values).AddVariations(DefaultVariation("dynamic_output_shape"))'
        (first, second) = read(ADD + source)
        self.assertEqual((first["name"], second["name"]), ("sample", "sample_dynamic_output_shape"))
        expected = [
            "sample_dynamic_output_shape_2",
            "sample_dynamic_output_shape_dynamic_output_shape",
        ]
        self.assertEqual(dynamic_names_of([first, second]), expected)

    def test_explicit_names_are_taken_as_they_are(self) -> None:
        case = read_one(ADD + 'Example(values, name="n").WithName("x")')
        self.assertEqual(
            (case["name"], case["dynamicOutputShapeName"]), ("x", "x_dynamic_output_shape")
        )
        source = 'Example(values).WithName("x").WithDynamicOutputShapeName("y")'
        case = read_one(ADD + source)
        self.assertEqual((case["name"], case["dynamicOutputShapeName"]), ("x", "y"))
        case = read_one(ADD + "Example(values).WithDynamicOutputShapeName(None)")
        self.assertEqual((case["name"], case["dynamicOutputShapeName"]), ("sample", ""))

    def test_explicit_names_are_for_one_test_alone(self) -> None:
        source = 'Example(values).WithName("x")\n' * 2
        expected = "8: two tests called x; expected a name of its own for each"
        self.assertEqual(error_of(ADD + source), expected)
        for method in ("WithName", "WithDynamicOutputShapeName"):
            source = f'Example(values).AddRelaxed().{method}("x")'
            expected = "7: the name x for 2 tests; expected one variation alone"
            self.assertEqual(error_of(ADD + source), expected)


class DynamicOutputShapeTest(unittest.TestCase):
    def test_flag_counts_when_an_example_is_constructed(self) -> None:
        source = """
Example(values, name="a")
Configuration.test_dynamic_output_shape = False
Example(values, name="b")
Configuration.test_dynamic_output_shape = True
Example(values, name="c")
"""
        expected = ["sample_a_dynamic_output_shape", "", "sample_c_dynamic_output_shape"]
        self.assertEqual(dynamic_names_of(read(ADD + source)), expected)

    def test_explicit_name_does_without_the_flag(self) -> None:
        source = """
Configuration.test_dynamic_output_shape = False
Example(values).WithDynamicOutputShapeName("y")
"""
        self.assertEqual(dynamic_names_of(read(ADD + source)), ["y"])

    def test_static_model_is_kept(self) -> None:
        case = read_one(ADD + "Example(values)")
        self.assertEqual(case["model"]["operands"][3]["dimensions"], (2,))


class CombinedExamplesTest(unittest.TestCase):
    OFF = "Configuration.test_dynamic_output_shape = False\n"

    def test_equal_examples_are_one_test_if_they_are_not_dynamic(self) -> None:
        (case,) = read(ADD + self.OFF + "Example(values)\nExample(values, values)")
        self.assertEqual(len(case["examples"]), 3)

    def test_different_examples_are_not(self) -> None:
        for second in (
            'Example(values, name="n")',
            "Example(values).AddRelaxed()",
            "Example(values).WithQuantizedTolerance(2)",
            'Example(values).WithDeviation("ADD-carry")',
            "Example(values).ExpectFailure()",
            'Example(values).WithName("x")',
        ):
            cases = read(ADD + self.OFF + "Example(values)\n" + second)
            self.assertGreater(len(cases), 1, second)

    def test_variations_are_equal_if_they_are_the_same_object(self) -> None:
        source = """
v = RelaxedModeConverter()
Example(values).AddVariations(v, includeDefault=False)
Example(values).AddVariations({}, includeDefault=False)
"""
        self.assertEqual(len(read(ADD + self.OFF + source.format("v"))), 1)
        self.assertEqual(len(read(ADD + self.OFF + source.format("RelaxedModeConverter()"))), 2)

    def test_dynamic_examples_never_are(self) -> None:
        self.assertEqual(len(read(ADD + "Example(values)\nExample(values)")), 2)


class VersionTest(unittest.TestCase):
    def _versions(self, source: str, folder: Optional[str] = "V1_1") -> list[tuple[str, str]]:
        cases = read(ADD + source, folder)
        return [(case["minimumVersion"], case["specVersion"]) for case in cases]

    def test_folder_says_it(self) -> None:
        for folder, version in (
            ("V1_0", "v10"),
            ("V1_1/deeper", "v11"),
            ("V1_2", "v12"),
            ("V1_0/V1_2", "unspecified"),
            ("aV1_0", "unspecified"),
            (None, "unspecified"),
        ):
            with self.subTest(folder):
                self.assertEqual(self._versions("Example(values)", folder), [(version, version)])

    def test_unknown_version_folder_is_an_error(self) -> None:
        expected = "1: the file stands in the version folder V1_3; expected one of V1_0, V1_1, V1_2"
        self.assertEqual(error_of("", "V1_3"), expected)

    def test_model_may_say_another(self) -> None:
        source = ADD.replace("Model()", 'Model().IntroducedIn("V1_0")') + "Example(values)"
        self.assertEqual(read(source)[0]["minimumVersion"], "v10")
        source = ADD.replace("Model()", "Model().IntroducedIn(None)") + "Example(values)"
        self.assertEqual(read(source)[0]["minimumVersion"], "unspecified")

    def test_set_version_overrides_by_name(self) -> None:
        source = """
Example.SetVersion("V1_2", "sample_float16", "sample_relaxed")
Example(values).AddVariations("float16", "relaxed")
"""
        # Relaxed computation is no part of any version's promise.
        expected = [("v11", "v11"), ("v12", "v11"), ("unspecified", "v11")]
        self.assertEqual(self._versions(source), expected)

    def test_set_version_of_no_test_is_worth_a_warning(self) -> None:
        spec, _ = read_with_spec(ADD + 'Example(values)\nExample.SetVersion("V1_0", "smaple")')
        self.assertRegex(spec.warnings[0], ":8: warning: SetVersion of smaple, but no test is call")

    def test_versions_of_variations_that_android_11_makes_by_itself_are_no_warning(self) -> None:
        for name in ("sample_all_inputs_as_internal", "sample_all_tensors_as_inputs_relu_2"):
            spec, _ = read_with_spec(ADD + f'Example(values)\nExample.SetVersion("V1_2", "{name}")')
            self.assertEqual(spec.warnings, [])

    def test_explicit_versions_take_precedence(self) -> None:
        source = 'Example(values).WithMinimumVersion("V1_0").WithSpecVersion("V1_2")'
        self.assertEqual(self._versions(source), [("v10", "v12")])
        source = "Example(values).WithMinimumVersion(None).WithSpecVersion(None)"
        self.assertEqual(self._versions(source), [("unspecified", "unspecified")])
        relaxed = ADD + 'Example(values).AddVariations("relaxed", includeDefault=False)'
        self.assertEqual(read_one(relaxed)["minimumVersion"], "unspecified")
        self.assertEqual(read_one(relaxed + '.WithMinimumVersion("V1_1")')["minimumVersion"], "v11")


class MutationTest(unittest.TestCase):
    def test_pairs_are_read_at_the_end_and_dicts_at_once(self) -> None:
        # As in Android's generator, whose specifications may change a feed after using it.
        source = """
inputs = {a: [1, 2], b: [3, 4]}
Example((inputs, {c: [4, 6]}))
whole = dict(values)
Example(whole)
inputs[a] = whole[a] = [9, 9]
"""
        first, second = read(ADD + source)
        self.assertNotEqual(first["examples"][0]["inputs"], second["examples"][0]["inputs"])
