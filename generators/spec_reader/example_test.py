# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of example.py: the helpers that add groups of variations."""

from __future__ import annotations

import unittest

from .testing import ADD, constant, error_of, names_of, read, read_one

AXIS = """
x = Input("x", ("TENSOR_FLOAT32", [2, 3, 4]))
axis = Int32Scalar("axis", {axis})
o = Output("o", ("TENSOR_FLOAT32", [2, 3, 4]))
Model().Operation("SOFTMAX", x, 1.0, axis).To(o)
example = Example({{x: list(range(24)), o: list(range(24))}})
"""


def axis_names(call: str, axis: int = -1) -> list[str]:
    """The names of the variations that a call adds, without the specification's."""
    cases = read(AXIS.format(axis=axis) + "example." + call)
    return [name.removeprefix("sample").removeprefix("_") for name in names_of(cases)]


class GroupsTest(unittest.TestCase):
    def test_tests_are_the_product_of_the_groups_in_order(self) -> None:
        source = 'Example(values).AddVariations("float16").AddVariations("relaxed", "int32")'
        expected = ["", "relaxed", "int32", "float16", "float16_relaxed", "float16_int32"]
        names = [
            name.removeprefix("sample").removeprefix("_") for name in names_of(read(ADD + source))
        ]
        self.assertEqual(names, expected)

    def test_default_may_have_a_name_or_be_left_out(self) -> None:
        source = 'Example(values).AddVariations("float16", defaultName="float")'
        self.assertEqual(names_of(read(ADD + source)), ["sample_float", "sample_float16"])
        source = 'Example(values).AddVariations("float16", includeDefault=False)'
        self.assertEqual(names_of(read(ADD + source)), ["sample_float16"])

    def test_variations_may_have_names(self) -> None:
        source = 'Example(values).AddVariations(DataTypeConverter("float16", name="half"))'
        self.assertEqual(names_of(read(ADD + source)), ["sample", "sample_half"])

    def test_group_without_variations_makes_no_tests(self) -> None:
        self.assertEqual(read(ADD + "Example(values).AddVariations(includeDefault=False)"), [])

    def test_relaxed(self) -> None:
        self.assertEqual(
            names_of(read(ADD + "Example(values).AddRelaxed()")), ["sample", "sample_relaxed"]
        )
        source = 'Example(values).AddRelaxed(False, defaultName="r")'
        self.assertEqual(names_of(read(ADD + source)), ["sample_r", "sample_float"])


class AxisHelpersTest(unittest.TestCase):
    def test_axis(self) -> None:
        expected = ["", "dim3_axis0", "dim3_axis1_neg"]
        self.assertEqual(axis_names("AddAxis([0, -2], x, axis, o)"), expected)
        self.assertEqual(axis_names("AddAxis(0, x, axis, o)"), ["", "dim3_axis0"])

    def test_all_positive_axis(self) -> None:
        expected = ["dim3_axis0", "dim3_axis1", "dim3_axis2"]
        self.assertEqual(axis_names("AddAllPositiveAxis(x, axis, o)"), expected)

    def test_all_axis(self) -> None:
        expected = [f"dim3_axis{axis}_neg" for axis in range(3)]
        expected += [f"dim3_axis{axis}" for axis in range(3)]
        self.assertEqual(axis_names("AddAllAxis(x, axis, o)"), expected)

    def test_dims(self) -> None:
        expected = ["", "dim2_axis1", "dim1_axis0"]
        self.assertEqual(axis_names("AddDims([2, 1], x, axis, o)"), expected)
        # The axis stays, so axis 0 of three leaves the others to be dropped.
        self.assertEqual(axis_names("AddDims(2, x, axis, o)", axis=0), ["", "dim2_axis0"])

    def test_all_dims(self) -> None:
        expected = ["dim3_axis1", "dim2_axis0", "dim1_axis0"]
        self.assertEqual(axis_names("AddAllDims(x, axis, o)", axis=1), expected)

    def test_all_dims_and_positive_axis(self) -> None:
        expected = [
            "dim3_axis0",
            "dim3_axis1",
            "dim3_axis2",
            "dim2_axis0",
            "dim2_axis1",
            "dim1_axis0",
        ]
        self.assertEqual(axis_names("AddAllDimsAndPositiveAxis(x, axis, o)"), expected)

    def test_all_dims_and_axis(self) -> None:
        expected = []
        for name in (
            "dim3_axis0",
            "dim3_axis1",
            "dim3_axis2",
            "dim2_axis0",
            "dim2_axis1",
            "dim1_axis0",
        ):
            expected += [name, f"{name}_neg"]
        self.assertEqual(axis_names("AddAllDimsAndAxis(x, axis, o)"), expected)

    def test_last_axis_is_meant_if_no_operand_says_one(self) -> None:
        source = AXIS.format(axis=0) + "example.AddDims(1, x, o)"
        self.assertEqual(names_of(read(source))[1], "sample_dim1_axis0")
        self.assertEqual(read(source)[1]["model"]["operands"][0]["dimensions"], (4,))

    def test_negative_axis_is_counted_from_the_end(self) -> None:
        source = AXIS.format(axis=-3) + "example.AddAxis(1, x, axis, o)"
        case = read(source)[1]
        self.assertEqual(case["model"]["operands"][0]["dimensions"], (3, 2, 4))
        self.assertEqual(constant(case, 2)[0], 1)

    def test_mistakes_are_errors(self) -> None:
        for source, message in (
            (AXIS.format(axis=3) + "example.AddAllAxis(x, axis)", "axis 3 of tensors of rank 3"),
            (AXIS.format(axis=0) + "example.AddAllAxis(axis)", "tensors of the ranks []"),
        ):
            self.assertIn(f"7: {message}; expected ", error_of(source))


