// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/argument_memory.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::hal::replay {
namespace {

using ::testing::ElementsAre;

// Two arguments in a pool, and the pool as a driver sees it.
struct SharedArguments {
  SharedArguments() {
    arguments[0].location = memory.Add({1, 2, 3});
    arguments[1].location = memory.Add({4});
    bytes = memory.Share().value().Map(MemoryAccess::READ_WRITE).value();
  }

  ArgumentMemory memory{7};
  std::vector<V1_0::RequestArgument> arguments{2};
  Mapping bytes;
};

TEST(ArgumentMemory, LaysArgumentsOutWithGuardsAroundThem) {
  const SharedArguments shared;
  const V1_0::DataLocation& first = shared.arguments[0].location;
  const V1_0::DataLocation& second = shared.arguments[1].location;
  EXPECT_EQ(first.poolIndex, 7U);
  EXPECT_GE(first.offset, 16U);
  EXPECT_GE(second.offset, first.offset + 3 + 16);
  EXPECT_EQ(second.offset % 4, 0U);
  EXPECT_GE(shared.bytes.size(), second.offset + 1 + 16);
  EXPECT_THAT(shared.memory.At(first), ElementsAre(1, 2, 3));
  EXPECT_THAT(shared.memory.At(second), ElementsAre(4));
}

TEST(ArgumentMemory, OutputsMayChange) {
  const SharedArguments shared;
  shared.bytes.data()[shared.arguments[0].location.offset + 2] = 9;
  EXPECT_THAT(shared.memory.At(shared.arguments[0].location), ElementsAre(1, 2, 9));
  EXPECT_TRUE(shared.memory.IsIntactOutside(shared.arguments));
  EXPECT_FALSE(shared.memory.IsIntactOutside({}));
}

TEST(ArgumentMemory, EveryOtherByteIsGuarded) {
  const SharedArguments shared;
  for (size_t i = 0; i < shared.bytes.size(); ++i) {
    bool is_argument = false;
    for (const V1_0::RequestArgument& argument : shared.arguments) {
      is_argument |= i >= argument.location.offset &&
                     i < size_t{argument.location.offset} + argument.location.length;
    }
    shared.bytes.data()[i] ^= 1;
    EXPECT_EQ(shared.memory.IsIntactOutside(shared.arguments), is_argument) << "byte " << i;
    shared.bytes.data()[i] ^= 1;
  }
}

}  // namespace
}  // namespace nncert::hal::replay
