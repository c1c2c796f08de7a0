// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "random_graph/case_shrinks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "cases/case_elements.h"
#include "hal/utils.h"
#include "harness/judging/oracle.h"
#include "reference/extension.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

bool IsWritten(const Operand& operand) {
  return operand.lifetime == OperandLifeTime::TEMPORARY_VARIABLE ||
         operand.lifetime == OperandLifeTime::MODEL_OUTPUT;
}

// The element at the beginning of each axis of a tensor, up to other dimensions.
std::vector<double> Leading(const std::vector<double>& values, const std::vector<uint32_t>& from,
                            const std::vector<uint32_t>& to) {
  std::vector<double> result;
  if (NumberOfElements(from) != values.size()) return result;
  const uint64_t count = NumberOfElements(to);
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t rest = i;
    uint64_t place = 0;
    uint64_t stride = 1;
    for (size_t axis = to.size(); axis-- > 0;) {
      place += rest % to[axis] * stride;
      rest /= to[axis];
      stride *= from[axis];
    }
    result.push_back(values[place]);
  }
  return result;
}

// Makes axes of an operand shorter: those of a length, or one.
void Shorten(TestCase& test_case, uint32_t index, const std::vector<uint32_t>& dimensions) {
  Operand& operand = test_case.model.operands[index];
  const std::vector<uint32_t> before = operand.dimensions;
  if (auto* channels = std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    channels->scales.resize(
        std::min<size_t>(channels->scales.size(), dimensions[channels->channelDim]));
  }
  for (size_t example = 0; example < ExamplesOf(test_case, index); ++example) {
    SetElements(test_case, index, example, dimensions,
                Leading(ElementsOf(test_case, index, example), before, dimensions));
  }
}

// Whether an element is as simple as they come.
bool IsSimple(double value) { return value == 0 || value == 1; }

// Whether an operand is in half precision.
bool IsHalf(const Operand& operand) {
  return operand.type == hal::V1_2::OperandType::FLOAT16 ||
         operand.type == hal::V1_2::OperandType::TENSOR_FLOAT16;
}

// How complicated half precision is, in which an operand is or may be computed.
constexpr uint64_t kComplexityOfHalf = 40;

// How complicated a number is.
uint64_t Complexity(double value) {
  if (value == 0) return 0;
  if (value == 1) return 1;
  if (value == std::round(value)) {
    return 2 + static_cast<uint64_t>(std::min(std::log2(std::abs(value) + 1), 32.0));
  }
  return 40;
}

// A case with several examples is made a case of some operations by each of them.
std::optional<TestCase> CaseOfPart(const EvaluatedCase& whole,
                                   const std::vector<size_t>& operations) {
  std::optional<TestCase> part;
  for (size_t example = 0; example < whole.values.size(); ++example) {
    std::optional<TestCase> by_example =
        CaseOfOperations(whole.test_case, example, operations, whole.values[example]);
    if (!by_example.has_value()) return std::nullopt;
    if (part.has_value()) {
      part->examples.push_back(std::move(by_example->examples[0]));
    } else {
      part = std::move(by_example);
    }
  }
  return part;
}

// All operands that are inputs or constants and are read.
std::vector<uint32_t> GivenOperands(const Model& model) {
  std::set<uint32_t> read;
  for (const hal::V1_2::Operation& operation : model.operations) {
    for (const uint32_t input : operation.inputs) {
      if (HasElements(model.operands[input])) read.insert(input);
    }
  }
  return {read.begin(), read.end()};
}

// Those of them that are in pools.
std::vector<uint32_t> ConstantsInPools(const Model& model) {
  std::vector<uint32_t> constants = GivenOperands(model);
  std::erase_if(constants, [&model](uint32_t index) {
    return model.operands[index].lifetime != OperandLifeTime::CONSTANT_REFERENCE;
  });
  return constants;
}

