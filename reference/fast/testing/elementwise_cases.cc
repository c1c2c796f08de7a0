// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cases of arithmetic, of functions of each element, and of SOFTMAX.

#include <limits>

#include "absl/strings/str_cat.h"
#include "reference/fast/testing/case_values.h"
#include "reference/fast/testing/fast_cases.h"

namespace nncert {
namespace {

using hal::V1_2::OperationType;

std::string TypeName(OperandType type) {
  return type == kFloat32 ? "float32" : type == kFloat16 ? "float16" : "quant8";
}

struct Shapes {
  std::vector<uint32_t> a;
  std::vector<uint32_t> b;
  std::vector<uint32_t> output;
};

FastCase Arithmetic(OperationType operation, OperandType type, const Shapes& shapes,
                    int32_t activation, const std::string& name) {
  ModelBuilder builder;
  const OperandSpec a = TensorOf(type, shapes.a);
  const OperandSpec b = TensorOf(type, shapes.b, 0.011F, 131);
  const bool is_product = operation == OperationType::MUL;
  const OperandSpec output =
      TensorOf(type, shapes.output, is_product ? 0.04F : 0.031F, is_product ? 99 : 120);
  std::vector<double> divisors = ValuesFor(b, 2);
  if (operation == OperationType::DIV) {
    for (double& value : divisors) value = std::copysign(std::abs(value) + 0.5, value);
  }
  FastCase result = {name, {}, {ValuesFor(a, 1), divisors}, /*has_sums=*/false};
  const std::vector<uint32_t> inputs = {builder.Input(a), builder.Input(b),
                                        builder.Int32(activation)};
  builder.Operation(operation, inputs, {builder.Output(output)});
  result.model = builder.model();
  return result;
}

// Of equal shapes, of one number, of rows and columns; short operands that are repeated, of either
// side; several pieces of work and of what is converted at a time.
const Shapes kShapes[] = {
    {{1}, {1}, {1}},
    {{3}, {3}, {3}},
    {{2, 3, 5}, {2, 3, 5}, {2, 3, 5}},
    {{17}, {1}, {17}},
    {{1}, {2, 17}, {2, 17}},
    {{2, 1, 5}, {3, 1}, {2, 3, 5}},
    {{5}, {2, 3, 4, 5}, {2, 3, 4, 5}},
    {{2, 3, 4, 1}, {4, 7}, {2, 3, 4, 7}},
    {{40, 60, 7}, {7}, {40, 60, 7}},
    {{60, 7}, {40, 60, 7}, {40, 60, 7}},
    {{1, 7}, {40, 60, 7}, {40, 60, 7}},
    {{40, 1, 7}, {1, 60, 1}, {40, 60, 7}},
    {{3, 1100}, {3, 1100}, {3, 1100}},
    {{131, 1031}, {131, 1031}, {131, 1031}},
    {{131, 1031}, {1}, {131, 1031}},
    {{1031}, {131, 1031}, {131, 1031}},
    {{131, 1}, {1, 1031}, {131, 1031}},
    {{0, 3}, {3}, {0, 3}},
};

void AddArithmetic(std::vector<FastCase>& cases) {
  const std::pair<OperationType, std::string> kOperations[] = {{OperationType::ADD, "add"},
                                                               {OperationType::SUB, "sub"},
                                                               {OperationType::MUL, "mul"},
                                                               {OperationType::DIV, "div"}};
  for (const auto& [operation, name] : kOperations) {
    for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
      if (operation == OperationType::DIV && type == kQuant8) continue;
      int32_t activation = 0;
      for (const Shapes& shapes : kShapes) {
        cases.push_back(Arithmetic(operation, type, shapes, activation++ % 4,
                                   absl::StrCat(name, "_", TypeName(type))));
      }
      for (activation = 0; activation < 4; ++activation) {
        cases.push_back(Arithmetic(operation, type, kShapes[1], activation,
                                   absl::StrCat(name, "_activation_", TypeName(type))));
      }
    }
    FastCase special = Arithmetic(operation, kFloat32, {{4}, {4}, {4}}, 0, name + "_special");
    special.inputs = {{std::numeric_limits<double>::infinity(), 1e38, 1e-40, -0.0},
                      {2, 1e38, 0.5, 3}};
    cases.push_back(special);
  }
}

void AddFunctions(std::vector<FastCase>& cases) {
  const std::pair<OperationType, std::string> kOperations[] = {
      {OperationType::EXP, "exp"},
      {OperationType::LOGISTIC, "logistic"},
      {OperationType::TANH, "tanh"}};
  for (const auto& [operation, name] : kOperations) {
    for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
      if (operation == OperationType::EXP && type == kQuant8) continue;
      for (const uint32_t count : {1U, 7U, 64U, 70001U}) {
        ModelBuilder builder;
        const OperandSpec input = TensorOf(type, {count});
        const bool is_tanh = operation == OperationType::TANH;
        const OperandSpec output =
            TensorOf(type, {count}, is_tanh ? 1.F / 128 : 1.F / 256, is_tanh ? 128 : 0);
        FastCase fast_case = {absl::StrCat(name, "_", count, "_", TypeName(type)),
                              {},
                              {ValuesFor(input, 4)},
                              /*has_sums=*/false};
        if (type != kQuant8) {
          for (double& value : fast_case.inputs[0]) value *= 8;
        }
        const uint32_t in = builder.Input(input);
        builder.Operation(operation, {in}, {builder.Output(output)});
        fast_case.model = builder.model();
        cases.push_back(fast_case);
      }
    }
  }
}

