// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/validate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "hal/conversion.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert::hal {
namespace {

using V1_2::DataLocation;
using V1_2::Model;
using V1_2::Operand;
using V1_2::OperandLifeTime;
using V1_2::Operation;
using V1_2::Request;
using V1_2::RequestArgument;

#define NNCERT_RETURN_IF_ERROR(expression) \
  if (absl::Status error = (expression); !error.ok()) return error

// The same, with the place that the error is about before its message. The place is only put into
// words when there is an error: most models are valid, and checked often.
#define NNCERT_RETURN_IF_ERROR_AT(expression, ...) \
  if (absl::Status error = (expression); !error.ok()) return At(error, __VA_ARGS__)

template <typename... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// "the <what> is <value>; expected <expected>".
template <typename Value, typename... Parts>
absl::Status Unexpected(std::string_view what, const Value& value, const Parts&... expected) {
  return Invalid("the ", std::string(what), " is ", value, "; expected ", expected...);
}

// The status, with the place it is about before its message.
template <typename... Place>
absl::Status At(const absl::Status& status, const Place&... place) {
  return absl::Status(status.code(), absl::StrCat(place..., ": ", status.message()));
}

bool IsWrittenByOperations(OperandLifeTime lifetime) {
  return lifetime == OperandLifeTime::TEMPORARY_VARIABLE ||
         lifetime == OperandLifeTime::MODEL_OUTPUT;
}

absl::Status CheckRange(const DataLocation& location, size_t size, std::string_view container) {
  if (uint64_t{location.offset} + location.length > size) {
    return Invalid("the location ends at byte ", uint64_t{location.offset} + location.length, "; ",
                   std::string(container), " has ", size, " bytes");
  }
  return absl::OkStatus();
}

absl::Status CheckPoolLocation(const DataLocation& location, const std::vector<Memory>& pools) {
  if (location.poolIndex >= pools.size()) {
    return Unexpected("poolIndex", location.poolIndex, "less than ", pools.size());
  }
  return CheckRange(location, pools[location.poolIndex].size(), "the pool");
}

absl::Status CheckPools(const std::vector<Memory>& pools, HalVersion version) {
  for (size_t i = 0; i < pools.size(); ++i) {
    NNCERT_RETURN_IF_ERROR_AT(validatePool(pools[i], version), "pool ", i);
  }
  return absl::OkStatus();
}

// The checks of one model. Each method is one rule.
class ModelChecker {
 public:
  ModelChecker(const Model& model, HalVersion version) : model_(model), version_(version) {}

  absl::Status Check() {
    NNCERT_RETURN_IF_ERROR(CheckNotEmpty());
    NNCERT_RETURN_IF_ERROR(CheckExtensionPrefixes());
    NNCERT_RETURN_IF_ERROR(CheckPools(model_.pools, version_));
    for (size_t i = 0; i < model_.operands.size(); ++i) {
      NNCERT_RETURN_IF_ERROR_AT(CheckOperand(model_.operands[i]), "operand ", i);
    }
    NNCERT_RETURN_IF_ERROR(
        CheckModelArguments(model_.inputIndexes, OperandLifeTime::MODEL_INPUT, "inputIndexes"));
    NNCERT_RETURN_IF_ERROR(
        CheckModelArguments(model_.outputIndexes, OperandLifeTime::MODEL_OUTPUT, "outputIndexes"));
    return CheckOperations();
  }

 private:
  absl::Status CheckNotEmpty() const {
    if (model_.operands.empty()) return Invalid("the model has no operands");
    if (model_.operations.empty()) return Invalid("the model has no operations");
    if (model_.inputIndexes.empty()) return Invalid("the model has no inputs");
    if (model_.outputIndexes.empty()) return Invalid("the model has no outputs");
    return absl::OkStatus();
  }