// Gives an operand those dimensions that it has in all examples.
void SetKnownDimensions(Operand& operand, uint32_t index,
                        const std::vector<OperandValues>& examples) {
  std::vector<uint32_t> known = examples[0].at(index).dimensions;
  for (const OperandValues& values : examples) {
    const std::vector<uint32_t>& dimensions = values.at(index).dimensions;
    for (size_t axis = 0; axis < known.size(); ++axis) {
      if (dimensions[axis] != known[axis]) known[axis] = 0;
    }
  }
  operand.dimensions = std::move(known);
}

// Shorter lengths to try in place of a length.
std::vector<uint32_t> ShorterThan(uint32_t length) {
  std::vector<uint32_t> lengths;
  for (const uint32_t shorter : {1U, 2U, length / 2, length - 1}) {
    if (shorter > 0 && shorter < length &&
        std::find(lengths.begin(), lengths.end(), shorter) == lengths.end()) {
      lengths.push_back(shorter);
    }
  }
  return lengths;
}

// Collects the ways to make a case smaller.
class Shrinks {
 public:
  explicit Shrinks(const EvaluatedCase& evaluated) : evaluated_(evaluated) {}

  std::vector<CaseShrink> Collect() {
    AddParts();
    AddExamples();
    AddConstantsInPools();
    AddLengths();
    AddAbsentOperands();
    AddParameters();
    AddTypes();
    AddQuantization();
    AddElements();
    return std::move(shrinks_);
  }

 private:
  const TestCase& whole() const { return evaluated_.test_case; }
  const Model& model() const { return evaluated_.test_case.model; }

  // Adds what `edit` makes of a copy of the case.
  template <class Edit>
  void Add(Edit edit) {
    shrinks_.push_back([this_case = &evaluated_.test_case, edit]() -> std::optional<TestCase> {
      TestCase smaller = *this_case;
      edit(smaller);
      return smaller;
    });
  }

  void AddPart(std::vector<size_t> operations) {
    if (operations.empty() || operations.size() == model().operations.size()) return;
    shrinks_.push_back([this_case = &evaluated_, operations = std::move(operations)] {
      return CaseOfPart(*this_case, operations);
    });
  }

  // Every operation alone, the last first; then all but some neighbours, fewer and fewer.
  void AddParts() {
    const size_t count = model().operations.size();
    for (size_t i = count; i-- > 0;) AddPart({i});
    for (size_t length = count / 2; length > 0; length /= 2) {
      for (size_t first = 0; first < count; first += length) {
        std::vector<size_t> rest;
        for (size_t i = 0; i < count; ++i) {
          if (i < first || i >= first + length) rest.push_back(i);
        }
        AddPart(std::move(rest));
      }
    }
  }

  // Without the first half of the examples, the second, and each of them.
  void AddExamples() {
    const size_t count = whole().examples.size();
    for (size_t length = count / 2; length > 0; length /= 2) {
      for (size_t first = 0; first < count; first += length) {
        Add([first, last = std::min(first + length, count)](TestCase& smaller) {
          const auto begin = smaller.examples.begin();
          smaller.examples.erase(begin + static_cast<std::ptrdiff_t>(first),
                                 begin + static_cast<std::ptrdiff_t>(last));
        });
      }
    }
  }

  // With all constants that are in pools in the model itself, and with each.
  void AddConstantsInPools() {
    const std::vector<uint32_t> constants = ConstantsInPools(model());
    if (constants.size() > 1) AddTakenIn(constants);
    for (const uint32_t constant : constants) AddTakenIn({constant});
  }

  void AddTakenIn(std::vector<uint32_t> constants) {
    shrinks_.push_back([this_case = &evaluated_.test_case,
                        constants = std::move(constants)]() -> std::optional<TestCase> {
      TestCase smaller = *this_case;
      for (const uint32_t constant : constants) {
        if (!TakeInConstant(smaller.model, constant).ok()) return std::nullopt;
      }
      return smaller;
    });
  }

