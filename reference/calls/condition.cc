// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/calls/condition.h"

#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/utils.h"
#include "reference/calls/windows.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

const std::vector<uint32_t>& FirstDimensions(const OperationCall& call) {
  return call.FirstTensor().operand.dimensions;
}

uint64_t ElementsOf(const ValuedOperand& value) {
  return value.is_tensor() ? NumberOfElements(value.operand.dimensions) : 0;
}

template <typename Measure>
uint64_t GreatestOf(const std::vector<ValuedOperand>& values, Measure measure) {
  uint64_t greatest = 0;
  for (const ValuedOperand& value : values) {
    if (!value.is_omitted) greatest = std::max<uint64_t>(greatest, measure(value));
  }
  return greatest;
}

uint64_t GreatestDimension(const std::vector<ValuedOperand>& values) {
  return GreatestOf(values, [](const ValuedOperand& value) {
    const std::vector<uint32_t>& dimensions = value.operand.dimensions;
    return dimensions.empty() ? 0 : *std::max_element(dimensions.begin(), dimensions.end());
  });
}

bool IsSomeTensor(const OperationCall& call, bool (*is)(const ValuedOperand&)) {
  return std::any_of(call.inputs.begin(), call.inputs.end(), [is](const ValuedOperand& value) {
    return value.is_tensor() && !value.is_omitted && is(value);
  });
}

bool HasSameOperandTwice(const OperationCall& call) {
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    for (size_t k = 0; k < i; ++k) {
      if (call.inputs[i].is_tensor() && !call.inputs[i].is_omitted &&
          call.inputs[i].index == call.inputs[k].index) {
        return true;
      }
    }
  }
  return false;
}

bool HasWideStride(const OperationCall& call) {
  for (const bool is_width : {false, true}) {
    const std::optional<int64_t> extent = WindowExtentOf(call, is_width);
    const std::optional<int32_t> stride = call.Integer(is_width ? "strideWidth" : "strideHeight");
    if (extent.has_value() && stride.value_or(0) > *extent) return true;
  }
  return false;
}

constexpr Quantity kQuantities[] = {
    {"rank", "the rank of the first tensor",
     [](const OperationCall& call) -> uint64_t { return FirstDimensions(call).size(); }},
    {"dimension", "the greatest dimension of all operands",
     [](const OperationCall& call) {
       return std::max(GreatestDimension(call.inputs), GreatestDimension(call.outputs));
     }},
    {"batch", "the first dimension of the first tensor",
     [](const OperationCall& call) -> uint64_t {
       return FirstDimensions(call).empty() ? 0 : FirstDimensions(call).front();
     }},
    {"inner", "the last dimension of the first tensor",
     [](const OperationCall& call) -> uint64_t {
       return FirstDimensions(call).empty() ? 0 : FirstDimensions(call).back();
     }},
    {"inputs", "the number of inputs of the operation",
     [](const OperationCall& call) -> uint64_t { return call.inputs.size(); }},
    {"elements", "the number of elements of the largest input tensor",
     [](const OperationCall& call) { return GreatestOf(call.inputs, &ElementsOf); }},
    {"consumers", "how often the most used input tensor is an input of operations",
     [](const OperationCall& call) {
       return GreatestOf(call.inputs, [](const ValuedOperand& value) -> uint64_t {
         return value.is_tensor() ? value.operand.numberOfConsumers : 0;
       });
     }},
    {"operations", "the number of operations of the model",
     [](const OperationCall& call) -> uint64_t { return call.operations_of_model; }},
};

constexpr Property kProperties[] = {
    {"constant", "some input tensor is a constant",
     [](const OperationCall& call) {
       return IsSomeTensor(call, [](const ValuedOperand& value) { return value.is_constant(); });
     }},
    {"first_constant", "the first tensor is a constant",
     [](const OperationCall& call) { return call.FirstTensor().is_constant(); }},
    {"variable", "no input tensor is a constant",
     [](const OperationCall& call) {
       return !IsSomeTensor(call, [](const ValuedOperand& value) { return value.is_constant(); });
     }},
    {"internal", "some input tensor is the result of another operation",
     [](const OperationCall& call) {
       return IsSomeTensor(call, [](const ValuedOperand& value) {
         return value.operand.lifetime == hal::V1_2::OperandLifeTime::TEMPORARY_VARIABLE ||
                value.operand.lifetime == hal::V1_2::OperandLifeTime::MODEL_OUTPUT;
       });
     }},
    {"same_operand", "the same tensor is an input twice", &HasSameOperandTwice},
    {"nchw", "images are laid out as NCHW",
     [](const OperationCall& call) { return call.Integer("layout").value_or(0) != 0; }},
    {"wide_stride", "a stride is greater than what the window spans", &HasWideStride},
    {"relaxed", "the model allows relaxed computation",
     [](const OperationCall& call) { return call.is_relaxed; }},
};

