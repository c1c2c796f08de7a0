// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// HASHTABLE_LOOKUP: picks slices of a table by key.

#include <algorithm>
#include <cstring>
#include <functional>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/ranks.h"
#include "reference/ops/common/strided_copy.h"
#include "reference/ops/common/zero_element.h"

namespace nncert {
namespace {

enum : int { kLookups, kKeys, kValues };
enum : int { kOutput, kHits };

// The elements of the output for a lookup that misses: zero. The documentation does not say whether
// the zero of a quantized output is its zeroPoint or a stored 0 (Android's own implementation
// stores 0), so the enclosure has both.
ZeroElement MissingElement(const MoveContext& context) {
  const OperandInfo& info = context->Output(kOutput);
  if (context.system() != NumberSystem::kBall || !IsQuantized(info.type)) {
    return ZeroElement(context.system(), info);
  }
  return ZeroElement(Ball::FromBounds(0, info.zeroPoint));
}

absl::Status LookUp(MoveContext& context) {
  const ElementsView values = context.Input(kValues);
  auto output = context.Output(kOutput);
  if (!output.ok()) return output.status();
  auto hits = context.Output(kHits);
  if (!hits.ok()) return hits.status();
  const size_t slice = NumberOfElements(values.dimensions) / values.dimensions[0];
  const size_t slice_bytes = slice * values.element_size;
  const ZeroElement missing = MissingElement(context);
  const ElementFill fill(missing.data(), output->element_size);
  const std::vector<int32_t> lookups = context->Int32s(kLookups);
  const std::vector<int32_t> keys = context->Int32s(kKeys);
  std::vector<std::byte> native_hits(lookups.size());
  std::byte* to = output->data;
  for (size_t i = 0; i < lookups.size(); ++i, to += slice_bytes) {
    const auto key = std::lower_bound(keys.begin(), keys.end(), lookups[i]);
    if (key == keys.end() || *key != lookups[i]) {
      fill.Fill(slice, to);
      continue;
    }
    std::memcpy(to, values.data + static_cast<size_t>(key - keys.begin()) * slice_bytes,
                slice_bytes);
    native_hits[i] = std::byte{1};
  }
  ImportElements(context.system(), context->Output(kHits).type, native_hits.data(),
                 native_hits.size(), hits->data);
  return absl::OkStatus();
}

void ChooseTable(OperandChooser& choose) {
  // Of the two lengths either may be the long one.
  const uint32_t early = choose.OneIn(2) ? choose.Size(kMostEarly) : 0;
  const Shape& values = choose.Dimensions(kValues);
  const uint64_t slice = NumberOfElements(values) / values[0];
  std::vector<int32_t> keys(values[0]);
  int64_t key = choose.Between(-100, 100);
  for (int32_t& entry : keys) {
    entry = static_cast<int32_t>(key);
    key += choose.Between(1, 3);
  }
  // Most are keys; the others are near them.
  std::vector<int32_t> lookups(early > 0 ? early : choose.Size(MostTimes(choose, slice)));
  for (int32_t& lookup : lookups) {
    lookup = choose.random().OneOf(keys);
    if (choose.OneIn(3)) lookup += static_cast<int32_t>(choose.Between(-2, 2));
  }
  choose.SetInt32s(kLookups, lookups);
  choose.SetInt32s(kKeys, keys);
  choose.SetOutputRange(kOutput, WithZeros(choose.SettledRange(kValues)));
  choose.SetOutputRange(kHits, {0, 1});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(HASHTABLE_LOOKUP) {
  return {
      .summary =
          "output[i, ...] = values[k, ...] and hits[i] = 1 where keys[k] = lookups[i]; 0 and 0 "
          "where no key is",
      .description =
          "Keys and values make a map from numbers to slices of a table along its first dimension. "
          "Each lookup gives the slice of its key, and a hit of 1; where there is no such key it "
          "gives zeros, and a hit of 0.",
      .signature =
          {.inputs = {Int32Vector("lookups").Describe("The keys that are looked for."),
                      Int32Vector("keys").Describe(
                          "The key of each slice of the values, in ascending order."),
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
                                     "but for the first, which is that of the lookups."),
                       Tensor("hits")
                           .Types({OperandType::TENSOR_QUANT8_ASYMM})
                           .Ranks({1})
                           .Quantized(1.0f, 0)
                           .Describe("1 for each lookup whose key there is, 0 for the others.")}},
      .constraints = {Constraint("there is a key for each slice of values",
                                 {.shapes = {kKeys, kValues}},
                                 [](const OperationContext& context) {
                                   return context.Input(kKeys).dimensions[0] ==
                                          context.Input(kValues).dimensions[0];
                                 }),
                      Constraint("each key is greater than the one before",
                                 {.shapes = {kKeys}, .values = {kKeys}},
                                 [](const OperationContext& context) {
                                   const std::vector<int32_t> keys = context.Int32s(kKeys);
                                   return std::adjacent_find(keys.begin(), keys.end(),
                                                             std::greater_equal<>()) == keys.end();
                                 }),
                      Constraint("there is at least one lookup", {.shapes = {kLookups}},
                                 [](const OperationContext& context) {
                                   return context.Input(kLookups).dimensions[0] > 0;
                                 })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const uint32_t lookups = context.Input(kLookups).dimensions[0];
        outputs[kOutput] = context.Input(kValues).dimensions;
        outputs[kOutput][0] = lookups;
        outputs[kHits] = {lookups};
        return absl::OkStatus();
      },
      .kernel = Move(LookUp),
      .choose = ChooseTable,
      .error_bound = "none: elements are moved",
      .source = "types.hal 1.0 and 1.2, OperationType::HASHTABLE_LOOKUP",
  };
}

}  // namespace nncert
