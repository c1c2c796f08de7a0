# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of variations.py."""

from __future__ import annotations

import unittest

from .testing import ADD, Json, constant, error_of, names_of, numbers, read


def types_of(case: Json) -> list[int]:
    return [operand["type"] for operand in case["model"]["operands"]]


def inputs_of(case: Json, array_code: str = "f") -> list[list[object]]:
    return [numbers(value, array_code) for value in case["examples"][0]["inputs"]]


def outputs_of(case: Json, array_code: str = "f") -> list[list[object]]:
    return [numbers(value, array_code) for value in case["examples"][0]["outputs"]]


class DataTypeConverterTest(unittest.TestCase):
    def test_converts_types_and_values(self) -> None:
        _, case = read(
            ADD
            + """
quant8 = DataTypeConverter().Identify({
    a: ("TENSOR_QUANT8_ASYMM", 0.5, 10),
    b: ["TENSOR_QUANT8_ASYMM", 0.25, 0],
    c: ("TENSOR_QUANT8_ASYMM", 1.0),
})
Example(values).AddVariations(quant8)
"""
        )
        self.assertEqual(case["name"], "sample_quant8")
        self.assertEqual(types_of(case), [5, 5, 1, 5])
        self.assertEqual([o["scale"] for o in case["model"]["operands"]], [0.5, 0.25, 0, 1])
        self.assertEqual([o["zeroPoint"] for o in case["model"]["operands"]], [10, 0, 0, 0])
        self.assertEqual(inputs_of(case, "B"), [[12, 14], [12, 16]])
        self.assertEqual(outputs_of(case, "B"), [[4, 6]])

    def test_every_request_is_converted(self) -> None:
        source = 'Example(values, {**values, a: [7, 8]}).AddVariations("int32")'
        _, case = read(ADD + source)
        values = [numbers(example["inputs"][0], "i") for example in case["examples"]]
        self.assertEqual(values, [[1, 2], [7, 8]])

    def test_shorthands_convert_every_float(self) -> None:
        source = """
w = Parameter("w", ("TENSOR_FLOAT32", [2]), [1, 2])
i = Internal("i", ("TENSOR_FLOAT32", [2, 2]))
x = Input("x", ("TENSOR_FLOAT32", [2]))
y = Output("y", ("TENSOR_FLOAT32", [2]))
Model().Operation("ADD", x, w, 0).To(i).Operation("MUL", i, 0.5, 1).To(y)
Example({x: [1, 2], y: [3, 4]}).AddVariations("float16", "int32")
"""
        default, half, whole = read(source)
        self.assertEqual(types_of(default), [3, 3, 1, 3, 0, 1, 3])
        self.assertEqual(types_of(half), [8, 8, 1, 8, 10, 1, 8])
        self.assertEqual(types_of(whole), [4, 4, 1, 4, 1, 1, 4])
        self.assertEqual(constant(half, 1).hex(), "003c0040")
        self.assertEqual(constant(half, 4).hex(), "0038")
        self.assertEqual(constant(whole, 4).hex(), "00000000")

    def test_type_alone_may_be_a_string(self) -> None:
        for target in ('"TENSOR_FLOAT16"', '("TENSOR_FLOAT16",)'):
            source = f"Example(values).AddVariations(DataTypeConverter().Identify({{a: {target}}}))"
            self.assertEqual(types_of(read(ADD + source)[1]), [8, 3, 1, 3])

    def test_per_channel_scales_convert_values(self) -> None:
        source = """
w = Parameter("w", ("TENSOR_FLOAT32", [2, 1]), [1, 2])
k = Parameter("k", ("TENSOR_FLOAT32", [2]), [1, 1])
y = IgnoredOutput("y", ("TENSOR_FLOAT32", [2]))
Model().Operation("ADD", w, k).To(y)
channels = SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.25])
bias = SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.25], hide=True)
Example(({}, {})).AddVariations(DataTypeConverter().Identify({
    w: ("TENSOR_QUANT8_SYMM_PER_CHANNEL", 0, 0, channels), k: ("TENSOR_INT32", 0.0, 0, bias)}))
"""
        _, case = read(source)
        self.assertEqual(case["name"], "sample_channelQuant8")
        self.assertEqual(constant(case, 0).hex(), "0208")
        self.assertEqual(constant(case, 1)[::4].hex(), "0204")
        extra_params = [o["extraParams"] for o in case["model"]["operands"][:2]]
        scales = {"scales": [0.5, 0.25], "channelDim": 0}
        self.assertEqual(extra_params, [{"channelQuant": scales}, {"none": None}])

    def test_default_name_tells_the_types(self) -> None:
        for types, name in (
            (["TENSOR_QUANT8_ASYMM", "TENSOR_QUANT8_SYMM_PER_CHANNEL"], "channelQuant8"),
            (["TENSOR_INT32", "TENSOR_QUANT8_ASYMM"], "quant8"),
            (["TENSOR_FLOAT16", "TENSOR_INT32"], "int32"),
            (["TENSOR_FLOAT32", "TENSOR_FLOAT16"], "float16"),
            (["TENSOR_QUANT16_SYMM", "TENSOR_FLOAT32"], "float32"),
        ):
            source = f"""
variation = DataTypeConverter().Identify(dict(zip([a, b], {types})))
Example(values).AddVariations(variation, includeDefault=False)
"""
            self.assertEqual(names_of(read(ADD + source)), [f"sample_{name}"])

    def test_mistakes_are_errors(self) -> None:
        for statement, message in (
            ("DataTypeConverter('quant8')", "the target type is 'quant8'"),
            (
                "DataTypeConverter().Identify({a: 5})",
                "DataTypeConverter is to convert Input 'a' to 5",
            ),
            ("DataTypeConverter().Identify({a: 'FLOT'})", "unknown operand type 'FLOT'"),
            ("DataTypeConverter().Identify({1: 'FLOAT32'})", "1 cannot be varied"),
            (
                "Example(values).AddVariations(DataTypeConverter())",
                "DataTypeConverter has nothing to convert",
            ),
            (
                "Example(values).AddVariations(DataTypeConverter().Identify("
                "{Input('z', ('INT32', [])): 'FLOAT32'}))",
                "DataTypeConverter is to transform Input 'z'; expected an operand of the model",
            ),
            (
                "Example({**values, a: [math.inf, 0]}).AddVariations('int32')",
                "DataTypeConverter of Input 'a': inf cannot be converted to TENSOR_INT32",
            ),
            (
                "Example({**values, a: [1e10, 0]}).AddVariations('int32')",
                "Input 'a' in request 0, TENSOR_INT32 in sample_int32: value 0 is 10000000000;",
            ),
        ):
            with self.subTest(statement):
                error = error_of(f"{ADD}\n\n{statement}")
                self.assertTrue(error.startswith(f"9: {message}"), error)


