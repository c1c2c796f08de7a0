// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Reads all of MLTS's own data, for networks that have the inputs that the lists of models name.
// The environment's NNCERT_MLTS_DATA is the folder; without it there is nothing to read.

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "mlts/data_sets/benchmark_entry.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// A network of the input that the list names, and of outputs of unknown size.
Network NetworkFor(const BenchmarkEntry& entry) {
  const OperandType type =
      entry.data_size == 1 ? OperandType::TENSOR_QUANT8_ASYMM : OperandType::TENSOR_FLOAT32;
  return NetworkOf({OperandOf(type, entry.input_shape, 0.0078125F, 128)},
                   {OperandOf(type, {}, 1, 0)});
}

TEST(MltsDataTest, AllOfItIsRead) {
  const char* const folder = std::getenv("NNCERT_MLTS_DATA");
  if (folder == nullptr) GTEST_SKIP() << "NNCERT_MLTS_DATA is not set";
  const auto read = ReadBenchmarkFolder(folder, {});
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->problems, std::vector<std::string>());
  size_t missing = 0;
  for (const BenchmarkEntry& entry : read->entries) {
    if (entry.is_missing) {
      ++missing;
      continue;
    }
    const auto data = entry.open(NetworkFor(entry));
    ASSERT_TRUE(data.ok()) << data.status();
    size_t inferences = 0;
    size_t labels = 0;
    for (size_t i = 0; i < (*data)->size(); ++i) {
      const auto sequence = (*data)->Read(i);
      if (!sequence.ok()) {
        ADD_FAILURE() << sequence.status();
        continue;
      }
      inferences += sequence->inputs.size();
      labels += sequence->label ? 1 : 0;
      if (!sequence->golden_outputs.empty()) {
        EXPECT_EQ(sequence->golden_outputs.size(), sequence->inputs.size());
      }
    }
    std::cout << entry.name << ": " << entry.data << ", " << (*data)->size() << " sequences, "
              << inferences << " inferences, " << labels << " labels\n";
    for (const std::string& note : entry.notes) std::cout << "  " << note << "\n";
  }
  std::cout << read->entries.size() << " entries, " << missing << " without their network\n";
}

}  // namespace
}  // namespace nncert
