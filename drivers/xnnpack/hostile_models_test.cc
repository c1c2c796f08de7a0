// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models that are almost good: XNNPACK asserts, allocates on the stack and reads where it is told
// to, so nothing that a model says may reach it unchecked.

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "drivers/xnnpack/analysis.h"
#include "drivers/xnnpack/driver.h"
#include "drivers/xnnpack/operations.h"
#include "drivers/xnnpack/random_models.h"
#include "gtest/gtest.h"
#include "hal/testing/callbacks.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "random/split_mix.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::Model;
using hal::V1_2::Operand;

// Models with a larger operand are prepared, but not executed.
constexpr size_t kMostBytes = size_t{1} << 24;

// The n-th of some values, over and over.
template <class T, size_t N>
T Pick(const T (&values)[N], uint64_t& number) {
  const T value = values[number % N];
  number /= N;
  return value;
}

template <class T>
void Put(Model& model, const Operand& operand, T value) {
  std::memcpy(model.operandValues.data() + operand.location.offset, &value, sizeof(value));
}

// Spoils one thing of a model; `number` says what and how.
void Spoil(Model& model, uint64_t number) {
  constexpr int32_t kIntegers[] = {0,
                                   1,
                                   -1,
                                   2,
                                   7,
                                   255,
                                   65536,
                                   1 << 24,
                                   1000000007,
                                   std::numeric_limits<int32_t>::max(),
                                   std::numeric_limits<int32_t>::min()};
  constexpr float kFloats[] = {0,
                               -1,
                               1e-45f,
                               1e-38f,
                               1e-20f,
                               1e20f,
                               3e38f,
                               std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()};
  constexpr uint32_t kSizes[] = {0, 1, 2, 3, 5, 17, 1000, 1u << 20, 0x80000000u, 0xffffffffu};
  constexpr float kScales[] = {1e-45f, 1e-38f, 1e-30f, 1e-9f, 1e-5f, 1, 300, 1e10f, 3e38f};
  Operand& operand = model.operands[number % model.operands.size()];
  number /= model.operands.size();
  if (hal::isConstant(operand.lifetime) && operand.location.length >= sizeof(int32_t) &&
      (operand.type == OperandType::INT32 || operand.type == OperandType::TENSOR_INT32)) {
    Put(model, operand, Pick(kIntegers, number));
  } else if (hal::isConstant(operand.lifetime) && operand.type == OperandType::FLOAT32) {
    Put(model, operand, Pick(kFloats, number));
  } else if (operand.scale > 0 && number % 2 == 0) {
    number /= 2;
    operand.scale = Pick(kScales, number);
    operand.zeroPoint = number % 2 == 0 ? 0 : 255;
    if (operand.type != OperandType::TENSOR_QUANT8_ASYMM) operand.zeroPoint = 0;
  } else if (!operand.dimensions.empty() && !hal::isConstant(operand.lifetime)) {
    number /= 2;
    operand.dimensions[number % operand.dimensions.size()] = Pick(kSizes, number);
  } else if (number % 3 == 0) {
    for (hal::V1_2::Operation& operation : model.operations) {
      if (operation.inputs.size() > 1) std::swap(operation.inputs.front(), operation.inputs.back());
    }
  }
}

// Executes a prepared model with zeros, if its arguments are not too large; the result does not
// matter.
void ExecuteOnZeros(hal::V1_2::IPreparedModel& prepared, const Model& model) {
  for (const size_t size : Analyze(model).SizesOf(model)) {
    if (size > kMostBytes) return;
  }
  hal::V1_2::Request request;
  uint64_t bytes = 0;
  const auto add = [&bytes](uint64_t size) {
    hal::V1_2::RequestArgument argument;
    argument.location = {.poolIndex = 0,
                         .offset = static_cast<uint32_t>(bytes),
                         .length = static_cast<uint32_t>(size)};
    bytes += size;
    return argument;
  };
  for (const uint32_t input : model.inputIndexes) {
    const auto size = hal::nonExtensionOperandSizeOfData(model.operands[input]);
    request.inputs.push_back(add(size.value()));
  }
  for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
    request.outputs.push_back(add(1 << 16));
  }
  const auto pool = hal::Memory::Allocate(bytes);
  ASSERT_TRUE(pool.ok()) << pool.status();
  request.pools.push_back(*pool);
  const auto result = prepared.executeSynchronously(request, hal::V1_2::MeasureTiming::NO);
  EXPECT_TRUE(result.status == ErrorStatus::NONE ||
              result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE ||
              result.status == ErrorStatus::INVALID_ARGUMENT)
      << hal::toString(result.status);
}

TEST(HostileModelsTest, NothingThatAModelSaysReachesXnnpackUnchecked) {
  constexpr uint64_t kModels = 40;
  const auto device = MakeXnnpackDriver();
  ASSERT_TRUE(device.ok()) << device.status();
  int refused = 0;
  int supported = 0;
  for (const OperationEntry& entry : SupportedOperations()) {
    for (const OperandType type : entry.types) {
      for (uint64_t seed = 0; seed < kModels; ++seed) {
        Model model = RandomCase(entry.type, type, seed).model;
        SCOPED_TRACE(std::string(hal::toString(entry.type)) + " " + std::to_string(seed));
        Spoil(model, SplitMix64(seed).Bits());
        const auto answer = (*device)->getSupportedOperations_1_2(model);
        if (answer.status != ErrorStatus::NONE || !answer.supportedOperations.at(0)) {
          ++refused;
          continue;
        }
        ++supported;
        const auto callback = std::make_shared<hal::testing::PreparedModelCallback>();
        (*device)->prepareModel_1_2(model, hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {},
                                    {}, {}, callback);
        callback->calls.Wait();
        // What is supported can be prepared.
        ASSERT_EQ(callback->status, ErrorStatus::NONE);
        ExecuteOnZeros(*callback->prepared, model);
      }
    }
  }
  // Some are spoilt, some are not.
  EXPECT_GT(refused, 200);
  EXPECT_GT(supported, 200);
}

}  // namespace
}  // namespace nncert::xnnpack
