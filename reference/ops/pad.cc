// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// PAD and PAD_V2: surround a tensor with zeros, or with a given value.

#include <algorithm>
#include <cstring>
#include <utility>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/strided_copy.h"
#include "reference/ops/common/zero_element.h"

namespace nncert {
namespace {

enum : int { kInput, kPaddings, kPadValue };

bool HasPaddingsOfEveryDimension(const OperationContext& context) {
  return context.Input(kPaddings).dimensions ==
         Shape{static_cast<uint32_t>(context.Rank(kInput)), 2};
}

bool HasNonNegativePaddings(const OperationContext& context) {
  const std::vector<int32_t> paddings = context.Int32s(kPaddings);
  return std::all_of(paddings.begin(), paddings.end(),
                     [](int32_t padding) { return padding >= 0; });
}

absl::Status PaddedShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const std::vector<int32_t> paddings = context.Int32s(kPaddings);
  std::vector<uint64_t> dimensions(input.begin(), input.end());
  for (size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d] += static_cast<uint64_t>(paddings[2 * d]);
    dimensions[d] += static_cast<uint64_t>(paddings[2 * d + 1]);
  }
  return SetComputedShape(context, dimensions, outputs[0]);
}

// Writes the padded tensor from its first element to its last, each of them once.
class Padder {
 public:
  Padder(const ElementsView& input, const std::vector<int32_t>& paddings, const ElementFill& fill)
      : fill_(fill), element_size_(input.element_size), from_(input.data) {
    size_t inner = 1;
    for (size_t d = input.dimensions.size(); d-- > 0;) {
      const auto before = static_cast<size_t>(paddings[2 * d]);
      const auto after = static_cast<size_t>(paddings[2 * d + 1]);
      const size_t size = input.dimensions[d];
      if (levels_.empty()) run_ *= size;
      if (before > 0 || after > 0 || !levels_.empty()) {
        // The innermost padded dimension is moved in one piece with all that is inside of it.
        levels_.push_back({before * inner, levels_.empty() ? 1 : size, after * inner});
      }
      inner *= before + size + after;
    }
  }

  void WriteTo(std::byte* to) {
    to_ = to;
    Write(levels_.size());
  }

 private:
  // A dimension: how many elements of the output are before and after it, and how often the levels
  // inside of it are repeated.
  struct Level {
    size_t before;
    size_t count;
    size_t after;
  };

  // Writes the innermost `depth` levels.
  void Write(size_t depth) {
    if (depth == 0) {
      std::memcpy(to_, from_, run_ * element_size_);
      from_ += run_ * element_size_;
      to_ += run_ * element_size_;
      return;
    }
    const Level& level = levels_[depth - 1];
    FillNext(level.before);
    for (size_t i = 0; i < level.count; ++i) Write(depth - 1);
    FillNext(level.after);
  }

  void FillNext(size_t count) {
    fill_.Fill(count, to_);
    to_ += count * element_size_;
  }

  const ElementFill& fill_;
  const size_t element_size_;
  // Elements that are moved in one piece.
  size_t run_ = 1;
  // Innermost first.
  absl::InlinedVector<Level, 4> levels_;
  const std::byte* from_;
  std::byte* to_ = nullptr;
};

// Pads the input with `element`, which is kept as the elements of the output are.
absl::Status PadWith(MoveContext& context, const std::byte* element) {
  const ElementsView input = context.Input(kInput);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ElementFill fill(element, output->element_size);
  Padder(input, context->Int32s(kPaddings), fill).WriteTo(output->data);
  return absl::OkStatus();
}

void ChoosePaddings(OperandChooser& choose) {
  constexpr uint32_t kMostPadding = 3;
  Shape padded = choose.Dimensions(kInput);
  std::vector<double> paddings(2 * padded.size());
  // The dimensions share the room that there is.
  for (const int32_t axis : ShuffledAxes(choose, padded.size())) {
    const auto d = static_cast<size_t>(axis);
    const uint32_t most =
        std::max(MostTimes(choose, NumberOfElements(padded) / padded[d]), padded[d]);
    for (const size_t side : {2 * d, 2 * d + 1}) {
      const int64_t padding = choose.Between(0, std::min(most - padded[d], kMostPadding));
      paddings[side] = static_cast<double>(padding);
      padded[d] += static_cast<uint32_t>(padding);
    }
  }
  choose.SetDimensions(kPaddings, {static_cast<uint32_t>(padded.size()), 2});
  choose.SetValues(kPaddings, std::move(paddings));
}

