// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/testing/models.h"

#include <cstring>
#include <vector>

#include "glog/logging.h"
#include "hal/extension.h"
#include "hal/memory.h"

namespace nncert::hal::testing {
namespace {

using V1_2::Operand;
using V1_2::OperandLifeTime;
using V1_2::OperandType;
using V1_2::OperationType;

template <typename Value>
void Append(std::vector<uint8_t>& bytes, const std::vector<Value>& values) {
  const size_t start = bytes.size();
  bytes.resize(start + values.size() * sizeof(Value));
  if (!values.empty()) {
    std::memcpy(bytes.data() + start, values.data(), values.size() * sizeof(Value));
  }
}

template <typename Value>
std::vector<uint8_t> Bytes(const std::vector<Value>& values) {
  std::vector<uint8_t> bytes;
  Append(bytes, values);
  return bytes;
}

Memory Pool(const std::vector<uint8_t>& content, std::string_view name = kAshmem) {
  absl::StatusOr<Memory> memory = Memory::AllocateCopy(content, name);
  CHECK(memory.ok()) << memory.status();
  return *memory;
}

Operand FloatTensor(OperandLifeTime lifetime, uint32_t consumers) {
  Operand operand;
  operand.type = OperandType::TENSOR_FLOAT32;
  operand.dimensions = {2};
  operand.numberOfConsumers = consumers;
  operand.lifetime = lifetime;
  return operand;
}

}  // namespace

V1_2::Model TwoAdditions() {
  V1_2::Model model;
  model.operands = {FloatTensor(OperandLifeTime::MODEL_INPUT, 1),
                    FloatTensor(OperandLifeTime::CONSTANT_COPY, 1),
                    {},
                    FloatTensor(OperandLifeTime::TEMPORARY_VARIABLE, 1),
                    FloatTensor(OperandLifeTime::CONSTANT_REFERENCE, 1),
                    FloatTensor(OperandLifeTime::MODEL_OUTPUT, 0)};
  model.operands[1].location = {.poolIndex = 0, .offset = 0, .length = 8};
  model.operands[2].type = OperandType::INT32;
  model.operands[2].numberOfConsumers = 2;
  model.operands[2].lifetime = OperandLifeTime::CONSTANT_COPY;
  model.operands[2].location = {.poolIndex = 0, .offset = 8, .length = 4};
  model.operands[4].location = {.poolIndex = 0, .offset = 8, .length = 8};
  model.operations = {{.type = OperationType::ADD, .inputs = {0, 1, 2}, .outputs = {3}},
                      {.type = OperationType::ADD, .inputs = {3, 4, 2}, .outputs = {5}}};
  model.inputIndexes = {0};
  model.outputIndexes = {5};
  Append<float>(model.operandValues, {10, 20});
  Append<int32_t>(model.operandValues, {0});
  model.pools = {Pool(Bytes<float>({0, 0, 100, 200}))};
  return model;
}

V1_2::Request TwoAdditionsRequest() {
  V1_2::Request request;
  request.pools = {Pool(Bytes<float>({1, 2})), Pool(std::vector<uint8_t>(8))};
  request.inputs = {
      {.hasNoValue = false, .location = {0, 0, 8}, .dimensions = {}},
  };
  request.outputs = {
      {.hasNoValue = false, .location = {1, 0, 8}, .dimensions = {}},
  };
  return request;
}

V1_2::Model OneOfEverything() {
  constexpr uint16_t kPrefix = 7;
  V1_2::Model model = TwoAdditions();
  model.relaxComputationFloat32toFloat16 = true;
  model.extensionNameToPrefix = {{.name = "com.example.test", .prefix = kPrefix}};
  model.pools.push_back(Pool({1, 2, 3, 4}, kMmapFd));
  model.pools.push_back(Pool({5, 6}, kHardwareBufferBlob));
  model.pools.push_back(Pool({}));

  Operand per_channel;  // 6
  per_channel.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  per_channel.dimensions = {2, 2};
  per_channel.numberOfConsumers = 1;
  per_channel.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
  per_channel.location = {.poolIndex = 1, .offset = 0, .length = 4};
  per_channel.extraParams =
      V1_2::SymmPerChannelQuantParams{.scales = {0.5F, 0.25F}, .channelDim = 1};

  Operand extension;  // 7
  extension.type = makeExtensionOperandType(kPrefix, 3);
  extension.dimensions = {0, 3};
  extension.lifetime = OperandLifeTime::MODEL_OUTPUT;
  extension.extraParams = std::vector<uint8_t>{9, 8, 7};

  Operand oem;  // 8
  oem.type = OperandType::TENSOR_OEM_BYTE;
  oem.dimensions = {2};
  oem.numberOfConsumers = 1;
  oem.scale = -3;
  oem.zeroPoint = -1;
  oem.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
  oem.location = {.poolIndex = 2, .offset = 0, .length = 2};

  Operand omitted;  // 9
  omitted.type = OperandType::TENSOR_FLOAT16;
  omitted.numberOfConsumers = 1;
  omitted.lifetime = OperandLifeTime::NO_VALUE;

  Operand quantized;  // 10
  quantized.type = OperandType::TENSOR_QUANT16_ASYMM;
  quantized.dimensions = {3, 0};
  quantized.numberOfConsumers = 1;
  quantized.scale = 0.125F;
  quantized.zeroPoint = 40000;
  quantized.lifetime = OperandLifeTime::MODEL_INPUT;

  model.operands.insert(model.operands.end(), {per_channel, extension, oem, omitted, quantized});
  model.operations.push_back(
      {.type = makeExtensionOperationType(kPrefix, 1), .inputs = {6, 8, 9, 10}, .outputs = {7}});
  model.inputIndexes.push_back(10);
  model.outputIndexes.push_back(7);
  return model;
}

}  // namespace nncert::hal::testing
