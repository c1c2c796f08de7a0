// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The value types of android.hardware.neuralnetworks@1.2 (types.hal), other than the elements of
// burst channels (hal/v1_2/burst_types.h). Types that 1.2 takes over are aliases.

#ifndef NNCERT_HAL_V1_2_TYPES_H_
#define NNCERT_HAL_V1_2_TYPES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "hal/memory.h"
#include "hal/since.h"
#include "hal/v1_0/types.h"
#include "hal/v1_1/types.h"

namespace nncert::hal::V1_2 {

using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::OperandLifeTime;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;

/// Sizes that the HAL fixes.
enum class Constant : uint32_t {
  /// Bytes of a compilation cache token.
  BYTE_SIZE_OF_CACHE_TOKEN = 32,
  /// The most files that a driver may ask for, for the model cache and for the data cache each.
  MAX_NUMBER_OF_CACHE_FILES = 32,
};

/// The token that a client chooses to identify a prepared model in a compilation cache.
using CacheToken = std::array<uint8_t, static_cast<size_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)>;

/// The type of an operand. Values above OperandTypeRange::BASE_MAX are extension types, to be read
/// by Model::extensionNameToPrefix. See hal/operand_types.def.
enum class OperandType : int32_t {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, ...) \
  NNCERT_KEEP_IN_1_2_SINCE_##SINCE(NAME = VALUE, )
#include "hal/operand_types.def"
};

/// The ranges of OperandType values.
enum class OperandTypeRange : uint32_t {
  BASE_MIN = 0,
  FUNDAMENTAL_MIN = 0,
  FUNDAMENTAL_MAX = 13,  ///< the last type that is neither OEM's nor an extension's
  OEM_MIN = 10000,
  OEM_MAX = 10001,
  BASE_MAX = 0xFFFF,  ///< whatever lies above belongs to an extension
};

/// The type of an operation. Values above OperationTypeRange::BASE_MAX are extension operations, to
/// be read by Model::extensionNameToPrefix. See hal/operations.def.
enum class OperationType : int32_t {
#define NNCERT_OPERATION(NAME, VALUE, SINCE) NNCERT_KEEP_IN_1_2_SINCE_##SINCE(NAME = VALUE, )
#include "hal/operations.def"
};

/// The ranges of OperationType values.
enum class OperationTypeRange : uint32_t {
  BASE_MIN = 0,
  FUNDAMENTAL_MIN = 0,
  FUNDAMENTAL_MAX = 94,  ///< the last operation that is neither OEM's nor an extension's
  OEM_MIN = 10000,
  OEM_MAX = 10000,
  BASE_MAX = 0xFFFF,  ///< whatever lies above belongs to an extension
};

/// What kind of hardware a device is. Zero is left to the NN API's "unknown", which no driver may
/// report.
enum class DeviceType : int32_t {
  OTHER = 1,        ///< none of the others
  CPU = 2,          ///< one or more CPU cores
  GPU = 3,          ///< can run models and graphics as well
  ACCELERATOR = 4,  ///< made for machine learning
};

/// What a 1.2 driver says of its performance. An operation's performance is that of the type of its
/// first operand. Extension types are not covered.
struct Capabilities {
  /// Performance on one type of operand; on float types when arithmetic is not relaxed.
  struct OperandPerformance {
    OperandType type = OperandType::FLOAT32;
    PerformanceInfo info;

    bool operator==(const OperandPerformance&) const = default;
  };

  /// On 32-bit float scalars when the range and precision of 16-bit floats are enough.
  PerformanceInfo relaxedFloat32toFloat16PerformanceScalar;
  /// On 32-bit float tensors when the range and precision of 16-bit floats are enough.
  PerformanceInfo relaxedFloat32toFloat16PerformanceTensor;
  /// Sorted by type. A type that is missing counts as FLT_MAX in both figures.
  std::vector<OperandPerformance> operandPerformance;

  bool operator==(const Capabilities&) const = default;
};

/// One operation of a model's graph.
struct Operation {
  /// What it computes; possibly an extension's operation.
  OperationType type = OperationType::ADD;
  /// Indexes into Model::operands, in the order of the operation's documented inputs.
  std::vector<uint32_t> inputs;
  /// Indexes into Model::operands, in the order of the operation's documented outputs.
  std::vector<uint32_t> outputs;

  bool operator==(const Operation&) const = default;
};

/// The quantization of a TENSOR_QUANT8_SYMM_PER_CHANNEL operand.
struct SymmPerChannelQuantParams {
  /// The real value of one step in each channel: as many as the channel dimension is long, each
  /// above zero.
  std::vector<float> scales;
  /// The index of the channel dimension.
  uint32_t channelDim = 0;

  bool operator==(const SymmPerChannelQuantParams&) const = default;
};

