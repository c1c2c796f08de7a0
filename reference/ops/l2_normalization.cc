// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// L2_NORMALIZATION: each slice along an axis, scaled to length one.

#include <cmath>
#include <type_traits>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kInput, kAxis };

// A slice of floats, in double precision: squares of small and of large floats are no floats, and
// whatever has a direction has a length.
void Normalize(const Slice& slice, const float* input, float* output) {
  double sum = 0;
  for (size_t i = 0; i < slice.length; ++i) {
    const double element = input[slice.Index(i)];
    sum += element * element;
  }
  const double length = std::sqrt(sum);
  for (size_t i = 0; i < slice.length; ++i) {
    output[slice.Index(i)] = static_cast<float>(input[slice.Index(i)] / length);
  }
}

}  // namespace

NNCERT_OPERATION_DEFINITION(L2_NORMALIZATION) {
  return {
      .summary = "output[i] = input[i] / sqrt(sum_k input[k]^2), per slice along axis",
      .description =
          "Each slice is a vector that keeps its direction and gets length one. The slice of zeros "
          "has no direction: what becomes of it is up to the implementation. A quantized output "
          "has scale 1/128 and zeroPoint 128, so it reaches from -1 to 127/128.",
      .signature =
          {.inputs = {Tensor("input")
                          .Types({OperandType::TENSOR_FLOAT32})
                          .Types(HalVersion::V1_2,
                                 {OperandType::TENSOR_FLOAT16, OperandType::TENSOR_QUANT8_ASYMM})
                          .Values(Uniform(-2, 2))
                          .Ranks({4})
                          .Ranks(HalVersion::V1_2, {1, 2, 3})
                          .Describe("The vectors."),
                      OptionalAxisScalar()},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({4})
                           .Ranks(HalVersion::V1_2, {1, 2, 3})
                           .Quantized(1.F / 128, 128)
                           .Describe(
                               "The vectors of length one, of the dimensions of the input.")}},
      .constraints = {AxisConstraint<kInput, kAxis>()},
      .shape = SameShapeAsFirstInput,
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto input = context.Input(kInput);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis, -1))) {
              if constexpr (std::is_same_v<A, FloatArithmetic>) {
                Normalize(slice, input.data, output->data);
                continue;
              }
              typename A::Accumulator sum;
              for (size_t i = 0; i < slice.length; ++i) {
                const auto& element = input[slice.Index(i)];
                sum.MultiplyAdd(element, element);
              }
              const auto length = arithmetic.Sqrt(AtLeastZero<A>(arithmetic.Finish(sum)));
              for (size_t i = 0; i < slice.length; ++i) {
                (*output)[slice.Index(i)] = arithmetic.Divide(input[slice.Index(i)], length);
              }
            }
            return absl::OkStatus();
          }),
      .choose =
          [](OperandChooser& choose) {
            ChooseSlices<kInput, kAxis>(choose);
            choose.SetOutputRange(0, {-1, 1});
          },
      .error_bound =
          "of a sum of squares of the slice's length in any order, of a square root and of a "
          "division",
      .source = "types.hal 1.0 and 1.2, OperationType::L2_NORMALIZATION",
  };
}

}  // namespace nncert