template <typename Entry>
const Entry* FindByName(absl::Span<const Entry> entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [name](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

template <typename Entry>
std::string NamesOf(absl::Span<const Entry> entries) {
  return absl::StrJoin(entries, ", ",
                       [](std::string* text, const Entry& entry) { text->append(entry.name); });
}

absl::Status Error(std::string_view text, absl::string_view expected) {
  return absl::InvalidArgumentError(
      absl::StrCat("condition \"", std::string(text), "\": expected ", expected));
}

}  // namespace

absl::Span<const Quantity> AllQuantities() { return kQuantities; }

absl::Span<const Property> AllProperties() { return kProperties; }

absl::StatusOr<Condition> Condition::Parse(std::string_view text) {
  Condition condition;
  const size_t sign = text.find_first_of("><=%");
  const std::string_view name = text.substr(0, sign);
  if (sign == text.npos) {
    condition.property_ = FindByName(AllProperties(), name);
    if (condition.property_ != nullptr) return condition;
    return Error(text, absl::StrCat("one of ", NamesOf(AllProperties()), "; or one of ",
                                    NamesOf(AllQuantities()),
                                    " with >, <, = or % and a number; or operation=NAME, "
                                    "type=NAME or every=NUMBER"));
  }
  const std::string value(text.substr(sign + 1));
  const bool is_equal = text[sign] == '=';
  if (is_equal && name == "operation") {
    if (FindOperation(value) == nullptr) {
      return Error(text, "the HAL's name of an operation, such as CONV_2D");
    }
    condition.kind_ = Kind::kOperation;
    condition.name_ = value;
    return condition;
  }
  if (is_equal && name == "type") {
    condition.kind_ = Kind::kType;
    condition.name_ = value;
    for (int type = 0; type <= static_cast<int>(hal::V1_2::OperandTypeRange::FUNDAMENTAL_MAX);
         ++type) {
      const hal::OperandTypeProperties* const properties =
          hal::operandTypeProperties(static_cast<OperandType>(type));
      if (properties != nullptr && properties->name == value) return condition;
    }
    return Error(text, "the HAL's name of an operand type, such as TENSOR_FLOAT32");
  }
  uint64_t number = 0;
  if (!absl::SimpleAtoi(value, &number)) return Error(text, "a number of 64 bits behind the sign");
  if (is_equal && name == "every") {
    if (number == 0) return Error(text, "a number above 0");
    condition.kind_ = Kind::kEvery;
    condition.every_ = number;
    return condition;
  }
  condition.quantity_ = FindByName(AllQuantities(), name);
  if (condition.quantity_ == nullptr) {
    return Error(text, absl::StrCat("one of ", NamesOf(AllQuantities()),
                                    ", operation=, type= or every= before the sign"));
  }
  condition.number_ = number;
  switch (text[sign]) {
    case '>':
      condition.kind_ = Kind::kAbove;
      break;
    case '<':
      condition.kind_ = Kind::kBelow;
      break;
    case '=':
      condition.kind_ = Kind::kEqual;
      break;
    default:
      if (number == 0) return Error(text, "a number above 0");
      condition.kind_ = Kind::kNoMultiple;
  }
  return condition;
}

bool Condition::Holds(const OperationCall& call) const {
  switch (kind_) {
    case Kind::kProperty:
      return property_->of(call);
    case Kind::kAbove:
      return quantity_->of(call) > number_;
    case Kind::kBelow:
      return quantity_->of(call) < number_;
    case Kind::kEqual:
      return quantity_->of(call) == number_;
    case Kind::kNoMultiple:
      return quantity_->of(call) % number_ != 0;
    case Kind::kOperation:
      return call.definition->name() == name_;
    case Kind::kType: {
      const hal::OperandTypeProperties* const properties =
          hal::operandTypeProperties(call.FirstTensor().operand.type);
      return properties != nullptr && properties->name == name_;
    }
    case Kind::kEvery:
      return true;
  }
  return false;
}

}  // namespace nncert
