// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Every case of the independent oracle: the results in double precision are its answers, and the
// enclosures hold the results in double precision and those of the fast backend.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "generators/oracle/answer_comparison.h"
#include "generators/oracle/oracle_case.h"
#include "reference/execution/executor.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

constexpr char kCases[] = "generators/oracle/all.oracle";

// Every case; none when they cannot be read, for which there is a test.
const std::vector<OracleCase>& Cases() {
  static const auto* const cases = [] {
    absl::StatusOr<std::vector<OracleCase>> read = ReadOracleCases(kCases);
    return new std::vector<OracleCase>(read.ok() ? *std::move(read) : std::vector<OracleCase>());
  }();
  return *cases;
}

std::vector<double> NumbersOfOutput(const OutputValue& output) {
  return NumbersOf(output.info.type, output.bytes());
}

class OracleTest : public testing::TestWithParam<size_t> {
 protected:
  // Compares a case with the answers, and with its enclosure, as `kernels` compute it.
  void TestBy(KernelChoice kernels);
};

INSTANTIATE_TEST_SUITE_P(Numpy, OracleTest, testing::Range(size_t{0}, Cases().size()),
                         [](const testing::TestParamInfo<size_t>& test) {
                           return Cases()[test.param].test_case.name;
                         });

TEST(OracleCasesTest, CanBeRead) {
  const absl::StatusOr<std::vector<OracleCase>> cases = ReadOracleCases(kCases);
  ASSERT_TRUE(cases.ok()) << cases.status();
  EXPECT_FALSE(cases->empty());
}

void OracleTest::TestBy(KernelChoice kernels) {
  const OracleCase& oracle_case = Cases()[GetParam()];
  const auto graph = PreparedGraph::Create(oracle_case.test_case.model);
  ASSERT_TRUE(graph.ok()) << graph.status();
  const auto doubles = ExecuteCase(**graph, oracle_case, NumberSystem::kDouble, kernels);
  ASSERT_TRUE(doubles.ok()) << doubles.status();
  const auto floats = ExecuteCase(**graph, oracle_case, NumberSystem::kFloat, kernels);
  ASSERT_TRUE(floats.ok()) << floats.status();
  const auto balls = ExecuteCase(**graph, oracle_case, NumberSystem::kBall, kernels);
  ASSERT_TRUE(balls.ok()) << balls.status();

  std::vector<Computed> computed;
  std::vector<std::vector<uint32_t>> dimensions;
  for (const OutputValue& output : *doubles) computed.push_back({output.info, output.doubles()});
  for (const ExpectedOutput& output : oracle_case.test_case.examples[0].outputs) {
    dimensions.push_back(output.dimensions);
  }
  const absl::Status status =
      CompareWithAnswers(oracle_case.comparison, computed, oracle_case.answers, dimensions);
  EXPECT_TRUE(status.ok()) << status;

  ASSERT_EQ(floats->size(), doubles->size());
  ASSERT_EQ(balls->size(), doubles->size());
  for (size_t output = 0; output < doubles->size(); ++output) {
    const std::vector<double> from_float = NumbersOfOutput((*floats)[output]);
    const absl::Span<const double> from_double = (*doubles)[output].doubles();
    ASSERT_EQ(from_float.size(), from_double.size()) << "output " << output;
    // Completeness of the cases, in oracle_completeness_test, says how much may be undecided.
    if (!(*balls)[output].undecided.ok()) continue;
    const absl::Span<const Ball> enclosure = (*balls)[output].balls();
    ASSERT_EQ(enclosure.size(), from_double.size()) << "output " << output;
    for (size_t i = 0; i < enclosure.size(); ++i) {
      ASSERT_TRUE(enclosure[i].Contains(from_double[i]))
          << "output " << output << " element " << i << " is " << from_double[i]
          << " in double, not in " << enclosure[i].midpoint << " +/- " << enclosure[i].radius;
      ASSERT_TRUE(enclosure[i].Contains(from_float[i]))
          << "output " << output << " element " << i << " is " << from_float[i]
          << " in float, not in " << enclosure[i].midpoint << " +/- " << enclosure[i].radius;
    }
  }
}

TEST_P(OracleTest, AgreesWithTheDefinitionAndIsEnclosed) { TestBy(KernelChoice::kDefinitions); }

TEST_P(OracleTest, AgreesWithTheFastKernelsAndIsEnclosed) { TestBy(KernelChoice::kFast); }

}  // namespace
}  // namespace nncert
