// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The value types of android.hardware.neuralnetworks@1.0 (types.hal).
//
// Names, values and meanings are the HAL's. Structures are plain aggregates whose defaults are
// those of HIDL: zero, empty, the first enumerator.

#ifndef NNCERT_HAL_V1_0_TYPES_H_
#define NNCERT_HAL_V1_0_TYPES_H_

#include <cstdint>
#include <vector>

#include "hal/memory.h"
#include "hal/since.h"

namespace nncert::hal::V1_0 {

/// The type of an operand. TENSOR_ types are tensors, the others scalars without dimensions. The
/// types, their storage and quantization are documented row by row in hal/operand_types.def.
enum class OperandType : int32_t {
#define NNCERT_OPERAND_TYPE(NAME, VALUE, SINCE, ...) \
  NNCERT_KEEP_IN_1_0_SINCE_##SINCE(NAME = VALUE, )
#include "hal/operand_types.def"
};

/// The type of an operation: 29 operations and OEM_OPERATION. See hal/operations.def.
enum class OperationType : int32_t {
#define NNCERT_OPERATION(NAME, VALUE, SINCE) NNCERT_KEEP_IN_1_0_SINCE_##SINCE(NAME = VALUE, )
#include "hal/operations.def"
};

/// The activation that some operations apply to their result; given to them as an INT32 scalar.
enum class FusedActivationFunc : int32_t {
  NONE = 0,   ///< the result as it is
  RELU = 1,   ///< max(0, x)
  RELU1 = 2,  ///< clamped to [-1, 1]
  RELU6 = 3,  ///< clamped to [0, 6]
};

/// How an operand of a model comes by its value.
enum class OperandLifeTime : int32_t {
  /// Written by exactly one operation and read by others; invisible outside the model.
  TEMPORARY_VARIABLE = 0,
  /// Given with each request. No operation writes it, and it is not an output of the model as well.
  MODEL_INPUT = 1,
  /// Written by exactly one operation and handed back with each request.
  MODEL_OUTPUT = 2,
  /// A constant kept in Model::operandValues. No operation writes it.
  CONSTANT_COPY = 3,
  /// A constant kept in one of Model::pools. No operation writes it.
  CONSTANT_REFERENCE = 4,
  /// An omitted argument; only where an operation's input is optional.
  NO_VALUE = 5,
};

/// What IDevice::getStatus says of a device.
enum class DeviceStatus : int32_t {
  AVAILABLE = 0,
  BUSY = 1,
  OFFLINE = 2,
  UNKNOWN = 3,
};

/// How a call or an execution ended.
enum class ErrorStatus : int32_t {
  /// It succeeded.
  NONE = 0,
  /// The device is offline or busy.
  DEVICE_UNAVAILABLE = 1,
  /// It failed for a reason that has no status of its own.
  GENERAL_FAILURE = 2,
  /// A buffer is too small for the output it is to hold.
  OUTPUT_INSUFFICIENT_SIZE = 3,
  /// The model, the request or another argument breaks the HAL's rules.
  INVALID_ARGUMENT = 4,
};

/// The performance of a device on a reference workload, as a share of the CPU's. Lower is better.
struct PerformanceInfo {
  /// Time on the device / time on the CPU.
  float execTime = 0;
  /// Energy used by the device / energy used by the CPU.
  float powerUsage = 0;

  bool operator==(const PerformanceInfo&) const = default;
};

/// What a 1.0 driver says of its performance.
struct Capabilities {
  /// On 32-bit floating point data.
  PerformanceInfo float32Performance;
  /// On asymmetrically quantized 8-bit data.
  PerformanceInfo quantized8Performance;

  bool operator==(const Capabilities&) const = default;
};

/// Where the bytes of an operand are.
struct DataLocation {
  /// Index into Model::pools or Request::pools; 0 for CONSTANT_COPY operands.
  uint32_t poolIndex = 0;
  /// Bytes from the start of the pool (of Model::operandValues for CONSTANT_COPY operands).
  uint32_t offset = 0;
  /// Length in bytes.
  uint32_t length = 0;

  bool operator==(const DataLocation&) const = default;
};

/// One operand of a model's graph.
struct Operand {
  /// The type of the data.
  OperandType type = OperandType::FLOAT32;

  /// Empty for scalars. A tensor has at least one dimension, and a dimension of 0 is not known yet:
  /// those of constants must be known, those of model inputs and outputs must be known from here or
  /// from the request (unless omitted there), those of temporaries are found from the operation
  /// that writes them.
  std::vector<uint32_t> dimensions;

  /// How many times operations list this operand as an input, counting every occurrence.
  uint32_t numberOfConsumers = 0;

  /// The real value of one quantization step. For TENSOR_QUANT8_ASYMM and TENSOR_INT32.
  float scale = 0;

  /// The integer that stands for real zero. For TENSOR_QUANT8_ASYMM, in [0, 255].
  int32_t zeroPoint = 0;

  /// How the operand comes by its value.
  OperandLifeTime lifetime = OperandLifeTime::TEMPORARY_VARIABLE;

  /// Where the value of a constant is; all zero for other lifetimes.
  DataLocation location;

  bool operator==(const Operand&) const = default;
};

/// One operation of a model's graph.
struct Operation {
  /// What it computes.
  OperationType type = OperationType::ADD;
  /// Indexes into Model::operands, in the order of the operation's documented inputs.
  std::vector<uint32_t> inputs;
  /// Indexes into Model::operands, in the order of the operation's documented outputs.
  std::vector<uint32_t> outputs;

  bool operator==(const Operation&) const = default;
};

/// A model: the graph and its constants. Only shapes may be left open.
struct Model {
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

  bool operator==(const Model&) const = default;
};

/// Where one input or output of a request is, and what the model left open of its shape.
struct RequestArgument {
  /// True for an omitted optional argument; location and dimensions are then zero and empty.
  bool hasNoValue = false;

  /// A place in one of Request::pools.
  DataLocation location;

  /// Empty, or every dimension of the operand. The rank and those dimensions that the model knows
  /// cannot be changed; those that it leaves open are given here. HAL 1.2 allows dimensions of
  /// outputs to stay open (0).
  std::vector<uint32_t> dimensions;

  bool operator==(const RequestArgument&) const = default;
};

/// The inputs and outputs of one execution of a prepared model.
///
/// No output may overlap another output, an input, or the memory of a CONSTANT_REFERENCE operand.
struct Request {
  /// inputs[i] belongs to Model::inputIndexes[i].
  std::vector<RequestArgument> inputs;
  /// outputs[i] belongs to Model::outputIndexes[i].
  std::vector<RequestArgument> outputs;
  /// Shared memory that the arguments' locations point into.
  std::vector<Memory> pools;

  bool operator==(const Request&) const = default;
};

}  // namespace nncert::hal::V1_0

#endif  // NNCERT_HAL_V1_0_TYPES_H_
