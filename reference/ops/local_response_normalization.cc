// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LOCAL_RESPONSE_NORMALIZATION: elements divided by a power of the squares around them.

#include <algorithm>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/selection.h"
#include "reference/ops/common/zero_element.h"

namespace nncert {
namespace {

enum : int { kInput, kRadius, kBias, kAlpha, kBeta, kAxis };

// The sums of squares of the windows that slide along a slice, one element further at each call.
template <class A>
class SlidingSums {
 public:
  using Number = typename A::Number;

  SlidingSums(const A& arithmetic, const Number* elements, const Slice& slice, int64_t radius)
      : arithmetic_(arithmetic), elements_(elements), slice_(slice), radius_(radius) {}

  // The sum around the next element.
  Number Next() {
    const auto length = static_cast<int64_t>(slice_.length);
    const int64_t first = std::clamp<int64_t>(center_ - radius_, 0, length);
    const int64_t end = std::clamp<int64_t>(center_ + radius_ + 1, 0, length);
    ++center_;
    typename A::Accumulator sum;
    for (int64_t i = first; i < end; ++i) sum.MultiplyAdd(Element(i), Element(i));
    const Number total = arithmetic_.Finish(sum);
    if constexpr (kIsEnclosure<A>) {
      // An implementation may keep one sum, to which it adds the squares that come into the window
      // and from which it takes those that leave. It then never loses what it lost before, when the
      // sum was of other squares, and perhaps of one that came before one left.
      const Ball with_next =
          end < length ? arithmetic_.Add(total, arithmetic_.Square(Element(end))) : total;
      greatest_ = arithmetic_.Max(greatest_, with_next);
      if (first > 0 && first < end) {
        return arithmetic_.Loosen(total, greatest_, static_cast<size_t>(first + end));
      }
    }
    return total;
  }

 private:
  const Number& Element(int64_t i) const { return elements_[slice_.Index(static_cast<size_t>(i))]; }

  const A& arithmetic_;
  const Number* elements_;
  const Slice slice_;
  const int64_t radius_;
  int64_t center_ = 0;
  Number greatest_ = {};  // the greatest number that such a sum has been, in an enclosure
};

}  // namespace

NNCERT_OPERATION_DEFINITION(LOCAL_RESPONSE_NORMALIZATION) {
  return {
      .summary =
          "output[i] = input[i] / (bias + alpha * sum_{|k - i| <= radius} input[k]^2)^beta, per "
          "slice along axis",
      .description =
          "Each element is damped by the elements around it in its slice. The sum is over those "
          "that exist: at the ends of the slice there are fewer of them, and none for a negative "
          "radius. The HAL asks for a bias other than 0, so that nothing is divided by the power "
          "of zero. Android's own tests of every version have none, so a bias of 0 is accepted: an "
          "element amid zeros may then become anything.",
      .signature =
          {.inputs = {FloatTensor("input")
                          .Ranks({4})
                          .Ranks(HalVersion::V1_2, {1, 2, 3})
                          .Values(Uniform(-2, 2))
                          .Describe("The elements."),
                      Int32Scalar("radius")
                          .Values(Uniform(0, 4))
                          .Describe("How many elements before and behind each one are summed up."),
                      FloatScalarLike("bias", kInput)
                          .Values(Uniform(1, 9))
                          .Describe("What is added to the sum; better not 0."),
                      FloatScalarLike("alpha", kInput)
                          .Values(LogUniform(0.1, 4))
                          .Describe("What the sum is multiplied by."),
                      FloatScalarLike("beta", kInput)
                          .Values(LogUniform(0.25, 1))
                          .Describe("The exponent."),
                      OptionalAxisScalar()},
           .outputs = {Tensor("output")
                           .TypeLike(kInput)
                           .Ranks({4})
                           .Ranks(HalVersion::V1_2, {1, 2, 3})
                           .Describe("The damped elements, of the dimensions of the input.")}},
      .constraints = {AxisConstraint<kInput, kAxis>()},
      .shape = SameShapeAsFirstInput,
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kInput)) *
                   std::min<double>(LengthAlong(context, kAxis, kInput),
                                    std::max(0.0, 2.0 * context.Int32(kRadius)) + 1);
          },
      .kernel =
          Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) -> absl::Status {
            const auto input = context.Input(kInput);
            auto output = context.Output(0);
            if (!output.ok()) return output.status();
            const auto bias = arithmetic.Constant(context->Real(kBias));
            const auto alpha = arithmetic.Constant(context->Real(kAlpha));
            const auto beta = arithmetic.Constant(context->Real(kBeta));
            for (const Slice& slice : SlicesAlong(input.dimensions, context->Int32(kAxis, -1))) {
              SlidingSums<A> sums(arithmetic, input.data, slice, context->Int32(kRadius));
              for (size_t i = 0; i < slice.length; ++i) {
                const auto base = arithmetic.Add(bias, arithmetic.Multiply(alpha, sums.Next()));
                (*output)[slice.Index(i)] =
                    arithmetic.Divide(input[slice.Index(i)], arithmetic.Power(base, beta));
              }
            }
            return absl::OkStatus();
          }),
      .choose =
          [](OperandChooser& choose) {
            ChooseSlices<kInput, kAxis>(choose);
            choose.SetOutputRange(0, WithZeros(choose.SettledRange(kInput)));
          },
      .error_bound =
          "of a sum of squares of the window, which may be kept from one window to the next, of a "
          "power and of a division",
      .source = "types.hal 1.0 and 1.2, OperationType::LOCAL_RESPONSE_NORMALIZATION",
  };
}

}  // namespace nncert