  absl::Status CheckExtensionPrefixes() const {
    absl::flat_hash_map<std::string_view, uint16_t> prefixes;
    absl::flat_hash_map<uint16_t, std::string_view> names;
    for (const Model::ExtensionNameAndPrefix& entry : model_.extensionNameToPrefix) {
      if (entry.prefix == 0) {
        return Invalid("the prefix of the extension \"", entry.name,
                       "\" is 0; expected another one, for 0 belongs to the HAL's own types");
      }
      const auto [prefix, is_new_name] = prefixes.try_emplace(entry.name, entry.prefix);
      if (!is_new_name) {
        return Invalid("the extension \"", entry.name, "\" has two prefixes, ", prefix->second,
                       " and ", entry.prefix, "; expected one");
      }
      const auto [name, is_new_prefix] = names.try_emplace(entry.prefix, entry.name);
      if (!is_new_prefix) {
        return Invalid("the prefix ", entry.prefix, " stands for two extensions, \"",
                       std::string(name->second), "\" and \"", entry.name, "\"; expected one");
      }
    }
    return absl::OkStatus();
  }

  template <typename Type>
  absl::Status CheckType(Type type, bool is_of_version) const {
    if (!is_of_version) {
      return Unexpected("type", toString(type), "one of HAL ", std::string(toString(version_)));
    }
    const uint16_t prefix = extensionPrefix(type);
    if (prefix != 0 && !extensionName(model_, prefix).has_value()) {
      return Unexpected("type", toString(type), "a prefix that extensionNameToPrefix lists, not ",
                        prefix);
    }
    return absl::OkStatus();
  }

  absl::Status CheckOperand(const Operand& operand) const {
    NNCERT_RETURN_IF_ERROR(CheckType(operand.type, isOperandTypeOf(version_, operand.type)));
    NNCERT_RETURN_IF_ERROR(CheckDimensions(operand));
    NNCERT_RETURN_IF_ERROR(CheckScale(operand));
    NNCERT_RETURN_IF_ERROR(CheckZeroPoint(operand));
    NNCERT_RETURN_IF_ERROR(CheckExtraParams(operand));
    return CheckLocation(operand);
  }

  absl::Status CheckDimensions(const Operand& operand) const {
    const OperandTypeProperties* const properties = operandTypeProperties(operand.type);
    if (properties == nullptr) return absl::OkStatus();
    if (properties->isScalar && !operand.dimensions.empty()) {
      return Unexpected("rank of a scalar", operand.dimensions.size(), "0");
    }
    if (!properties->isScalar && operand.dimensions.empty() &&
        (version_ < HalVersion::V1_2 || isConstant(operand.lifetime))) {
      return Invalid("the rank of a ",
                     isConstant(operand.lifetime) ? "constant tensor" : "tensor before HAL 1.2",
                     " is unknown; expected at least 1");
    }
    return absl::OkStatus();
  }

  absl::Status CheckScale(const Operand& operand) const {
    const OperandTypeProperties* const properties = operandTypeProperties(operand.type);
    // Extensions keep their parameters in extraParams.
    const ScaleRule rule = properties == nullptr ? ScaleRule::ZERO : properties->scale;
    const char* expected = nullptr;
    // Written so that a NaN breaks every rule.
    switch (rule) {
      case ScaleRule::ZERO:
      case ScaleRule::PER_CHANNEL:
        if (operand.scale != 0) expected = "0";
        break;
      case ScaleRule::NON_NEGATIVE:
        if (!(operand.scale >= 0) || !std::isfinite(operand.scale)) expected = "0 or more";
        break;
      case ScaleRule::POSITIVE:
        if (!(operand.scale > 0) || !std::isfinite(operand.scale)) expected = "more than 0";
        break;
      case ScaleRule::ANY:
        break;
    }
    if (expected == nullptr) return absl::OkStatus();
    return Unexpected("scale", operand.scale, expected, " for ", toString(operand.type));
  }

  absl::Status CheckZeroPoint(const Operand& operand) const {
    const OperandTypeProperties* const properties = operandTypeProperties(operand.type);
    const int32_t most = properties == nullptr ? 0 : properties->zeroPointMax;
    if (most < 0 || (operand.zeroPoint >= 0 && operand.zeroPoint <= most)) return absl::OkStatus();
    const std::string range = most == 0 ? "0" : absl::StrCat("in [0, ", most, "]");
    return Unexpected("zeroPoint", operand.zeroPoint, range, " for ", toString(operand.type));
  }