class RelaxedModeConverterTest(unittest.TestCase):
    def test_sets_the_models_flag(self) -> None:
        variations = 'RelaxedModeConverter(), RelaxedModeConverter(False), "relaxed"'
        cases = read(f"{ADD}\nExample(values).AddVariations({variations})")
        self.assertEqual(
            names_of(cases), ["sample", "sample_relaxed", "sample_float", "sample_relaxed_2"]
        )
        relaxed = [case["model"]["relaxComputationFloat32toFloat16"] for case in cases]
        self.assertEqual(relaxed, [False, True, False, True])


class DataLayoutConverterTest(unittest.TestCase):
    SOURCE = """
x = Input("x", ("TENSOR_FLOAT32", [1, 2, 2, 3]))
w = Parameter("w", ("TENSOR_FLOAT32", [1, 1, 1, 2]), [1, 2])
k = Parameter("k", ("TENSOR_INT32", [4]), [0, 1, 2, 3])
layout = BoolScalar("layout", False)
i = Internal("i", ("TENSOR_FLOAT32", [1, 2, 3, 4]))
o = Output("o", ("TENSOR_FLOAT32", [1, 1, 1, 2]))
Model().Operation("CONV_2D", x, w, k, layout).To(i).Operation("EXP", i).To(o)
example = Example({x: list(range(12)), o: [1, 2]})
"""

    def test_transposes_tensors_and_sets_the_flag(self) -> None:
        default, nchw = read(self.SOURCE + "example.AddNchw(x, w, k, layout, i, o)")
        self.assertEqual([default["name"], nchw["name"]], ["sample_nhwc", "sample_nchw"])
        dimensions = [o["dimensions"] for o in nchw["model"]["operands"]]
        expected = [(1, 3, 2, 2), (1, 2, 1, 1), (4,), (), (1, 4, 2, 3), (1, 2, 1, 1)]
        self.assertEqual(dimensions, expected)
        self.assertEqual(inputs_of(nchw), [[0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11]])
        self.assertEqual(constant(nchw, 2)[::4].hex(), "00030102")
        self.assertEqual([constant(case, 3).hex() for case in (default, nchw)], ["00", "01"])

    def test_back_to_nhwc(self) -> None:
        source = self.SOURCE + 'example.AddVariations(("nhwc", [x, layout]), includeDefault=False)'
        (case,) = read(source)
        self.assertEqual(case["model"]["operands"][0]["dimensions"], (1, 2, 3, 2))
        self.assertEqual(inputs_of(case), [[0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11]])
        self.assertEqual(constant(case, 3).hex(), "00")

    def test_other_operands_are_errors(self) -> None:
        error = error_of(ADD + "Example(values).AddNchw(a)")
        self.assertRegex(error, r"^7: DataLayoutConverter cannot transform Input 'a', a TENSOR_FL")