  void AddLengths() {
    std::set<uint32_t, std::greater<>> lengths;
    for (const uint32_t index : GivenOperands(model())) {
      const std::vector<uint32_t>& dimensions = model().operands[index].dimensions;
      lengths.insert(dimensions.begin(), dimensions.end());
    }
    for (const uint32_t length : lengths) {
      for (const uint32_t shorter : ShorterThan(length)) {
        Add([length, shorter](TestCase& smaller) {
          ReplaceLength(smaller, length, shorter, true);
        });
        Add([length, shorter](TestCase& smaller) {
          ReplaceLength(smaller, length, shorter, false);
        });
      }
    }
    for (const uint32_t index : GivenOperands(model())) {
      const std::vector<uint32_t>& dimensions = model().operands[index].dimensions;
      for (size_t axis = 0; axis < dimensions.size(); ++axis) {
        for (const uint32_t shorter : ShorterThan(dimensions[axis])) {
          Add([index, axis, shorter](TestCase& smaller) {
            std::vector<uint32_t> shortened = smaller.model.operands[index].dimensions;
            shortened[axis] = shorter;
            Shorten(smaller, index, shortened);
          });
        }
      }
    }
  }

  // Replaces a length wherever it is one, and, if asked for, a parameter that is the same number,
  // which may well mean it.
  static void ReplaceLength(TestCase& test_case, uint32_t length, uint32_t shorter,
                            bool in_parameters) {
    for (const uint32_t index : GivenOperands(test_case.model)) {
      std::vector<uint32_t> dimensions = test_case.model.operands[index].dimensions;
      std::replace(dimensions.begin(), dimensions.end(), length, shorter);
      if (dimensions != test_case.model.operands[index].dimensions) {
        Shorten(test_case, index, dimensions);
      }
      const hal::V1_2::OperandType type = test_case.model.operands[index].type;
      if (!in_parameters ||
          (type != hal::V1_2::OperandType::INT32 && type != hal::V1_2::OperandType::TENSOR_INT32)) {
        continue;
      }
      for (size_t example = 0; example < ExamplesOf(test_case, index); ++example) {
        std::vector<double> values = ElementsOf(test_case, index, example);
        std::replace(values.begin(), values.end(), static_cast<double>(length),
                     static_cast<double>(shorter));
        SetElements(test_case, index, example, values);
      }
    }
  }

  // Without operands at the end of an operation's list, and with others of no value.
  void AddAbsentOperands() {
    for (size_t i = 0; i < model().operations.size(); ++i) {
      const std::vector<uint32_t>& inputs = model().operations[i].inputs;
      for (const size_t absent : {size_t{3}, size_t{2}, size_t{1}}) {
        if (inputs.size() <= absent) continue;
        Add([i, absent](TestCase& smaller) {
          std::vector<uint32_t>& rest = smaller.model.operations[i].inputs;
          rest.resize(rest.size() - absent);
        });
      }
      for (const uint32_t input : inputs) {
        const Operand& operand = model().operands[input];
        if (!hal::isConstant(operand.lifetime) || operand.dimensions.empty()) continue;
        Add([index = input](TestCase& smaller) {
          Operand& omitted = smaller.model.operands[index];
          omitted.lifetime = OperandLifeTime::NO_VALUE;
          omitted.location = {};
        });
      }
    }
  }

  // Scalars, and the entries of short lists of integers, by simpler numbers.
  void AddParameters() {
    for (const uint32_t index : GivenOperands(model())) {
      for (size_t example = 0; example < ExamplesOf(whole(), index); ++example) {
        AddParameters(index, example);
      }
    }
  }

  void AddParameters(uint32_t index, size_t example) {
    const Operand& operand = model().operands[index];
    const std::vector<double> values = ElementsOf(whole(), index, example);
    const bool is_list = operand.type == hal::V1_2::OperandType::TENSOR_INT32 && values.size() <= 8;
    if (!operand.dimensions.empty() && !is_list) return;
    for (size_t i = 0; i < values.size(); ++i) {
      for (const double simpler : {0.0, 1.0, 2.0, std::trunc(values[i] / 2)}) {
        if (Complexity(simpler) >= Complexity(values[i])) continue;
        Add([index, example, i, simpler](TestCase& smaller) {
          std::vector<double> edited = ElementsOf(smaller, index, example);
          edited[i] = simpler;
          SetElements(smaller, index, example, edited);
        });
      }
    }
  }

