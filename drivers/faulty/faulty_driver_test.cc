// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_driver.h"

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/driver_session.h"
#include "harness/testing/test_cases.h"
#include "reference/driver.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OutputShape;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

CaseResult RunOn(Fault fault, OperandType type, TestMode mode) {
  const auto session =
      DriverSession::FromDevice(MakeFaultyDriver(MakeReferenceDriver(), "faulty", fault), "faulty");
  EXPECT_TRUE(session.ok()) << session.status();
  return RunCase(**session, AddCase(type), mode);
}

TEST(FaultyDriverTest, NanFailsEveryFloatingPointCaseAndNoOther) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16}) {
      const CaseResult result = RunOn(&MakeAllNan, type, mode);
      EXPECT_EQ(result.verdict, Verdict::FAIL) << result.detail;
      EXPECT_THAT(result.detail, HasSubstr("nan"));
    }
    const CaseResult result = RunOn(&MakeAllNan, OperandType::TENSOR_QUANT8_ASYMM, mode);
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  }
}

TEST(FaultyDriverTest, OffByTwoFailsEveryQuantizedCaseAndNoOther) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult wrong = RunOn(&MoveByTwoSteps, OperandType::TENSOR_QUANT8_ASYMM, mode);
    EXPECT_EQ(wrong.verdict, Verdict::FAIL) << wrong.detail;
    EXPECT_THAT(wrong.detail, HasSubstr("expected 11, actual 13"));
    const CaseResult right = RunOn(&MoveByTwoSteps, OperandType::TENSOR_FLOAT32, mode);
    EXPECT_EQ(right.verdict, Verdict::PASS) << right.detail;
  }
}

TEST(FaultyDriverTest, WrongShapesFailEveryCase) {
  for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
    const CaseResult result = RunOn(&ReportWrongShape, OperandType::TENSOR_FLOAT32, mode);
    EXPECT_EQ(result.verdict, Verdict::FAIL) << result.detail;
    EXPECT_THAT(result.detail, HasSubstr("[3, 2]"));
  }
}

TEST(FaultyDriverTest, TheVersionStringIsTheName) {
  const auto driver = MakeFaultyDriver(MakeReferenceDriver(), "my fault", &MakeAllNan);
  EXPECT_EQ(driver->getVersionString().version, "my fault");
}

TEST(FaultsTest, TwoStepsNeverSaturate) {
  std::vector<uint8_t> bytes = {0, 1, 127, 128, 254, 255};
  OutputShape shape;
  MoveByTwoSteps({OperandType::TENSOR_QUANT8_ASYMM, absl::MakeSpan(bytes), shape});
  EXPECT_THAT(bytes, ElementsAre(2, 3, 129, 126, 252, 253));

  std::vector<int8_t> symmetric = {-128, -1, 0, 127};
  MoveByTwoSteps({OperandType::TENSOR_QUANT8_SYMM,
                  {reinterpret_cast<uint8_t*>(symmetric.data()), symmetric.size()},
                  shape});
  EXPECT_THAT(symmetric, ElementsAre(-126, 1, -2, 125));

  std::vector<uint16_t> wide = {0, 65535};
  MoveByTwoSteps({OperandType::TENSOR_QUANT16_ASYMM,
                  {reinterpret_cast<uint8_t*>(wide.data()), wide.size() * sizeof(uint16_t)},
                  shape});
  EXPECT_THAT(wide, ElementsAre(2, 65533));
}

TEST(FaultsTest, AScalarIsReportedAsAVector) {
  OutputShape scalar;
  ReportWrongShape({OperandType::FLOAT32, {}, scalar});
  EXPECT_THAT(scalar.dimensions, ElementsAre(1));
  OutputShape vector{{4, 5}, true};
  ReportWrongShape({OperandType::TENSOR_FLOAT32, {}, vector});
  EXPECT_THAT(vector.dimensions, ElementsAre(5, 5));
}

}  // namespace
}  // namespace nncert