class TolerancesTest(unittest.TestCase):
    def test_defaults(self) -> None:
        case = read_one(ADD + "Example(values)")
        self.assertEqual(case["multinomialDistributionTolerance"], 0)
        self.assertEqual(case["quantizedTolerance"], 1)

    def test_multinomial(self) -> None:
        case = read_one(ADD + "Example(values).WithMultinomialDistributionTolerance(0.025)")
        self.assertEqual(case["multinomialDistributionTolerance"], 0.025)

    def test_quantized(self) -> None:
        case = read_one(ADD + "Example(values).WithQuantizedTolerance(3)")
        self.assertEqual(case["quantizedTolerance"], 3)
        error = error_of(ADD + "Example(values).WithQuantizedTolerance(-1)")
        self.assertEqual(error, "7: the tolerance is -1; expected a number of steps, 0 or more")

    def test_deviation(self) -> None:
        self.assertEqual(read_one(ADD + "Example(values)")["deviation"], "")
        case = read_one(ADD + 'Example(values).WithDeviation("ADD-carry")')
        self.assertEqual(case["deviation"], "ADD-carry")
        error = error_of(ADD + 'Example(values).WithDeviation("")')
        self.assertEqual(error, "7: the deviation is ''; expected its name in docs/deviations.md")

    def test_two_steps_for_mobilenet_quantized(self) -> None:
        for name, steps in (("mobilenet_quantized", 2), ("mobilenet_quantized_2", 1)):
            (case,) = read(ADD + "Example(values)", name=f"{name}.mod.py")
            self.assertEqual(case["quantizedTolerance"], steps)


class Android11Test(unittest.TestCase):
    def test_dynamic_output_shapes_can_be_turned_off(self) -> None:
        case = read_one(ADD + "Example(values).DisableDynamicOutputShapeVariation()")
        self.assertEqual(case["dynamicOutputShapeName"], "")

    def test_variations_of_lifetimes_are_none(self) -> None:
        plain = read_one(ADD + "Example(values)")
        self.assertEqual(read_one(ADD + "Example(values).DisableLifeTimeVariation()"), plain)

    def test_examples_that_are_to_fail_say_so_and_are_not_run_with_unknown_outputs(self) -> None:
        self.assertFalse(read_one(ADD + "Example(values)")["expectFailure"])
        cases = read(ADD + "Example(values).ExpectFailure().AddRelaxed()")
        self.assertEqual([case["expectFailure"] for case in cases], [True, True])
        self.assertEqual([case["dynamicOutputShapeName"] for case in cases], ["", ""])
        self.assertEqual([case["name"] for case in cases], ["sample", "sample_relaxed"])

    def test_examples_that_are_to_fail_may_state_a_name_with_unknown_outputs(self) -> None:
        case = read_one(ADD + 'Example(values).ExpectFailure().WithDynamicOutputShapeName("d")')
        self.assertEqual((case["expectFailure"], case["dynamicOutputShapeName"]), (True, "d"))


class ModelTest(unittest.TestCase):
    def test_is_the_one_constructed_last_unless_given(self) -> None:
        source = ADD + 'first = Model("m"); first.Operation("SUB", a, b, 0).To(c)\n'
        (case,) = read(source + "Example(values)")
        self.assertEqual((case["name"], case["model"]["operations"][0]["type"]), ("sample_m", 36))
        source += 'Model("n").Operation("MUL", a, b, 0).To(c)\nExample(values, model=first)'
        self.assertEqual(names_of(read(source)), ["sample_m"])

    def test_there_must_be_one(self) -> None:
        error = error_of("\n\nExample({})")
        self.assertEqual(error, "3: an Example without a model; expected a Model before it")