  // Single precision for half precision, and where that may be used.
  void AddTypes() {
    if (model().relaxComputationFloat32toFloat16) {
      Add([](TestCase& smaller) { smaller.model.relaxComputationFloat32toFloat16 = false; });
    }
    const std::vector<Operand>& operands = model().operands;
    if (std::none_of(operands.begin(), operands.end(), IsHalf)) return;
    Add([](TestCase& smaller) {
      for (uint32_t i = 0; i < smaller.model.operands.size(); ++i) {
        const Operand& operand = smaller.model.operands[i];
        if (!IsHalf(operand)) continue;
        const bool is_scalar = operand.type == hal::V1_2::OperandType::FLOAT16;
        SetType(
            smaller, i,
            is_scalar ? hal::V1_2::OperandType::FLOAT32 : hal::V1_2::OperandType::TENSOR_FLOAT32);
      }
    });
  }

  // Scale 1 and zero point 0 wherever a quantization occurs.
  void AddQuantization() {
    std::set<std::pair<float, int32_t>> quantizations;
    for (const Operand& operand : model().operands) {
      if (operand.scale != 0) quantizations.insert({operand.scale, operand.zeroPoint});
    }
    for (const auto& [scale, zero] : quantizations) {
      for (const auto& [new_scale, new_zero] :
           {std::pair(1.0F, 0), std::pair(1.0F, zero), std::pair(scale, 0)}) {
        if (new_scale == scale && new_zero == zero) continue;
        Add([from = std::pair(scale, zero),
             to = std::pair(new_scale, new_zero)](TestCase& smaller) {
          for (Operand& operand : smaller.model.operands) {
            if (std::pair(operand.scale, operand.zeroPoint) != from) continue;
            operand.scale = to.first;
            operand.zeroPoint = to.second;
          }
        });
      }
    }
  }

  // Elements that are simpler: all of a tensor, half of them, one.
  void AddElements() {
    for (const uint32_t index : GivenOperands(model())) {
      if (model().operands[index].dimensions.empty()) continue;
      for (size_t example = 0; example < ExamplesOf(whole(), index); ++example) {
        AddElements({index, example});
      }
    }
  }

  // A tensor, in an example if it is a model input.
  struct GivenTensor {
    uint32_t index;
    size_t example;
  };

  void AddElements(GivenTensor tensor) {
    const std::vector<double> values = ElementsOf(whole(), tensor.index, tensor.example);
    const auto is_complex = [](double value) { return !IsSimple(value); };
    if (std::none_of(values.begin(), values.end(), is_complex)) return;
    AddElementEdit(tensor, 0, values.size(), [](double) { return 0.0; });
    AddElementEdit(tensor, 0, values.size(), [](double) { return 1.0; });
    AddElementEdit(tensor, 0, values.size(), [](double value) { return std::round(value); });
    for (size_t length = values.size() / 2; length > 0; length /= 2) {
      if (values.size() / length > kMostPieces) break;
      for (size_t first = 0; first < values.size(); first += length) {
        AddElementEdit(tensor, first, length, [](double) { return 0.0; });
      }
    }
    if (values.size() > kMostPieces) return;
    for (size_t i = 0; i < values.size(); ++i) {
      if (!is_complex(values[i])) continue;
      AddElementEdit(tensor, i, 1, [](double) { return 1.0; });
      AddElementEdit(tensor, i, 1, [](double value) { return std::round(value); });
      AddElementEdit(tensor, i, 1, [](double value) { return std::trunc(value / 2); });
    }
  }