void AddSoftmax(std::vector<FastCase>& cases) {
  struct Slices {
    std::vector<uint32_t> dimensions;
    int32_t axis;
  };
  const Slices kSlices[] = {{{1}, 0},       {{7}, -1},         {{3, 5}, -1},
                            {{3, 5}, 0},    {{2, 3, 5}, 1},    {{2, 3, 4, 17}, -1},
                            {{4, 1001}, 1}, {{2, 2, 3, 1}, 3}, {{2, 3, 1, 1}, 1},
                            {{0, 3}, 1}};
  for (const OperandType type : {kFloat32, kFloat16, kQuant8}) {
    for (const double beta : {1.0, 0.125, 3.0, 1e30, std::numeric_limits<double>::infinity()}) {
      for (const Slices& slices : kSlices) {
        ModelBuilder builder;
        const OperandSpec input = TensorOf(type, slices.dimensions, 0.1F);
        FastCase fast_case = {absl::StrCat("softmax_", TypeName(type)), {}, {ValuesFor(input, 5)}};
        // So great a beta is no half.
        if (beta == 1e30 && type == kFloat16) continue;
        const OperandType scalar = type == kFloat16 ? OperandType::FLOAT16 : OperandType::FLOAT32;
        const std::vector<uint32_t> inputs = {
            builder.Input(input), builder.Constant({scalar}, {beta}), builder.Int32(slices.axis)};
        builder.Operation(OperationType::SOFTMAX, inputs,
                          {builder.Output(TensorOf(type, slices.dimensions, 1.F / 256, 0))});
        fast_case.model = builder.model();
        cases.push_back(fast_case);
      }
    }
  }
  for (const double special : {std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN(), 1e38, -1e38}) {
    ModelBuilder builder;
    const uint32_t in = builder.Input({kFloat32, {2, 3}});
    const std::vector<uint32_t> inputs = {in, builder.Float32(1)};
    builder.Operation(OperationType::SOFTMAX, inputs, {builder.Output({kFloat32, {2, 3}})});
    cases.push_back({"softmax_special", builder.model(), {{0.5, special, 1, 0.25, 0.5, 2}}});
  }
  // What a sample is nobody knows, so that the slice is of balls as wide as its numbers are great.
  ModelBuilder builder;
  const uint32_t samples = builder.Temporary({OperandType::TENSOR_INT32, {2, 3}});
  builder.Operation(OperationType::RANDOM_MULTINOMIAL,
                    {builder.Input({kFloat32, {2, 5}}), builder.Int32(3),
                     builder.Constant({OperandType::TENSOR_INT32, {2}}, {1, 2})},
                    {samples});
  const uint32_t slices = builder.Temporary({kFloat32, {2, 3}});
  builder.Operation(OperationType::CAST, {samples}, {slices});
  builder.Operation(OperationType::SOFTMAX, {slices, builder.Float32(0.2F)},
                    {builder.Output({kFloat32, {2, 3}})});
  cases.push_back({"softmax_of_samples", builder.model(), {std::vector<double>(10, 0.5)}});
}

}  // namespace

std::vector<FastCase> ElementwiseCases() {
  std::vector<FastCase> cases;
  AddArithmetic(cases);
  AddFunctions(cases);
  AddSoftmax(cases);
  return cases;
}

}  // namespace nncert
