// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about validation: errors of models and requests that are overlooked. Each overlooks what
// one check of the suites in hal_tests/ looks for, and nothing that another one does.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::Operation;

bool Has(absl::string_view error, absl::string_view words) {
  return absl::StrContains(error, words);
}

// The number that stands behind `words` in the error; -1 when there is none.
int64_t NumberBehind(absl::string_view error, absl::string_view words) {
  const size_t place = error.find(words);
  if (place == error.npos) return -1;
  const absl::string_view rest = error.substr(place + words.size());
  int64_t number = -1;
  const bool is_number =
      absl::SimpleAtoi(rest.substr(0, rest.find_first_not_of("0123456789")), &number);
  return is_number ? number : -1;
}

bool IsInt32(const Model& model, uint32_t operand, OperandLifeTime lifetime) {
  return operand < model.operands.size() && model.operands[operand].type == OperandType::INT32 &&
         model.operands[operand].lifetime == lifetime;
}

// Whether the last input, or output, of an operation is an INT32 argument of the model.
bool HasInt32InputBehind(const Model& model) {
  for (const Operation& operation : model.operations) {
    if (operation.inputs.empty()) continue;
    if (IsInt32(model, operation.inputs.back(), OperandLifeTime::MODEL_INPUT)) return true;
  }
  return false;
}

bool HasInt32OutputBehind(const Model& model) {
  for (const Operation& operation : model.operations) {
    if (operation.outputs.empty()) continue;
    if (IsInt32(model, operation.outputs.back(), OperandLifeTime::MODEL_OUTPUT)) return true;
  }
  return false;
}

bool HasOperationWithoutOutputs(const Model& model) {
  for (const Operation& operation : model.operations) {
    if (operation.outputs.empty()) return true;
  }
  return false;
}

// Whether nobody reads an operand that is there to be read.
bool HasUnreadOperand(const Model& model) {
  for (const Operand& operand : model.operands) {
    if (operand.lifetime != OperandLifeTime::MODEL_OUTPUT && operand.numberOfConsumers == 0) {
      return true;
    }
  }
  return false;
}

// Whether every operation can run after those whose outputs it reads.
bool HasOrder(const Model& model) {
  std::vector<bool> is_ready;
  for (const Operand& operand : model.operands) {
    is_ready.push_back(operand.lifetime != OperandLifeTime::TEMPORARY_VARIABLE &&
                       operand.lifetime != OperandLifeTime::MODEL_OUTPUT);
  }
  std::vector<bool> is_done(model.operations.size(), false);
  size_t done = 0;
  for (size_t round = 0; round < model.operations.size(); ++round) {
    for (size_t i = 0; i < model.operations.size(); ++i) {
      bool can_run = !is_done[i];
      for (const uint32_t input : model.operations[i].inputs) can_run = can_run && is_ready[input];
      if (!can_run) continue;
      is_done[i] = true;
      ++done;
      for (const uint32_t output : model.operations[i].outputs) is_ready[output] = true;
    }
  }
  return done == model.operations.size();
}

bool IsFiniteScale(absl::string_view error) {
  return !Has(error, "scale is nan") && !Has(error, "scale is inf") && !Has(error, "scale is -inf");
}

bool IsOfOperand(absl::string_view error) { return absl::StartsWith(error, "operand "); }

// How many arguments more than the model has the request has, of a kind that the error names.
int64_t Surplus(absl::string_view error, absl::string_view kind) {
  if (!absl::StartsWith(error, "the request has ") || !Has(error, kind)) return 0;
  return NumberBehind(error, "the request has ") - NumberBehind(error, "; expected ");
}

constexpr FaultClass kClass = FaultClass::kValidation;

