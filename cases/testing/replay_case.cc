// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/testing/replay_case.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/execution/model_validation.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::replay::ReadElement;

double (*ReaderOf(OperandType type))(const uint8_t*) {
  if (IsOpaque(type)) return &ReadElement<uint8_t>;
  switch (ElementKindOf(type)) {
    case ElementKind::kFloat32:
      return &ReadElement<float>;
    case ElementKind::kFloat16:
      return &ReadElement<hal::Float16>;
    case ElementKind::kInt32:
      return &ReadElement<int32_t>;
    case ElementKind::kUint32:
      return &ReadElement<uint32_t>;
    case ElementKind::kBool:
      return &ReadElement<hal::replay::Bool8>;
    case ElementKind::kQuant8:
      return &ReadElement<uint8_t>;
    case ElementKind::kQuant8Symm:
      return &ReadElement<int8_t>;
    case ElementKind::kQuant16:
      return &ReadElement<uint16_t>;
    case ElementKind::kQuant16Symm:
      return &ReadElement<int16_t>;
  }
  return nullptr;
}

hal::replay::Output OutputOf(OperandType type, const ExpectedOutput& expected,
                             const AcceptedOutput& accepted, bool is_compared) {
  const size_t element_size = IsOpaque(type) ? 1 : NativeElementSize(ElementKindOf(type));
  hal::replay::Output output = {
      expected.dimensions,
      IsOpaque(type) ? expected.data.size() : NumberOfElements(expected.dimensions) * element_size,
      element_size,
      is_compared ? ReaderOf(type) : nullptr,
      {}};
  if (!is_compared) return output;
  for (size_t i = 0; i < expected.data.size() / element_size; ++i) {
    const double number = output.read(&expected.data[i * element_size]);
    hal::replay::Element element = {number, number, number};
    if (!IsOpaque(type)) {
      element.lowest = accepted.elements[i].lowest;
      element.highest = accepted.elements[i].highest;
    }
    output.elements.push_back(element);
  }
  return output;
}

}  // namespace

hal::replay::Case ReplayCaseOf(const TestCase& test_case,
                               absl::Span<const AcceptedAnswer> accepted) {
  hal::replay::Case replayed;
  replayed.model = test_case.model;
  replayed.must_fail = test_case.expectFailure;
  for (const hal::HalVersion version : hal::kHalVersions) {
    replayed.lowest_version = version;
    if (IsCompliantWith(test_case.model, version)) break;
  }
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    const Example& example = test_case.examples[i];
    hal::replay::Example& to = replayed.examples.emplace_back();
    for (const InputValue& input : example.inputs) {
      to.inputs.push_back({input.hasNoValue, input.dimensions, input.data});
    }
    for (size_t k = 0; k < example.outputs.size(); ++k) {
      to.outputs.push_back(OutputOf(test_case.model.operands[test_case.model.outputIndexes[k]].type,
                                    example.outputs[k], accepted[i].outputs[k],
                                    !example.outputs[k].ignored && !test_case.expectFailure));
    }
    for (const AcceptedRows& rows : accepted[i].unordered_rows) {
      hal::replay::UnorderedRows& unordered = to.unordered_rows.emplace_back();
      unordered.outputs = rows.outputs;
      unordered.rows = rows.rows;
      for (const RowGroup& group : rows.groups) {
        unordered.groups.push_back({group.first, group.count});
      }
    }
  }
  return replayed;
}

}  // namespace nncert