/// One operand of a model's graph.
struct Operand {
  /// What some types need besides: nothing (`none`), the scales of
  /// TENSOR_QUANT8_SYMM_PER_CHANNEL (`channelQuant`), or bytes whose format an extension defines
  /// (`extension`). The alternatives stand in the order of the HAL's safe_union.
  using ExtraParams = std::variant<std::monostate, SymmPerChannelQuantParams, std::vector<uint8_t>>;

  /// The type of the data; possibly an extension's type.
  OperandType type = OperandType::FLOAT32;

  /// Empty for scalars. In a tensor a dimension of 0 is not known yet, and no dimensions at all is
  /// an unknown rank. Constants must be fully known. Model inputs must be known from here or from
  /// the request, unless omitted there. Other tensors get theirs from the operation that writes
  /// them.
  std::vector<uint32_t> dimensions;

  /// How many times operations list this operand as an input, counting every occurrence.
  uint32_t numberOfConsumers = 0;

  /// The real value of one quantization step; 0 for types without (hal/operand_types.def).
  float scale = 0;

  /// The integer that stands for real zero; 0 for types without (hal/operand_types.def).
  int32_t zeroPoint = 0;

  /// How the operand comes by its value.
  OperandLifeTime lifetime = OperandLifeTime::TEMPORARY_VARIABLE;

  /// Where the value of a constant is; all zero for other lifetimes.
  DataLocation location;

  /// What the type needs besides.
  ExtraParams extraParams;

  bool operator==(const Operand&) const = default;
};

/// A model: the graph and its constants. Only shapes may be left open.
struct Model {
  /// Which prefix stands for an extension in the type values of this model.
  struct ExtensionNameAndPrefix {
    /// See Extension::name.
    std::string name;
    /// The high 16 bits of the extension's type values; not 0.
    uint16_t prefix = 0;

    bool operator==(const ExtensionNameAndPrefix&) const = default;
  };

  /// How an extension's type value is made: the prefix above, the type within the extension below.
  /// See hal/extension.h.
  enum class ExtensionTypeEncoding : uint8_t {
    HIGH_BITS_PREFIX = 16,  ///< bits of the prefix
    LOW_BITS_TYPE = 16,     ///< bits of the type within the extension
  };

  /// Every operand of the model.
  std::vector<Operand> operands;

  /// Every operation, in execution order: what an operation reads has been written before it.
  std::vector<Operation> operations;

  /// Indexes into `operands` of the model's inputs; at least one.
  std::vector<uint32_t> inputIndexes;

  /// Indexes into `operands` of the model's outputs; at least one.
  std::vector<uint32_t> outputIndexes;

  /// The values of the operands of lifetime CONSTANT_COPY, and of no others.
  std::vector<uint8_t> operandValues;

  /// Shared memory with the values of the operands of lifetime CONSTANT_REFERENCE.
  std::vector<Memory> pools;

  /// True: 32-bit floating point operations may be computed with no more than the range and
  /// precision of IEEE 754 16-bit floats. False: with those of 32-bit floats at the least.
  bool relaxComputationFloat32toFloat16 = false;

  /// The extensions that the model uses: every name has one prefix and every prefix one name.
  std::vector<ExtensionNameAndPrefix> extensionNameToPrefix;

  bool operator==(const Model&) const = default;
};

/// The shape of one output after an execution.
struct OutputShape {
  /// The dimensions; 0 where the driver does not know.
  std::vector<uint32_t> dimensions;
  /// Whether the buffer was large enough.
  bool isSufficient = false;

  bool operator==(const OutputShape&) const = default;
};

/// Whether an execution is to be timed.
enum class MeasureTiming : int32_t {
  NO = 0,
  YES = 1,
};

/// How long an execution took, in microseconds, from beginning to end including any waiting.
/// UINT64_MAX where no time is available: always unless it was asked for and the execution
/// succeeded.
struct Timing {
  /// On the device itself.
  uint64_t timeOnDevice = std::numeric_limits<uint64_t>::max();
  /// In the driver, the device included: never less than timeOnDevice when both are known.
  uint64_t timeInDriver = std::numeric_limits<uint64_t>::max();

  bool operator==(const Timing&) const = default;
};

/// An extension that a driver supports.
struct Extension {
  /// One operand type of an extension.
  struct OperandTypeInformation {
    /// The type within the extension: the low 16 bits of the type value.
    uint16_t type = 0;
    /// A tensor, or else a scalar.
    bool isTensor = false;
    /// Bytes of the scalar or of an element of the tensor.
    uint32_t byteSize = 0;

    bool operator==(const OperandTypeInformation&) const = default;
  };

  /// The vendor's domain reversed, and a name: lower-case letters, digits, '_' and '.', with at
  /// least one '.'. For example "com.example.fibonacci".
  std::string name;
  /// The extension's operand types.
  std::vector<OperandTypeInformation> operandTypes;

  bool operator==(const Extension&) const = default;
};

}  // namespace nncert::hal::V1_2

#endif  // NNCERT_HAL_V1_2_TYPES_H_
