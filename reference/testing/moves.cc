// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/moves.h"

#include <gtest/gtest.h>

#include <numeric>

#include "reference/executor.h"

namespace nncert {

std::vector<double> Counting(size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<Evaluated> EvaluateMoves(const hal::V1_2::Model& model,
                                     const std::vector<std::vector<double>>& inputs) {
  const absl::StatusOr<std::vector<Evaluated>> results = EvaluateInAllSystems(model, inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return std::vector<Evaluated>(model.outputIndexes.size());
  for (const Evaluated& result : *results) {
    EXPECT_EQ(result.from_float, result.from_double);
    EXPECT_TRUE(result.undecided.ok()) << result.undecided;
    for (const Ball& ball : result.enclosure) EXPECT_TRUE(ball.IsExact());
  }
  return *results;
}

std::string PreparationErrorOf(const hal::V1_2::Model& model, HalVersion version) {
  return std::string(PreparedGraph::Create(model, version).status().message());
}

}  // namespace nncert
