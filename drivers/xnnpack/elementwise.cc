// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Operations of one element, or of one row, at a time: functions, arithmetic, activations, SOFTMAX,
// and conversions.

#include <algorithm>
#include <utility>
#include <vector>

#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/rules.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_2::Operand;

using CreateUnary = xnn_status (*)(size_t channels, size_t input_stride, size_t output_stride,
                                   uint32_t flags, xnn_operator_t* made);
template <class From, class To>
using SetUpUnary = xnn_status (*)(xnn_operator_t made, size_t batch, const From* from, To* to,
                                  pthreadpool_t threads);

// Adds an operator that makes `count` elements of as many.
template <class From, class To, class Create>
void AddUnary(Assembly& assembly, absl::string_view what, size_t count, const Create& create,
              SetUpUnary<From, To> setup, const From* from, To* to) {
  assembly.Add(
      what, [&](xnn_operator_t* made) { return create(count, made); },
      [&](xnn_operator_t made) { return setup(made, 1, from, to, kThisThreadAlone); });
}

// A function of a float, by XNNPACK's operators.
struct FloatFunction {
  OperationType type;
  absl::string_view name;
  CreateUnary create;
  SetUpUnary<float, float> setup;
};

constexpr FloatFunction kFloatFunctions[] = {
    {OperationType::ABS, "abs_nc_f32", &xnn_create_abs_nc_f32, &xnn_setup_abs_nc_f32},
    {OperationType::FLOOR, "floor_nc_f32", &xnn_create_floor_nc_f32, &xnn_setup_floor_nc_f32},
    {OperationType::NEG, "negate_nc_f32", &xnn_create_negate_nc_f32, &xnn_setup_negate_nc_f32},
    {OperationType::SQRT, "square_root_nc_f32", &xnn_create_square_root_nc_f32,
     &xnn_setup_square_root_nc_f32},
    {OperationType::LOGISTIC, "sigmoid_nc_f32", &xnn_create_sigmoid_nc_f32,
     &xnn_setup_sigmoid_nc_f32},
};

const FloatFunction* FindFunction(OperationType type) {
  const auto* const found =
      std::find_if(std::begin(kFloatFunctions), std::end(kFloatFunctions),
                   [type](const FloatFunction& function) { return function.type == type; });
  return found == std::end(kFloatFunctions) ? nullptr : found;
}

// A function of two tensors; those without a quantized form have none of `create_quantized` and
// `setup_quantized`, and those without an activation none of `create`.
struct BinaryFunction {
  template <class T>
  using SetUp = xnn_status (*)(xnn_operator_t made, size_t rank1, const size_t* shape1,
                               size_t rank2, const size_t* shape2, const T* input1, const T* input2,
                               T* output, pthreadpool_t threads);
  using Create = xnn_status (*)(float low, float high, uint32_t flags, xnn_operator_t* made);
  using CreatePlain = xnn_status (*)(uint32_t flags, xnn_operator_t* made);
  using CreateQuantized = xnn_status (*)(uint8_t zero_point1, float scale1, uint8_t zero_point2,
                                         float scale2, uint8_t zero_point, float scale, uint8_t low,
                                         uint8_t high, uint32_t flags, xnn_operator_t* made);

  OperationType type;
  absl::string_view name;
  Create create;
  CreatePlain create_plain;
  SetUp<float> setup;
  CreateQuantized create_quantized;
  SetUp<uint8_t> setup_quantized;
};

