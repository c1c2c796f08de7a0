// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// EMBEDDING_LOOKUP: picks slices of a table by index.

#include <algorithm>
#include <cstring>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/ranks.h"

namespace nncert {
namespace {

enum : int { kLookups, kValues };

}  // namespace

NNCERT_OPERATION_DEFINITION(EMBEDDING_LOOKUP) {
  return {
      .summary = "output[i, ...] = values[lookups[i], ...]",
      .description = "Slices of the table along its first dimension, one for each lookup.",
      .signature =
          {.inputs = {Int32Vector("lookups").Values(kNoValues).Describe(
                          "Indexes into the first dimension of the values."),
                      Tensor("values")
                          .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_INT32,
                                  OperandType::TENSOR_QUANT8_ASYMM})
                          .Ranks(RanksFrom(2))
                          .Describe("The table.")},
           .outputs = {Tensor("output")
                           .TypeLike(kValues)
                           .Ranks(RanksFrom(2))
                           .QuantizedLike(kValues)
                           .Describe("The slices, one after another: the dimensions of the table, "
                                     "but for the first, which is that of the lookups.")}},
      .constraints = {Constraint("each lookup is in [0, first dimension of values)",
                                 {.shapes = {kLookups, kValues}, .values = {kLookups}},
                                 [](const OperationContext& context) {
                                   const std::vector<int32_t> lookups = context.Int32s(kLookups);
                                   const int64_t size = context.Input(kValues).dimensions[0];
                                   return std::all_of(lookups.begin(), lookups.end(),
                                                      [size](int32_t lookup) {
                                                        return lookup >= 0 && lookup < size;
                                                      });
                                 }),
                      Constraint("there is at least one lookup", {.shapes = {kLookups}},
                                 [](const OperationContext& context) {
                                   return context.Input(kLookups).dimensions[0] > 0;
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[0] = context.Input(kValues).dimensions;
        outputs[0][0] = context.Input(kLookups).dimensions[0];
        return absl::OkStatus();
      },
      .kernel = Move([](MoveContext& context) -> absl::Status {
        const ElementsView values = context.Input(kValues);
        auto output = context.Output(0);
        if (!output.ok()) return output.status();
        const size_t slice =
            NumberOfElements(values.dimensions) / values.dimensions[0] * values.element_size;
        std::byte* to = output->data;
        for (const int32_t lookup : context->Int32s(kLookups)) {
          std::memcpy(to, values.data + static_cast<size_t>(lookup) * slice, slice);
          to += slice;
        }
        return absl::OkStatus();
      }),
      .choose =
          [](OperandChooser& choose) {
            // Of the two lengths either may be the long one.
            const uint32_t early = choose.OneIn(2) ? choose.Size(kMostEarly) : 0;
            const Shape& values = choose.Dimensions(kValues);
            const uint64_t slice = NumberOfElements(values) / values[0];
            choose.SetDimensions(kLookups,
                                 {early > 0 ? early : choose.Size(MostTimes(choose, slice))});
            choose.SetRange(kLookups, {0, values[0] - 1.0});
            choose.SetOutputRange(0, choose.SettledRange(kValues));
          },
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.0 and 1.2, OperationType::EMBEDDING_LOOKUP",
  };
}

}  // namespace nncert
