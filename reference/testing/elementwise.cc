// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/elementwise.h"

#include "gtest/gtest.h"
#include "reference/execution/executor.h"

namespace nncert {

hal::V1_2::Model BinaryModel(hal::V1_2::OperationType type, const OperandSpec& a,
                             const OperandSpec& b, const OperandSpec& output, bool is_relaxed) {
  ModelBuilder builder;
  const uint32_t first = builder.Input(a);
  const uint32_t second = builder.Input(b);
  const uint32_t result = builder.Output(output);
  builder.Operation(type, {first, second}, {result}).Relaxed(is_relaxed);
  return builder.model();
}

std::string EmptyTensorErrorOf(hal::V1_2::OperationType type, hal::V1_2::OperandType input_type,
                               hal::V1_2::OperandType output_type) {
  const auto graph = PreparedGraph::Create(
      BinaryModel(type, {input_type, {0, 2}}, {input_type, {1, 2}}, {output_type, {0, 2}}));
  EXPECT_TRUE(graph.ok()) << graph.status();
  if (!graph.ok()) return "";
  const std::vector<uint8_t> row = BytesOf(input_type, {0, 0});
  std::vector<InputArgument> arguments(2);
  arguments[0].dimensions = {0, 2};
  arguments[1].elements = {reinterpret_cast<const std::byte*>(row.data()), row.size()};
  return std::string((*graph)->Execute(NumberSystem::kFloat, arguments).status().message());
}

}  // namespace nncert