constexpr BinaryFunction kBinaryFunctions[] = {
    {OperationType::ADD, "add_nd", &xnn_create_add_nd_f32, nullptr, &xnn_setup_add_nd_f32,
     &xnn_create_add_nd_qu8, &xnn_setup_add_nd_qu8},
    {OperationType::SUB, "subtract_nd", &xnn_create_subtract_nd_f32, nullptr,
     &xnn_setup_subtract_nd_f32, &xnn_create_subtract_nd_qu8, &xnn_setup_subtract_nd_qu8},
    {OperationType::MUL, "multiply_nd", &xnn_create_multiply_nd_f32, nullptr,
     &xnn_setup_multiply_nd_f32, &xnn_create_multiply_nd_qu8, &xnn_setup_multiply_nd_qu8},
    {OperationType::DIV, "divide_nd", &xnn_create_divide_nd_f32, nullptr, &xnn_setup_divide_nd_f32,
     nullptr, nullptr},
    {OperationType::MAXIMUM, "maximum_nd", nullptr, &xnn_create_maximum_nd_f32,
     &xnn_setup_maximum_nd_f32, nullptr, nullptr},
    {OperationType::MINIMUM, "minimum_nd", nullptr, &xnn_create_minimum_nd_f32,
     &xnn_setup_minimum_nd_f32, nullptr, nullptr},
};

const BinaryFunction& FindBinary(OperationType type) {
  return *std::find_if(std::begin(kBinaryFunctions), std::end(kBinaryFunctions),
                       [type](const BinaryFunction& function) { return function.type == type; });
}

// The dimensions of tensors that are broadcast to one another.
absl::StatusOr<Dimensions> Broadcast(Dimensions a, Dimensions b) {
  if (a.size() < b.size()) a.swap(b);
  Dimensions output = a;
  for (size_t i = 0; i < b.size(); ++i) {
    uint32_t& length = output[output.size() - 1 - i];
    const uint32_t other = b[b.size() - 1 - i];
    if (length == 1) {
      length = other;
    } else if (other != 1 && other != length) {
      return Refuse("the dimensions of the inputs do not go together");
    }
  }
  return output;
}

// Refuses scales that XNNPACK does not take, some of which make it abort.
absl::Status CheckScales(OperationType type, const Operand& a, const Operand& b,
                         const Operand& output) {
  if (type == OperationType::MUL) {
    if (!IsNormalScale(a.scale) || !IsNormalScale(b.scale) ||
        !IsRatioWithin(a.scale * b.scale, output.scale, 0x1p-16f)) {
      return Refuse("the ratio of the scales is not in [2^-16, 256)");
    }
    return absl::OkStatus();
  }
  if (!IsRatioWithin(a.scale, output.scale, 0x1p-10f) ||
      !IsRatioWithin(b.scale, output.scale, 0x1p-10f)) {
    return Refuse("a ratio of scales is not in [2^-10, 256)");
  }
  return absl::OkStatus();
}

// One operation of two tensors, which XNNPACK gets by value.
struct BinaryOperands {
  Operand a;
  Operand b;
  Operand output;
  std::vector<size_t> a_shape;
  std::vector<size_t> b_shape;
  Range range;
};

template <class T>
xnn_status SetUpBinary(BinaryFunction::SetUp<T> setup, const BinaryOperands& operands,
                       xnn_operator_t made, const T* a, const T* b, T* to) {
  return setup(made, operands.a_shape.size(), operands.a_shape.data(), operands.b_shape.size(),
               operands.b_shape.data(), a, b, to, kThisThreadAlone);
}

void MakeBinary(Assembly& assembly, const BinaryFunction& function,
                const BinaryOperands& operands) {
  const Range& range = operands.range;
  if (IsQuantized(operands.a)) {
    const auto* a = assembly.Input<uint8_t>(0);
    const auto* b = assembly.Input<uint8_t>(1);
    auto* to = assembly.Output<uint8_t>();
    assembly.Add(
        function.name,
        [&](xnn_operator_t* made) {
          return function.create_quantized(ZeroPoint(operands.a), operands.a.scale,
                                           ZeroPoint(operands.b), operands.b.scale,
                                           ZeroPoint(operands.output), operands.output.scale,
                                           range.quantized_low, range.quantized_high, 0, made);
        },
        [&](xnn_operator_t made) {
          return SetUpBinary(function.setup_quantized, operands, made, a, b, to);
        });
    return;
  }
  const auto* a = assembly.Input<float>(0);
  const auto* b = assembly.Input<float>(1);
  auto* to = assembly.Output<float>();
  assembly.Add(
      function.name,
      [&](xnn_operator_t* made) {
        return function.create != nullptr ? function.create(range.low, range.high, 0, made)
                                          : function.create_plain(0, made);
      },
      [&](xnn_operator_t made) { return SetUpBinary(function.setup, operands, made, a, b, to); });
}