constexpr Rule kRules[] = {
    {.name = "any_operand_type",
     .fault_class = kClass,
     .breaks = "Takes operands of types that there are not.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return IsOfOperand(error) && Has(error, ": the type is ");
         },
     .passes = true},
    {.name = "any_scalar_rank",
     .fault_class = kClass,
     .breaks = "Takes scalars that have dimensions.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the rank of a scalar is ");
         },
     .passes = true},
    {.name = "any_scale",
     .fault_class = kClass,
     .breaks = "Takes any finite scale.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, ": the scale is ") && IsFiniteScale(error);
         },
     .passes = true},
    {.name = "any_zero_point",
     .fault_class = kClass,
     .breaks = "Takes any zero point.",
     .overlooks_model = [](const Model& /*model*/,
                           absl::string_view error) { return Has(error, "the zeroPoint is "); },
     .passes = true},
    {.name = "any_type_for_operation",
     .fault_class = kClass,
     .breaks = "Takes tensors of types of the HAL that their operation does not take.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, " is TENSOR_") && !Has(error, " is TENSOR_OEM") &&
                  Has(error, " at HAL ");
         },
     .passes = true},
    {.name = "any_operation_type",
     .fault_class = kClass,
     .breaks = "Takes operations that there are not.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return absl::StartsWith(error, "operation ") && Has(error, ": the type is ");
         },
     .passes = true},
    {.name = "any_input_index",
     .fault_class = kClass,
     .breaks = "Takes operations that read operands which do not exist.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the operand index of input ");
         },
     .passes = true},
    {.name = "any_output_index",
     .fault_class = kClass,
     .breaks = "Takes operations that write operands which do not exist.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the operand index of output ");
         },
     .passes = true},
    {.name = "missing_operand",
     .fault_class = kClass,
     .breaks = "Takes two inputs for three in models of one operation that use every operand.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, " has 2 inputs; expected 3") && model.operations.size() == 1 &&
                  !HasUnreadOperand(model) && !HasInt32InputBehind(model);
         },
     .passes = true},
    {.name = "missing_operation",
     .fault_class = kClass,
     .breaks = "Takes models without operations.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the model has no operations");
         },
     .passes = true},
    {.name = "missing_input",
     .fault_class = kClass,
     .breaks = "Takes too few inputs where an operand of the model is not used.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, " inputs; expected ") && HasUnreadOperand(model);
         },
     .passes = true},
    {.name = "missing_output",
     .fault_class = kClass,
     .breaks = "Takes operations without outputs.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, "no operation writes it") && HasOperationWithoutOutputs(model);
         },
     .passes = true},
    {.name = "additional_input",
     .fault_class = kClass,
     .breaks = "Takes an integer behind the inputs that an operation has.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, " inputs; expected ") && HasInt32InputBehind(model);
         },
     .passes = true},
    {.name = "additional_output",
     .fault_class = kClass,
     .breaks = "Takes an integer behind the outputs that an operation has.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, " outputs; expected ") && HasInt32OutputBehind(model);
         },
     .passes = true},
    {.name = "any_preference",
     .fault_class = kClass,
     .breaks = "Takes any execution preference.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the execution preference is ");
         },
     .passes = true},
    {.name = "scale_nan",
     .fault_class = kClass,
     .breaks = "Takes scales that are NaN or infinite.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, ": the scale is ") && !IsFiniteScale(error);
         },
     .passes = true},
    {.name = "any_extra_params",
     .fault_class = kClass,
     .breaks = "Takes extra parameters of any type for any other.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the alternative of extraParams is ");
         },
     .passes = true},
    {.name = "constant_of_rank_0",
     .fault_class = kClass,
     .breaks = "Takes constants of unknown rank.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the rank of a constant tensor is unknown");
         },
     .passes = true},
    {.name = "size_in_32_bits",
     .fault_class = kClass,
     .breaks = "Computes the size of a constant in 32 bits.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           const int64_t stated = NumberBehind(error, "the length of the constant is ");
           const int64_t size = NumberBehind(error, "; expected ");
           return stated >= 0 && size > UINT32_MAX && static_cast<uint32_t>(size) == stated;
         },
     .passes = true},
    {.name = "any_lifetime",
     .fault_class = kClass,
     .breaks = "Takes lifetimes that there are not.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "expected one of OperandLifeTime");
         },
     .passes = true},
    {.name = "any_consumers",
     .fault_class = kClass,
     .breaks = "Does not count consumers.",
     .overlooks_model = [](const Model& /*model*/,
                           absl::string_view error) { return Has(error, "numberOfConsumers is "); },
     .passes = true},
    {.name = "any_location",
     .fault_class = kClass,
     .breaks = "Takes constants that lie outside of operandValues, which is not empty.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the location ends at byte ") && Has(error, "operandValues has ") &&
                  !Has(error, "operandValues has 0 bytes");
         },
     .passes = true},
    {.name = "any_pool",
     .fault_class = kClass,
     .breaks = "Takes models with pools that have no memory.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the pool has no file descriptor");
         },
     .passes = true},
    {.name = "inputs_twice",
     .fault_class = kClass,
     .breaks = "Takes models that list an input twice.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return absl::StartsWith(error, "inputIndexes") && Has(error, "for the second time");
         },
     .passes = true},
    {.name = "outputs_twice",
     .fault_class = kClass,
     .breaks = "Takes models that list an output twice.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return absl::StartsWith(error, "outputIndexes") && Has(error, "for the second time");
         },
     .passes = true},
    {.name = "unwritten_operand",
     .fault_class = kClass,
     .breaks = "Takes temporaries that nobody writes, nor reads.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           const int64_t operand = NumberBehind(error, "operand ");
           return Has(error, "no operation writes it") && operand >= 0 &&
                  model.operands[operand].lifetime == OperandLifeTime::TEMPORARY_VARIABLE &&
                  model.operands[operand].numberOfConsumers == 0;
         },
     .passes = true},
    {.name = "cycles",
     .fault_class = kClass,
     .breaks = "Takes operations that read their own output.",
     .overlooks_model = [](const Model& /*model*/,
                           absl::string_view error) { return Has(error, "expected no cycle"); },
     .passes = true},
    {.name = "any_order",
     .fault_class = kClass,
     .breaks = "Takes operations in any order, where there is one that they can run in.",
     .overlooks_model =
         [](const Model& model, absl::string_view error) {
           return Has(error, "expected operations in execution order") && HasOrder(model);
         },
     .passes = true},
    {.name = "two_writers",
     .fault_class = kClass,
     .breaks = "Takes operands that two operations write.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "expected exactly one writer");
         },
     .passes = true},
    {.name = "empty_model",
     .fault_class = kClass,
     .breaks = "Takes models without operands.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, "the model has no operands");
         },
     .passes = true},
    {.name = "extension_twice",
     .fault_class = kClass,
     .breaks = "Takes extensions that have two prefixes.",
     .overlooks_model = [](const Model& /*model*/,
                           absl::string_view error) { return Has(error, " has two prefixes, "); },
     .passes = true},
    {.name = "any_constraint",
     .fault_class = kClass,
     .breaks = "Does not check what operations demand of their parameters and dimensions.",
     .overlooks_model =
         [](const Model& /*model*/, absl::string_view error) {
           return Has(error, ": constraint ") && Has(error, " does not hold: ");
         },
     .passes = true},
    {.name = "any_output_dimensions",
     .fault_class = kClass,
     .breaks = "Takes whatever dimensions a model declares for outputs.",
     .overlooks_model = [](const Model& /*model*/,
                           absl::string_view error) { return Has(error, "; the model declares "); },
     .passes = true},
    // Requests.
    {.name = "request_without_input",
     .fault_class = kClass,
     .breaks = "Takes requests that have too few inputs.",
     .overlooks_request = [](absl::string_view error) { return Surplus(error, "inputs") < 0; },
     .passes = true},
    {.name = "request_without_output",
     .fault_class = kClass,
     .breaks = "Takes requests that have too few outputs.",
     .overlooks_request = [](absl::string_view error) { return Surplus(error, "outputs") < 0; },
     .passes = true},
    {.name = "request_with_more",
     .fault_class = kClass,
     .breaks = "Takes requests that have too many arguments.",
     .overlooks_request = [](absl::string_view error) { return Surplus(error, "puts") > 0; },
     .passes = true},
    {.name = "request_any_pool_index",
     .fault_class = kClass,
     .breaks = "Takes arguments in pools that do not exist.",
     .overlooks_request = [](absl::string_view error) { return Has(error, "the poolIndex is "); },
     .passes = true},
    {.name = "request_any_location",
     .fault_class = kClass,
     .breaks = "Takes arguments that lie outside of their pool, which is not empty.",
     .overlooks_request =
         [](absl::string_view error) {
           return Has(error, "the location ends at byte ") && !Has(error, "the pool has 0 bytes");
         },
     .passes = true},
    {.name = "request_short_input",
     .fault_class = kClass,
     .breaks = "Takes inputs that are shorter than their dimensions.",
     .overlooks_request = [](absl::string_view error) { return Has(error, ": the length is "); },
     .passes = true},
    {.name = "request_any_rank",
     .fault_class = kClass,
     .breaks = "Takes arguments of another rank than the model's.",
     .overlooks_request = [](absl::string_view error) { return Has(error, ": the rank is "); },
     .passes = true},
    {.name = "request_any_dimension",
     .fault_class = kClass,
     .breaks = "Takes arguments of other dimensions than the model's, if they are known.",
     .overlooks_request =
         [](absl::string_view error) {
           return Has(error, ": the dimension ") && !Has(error, " is 0;");
         },
     .passes = true},
    {.name = "request_unknown_dimension",
     .fault_class = kClass,
     .breaks = "Takes inputs of dimensions that are not known.",
     .overlooks_request =
         [](absl::string_view error) {
           return Has(error, ": the dimension ") && Has(error, " is 0;");
         },
     .passes = true},
    {.name = "request_omits_input",
     .fault_class = kClass,
     .breaks = "Takes requests that omit an input which is needed.",
     .overlooks_request =
         [](absl::string_view error) { return Has(error, "with the inputs that are omitted"); },
     .passes = true},
    {.name = "request_omitted_somewhere",
     .fault_class = kClass,
     .breaks = "Takes omitted arguments that have a location or dimensions.",
     .overlooks_request =
         [](absl::string_view error) {
           return Has(error, "an omitted argument has the location ");
         },
     .passes = true},
    {.name = "request_overlap",
     .fault_class = kClass,
     .breaks = "Takes outputs in the memory of other arguments.",
     .overlooks_request = [](absl::string_view error) { return Has(error, ": it overlaps "); },
     .passes = true},
    {.name = "request_any_pool",
     .fault_class = kClass,
     .breaks = "Takes requests with pools that have no memory.",
     .overlooks_request =
         [](absl::string_view error) { return Has(error, "the pool has no file descriptor"); },
     .passes = true},
    {.name = "request_never_again",
     .fault_class = kClass,
     .breaks = "Refuses every request after an invalid one.",
     .refuses_after_invalid = true,
     .passes = true},
};

}  // namespace

absl::Span<const Rule> ValidationRules() { return kRules; }

}  // namespace nncert::faulty