class AxisConverterTest(unittest.TestCase):
    SOURCE = """
x = Input("x", ("TENSOR_FLOAT32", [2, 3, 4]))
axis = Int32Scalar("axis", -1)
o = Output("o", ("TENSOR_FLOAT32", [2, 3, 4]))
Model().Operation("SOFTMAX", x, 1.0, axis).To(o)
values = list(range(24))
example = Example({x: values, o: values})
"""

    def _vary(self, variation: str) -> tuple[str, tuple[int, ...], list[object], int]:
        """The name, the input's dimensions and values, and the axis."""
        source = f"example.AddVariations({variation}.Identify([x, axis, o]), includeDefault=False)"
        (case,) = read(self.SOURCE + source)
        axis = int.from_bytes(constant(case, 2), "little", signed=True)
        dimensions = case["model"]["operands"][0]["dimensions"]
        return case["name"], dimensions, inputs_of(case)[0], axis

    def test_moves_the_axis(self) -> None:
        name, dimensions, values, axis = self._vary("AxisConverter(-1, 0, 3)")
        self.assertEqual((name, dimensions, axis), ("sample_dim3_axis0", (4, 2, 3), 0))
        self.assertEqual(values[:7], [0, 4, 8, 12, 16, 20, 1])

    def test_counts_from_the_end_if_the_target_does(self) -> None:
        name, dimensions, _, axis = self._vary("AxisConverter(2, -3, 3)")
        self.assertEqual((name, dimensions, axis), ("sample_dim3_axis0_neg", (4, 2, 3), -3))

    def test_drops_axes_after_moving(self) -> None:
        name, dimensions, values, axis = self._vary("AxisConverter(2, 1, 3, drop=0)")
        self.assertEqual((name, dimensions, axis), ("sample_dim2_axis0", (4, 3), 0))
        self.assertEqual(values, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11])

    def test_dropping_renumbers_a_negative_axis(self) -> None:
        name, dimensions, _, axis = self._vary("AxisConverter(2, -3, 3, drop=[1, 2])")
        self.assertEqual((name, dimensions, axis), ("sample_dim1_axis0_neg", (4,), -1))

    def test_mistakes_are_errors(self) -> None:
        for variation, message in (
            ("AxisConverter(3, 0, 3)", "axis 3; expected one from -3 to 2"),
            ("AxisConverter(0, 1, 3, drop=[-4])", "axis -4; expected"),
            ("AxisConverter(0, 1, 3, drop=[1])", "axis 1 is both the target and dropped"),
            ("AxisConverter(0, 1, 2).Identify([x])", "AxisConverter cannot transform Input 'x'"),
        ):
            with self.subTest(variation):
                error = error_of(f"{self.SOURCE}\nexample.AddVariations({variation})")
                self.assertTrue(error.startswith(f"9: {message}"), error)


class ParameterAsInputConverterTest(unittest.TestCase):
    SOURCE = """
x = Input("x", ("TENSOR_FLOAT32", [1]))
w = Parameter("w", ("TENSOR_FLOAT32", [1]), [7])
z = Input("z", ("TENSOR_FLOAT32", [1]))
o = Output("o", ("TENSOR_FLOAT32", [1]))
Model().Operation("CONV_2D", x, w, z).To(o)
example = Example({x: [1], z: [2], o: [3]}, {x: [4], z: [5], o: [6]})
"""

    def test_makes_an_input_in_place(self) -> None:
        default, varied = read(self.SOURCE + "example.AddInput(w)")
        self.assertEqual(varied["name"], "sample_weight_as_input")
        self.assertEqual(default["model"]["inputIndexes"], [0, 2])
        self.assertEqual(varied["model"]["inputIndexes"], [0, 1, 2])
        self.assertEqual(varied["model"]["operands"][1]["lifetime"], "modelInput")
        self.assertEqual(varied["model"]["operandValues"], "")
        values = [[numbers(v, "f")[0] for v in e["inputs"]] for e in varied["examples"]]
        self.assertEqual(values, [[1, 7, 2], [4, 7, 5]])

    def test_prefix_begins_the_name(self) -> None:
        variation = 'ParameterAsInputConverter(prefix="bias").Identify([w])'
        cases = read(self.SOURCE + f"example.AddVariations({variation})")
        self.assertEqual(names_of(cases), ["sample", "sample_bias_as_input"])

    def test_other_variations_apply_to_the_input(self) -> None:
        cases = read(self.SOURCE + 'example.AddInput(w).AddVariations("float16")')
        self.assertEqual(names_of(cases)[-1], "sample_weight_as_input_float16")
        self.assertEqual(numbers(cases[-1]["examples"][0]["inputs"][1], "e"), [7])

    def test_made_inputs_follow_stated_ones(self) -> None:
        source = "example.model.IdentifyInputsAndOutputs([z, x], [o]); example.AddInput(w)"
        self.assertEqual(read(self.SOURCE + source)[1]["model"]["inputIndexes"], [2, 0, 1])

    def test_only_parameters_can_be_converted(self) -> None:
        error = error_of(self.SOURCE + "example.AddInput(x)")
        self.assertRegex(error, "^8: ParameterAsInputConverter cannot transform Input 'x'")