absl::Status CheckSameTypeOutput(const OperationView& op) {
  return CheckOutput(op, op.input(0).type);
}

// Adds the product of `count` floats and one more, or its quotient by them when `divides`.
void AddByOne(Assembly& assembly, bool divides, size_t count, const float* one, const float* from,
              float* to) {
  const Range range;
  const size_t shape[] = {count};
  const size_t shape_of_one[] = {1};
  if (divides) {
    assembly.Add(
        "divide_nd_f32",
        [&](xnn_operator_t* made) {
          return xnn_create_divide_nd_f32(range.low, range.high, 0, made);
        },
        [&](xnn_operator_t made) {
          return xnn_setup_divide_nd_f32(made, 1, shape_of_one, 1, shape, one, from, to,
                                         kThisThreadAlone);
        });
    return;
  }
  assembly.Add(
      "multiply_nd_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_multiply_nd_f32(range.low, range.high, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_multiply_nd_f32(made, 1, shape, 1, shape_of_one, from, one, to,
                                         kThisThreadAlone);
      });
}

void AddFunction(Assembly& assembly, const FloatFunction& function, size_t count, const float* from,
                 float* to) {
  AddUnary(
      assembly, function.name, count,
      [&](size_t channels, xnn_operator_t* made) {
        return function.create(channels, channels, channels, 0, made);
      },
      function.setup, from, to);
}

Recipe FunctionRecipe(const FloatFunction& function, const Dimensions& shape) {
  return {.outputs = {shape}, .make = [function, count = CountElements(shape)](Assembly& assembly) {
            AddFunction(assembly, function, count, assembly.Input<float>(0),
                        assembly.Output<float>());
          }};
}

// Room for one float of this value.
float* One(Assembly& assembly, float value) {
  float* const one = assembly.Scratch<float>(1);
  if (one != nullptr) *one = value;
  return one;
}

}  // namespace

absl::StatusOr<Recipe> Unary(OperationView& op) {
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  return FunctionRecipe(*FindFunction(op.type()), op.shape(0));
}

absl::StatusOr<Recipe> ReciprocalSquareRoot(OperationView& op) {
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  return Recipe{.outputs = {op.shape(0)},
                .make = [count = CountElements(op.shape(0))](Assembly& assembly) {
                  auto* roots = assembly.Scratch<float>(count);
                  auto* one = One(assembly, 1);
                  AddFunction(assembly, *FindFunction(OperationType::SQRT), count,
                              assembly.Input<float>(0), roots);
                  AddByOne(assembly, /*divides=*/true, count, one, roots, assembly.Output<float>());
                }};
}

absl::StatusOr<Recipe> Rectifier(OperationView& op) {
  using hal::V1_2::FusedActivationFunc;
  if (!AreAlike(op.input(0), op.output())) {
    return Refuse("the output has another type or quantization");
  }
  FusedActivationFunc activation = FusedActivationFunc::RELU;
  if (op.type() == OperationType::RELU1) activation = FusedActivationFunc::RELU1;
  if (op.type() == OperationType::RELU6) activation = FusedActivationFunc::RELU6;
  const absl::StatusOr<Range> range = RangeOf(static_cast<int32_t>(activation), op.output());
  if (!range.ok()) return range.status();
  return Recipe{
      .outputs = {op.shape(0)},
      .make = [range = *range, is_quantized = IsQuantized(op.input(0)),
               count = CountElements(op.shape(0))](Assembly& assembly) {
        if (is_quantized) {
          AddUnary<uint8_t, uint8_t>(
              assembly, "clamp_nc_u8", count,
              [&](size_t channels, xnn_operator_t* made) {
                return xnn_create_clamp_nc_u8(channels, channels, channels, range.quantized_low,
                                              range.quantized_high, 0, made);
              },
              &xnn_setup_clamp_nc_u8, assembly.Input<uint8_t>(0), assembly.Output<uint8_t>());
        } else {
          AddUnary<float, float>(
              assembly, "clamp_nc_f32", count,
              [&](size_t channels, xnn_operator_t* made) {
                return xnn_create_clamp_nc_f32(channels, channels, channels, range.low, range.high,
                                               0, made);
              },
              &xnn_setup_clamp_nc_f32, assembly.Input<float>(0), assembly.Output<float>());
        }
      }};
}