  absl::Status CheckExtraParams(const Operand& operand) const {
    if (isOemOperandType(operand.type)) return absl::OkStatus();
    constexpr std::array<const char*, 3> kNames = {"none", "channelQuant", "extension"};
    const char* const actual = kNames[operand.extraParams.index()];
    if (operand.type == V1_2::OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL) {
      const auto* quantization = std::get_if<V1_2::SymmPerChannelQuantParams>(&operand.extraParams);
      if (quantization != nullptr) return CheckChannelQuant(*quantization, operand.dimensions);
      return Unexpected("alternative of extraParams", actual, "channelQuant for ",
                        toString(operand.type));
    }
    if (std::holds_alternative<std::monostate>(operand.extraParams)) return absl::OkStatus();
    if (isExtensionOperandType(operand.type)) {
      if (std::holds_alternative<std::vector<uint8_t>>(operand.extraParams)) {
        return absl::OkStatus();
      }
      return Unexpected("alternative of extraParams", actual,
                        "none or extension for an extension type");
    }
    return Unexpected("alternative of extraParams", actual, "none for ", toString(operand.type));
  }

  static absl::Status CheckChannelQuant(const V1_2::SymmPerChannelQuantParams& quantization,
                                        const std::vector<uint32_t>& dimensions) {
    if (quantization.channelDim >= dimensions.size()) {
      return Unexpected("channelDim", quantization.channelDim, "less than the rank ",
                        dimensions.size());
    }
    const uint32_t channels = dimensions[quantization.channelDim];
    if (channels == 0) {
      return Invalid("the channel dimension ", quantization.channelDim,
                     " is unknown; expected a known one");
    }
    if (quantization.scales.size() != channels) {
      return Unexpected("number of channelQuant scales", quantization.scales.size(), channels,
                        ", the channel dimension");
    }
    for (size_t i = 0; i < quantization.scales.size(); ++i) {
      const float scale = quantization.scales[i];
      if (!(scale > 0) || !std::isfinite(scale)) {
        return Unexpected(absl::StrCat("channelQuant scale ", i), scale, "more than 0");
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckLocation(const Operand& operand) const {
    const DataLocation& location = operand.location;
    switch (operand.lifetime) {
      case OperandLifeTime::CONSTANT_COPY:
        if (location.poolIndex != 0) {
          return Unexpected("poolIndex of a CONSTANT_COPY operand", location.poolIndex, "0");
        }
        NNCERT_RETURN_IF_ERROR(CheckRange(location, model_.operandValues.size(), "operandValues"));
        return CheckLength(operand);
      case OperandLifeTime::CONSTANT_REFERENCE:
        NNCERT_RETURN_IF_ERROR(CheckPoolLocation(location, model_.pools));
        return CheckLength(operand);
      case OperandLifeTime::TEMPORARY_VARIABLE:
      case OperandLifeTime::MODEL_INPUT:
      case OperandLifeTime::MODEL_OUTPUT:
      case OperandLifeTime::NO_VALUE:
        if (location == DataLocation{}) return absl::OkStatus();
        return Unexpected("location", toString(location), "zeros for lifetime ",
                          toString(operand.lifetime));
    }
    return Unexpected("lifetime", toString(operand.lifetime), "one of OperandLifeTime's values");
  }

  static absl::Status CheckLength(const Operand& operand) {
    // Only the vendor knows how large these are.
    if (isExtensionOperandType(operand.type) || isOemOperandType(operand.type)) {
      return absl::OkStatus();
    }
    const std::optional<uint64_t> size = nonExtensionOperandSizeOfData(operand);
    if (size.has_value() && *size == operand.location.length) return absl::OkStatus();
    return Unexpected("length of the constant", operand.location.length,
                      size.has_value() ? absl::StrCat(*size) : "more than 64 bits can say", " for ",
                      toString(operand.type), " of dimensions ",
                      dimensionsToString(operand.dimensions));
  }

  absl::Status CheckModelArguments(const std::vector<uint32_t>& indexes, OperandLifeTime lifetime,
                                   std::string_view field) const {
    std::vector<bool> is_listed(model_.operands.size(), false);
    for (size_t i = 0; i < indexes.size(); ++i) {
      const auto entry = [&] { return absl::StrCat(std::string(field), "[", i, "]"); };
      const uint32_t index = indexes[i];
      if (index >= model_.operands.size()) {
        return Unexpected(entry(), index, "less than ", model_.operands.size());
      }
      if (model_.operands[index].lifetime != lifetime) {
        return Invalid(entry(), " is operand ", index, " of lifetime ",
                       toString(model_.operands[index].lifetime), "; expected ",
                       toString(lifetime));
      }
      if (is_listed[index]) {
        return Invalid(entry(), " is operand ", index, " for the second time; expected each once");
      }
      is_listed[index] = true;
    }
    for (size_t i = 0; i < model_.operands.size(); ++i) {
      if (model_.operands[i].lifetime == lifetime && !is_listed[i]) {
        return Invalid("operand ", i, ": its lifetime is ", toString(lifetime),
                       "; expected it to be listed in ", std::string(field));
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckOperations() {
    consumers_.assign(model_.operands.size(), 0);
    writer_.assign(model_.operands.size(), kNobody);
    for (size_t i = 0; i < model_.operations.size(); ++i) {
      const Operation& operation = model_.operations[i];
      NNCERT_RETURN_IF_ERROR_AT(
          CheckType(operation.type, isOperationTypeOf(version_, operation.type)), "operation ", i);
      NNCERT_RETURN_IF_ERROR_AT(CheckWrites(operation, i), "operation ", i, " (",
                                toString(operation.type), ")");
    }
    // With every writer known, a read too early can be told from a read of what is never written.
    for (size_t i = 0; i < model_.operands.size(); ++i) {
      if (IsWrittenByOperations(model_.operands[i].lifetime) && writer_[i] == kNobody) {
        return Invalid("operand ", i,
                       ": no operation writes it; expected exactly one for lifetime ",
                       toString(model_.operands[i].lifetime));
      }
    }
    for (size_t i = 0; i < model_.operations.size(); ++i) {
      const Operation& operation = model_.operations[i];
      NNCERT_RETURN_IF_ERROR_AT(CheckReads(operation, i), "operation ", i, " (",
                                toString(operation.type), ")");
    }
    for (size_t i = 0; i < model_.operands.size(); ++i) {
      if (model_.operands[i].numberOfConsumers != consumers_[i]) {
        return Invalid("operand ", i, ": numberOfConsumers is ",
                       model_.operands[i].numberOfConsumers, "; expected ", consumers_[i],
                       ", as often as operations read it");
      }
    }
    return absl::OkStatus();
  }

  absl::Status CheckWrites(const Operation& operation, size_t operation_index) {
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
      const uint32_t index = operation.outputs[i];
      if (index >= model_.operands.size()) {
        return Unexpected(absl::StrCat("operand index of output ", i), index, "less than ",
                          model_.operands.size());
      }
      const OperandLifeTime lifetime = model_.operands[index].lifetime;
      if (!IsWrittenByOperations(lifetime)) {
        return Invalid("output ", i, " is operand ", index, " of lifetime ", toString(lifetime),
                       "; expected TEMPORARY_VARIABLE or MODEL_OUTPUT");
      }
      if (writer_[index] != kNobody) {
        return Invalid("output ", i, " is operand ", index, ", which operation ", writer_[index],
                       " writes already; expected exactly one writer");
      }
      writer_[index] = operation_index;
    }
    return absl::OkStatus();
  }

  absl::Status CheckReads(const Operation& operation, size_t operation_index) {
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      const uint32_t index = operation.inputs[i];
      if (index >= model_.operands.size()) {
        return Unexpected(absl::StrCat("operand index of input ", i), index, "less than ",
                          model_.operands.size());
      }
      ++consumers_[index];
      if (!IsWrittenByOperations(model_.operands[index].lifetime)) continue;
      if (writer_[index] == operation_index) {
        return Invalid("input ", i, " is operand ", index,
                       ", which the operation itself writes; expected no cycle");
      }
      if (writer_[index] > operation_index) {
        return Invalid("input ", i, " is operand ", index, ", which only the later operation ",
                       writer_[index], " writes; expected operations in execution order");
      }
    }
    return absl::OkStatus();
  }

  static constexpr size_t kNobody = static_cast<size_t>(-1);

  const Model& model_;
  const HalVersion version_;
  // By operand: how many operation inputs it is, and the operation that writes it.
  std::vector<uint32_t> consumers_;
  std::vector<size_t> writer_;
};

// The checks of one request.
class RequestChecker {
 public:
  RequestChecker(const Request& request, const Model& model, HalVersion version)
      : request_(request), model_(model), version_(version) {}

  absl::Status Check() const {
    NNCERT_RETURN_IF_ERROR(CheckPools(request_.pools, version_));
    NNCERT_RETURN_IF_ERROR(CheckArguments(request_.inputs, model_.inputIndexes, "input"));
    NNCERT_RETURN_IF_ERROR(CheckArguments(request_.outputs, model_.outputIndexes, "output"));
    return CheckOverlap();
  }

 private:
  absl::Status CheckArguments(const std::vector<RequestArgument>& arguments,
                              const std::vector<uint32_t>& indexes, const char* kind) const {
    if (arguments.size() != indexes.size()) {
      return Invalid("the request has ", arguments.size(), " ", kind, "s; expected ",
                     indexes.size(), ", as many as the model");
    }
    const bool is_output = kind[0] == 'o';
    for (size_t i = 0; i < arguments.size(); ++i) {
      NNCERT_RETURN_IF_ERROR_AT(
          indexes[i] < model_.operands.size()
              ? CheckArgument(arguments[i], model_.operands[indexes[i]], is_output)
              : Unexpected("operand index", indexes[i], "less than ", model_.operands.size()),
          "request ", kind, " ", i);
    }
    return absl::OkStatus();
  }

  absl::Status CheckArgument(const RequestArgument& argument, const Operand& operand,
                             bool is_output) const {
    if (argument.hasNoValue) {
      if (argument.location == DataLocation{} && argument.dimensions.empty()) {
        return absl::OkStatus();
      }
      return Invalid("an omitted argument has the location ", toString(argument.location),
                     " and the dimensions ", dimensionsToString(argument.dimensions),
                     "; expected zeros and none");
    }
    NNCERT_RETURN_IF_ERROR(CheckPoolLocation(argument.location, request_.pools));
    const bool may_stay_open = is_output && version_ >= HalVersion::V1_2;
    NNCERT_RETURN_IF_ERROR(CheckDimensions(argument.dimensions, operand, may_stay_open));
    if (is_output || isExtensionOperandType(operand.type)) return absl::OkStatus();
    return CheckInputLength(argument, operand);
  }

  static absl::Status CheckDimensions(const std::vector<uint32_t>& given, const Operand& operand,
                                      bool may_stay_open) {
    const std::vector<uint32_t>& declared = operand.dimensions;
    if (given.empty()) {
      if (may_stay_open || !tensorHasUnspecifiedDimensions(operand)) return absl::OkStatus();
      return Invalid("no dimensions are given, and the model's are ", dimensionsToString(declared),
                     "; expected every dimension");
    }
    const bool is_rank_open = declared.empty() && !nonExtensionOperandTypeIsScalar(operand.type);
    if (!is_rank_open && given.size() != declared.size()) {
      return Unexpected("rank", given.size(), declared.size(), " as in the model");
    }
    for (size_t i = 0; i < given.size(); ++i) {
      if (!is_rank_open && declared[i] != 0 && given[i] != declared[i]) {
        return Unexpected(absl::StrCat("dimension ", i), given[i], declared[i], " as in the model");
      }
      if (given[i] == 0 && !may_stay_open) {
        return Unexpected(absl::StrCat("dimension ", i), 0, "a known one");
      }
    }
    return absl::OkStatus();
  }

  static absl::Status CheckInputLength(const RequestArgument& argument, const Operand& operand) {
    const std::vector<uint32_t>& dimensions =
        argument.dimensions.empty() ? operand.dimensions : argument.dimensions;
    const std::optional<uint64_t> size = nonExtensionSizeOfData(operand.type, dimensions);
    if (size.has_value() && *size <= argument.location.length) return absl::OkStatus();
    return Unexpected("length", argument.location.length, "at least ",
                      size.has_value() ? absl::StrCat(*size) : "more than 64 bits can say", " for ",
                      toString(operand.type), " of dimensions ", dimensionsToString(dimensions));
  }

  bool Overlap(const RequestArgument& a, const RequestArgument& b) const {
    if (a.hasNoValue || b.hasNoValue || a.location.length == 0 || b.location.length == 0) {
      return false;
    }
    const auto& pools = request_.pools;
    if (!(pools[a.location.poolIndex] == pools[b.location.poolIndex])) return false;
    return a.location.offset < uint64_t{b.location.offset} + b.location.length &&
           b.location.offset < uint64_t{a.location.offset} + a.location.length;
  }

  absl::Status CheckOverlap() const {
    for (size_t i = 0; i < request_.outputs.size(); ++i) {
      for (size_t j = 0; j < request_.inputs.size(); ++j) {
        if (Overlap(request_.outputs[i], request_.inputs[j])) {
          return Invalid("request output ", i, ": it overlaps input ", j,
                         "; expected memory of its own");
        }
      }
      for (size_t j = 0; j < i; ++j) {
        if (Overlap(request_.outputs[i], request_.outputs[j])) {
          return Invalid("request output ", i, ": it overlaps output ", j,
                         "; expected memory of its own");
        }
      }
    }
    return absl::OkStatus();
  }

  const Request& request_;
  const Model& model_;
  const HalVersion version_;
};

#undef NNCERT_RETURN_IF_ERROR

}  // namespace

absl::Status validateModelStructure(const V1_2::Model& model, HalVersion version) {
  return ModelChecker(model, version).Check();
}

absl::Status validateModelStructure(const V1_0::Model& model) {
  return validateModelStructure(convertToV1_2(model), HalVersion::V1_0);
}

absl::Status validateModelStructure(const V1_1::Model& model) {
  return validateModelStructure(convertToV1_2(model), HalVersion::V1_1);
}

absl::Status validateModelStructure(const V1_2::Model& model) {
  return validateModelStructure(model, HalVersion::V1_2);
}

absl::Status validateRequest(const V1_0::Request& request, const V1_2::Model& model,
                             HalVersion version) {
  return RequestChecker(request, model, version).Check();
}

absl::Status validateRequest(const V1_0::Request& request, const V1_0::Model& model) {
  return validateRequest(request, convertToV1_2(model), HalVersion::V1_0);
}

absl::Status validateRequest(const V1_0::Request& request, const V1_1::Model& model) {
  return validateRequest(request, convertToV1_2(model), HalVersion::V1_1);
}

absl::Status validatePool(const Memory& pool, HalVersion version) {
  const std::string& name = pool.name();
  if (!pool.valid()) return Invalid("the pool has no file descriptor");
  if (name == kAshmem || name == kMmapFd) return absl::OkStatus();
  if (name == kHardwareBuffer || name == kHardwareBufferBlob) {
    if (version >= HalVersion::V1_2) return absl::OkStatus();
  }
  return Invalid("the memory is of kind \"", name, "\"; expected one that HAL ",
                 std::string(toString(version)), " knows");
}

absl::Status validateExecutionPreference(V1_1::ExecutionPreference preference) {
  switch (preference) {
    case V1_1::ExecutionPreference::LOW_POWER:
    case V1_1::ExecutionPreference::FAST_SINGLE_ANSWER:
    case V1_1::ExecutionPreference::SUSTAINED_SPEED:
      return absl::OkStatus();
  }
  return Invalid("the execution preference is ", toString(preference),
                 "; expected LOW_POWER, FAST_SINGLE_ANSWER or SUSTAINED_SPEED");
}

}  // namespace nncert::hal
