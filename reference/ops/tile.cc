// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TILE: repeats a tensor along its dimensions.

#include <algorithm>
#include <cstring>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/ops/common/axis.h"
#include "reference/ops/common/computed_shape.h"

namespace nncert {
namespace {

enum : int { kInput, kMultiples };

// Repeats the `bytes` bytes before `to` there, `times` times.
std::byte* RepeatLast(size_t bytes, size_t times, std::byte* to) {
  std::byte* const begin = to - bytes;
  // What is written so far is doubled.
  for (size_t missing = bytes * times; missing > 0;) {
    const size_t more = std::min(missing, static_cast<size_t>(to - begin));
    std::memcpy(to, begin, more);
    to += more;
    missing -= more;
  }
  return to;
}

// Writes the tiled tensor from its first element to its last.
class Tiler {
 public:
  Tiler(const ElementsView& input, const std::vector<int32_t>& multiples) : from_(input.data) {
    run_ = input.element_size;
    for (size_t d = input.dimensions.size(); d-- > 0;) {
      const auto times = static_cast<size_t>(multiples[d]);
      if (levels_.empty()) {
        // All up to the first dimension that is repeated is moved in one piece.
        run_ *= input.dimensions[d];
        if (times > 1) levels_.push_back({1, times});
      } else if (times == 1 && levels_.back().times == 1) {
        levels_.back().count *= input.dimensions[d];
      } else {
        levels_.push_back({input.dimensions[d], times});
      }
    }
  }

  void WriteTo(std::byte* to) { Write(levels_.size(), to); }

 private:
  // A dimension: how often the levels inside of it are written with elements of their own, and how
  // often the whole is then there.
  struct Level {
    size_t count;
    size_t times;
  };

  // Writes the innermost `depth` levels; returns the place behind them.
  std::byte* Write(size_t depth, std::byte* to) {
    if (depth == 0) {
      std::memcpy(to, from_, run_);
      from_ += run_;
      return to + run_;
    }
    const Level& level = levels_[depth - 1];
    std::byte* const begin = to;
    for (size_t i = 0; i < level.count; ++i) to = Write(depth - 1, to);
    return RepeatLast(static_cast<size_t>(to - begin), level.times - 1, to);
  }

  const std::byte* from_;
  // Bytes that are moved in one piece.
  size_t run_;
  // Innermost first.
  absl::InlinedVector<Level, 5> levels_;
};

bool HasAMultipleForEachDimension(const OperationContext& context) {
  return HaveAnEntryForEachDimension(context, {kMultiples}, kInput);
}

absl::Status TiledShape(const OperationContext& context, std::vector<Shape>& outputs) {
  const Shape& input = context.Input(kInput).dimensions;
  const std::vector<int32_t> multiples = context.Int32s(kMultiples);
  std::vector<uint64_t> dimensions(input.begin(), input.end());
  for (size_t d = 0; d < dimensions.size(); ++d) {
    dimensions[d] *= static_cast<uint64_t>(multiples[d]);
  }
  return SetComputedShape(context, dimensions, outputs[0]);
}

void ChooseMultiples(OperandChooser& choose) {
  constexpr uint32_t kMostTimes = 4;
  const Shape& input = choose.Dimensions(kInput);
  uint64_t elements = NumberOfElements(input);
  std::vector<int32_t> multiples(input.size());
  // The dimensions share the room that there is.
  for (const int32_t axis : ShuffledAxes(choose, input.size())) {
    const int64_t times = choose.Between(1, std::min(MostTimes(choose, elements), kMostTimes));
    multiples[static_cast<size_t>(axis)] = static_cast<int32_t>(times);
    elements *= static_cast<uint64_t>(times);
  }
  choose.SetInt32s(kMultiples, multiples);
}

}  // namespace

NNCERT_OPERATION_DEFINITION(TILE) {
  return {
      .summary =
          "output[i_0, i_1, ...] = input[i_0 mod dimension_0, i_1 mod dimension_1, ...] of the "
          "input",
      .description =
          "Along each dimension the output is the input so many times, one after another, as "
          "multiples says.",
      .signature =
          {.inputs =
               {NumberTensor("input").Describe("The tensor to be repeated."),
                Int32Vector("multiples").Describe("How often it is there along each dimension.")},
           .outputs = {Tensor("output").TypeLike(kInput).QuantizedLike(kInput).Describe(
               "The repeated tensor: each dimension multiplied by its entry of multiples.")}},
      .constraints = {Constraint("multiples has an entry for each dimension of the input",
                                 {.shapes = {kInput, kMultiples}}, HasAMultipleForEachDimension),
                      Constraint("each entry of multiples is at least 1",
                                 {.shapes = {kMultiples}, .values = {kMultiples}},
                                 [](const OperationContext& context) {
                                   const std::vector<int32_t> multiples =
                                       context.Int32s(kMultiples);
                                   return std::all_of(
                                       multiples.begin(), multiples.end(),
                                       [](int32_t multiple) { return multiple >= 1; });
                                 })},
      .shape = TiledShape,
      .kernel = Move([](MoveContext& context) -> absl::Status {
        const ElementsView input = context.Input(kInput);
        auto output = context.Output(0);
        if (!output.ok()) return output.status();
        Tiler(input, context->Int32s(kMultiples)).WriteTo(output->data);
        return absl::OkStatus();
      }),
      .choose = ChooseMultiples,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.2, OperationType::TILE",
  };
}

}  // namespace nncert
