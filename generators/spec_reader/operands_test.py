# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Tests of operands.py: the operand constructors, as specifications use them."""

from __future__ import annotations

import unittest

from .testing import Json, constant, error_of, read_one


def operands_of(declarations: str, inputs: str, feed: str = "{}") -> list[Json]:
    """The operands of a model of one operation with these inputs."""
    case = read_one(
        f"""
{declarations}
y = IgnoredOutput("y", ("TENSOR_FLOAT32", [1]))
Model().Operation("ADD", {inputs}).To(y)
Example(({feed}, {{}}))
"""
    )
    operands: list[Json] = case["model"]["operands"]
    return operands


class TypeTest(unittest.TestCase):
    def _type_of(self, type_: str, value: str) -> tuple[object, ...]:
        operand = operands_of(f'x = Parameter("x", {type_}, {value})', "x")[0]
        fields = ("type", "dimensions", "scale", "zeroPoint")
        return tuple(operand[field] for field in fields)

    def test_tuple_form(self) -> None:
        values = "[1] * 6"
        self.assertEqual(self._type_of('("TENSOR_FLOAT32", [2, 3])', values), (3, (2, 3), 0, 0))
        expected = (5, (2, 3), 0.5, 0)
        self.assertEqual(self._type_of('("TENSOR_QUANT8_ASYMM", [2, 3], 0.5)', values), expected)
        expected = (5, (2, 3), 0.5, 128)
        quant8 = '["TENSOR_QUANT8_ASYMM", (2, 3), 0.5, 128]'
        self.assertEqual(self._type_of(quant8, values), expected)

    def test_string_form(self) -> None:
        for shape, expected in (
            ("{2, 3}", (5, (2, 3), 0.0, 0)),
            ("{2,3}, 0.5f, 128", (5, (2, 3), 0.5, 128)),
            ("{ 2 , 3 }, 1e-1, 7", (5, (2, 3), 0.1, 7)),
            ("{2, 3}, 2.f", (5, (2, 3), 2.0, 0)),
        ):
            with self.subTest(shape):
                actual = self._type_of(f'"TENSOR_QUANT8_ASYMM", "{shape}"', "[1] * 6")
                self.assertEqual(actual, expected)

    def test_empty_shapes_are_scalars(self) -> None:
        self.assertEqual(self._type_of('"INT32", ""', "7"), (1, (), 0, 0))
        self.assertEqual(self._type_of('"INT32", "{}"', "[7]"), (1, (), 0, 0))

    def test_per_channel_scales(self) -> None:
        source = """x = Parameter("x", ("TENSOR_QUANT8_SYMM_PER_CHANNEL", [2]), [1, 2],
            extraParams=SymmPerChannelQuantParams(channelDim=0, scales=[0.5, 0.25], hide={}))"""
        shown, hidden = (operands_of(source.format(hide), "x")[0] for hide in (False, True))
        expected = {"channelQuant": {"scales": [0.5, 0.25], "channelDim": 0}}
        self.assertEqual(shown["extraParams"], expected)
        self.assertEqual(hidden["extraParams"], {"none": None})

    def test_wrong_types_are_errors(self) -> None:
        for type_, message in (
            ('"TENSOR_FLOAT", "{1}"', "unknown operand type 'TENSOR_FLOAT'"),
            ('"TENSOR_FLOAT32", "1, 2"', "the shape is '1, 2'"),
            ('"TENSOR_FLOAT32", "{1, x}"', "the shape is '{1, x}'"),
            ('"TENSOR_FLOAT32", [1]', "the shape after 'TENSOR_FLOAT32' is [1]"),
            ('("TENSOR_FLOAT32",)', "the operand type is"),
            ('("TENSOR_FLOAT32", 3)', "the dimensions are 3"),
            ('("TENSOR_FLOAT32", [-1])', "the dimensions are [-1]"),
            ('("TENSOR_FLOAT32", [1.5])', "the dimensions are [1.5]"),
            ('("FLOAT32", [2])', "FLOAT32 has the dimensions [2]"),
            ('("TENSOR_FLOAT32", [2], "a")', "scale and zero point are 'a' and 0"),
        ):
            with self.subTest(type_):
                error = error_of(f'\n\nInput("x", {type_})')
                self.assertTrue(error.startswith(f"3: {message}"), error)
                self.assertIn("; expected ", error)