OperandRule PaddingsTensor() {
  return Tensor("paddings")
      .Types({OperandType::TENSOR_INT32})
      .Ranks({2})
      .Parameter()
      .Values(kNoValues)
      .Describe("[rank, 2]: how many elements are put before and after each dimension.");
}

OperandRule OutputTensor() {
  return Tensor("output")
      .TypeLike(kInput)
      .Ranks({1, 2, 3, 4})
      .QuantizedLike(kInput)
      .Describe("The padded tensor: each dimension is as much longer as it is padded.");
}

Constraint PaddingsShapeConstraint() {
  return Constraint("paddings have the dimensions [rank of the input, 2]",
                    {.shapes = {kInput, kPaddings}}, HasPaddingsOfEveryDimension);
}

Constraint NonNegativeConstraint() {
  return Constraint("each padding is at least 0", {.shapes = {kPaddings}, .values = {kPaddings}},
                    HasNonNegativePaddings);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(PAD) {
  return {
      .summary =
          "output[paddings[0, 0] + i_0, paddings[1, 0] + i_1, ...] = input[i_0, i_1, ...], and 0 "
          "elsewhere",
      .description =
          "Surrounds the tensor with zeros; quantized, these are its zeroPoint. Before HAL 1.2 the "
          "value that pads a quantized tensor is not defined.",
      .signature = {.inputs = {FloatOrQuantizedTensor("input")
                                   .Ranks({1, 2, 3, 4})
                                   .Describe("The tensor to be padded."),
                               PaddingsTensor()},
                    .outputs = {OutputTensor()}},
      .constraints = {PaddingsShapeConstraint(), NonNegativeConstraint(),
                      PadsWithZeroConstraint<kInput>()},
      .shape = PaddedShape,
      .kernel = Move([](MoveContext& context) -> absl::Status {
        const ZeroElement zero(context.system(), context->Output(0));
        return PadWith(context, zero.data());
      }),
      .choose =
          [](OperandChooser& choose) {
            ChoosePaddings(choose);
            ChoosePaddable(choose, kInput);
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.1 and 1.2, OperationType::PAD",
  };
}

NNCERT_OPERATION_DEFINITION(PAD_V2) {
  return {
      .summary =
          "output[paddings[0, 0] + i_0, paddings[1, 0] + i_1, ...] = input[i_0, i_1, ...], and "
          "padValue elsewhere",
      .description =
          "Surrounds the tensor with a value. Quantized, the value is the integer to be stored, "
          "with scale and zeroPoint of the input.",
      .signature =
          {.inputs = {FloatOrQuantizedTensor("input")
                          .Ranks({1, 2, 3, 4})
                          .Describe("The tensor to be padded."),
                      PaddingsTensor(),
                      OperandRule("padValue", false)
                          .TypeWhen(kInput, OperandType::TENSOR_FLOAT32, OperandType::FLOAT32)
                          .TypeWhen(kInput, OperandType::TENSOR_FLOAT16, OperandType::FLOAT16)
                          .TypeWhen(kInput, OperandType::TENSOR_QUANT8_ASYMM, OperandType::INT32)
                          .Values(kNoValues)
                          .Describe("The value that pads: FLOAT32, FLOAT16, or the integer of a "
                                    "quantized tensor as an INT32.")},
           .outputs = {OutputTensor()}},
      .constraints = {PaddingsShapeConstraint(), NonNegativeConstraint(),
                      Constraint("padValue for a quantized input is in [0, 255]",
                                 {.values = {kPadValue}, .others = {kInput}},
                                 [](const OperationContext& context) {
                                   if (!IsQuantized(context.Input(kInput).type)) return true;
                                   const int32_t value = context.Int32(kPadValue);
                                   return value >= 0 && value <= 255;
                                 })},
      .shape = PaddedShape,
      .kernel = Move([](MoveContext& context) -> absl::Status {
        // An INT32 is kept as a quantized element is, but for the HAL's own layout.
        if (context.system() == NumberSystem::kFloat && IsQuantized(context->Input(kInput).type)) {
          const auto element = static_cast<std::byte>(context->Int32(kPadValue));
          return PadWith(context, &element);
        }
        return PadWith(context, context.Input(kPadValue).data);
      }),
      .choose =
          [](OperandChooser& choose) {
            ChoosePaddings(choose);
            const ValueRange range = choose.SettledRange(kInput);
            if (!IsQuantized(choose.Type(kInput))) return choose.SetRange(kPadValue, range);
            choose.SetRange(kPadValue, {0, 255});
            choose.SetOutputRange(0, RangeOfQuantized(choose.Info(kInput)));
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.2, OperationType::PAD_V2",
  };
}

}  // namespace nncert
