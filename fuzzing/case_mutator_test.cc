// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/case_mutator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/case_file.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

void FlipAByte(std::vector<uint8_t>& bytes) {
  if (!bytes.empty()) bytes[0] ^= 0xFF;
}

// One ADD of two tensors.
TestCase SmallCase() {
  TestCase test_case;
  hal::V1_2::Operand tensor;
  tensor.type = hal::V1_2::OperandType::TENSOR_FLOAT32;
  tensor.dimensions = {2};
  tensor.lifetime = hal::V1_2::OperandLifeTime::MODEL_INPUT;
  test_case.model.operands = {tensor, tensor, tensor};
  test_case.model.operands[2].lifetime = hal::V1_2::OperandLifeTime::MODEL_OUTPUT;
  test_case.model.operations = {{hal::V1_2::OperationType::ADD, {0, 1}, {2}}};
  test_case.model.inputIndexes = {0, 1};
  test_case.model.outputIndexes = {2};
  InputValue input;
  input.dimensions = {2};
  input.data.resize(8);
  test_case.examples = {{{input, input}, {}}};
  return test_case;
}

std::vector<uint8_t> BytesOfSmallCase() {
  const auto bytes = SerializeCaseFile("test", {SmallCase()});
  EXPECT_TRUE(bytes.ok());
  return *bytes;
}

TEST(CaseMutatorTest, ChangesMostCasesAndKeepsThemReadable) {
  const TestCase original = SmallCase();
  int changed = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SplitMix64 random(seed);
    TestCase mutated = original;
    MutateCase(mutated, random, FlipAByte);
    if (!(mutated == original)) ++changed;
  }
  EXPECT_GT(changed, 700);
}

TEST(CaseMutatorTest, MutatedFilesAreMostlyCaseFilesOfTheSizeAllowed) {
  const std::vector<uint8_t> bytes = BytesOfSmallCase();
  int readable = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    SplitMix64 random(seed);
    const std::vector<uint8_t> mutated =
        MutateCaseFile(bytes, bytes.size() + 64, random, FlipAByte);
    EXPECT_LE(mutated.size(), bytes.size() + 64);
    if (ParseCaseFile(mutated).ok()) ++readable;
  }
  EXPECT_GT(readable, 700);
}

TEST(CaseMutatorTest, WhatIsNoCaseFileIsChangedAsBytes) {
  SplitMix64 random(3);
  EXPECT_THAT(MutateCaseFile(std::vector<uint8_t>{1, 2, 3}, 2, random, FlipAByte),
              ElementsAre(0xFE, 2));
  EXPECT_THAT(MutateCaseFile({}, 8, random, FlipAByte), SizeIs(0));
}

}  // namespace
}  // namespace nncert