absl::StatusOr<Recipe> Sigmoid(OperationView& op) {
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  if (!IsQuantized(op.input(0))) return FunctionRecipe(*FindFunction(op.type()), op.shape(0));
  const bool is_tangent = op.type() == OperationType::TANH;
  const Operand& output = op.output();
  if (output.scale != (is_tangent ? 1.0f / 128 : 1.0f / 256) ||
      output.zeroPoint != (is_tangent ? 128 : 0)) {
    return Refuse("the quantization of the output is not that of the documentation");
  }
  if (!IsNormalScale(op.input(0).scale)) return Refuse("the scale of the input is subnormal");
  return Recipe{.outputs = {op.shape(0)},
                .make = [is_tangent, input = op.input(0), output,
                         count = CountElements(op.shape(0))](Assembly& assembly) {
                  AddUnary<uint8_t, uint8_t>(
                      assembly, is_tangent ? "tanh_nc_qu8" : "sigmoid_nc_qu8", count,
                      [&](size_t channels, xnn_operator_t* made) {
                        const auto create =
                            is_tangent ? xnn_create_tanh_nc_qu8 : xnn_create_sigmoid_nc_qu8;
                        return create(channels, channels, channels, ZeroPoint(input), input.scale,
                                      ZeroPoint(output), output.scale, 0, 255, 0, made);
                      },
                      is_tangent ? &xnn_setup_tanh_nc_qu8 : &xnn_setup_sigmoid_nc_qu8,
                      assembly.Input<uint8_t>(0), assembly.Output<uint8_t>());
                }};
}

absl::StatusOr<Recipe> Binary(OperationView& op) {
  const BinaryFunction& function = FindBinary(op.type());
  const int32_t activation = op.inputCount() == 3 ? op.integer(2) : 0;
  if (!op.status().ok()) return op.status();
  const Operand& a = op.input(0);
  const Operand& b = op.input(1);
  if (b.type != a.type) return Refuse("the types of the inputs differ");
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  const Dimensions& a_shape = op.shape(0);
  const Dimensions& b_shape = op.shape(1);
  if (std::max(a_shape.size(), b_shape.size()) > XNN_MAX_TENSOR_DIMS) {
    return Refuse("a rank is above 6");
  }
  absl::StatusOr<Dimensions> output = Broadcast(a_shape, b_shape);
  if (!output.ok()) return output.status();
  if (IsQuantized(a)) {
    if (absl::Status status = CheckScales(op.type(), a, b, op.output()); !status.ok())
      return status;
  }
  const absl::StatusOr<Range> range = RangeOf(activation, op.output());
  if (!range.ok()) return range.status();
  BinaryOperands operands = {
      a,     b, op.output(), {a_shape.begin(), a_shape.end()}, {b_shape.begin(), b_shape.end()},
      *range};
  return Recipe{.outputs = {*std::move(output)},
                .make = [&function, operands = std::move(operands)](Assembly& assembly) {
                  MakeBinary(assembly, function, operands);
                }};
}

