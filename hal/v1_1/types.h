// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The value types of android.hardware.neuralnetworks@1.1 (types.hal): nine more operations, relaxed
// 32-bit arithmetic, execution preferences. Types that 1.1 takes over from 1.0 are aliases.

#ifndef NNCERT_HAL_V1_1_TYPES_H_
#define NNCERT_HAL_V1_1_TYPES_H_

#include <cstdint>
#include <vector>

#include "hal/memory.h"
#include "hal/since.h"
#include "hal/v1_0/types.h"

namespace nncert::hal::V1_1 {

using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::ErrorStatus;
using V1_0::FusedActivationFunc;
using V1_0::Operand;
using V1_0::OperandLifeTime;
using V1_0::OperandType;
using V1_0::PerformanceInfo;
using V1_0::Request;
using V1_0::RequestArgument;

/// The type of an operation: those of 1.0 and nine more. See hal/operations.def.
enum class OperationType : int32_t {
#define NNCERT_OPERATION(NAME, VALUE, SINCE) NNCERT_KEEP_IN_1_1_SINCE_##SINCE(NAME = VALUE, )
#include "hal/operations.def"
};

/// What a client wants of a prepared model.
enum class ExecutionPreference : int32_t {
  /// Spare the battery; fits compilations that run often.
  LOW_POWER = 0,
  /// Give a single answer as soon as possible, even at the price of power.
  FAST_SINGLE_ANSWER = 1,
  /// Sustain the highest rate over many executions, such as the frames of a camera.
  SUSTAINED_SPEED = 2,
};

/// What a 1.1 driver says of its performance.
struct Capabilities {
  /// On 32-bit floating point data.
  PerformanceInfo float32Performance;
  /// On asymmetrically quantized 8-bit data.
  PerformanceInfo quantized8Performance;
  /// On 32-bit floating point data, when the range and precision of 16-bit floats are enough.
  PerformanceInfo relaxedFloat32toFloat16Performance;

  bool operator==(const Capabilities&) const = default;
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

  /// True: 32-bit floating point operations may be computed with no more than the range and
  /// precision of IEEE 754 16-bit floats. False: with those of 32-bit floats at the least.
  bool relaxComputationFloat32toFloat16 = false;

  bool operator==(const Model&) const = default;
};

}  // namespace nncert::hal::V1_1

#endif  // NNCERT_HAL_V1_1_TYPES_H_