  template <class Function>
  void AddElementEdit(GivenTensor tensor, size_t first, size_t length, Function function) {
    Add([=](TestCase& smaller) {
      std::vector<double> values = ElementsOf(smaller, tensor.index, tensor.example);
      const size_t end = std::min(first + length, values.size());
      for (size_t i = first; i < end; ++i) values[i] = function(values[i]);
      SetElements(smaller, tensor.index, tensor.example, values);
    });
  }

  // Into how many pieces elements are divided that are made zero piece by piece.
  static constexpr size_t kMostPieces = 16;

  const EvaluatedCase& evaluated_;
  std::vector<CaseShrink> shrinks_;
};

}  // namespace

absl::StatusOr<EvaluatedCase> Evaluate(TestCase test_case) {
  const size_t examples = test_case.examples.size();
  if (examples == 0) return absl::InvalidArgumentError("the case has no examples");
  for (Example& example : test_case.examples) example.outputs.clear();
  const EvaluatedCase given = {std::move(test_case), std::vector<OperandValues>(examples)};
  std::vector<size_t> all(given.test_case.model.operations.size());
  std::iota(all.begin(), all.end(), size_t{0});
  // Leaves out what nobody reads.
  std::optional<TestCase> rebuilt = CaseOfPart(given, all);
  if (!rebuilt.has_value()) return absl::InvalidArgumentError("the model has no inputs");
  rebuilt->name = given.test_case.name;
  rebuilt->dynamicOutputShapeName = given.test_case.dynamicOutputShapeName;
  EvaluatedCase evaluated = {*std::move(rebuilt), std::vector<OperandValues>(examples)};
  Model& whole = evaluated.test_case.model;
  if (absl::Status status = PackPools(whole); !status.ok()) return status;
  for (Operand& operand : whole.operands) {
    if (IsWritten(operand)) std::fill(operand.dimensions.begin(), operand.dimensions.end(), 0);
  }
  TestCase exposed = evaluated.test_case;
  exposed.model =
      WithCataloguePrefixes(WithExposed(std::move(exposed.model), TemporariesOf(whole)));
  Oracle oracle(exposed);
  for (size_t example = 0; example < examples; ++example) {
    absl::StatusOr<std::vector<ExpectedOutput>> values = oracle.Expected(example);
    if (!values.ok()) return values.status();
    for (size_t i = 0; i < values->size(); ++i) {
      const uint32_t operand = exposed.model.outputIndexes[i];
      evaluated.values[example][operand] = {(*values)[i].dimensions, std::move((*values)[i].data)};
    }
  }
  for (const uint32_t operand : exposed.model.outputIndexes) {
    SetKnownDimensions(whole.operands[operand], operand, evaluated.values);
  }
  return evaluated;
}

CaseSize SizeOf(const TestCase& test_case) {
  const Model& model = test_case.model;
  CaseSize size = {model.operations.size(),        0, test_case.examples.size(),
                   ConstantsInPools(model).size(), 0, 0};
  for (const hal::V1_2::Operation& operation : model.operations) {
    for (const uint32_t input : operation.inputs) {
      size[1] += model.operands[input].lifetime != OperandLifeTime::NO_VALUE;
    }
  }
  for (const uint32_t index : GivenOperands(model)) {
    for (size_t example = 0; example < ExamplesOf(test_case, index); ++example) {
      const std::vector<double> values = ElementsOf(test_case, index, example);
      size[4] += values.size();
      for (const double value : values) size[5] += Complexity(value);
    }
  }
  for (const Operand& operand : model.operands) {
    if (operand.scale != 0) size[5] += Complexity(operand.scale) + Complexity(operand.zeroPoint);
    if (IsHalf(operand)) size[5] += kComplexityOfHalf;
  }
  if (model.relaxComputationFloat32toFloat16) size[5] += kComplexityOfHalf;
  return size;
}

std::vector<CaseShrink> ShrinksOf(const EvaluatedCase& evaluated) {
  return Shrinks(evaluated).Collect();
}

}  // namespace nncert