absl::StatusOr<Recipe> ParametricRectifier(OperationView& op) {
  const Dimensions& shape = op.shape(0);
  const Dimensions& alpha = op.shape(1);
  if (op.input(1).type != op.input(0).type) return Refuse("the types of the inputs differ");
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  const size_t alphas = CountElements(alpha);
  const size_t channels = shape.back();
  if (alpha.size() > shape.size() ||
      !(alphas == 1 || (alphas == channels && alpha.back() == channels))) {
    return Refuse("alpha has neither one element nor one for each channel");
  }
  const size_t rows = CountElements(shape) / channels;
  return Recipe{.outputs = {shape},
                .make =
                    [alphas, channels, rows](Assembly& assembly) {
                      const auto* slopes = assembly.Packed<float>(1);
                      const auto* from = assembly.Input<float>(0);
                      auto* to = assembly.Output<float>();
                      std::vector<float> repeated;
                      if (alphas == 1 && slopes != nullptr) {
                        repeated.assign(channels, *slopes);
                        slopes = repeated.data();
                      }
                      assembly.Add(
                          "prelu_nc_f32",
                          [&](xnn_operator_t* made) {
                            return xnn_create_prelu_nc_f32(channels, channels, channels, slopes, 0,
                                                           made);
                          },
                          [&](xnn_operator_t made) {
                            return xnn_setup_prelu_nc_f32(made, rows, from, to, kThisThreadAlone);
                          });
                    },
                .packs = {1}};
}

namespace {

// Adds (from - the greatest of its row) * beta. Without the subtraction, which SOFTMAX itself makes
// as well, large elements would lose in the product what tells them from one another, or overflow.
void AddScaledDistances(Assembly& assembly, size_t rows, size_t channels, float beta,
                        const float* from, float* to) {
  const Range range;
  auto* greatest = assembly.Scratch<float>(rows);
  auto* distances = assembly.Scratch<float>(rows * channels);
  const auto width = static_cast<uint32_t>(channels);
  assembly.Add(
      "max_pooling2d_nhwc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_max_pooling2d_nhwc_f32(0, 0, 0, 0, 1, width, 1, width, 1, 1, 1, 1, 1,
                                                 range.low, range.high, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_max_pooling2d_nhwc_f32(made, rows, 1, channels, from, greatest,
                                                kThisThreadAlone);
      });
  assembly.Add(
      "subtract_nd_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_subtract_nd_f32(range.low, range.high, 0, made);
      },
      [&](xnn_operator_t made) {
        const size_t shape[] = {rows, channels};
        const size_t shape_of_greatest[] = {rows, 1};
        return xnn_setup_subtract_nd_f32(made, 2, shape, 2, shape_of_greatest, from, greatest,
                                         distances, kThisThreadAlone);
      });
  AddByOne(assembly, /*divides=*/false, rows * channels, One(assembly, beta), distances, to);
}

void MakeFloatSoftmax(Assembly& assembly, size_t rows, size_t channels, float beta) {
  const auto* from = assembly.Input<float>(0);
  auto* to = assembly.Output<float>();
  // A single element is all of its row, whatever beta is.
  if (beta != 1 && channels > 1) {
    auto* scaled = assembly.Scratch<float>(rows * channels);
    AddScaledDistances(assembly, rows, channels, beta, from, scaled);
    from = scaled;
  }
  assembly.Add(
      "softmax_nc_f32",
      [&](xnn_operator_t* made) {
        return xnn_create_softmax_nc_f32(channels, channels, channels, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_softmax_nc_f32(made, rows, from, to, kThisThreadAlone);
      });
}

void MakeQuantizedSoftmax(Assembly& assembly, size_t rows, size_t channels, float scale,
                          const Operand& output) {
  const auto* from = assembly.Input<uint8_t>(0);
  auto* to = assembly.Output<uint8_t>();
  assembly.Add(
      "softmax_nc_qu8",
      [&](xnn_operator_t* made) {
        return xnn_create_softmax_nc_qu8(channels, channels, channels, scale, ZeroPoint(output),
                                         output.scale, 0, made);
      },
      [&](xnn_operator_t made) {
        return xnn_setup_softmax_nc_qu8(made, rows, from, to, kThisThreadAlone);
      });
}

}  // namespace