class KindTest(unittest.TestCase):
    def _lifetime(self, declaration: str) -> object:
        return operands_of(declaration, "x", "{x: [1]}")[0]["lifetime"]

    def test_each_constructor_has_its_lifetime(self) -> None:
        type_ = '("TENSOR_FLOAT32", [1])'
        self.assertEqual(self._lifetime(f'x = Input("x", {type_})'), "modelInput")
        self.assertEqual(self._lifetime(f'x = Internal("x", {type_})'), "temporaryVariable")
        self.assertEqual(self._lifetime(f'x = NoValue("x", {type_})'), "noValue")
        self.assertEqual(self._lifetime(f'x = Parameter("x", {type_}, [1])'), "constantCopy")
        shared = f'Configuration.use_shm_for_weights = True; x = Parameter("x", {type_}, [1])'
        self.assertEqual(self._lifetime(shared), "constantReference")
        for omitted in (f"{type_}, None", f"{type_}, value=None", '"TENSOR_FLOAT32", "{1}", None'):
            self.assertEqual(self._lifetime(f'x = Parameter("x", {omitted})'), "noValue")
        moved = f'x = Parameter("x", {type_}, [1]).ShouldNeverBeInternal()'
        self.assertEqual(self._lifetime(moved), "constantCopy")

    def test_omitted_operand_of_the_model_has_no_location(self) -> None:
        operand = operands_of('x = NoValue("x", ("TENSOR_INT32", [0]))', "x")[0]
        self.assertEqual(operand["location"], {"poolIndex": 0, "offset": 0, "length": 0})

    def test_shorthands(self) -> None:
        for declaration, type_, dimensions, storage in (
            ('Int32Scalar("x", 7)', 1, (), "07000000"),
            ('Float32Scalar("x", 1)', 0, (), "0000803f"),
            ('Float16Scalar("x", 1)', 10, (), "003c"),
            ('BoolScalar("x", 3)', 6, (), "01"),
            ('Int32Vector("x", [1, 2])', 4, (2,), "0100000002000000"),
            ('Float32Vector("x", [1, 2])', 3, (2,), "0000803f00000040"),
        ):
            with self.subTest(declaration):
                case = read_one(
                    f"""
                    y = IgnoredOutput("y", ("TENSOR_FLOAT32", [1]))
                    Model().Operation("ADD", {declaration}).To(y)
                    Example(({{}}, {{}}))
                    """
                )
                operand = case["model"]["operands"][0]
                self.assertEqual((operand["type"], operand["dimensions"]), (type_, dimensions))
                self.assertEqual(constant(case, 0).hex(), storage)


class ImplicitOperandTest(unittest.TestCase):
    def test_python_values_become_constants(self) -> None:
        arguments = "1, 1.0, True, [1, 2], (1.0, 2.0), []"
        operands = operands_of("", arguments)[:-1]
        self.assertEqual([o["type"] for o in operands], [1, 0, 6, 4, 3, 4])
        self.assertEqual([o["dimensions"] for o in operands], [(), (), (), (2,), (2,), (0,)])
        self.assertEqual({o["lifetime"] for o in operands}, {"constantCopy"})

    def test_equal_values_are_operands_of_their_own(self) -> None:
        self.assertEqual(len(operands_of("", "1, 1, 1")), 4)

    def test_mixed_lists_and_other_values_are_errors(self) -> None:
        for argument in ("[1, 2.0]", "[True]", "None", "'1'", "{}"):
            with self.subTest(argument):
                error = error_of(f"\nModel().Operation('ADD', {argument})")
                self.assertRegex(error, r"^2: .* cannot be an operation's input; expected an op")


class NameTest(unittest.TestCase):
    def _names(self, declarations: str) -> str:
        return error_of(f"{declarations}\nraise ValueError(names)").split("'")[1]

    def test_names_are_made_unique_by_a_number(self) -> None:
        source = """
type_ = ("INT32", [])
operands = [Input("x", type_), Input("x", type_), Internal("x", type_), Input("x1", type_)]
names = "'" + GetJointStr(operands) + "'"
"""
        self.assertEqual(self._names(source), "x, x1, x2, x11")

    def test_parameters_reserve_a_second_name(self) -> None:
        source = """
operands = [Int32Scalar("x", 1), Input("x_init", ("INT32", []))]
names = "'" + GetJointStr(operands, sep=" ") + "'"
"""
        self.assertEqual(self._names(source), "x x_init1")

    def test_operands_of_one_name_are_equal_and_survive_copying(self) -> None:
        source = """
import copy
x = Input("x", ("INT32", []))
names = "'%s'" % [copy.deepcopy({x: 1})[x], x == copy.copy(x), x != Input("x", ("INT32", []))]
"""
        self.assertEqual(self._names(source), "[1, True, True]")


class ValueTest(unittest.TestCase):
    def test_wrong_values_are_errors(self) -> None:
        for value, message in (
            ("[1, 2]", "Parameter 'x' has 2 values; expected 3 for dimensions [3]"),
            ("[[1, 2, 3]]", "element 0 of the value is [1, 2, 3]; expected a flat list"),
            ("[1, 2, None]", "element 2 of the value is None; expected a flat list"),
            ("'abc'", "element 0 of the value is 'abc'; expected a flat list"),
        ):
            with self.subTest(value):
                error = error_of(f'Parameter("x", ("TENSOR_FLOAT32", [3]), {value})')
                self.assertTrue(error.startswith("1: " + message), error)

    def test_parameters_need_a_value(self) -> None:
        for type_ in ('("TENSOR_FLOAT32", [3])', '"TENSOR_FLOAT32", "{3}"'):
            error = error_of(f'Parameter("x", {type_})')
            expected = "1: Parameter 'x' has no value; expected Parameter(name, type, value)"
            self.assertEqual(error, expected)

    def test_numpy_arrays_are_values(self) -> None:
        case = read_one(
            """
            x = Parameter("x", ("TENSOR_INT32", [2, 2]), np.arange(4).reshape(2, 2))
            z = Parameter("z", ("TENSOR_INT32", [2]), [np.int64(8), np.float32(9)])
            y = IgnoredOutput("y", ("TENSOR_INT32", [2, 2]))
            Model().Operation("ADD", x, z).To(y)
            Example(({}, {}))
            """
        )
        self.assertEqual(constant(case, 0)[::4].hex(), "00010203")
        self.assertEqual(constant(case, 1)[::4].hex(), "0809")

    def test_bytes_are_values(self) -> None:
        case = read_one(
            """
            x = Parameter("x", ("TENSOR_FLOAT16", [2]), Bytes("01fc 003c"))
            y = IgnoredOutput("y", ("TENSOR_FLOAT16", [2]))
            Model().Operation("ADD", x, x).To(y)
            Example(({}, {}))
            """
        )
        self.assertEqual(constant(case, 0).hex(), "01fc003c")
