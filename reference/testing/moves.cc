// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/moves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reference/execution/executor.h"

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

void ExpectOwnQuantization(hal::V1_2::Model model, size_t count) {
  const Evaluated alike = EvaluateMoves(model, {Counting(count)})[0];
  hal::V1_2::Operand& output = model.operands[model.outputIndexes[0]];
  const double zero_point = output.zeroPoint;
  output.scale /= 2;
  output.zeroPoint += 3;
  const absl::StatusOr<std::vector<Evaluated>> own = EvaluateInAllSystems(model, {Counting(count)});
  ASSERT_TRUE(own.ok()) << own.status();
  const Evaluated& result = own->front();
  ASSERT_EQ(result.from_double.size(), alike.from_double.size());
  for (size_t i = 0; i < alike.from_double.size(); ++i) {
    const double real_in_steps = 2 * (alike.from_double[i] - zero_point);
    const double expected = std::max(0.0, real_in_steps + output.zeroPoint);
    EXPECT_EQ(result.from_double[i], expected);
    EXPECT_EQ(result.from_float[i], expected);
    EXPECT_TRUE(result.enclosure[i].Contains(alike.from_double[i]));
    EXPECT_TRUE(result.enclosure[i].IsBounded());
  }
}

std::string PreparationErrorOf(const hal::V1_2::Model& model, HalVersion version) {
  return std::string(PreparedGraph::Create(model, version).status().message());
}

}  // namespace nncert