class ActivationConverterTest(unittest.TestCase):
    SOURCE = """
x = Input("x", ("TENSOR_FLOAT32", [4]))
act = Int32Scalar("act", 0)
o = Output("o", ("TENSOR_FLOAT32", [4]))
Model().Operation("ADD", x, x, act).To(o)
example = Example({x: [-1, 0, 1, 4], o: [-2, 0, 2, 8]})
"""

    def test_clamps_outputs_and_sets_the_number(self) -> None:
        cases = read(self.SOURCE + "example.AddAllActivations(o, act)")
        names = ["none", "relu", "relu1", "relu6"]
        self.assertEqual(names_of(cases), [f"sample_{name}" for name in names])
        self.assertEqual([constant(case, 1)[0] for case in cases], [0, 1, 2, 3])
        expected = [[-2, 0, 2, 8], [0, 0, 2, 8], [-1, 0, 1, 1], [0, 0, 2, 6]]
        self.assertEqual([outputs_of(case)[0] for case in cases], expected)

    def test_clamps_quantized_outputs_by_quantized_bounds(self) -> None:
        source = """
quant8 = DataTypeConverter().Identify({o: ("TENSOR_QUANT8_ASYMM", 0.5, 100)})
example.AddVariations(quant8, includeDefault=False).AddVariations(("relu6", [o, act]))
"""
        self.assertEqual(outputs_of(read(self.SOURCE + source)[1], "B"), [[100, 100, 104, 112]])

    def test_nan_stays(self) -> None:
        source = "Example({x: [0] * 4, o: [math.nan, 9, -9, 1]}).AddRelu(o, act)"
        output = outputs_of(read(self.SOURCE + source)[-1])[0]
        self.assertNotEqual(output[0], output[0])
        self.assertEqual(output[1:], [9, 0, 1])

    def test_inputs_cannot_be_converted(self) -> None:
        error = error_of(self.SOURCE + "example.AddRelu(x)")
        self.assertRegex(error, "^7: ActivationConverter cannot transform Input 'x'")


class ImplicitVariationTest(unittest.TestCase):
    def test_what_is_no_variation_is_an_error(self) -> None:
        for value in ("'quant8'", "5", "()", "('relu', [c], [c])"):
            error = error_of(f"{ADD}Example(values).AddVariations({value})")
            self.assertRegex(error, r"^7: .* is not a variation; expected a variation, a shorth")


class StatefulnessTest(unittest.TestCase):
    def test_shorthand_converts_the_same_operands_in_every_combination(self) -> None:
        # As in Android's generator: the operands that "float16" converts are found in the first
        # combination, and converted in the second even though they are no longer float32.
        source = """
quant8 = DataTypeConverter().Identify({a: ("TENSOR_QUANT8_ASYMM", 0.5, 0)})
Example(values).AddVariations(quant8).AddVariations("float16")
"""
        cases = read(ADD + source)
        self.assertEqual(cases[3]["name"], "sample_quant8_float16")
        self.assertEqual(types_of(cases[3]), [8, 8, 1, 8])

    def test_variations_leave_each_other_alone(self) -> None:
        source = 'Example(values).AddVariations("float16", "int32")'
        default, half, whole = read(ADD + source)
        self.assertEqual([types_of(c)[0] for c in (default, half, whole)], [3, 8, 4])
        self.assertEqual(inputs_of(default), [[1, 2], [3, 4]])