absl::StatusOr<Recipe> Softmax(OperationView& op) {
  const Dimensions& shape = op.shape(0);
  const float beta = op.real(1);
  const int32_t name = op.inputCount() == 3 ? op.integer(2) : -1;
  if (!op.status().ok()) return op.status();
  if (!IsNormalScale(beta)) return Refuse("beta is not positive, or subnormal");
  const absl::StatusOr<size_t> axis = AxisOf(name, shape);
  if (!axis.ok()) return axis.status();
  if (CountElements(shape, *axis + 1, shape.size()) != 1) return Refuse("the axis is not the last");
  if (absl::Status status = CheckSameTypeOutput(op); !status.ok()) return status;
  const size_t channels = shape[*axis];
  const size_t rows = CountElements(shape) / channels;
  if (channels > kMaxPointers) return Refuse("the axis is too long");
  if (!IsQuantized(op.input(0))) {
    return Recipe{.outputs = {shape}, .make = [rows, channels, beta](Assembly& assembly) {
                    MakeFloatSoftmax(assembly, rows, channels, beta);
                  }};
  }
  const Operand& output = op.output();
  if (output.scale != 1.0f / 256 || output.zeroPoint != 0) {
    return Refuse("the quantization of the output is not that of the documentation");
  }
  // The exponent of a step is beta times its value, which a scale that is beta times as large says
  // as well.
  const float scale = op.input(0).scale * beta;
  if (!IsNormalScale(scale)) return Refuse("the scale times beta is out of range");
  return Recipe{.outputs = {shape}, .make = [rows, channels, scale, output](Assembly& assembly) {
                  MakeQuantizedSoftmax(assembly, rows, channels, scale, output);
                }};
}

absl::StatusOr<Recipe> Quantize(OperationView& op) {
  const Operand& output = op.output();
  if (!IsQuantized(output)) return Refuse("the output is not TENSOR_QUANT8_ASYMM");
  if (!IsNormalScale(output.scale) || !IsNormalScale(1 / output.scale)) {
    return Refuse("the scale of the output is out of range");
  }
  return Recipe{
      .outputs = {op.shape(0)},
      .make = [output, count = CountElements(op.shape(0))](Assembly& assembly) {
        AddUnary<float, uint8_t>(
            assembly, "convert_nc_f32_qu8", count,
            [&](size_t channels, xnn_operator_t* made) {
              return xnn_create_convert_nc_f32_qu8(channels, channels, channels, output.scale,
                                                   ZeroPoint(output), 0, 255, 0, made);
            },
            &xnn_setup_convert_nc_f32_qu8, assembly.Input<float>(0), assembly.Output<uint8_t>());
      }};
}

absl::StatusOr<Recipe> Dequantize(OperationView& op) {
  if (absl::Status status = CheckOutput(op, OperandType::TENSOR_FLOAT32); !status.ok()) {
    return status;
  }
  const Operand& input = op.input(0);
  if (!IsNormalScale(input.scale)) return Refuse("the scale of the input is subnormal");
  return Recipe{.outputs = {op.shape(0)},
                .make = [input, count = CountElements(op.shape(0))](Assembly& assembly) {
                  auto* to = assembly.Output<float>();
                  if (IsQuantized(input)) {
                    AddUnary<uint8_t, float>(
                        assembly, "convert_nc_qu8_f32", count,
                        [&](size_t channels, xnn_operator_t* made) {
                          return xnn_create_convert_nc_qu8_f32(
                              channels, channels, channels, input.scale, ZeroPoint(input), 0, made);
                        },
                        &xnn_setup_convert_nc_qu8_f32, assembly.Input<uint8_t>(0), to);
                  } else {
                    AddUnary<int8_t, float>(
                        assembly, "convert_nc_qs8_f32", count,
                        [&](size_t channels, xnn_operator_t* made) {
                          return xnn_create_convert_nc_qs8_f32(channels, channels, channels,
                                                               input.scale, 0, 0, made);
                        },
                        &xnn_setup_convert_nc_qs8_f32, assembly.Input<int8_t>(0), to);
                  }
                }};
}

}  // namespace nncert::xnnpack
