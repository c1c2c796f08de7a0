// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What running cases comes to whose outputs list rows without an order.

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"
#include "harness/testing/run_on_fake.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;

// Exchanges rows `a` and `b` of an output with rows of `size` elements of four bytes.
void SwapRows(FakeExecution& execution, size_t output, size_t size, size_t a, size_t b) {
  const absl::Span<uint8_t> bytes = execution.Output(output);
  std::swap_ranges(bytes.begin() + 4 * size * a, bytes.begin() + 4 * size * (a + 1),
                   bytes.begin() + 4 * size * b);
}

// ---- BOX_WITH_NMS_LIMIT ----

// The same in all outputs but, if told so, the batches.
void SwapDetections(FakeExecution& execution, size_t a, size_t b, bool with_batches = true) {
  SwapRows(execution, 0, 1, a, b);
  SwapRows(execution, 1, 4, a, b);
  SwapRows(execution, 2, 1, a, b);
  if (with_batches) SwapRows(execution, 3, 1, a, b);
}

// Rows of one class beside the background, all of which are expected, by score.
TestCase NmsCase(const std::vector<double>& scores, const std::vector<double>& lefts,
                 const std::vector<double>& batches, const std::vector<double>& expected,
                 const std::vector<double>& expected_lefts, int32_t kernel = 0,
                 float overlap = 0.4F) {
  const auto rows = static_cast<uint32_t>(scores.size());
  const auto results = static_cast<uint32_t>(expected.size());
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat32, {rows, 2}}),
                                        builder.Input({kFloat32, {rows, 8}}),
                                        builder.Input({kInt32, {rows}}),
                                        builder.Float32(0.1F),
                                        builder.Int32(-1),
                                        builder.Int32(kernel),
                                        builder.Float32(overlap),
                                        builder.Float32(1),
                                        builder.Float32(0.1F)};
  builder.Operation(
      OperationType::BOX_WITH_NMS_LIMIT, inputs,
      {builder.Output({kFloat32, {results}}), builder.Output({kFloat32, {results, 4}}),
       builder.Output({kInt32, {results}}), builder.Output({kInt32, {results}})});
  std::vector<double> both_classes;
  std::vector<double> boxes;
  std::vector<double> expected_boxes;
  for (size_t i = 0; i < rows; ++i) {
    both_classes.insert(both_classes.end(), {0, scores[i]});
    for (int c = 0; c < 2; ++c) boxes.insert(boxes.end(), {lefts[i], 0, lefts[i] + 10, 10});
  }
  for (const double left : expected_lefts) {
    expected_boxes.insert(expected_boxes.end(), {left, 0, left + 10, 10});
  }
  return CaseWith(builder.model(), {both_classes, boxes, batches},
                  {expected, expected_boxes, std::vector<double>(results, 1),
                   std::vector<double>(batches.begin(), batches.begin() + results)});
}

// Three boxes of image 4 and two of image 2 that do not overlap.
TestCase FiveBoxes() {
  return NmsCase({0.9, 0.8, 0.7, 0.6, 0.5}, {0, 100, 200, 300, 400}, {4, 4, 4, 2, 2},
                 {0.9, 0.8, 0.7, 0.6, 0.5}, {0, 100, 200, 300, 400});
}

CaseResult RunWith(const std::function<void(FakeExecution&)>& execution, const TestCase& test_case,
                   const RunOptions& options = {}) {
  Lies lies;
  lies.execution = execution;
  return RunOnFake(lies, test_case, TestMode::kStatic, options);
}

TEST(UnorderedOutputs, AnHonestDevicePasses) {
  const CaseResult result = RunOnFake({}, FiveBoxes());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  // Six executions of 5 scores, 20 corners, 5 classes and 5 batches.
  EXPECT_EQ(result.compared_elements, 210U);
}

TEST(UnorderedOutputs, RowsOfAGroupMayComeInAnyOrder) {
  for (const auto& [a, b] : std::vector<std::pair<size_t, size_t>>{{0, 1}, {0, 2}, {3, 4}}) {
    const auto swap = [a = a, b = b](FakeExecution& execution) { SwapDetections(execution, a, b); };
    EXPECT_EQ(RunWith(swap, FiveBoxes()).verdict, Verdict::PASS);
    // That takes no enclosure.
    RunOptions options;
    options.explain = false;
    EXPECT_EQ(RunWith(swap, FiveBoxes(), options).verdict, Verdict::PASS);
  }
}

TEST(UnorderedOutputs, APartOfARowThatChangesPlacesAloneFails) {
  for (size_t output = 0; output < 2; ++output) {
    const CaseResult result = RunWith(
        [output](FakeExecution& execution) {
          SwapRows(execution, output, output == 0 ? 1 : 4, 0, 1);
        },
        FiveBoxes());
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(result.detail, StartsWith("BOX_WITH_NMS_LIMIT output "));
  }
}

TEST(UnorderedOutputs, RowsOfDifferentGroupsMayNotChangePlaces) {
  CaseResult result =
      RunWith([](FakeExecution& execution) { SwapDetections(execution, 2, 3); }, FiveBoxes());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("BOX_WITH_NMS_LIMIT output "));
  // The batches are in order, but the rows are of the other one.
  result = RunWith([](FakeExecution& execution) { SwapDetections(execution, 2, 3, false); },
                   FiveBoxes());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result), HasSubstr("(rows as a set) element [2]"));
}

TEST(UnorderedOutputs, AWrongRowFails) {
  CaseResult result = RunWith(
      [](FakeExecution& execution) {
        SwapDetections(execution, 0, 1);
        SetElement(execution, 0, 2, 0.71F);
      },
      FiveBoxes());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
  EXPECT_THAT(FirstLine(result),
              AllOf(HasSubstr("BOX_WITH_NMS_LIMIT output 0 (rows as a set) element [2] (flat 2): "
                              "expected 0.7, actual 0.71"),
                    HasSubstr("1 of 5 elements differs")));
  // The same row twice.
  result = RunWith(
      [](FakeExecution& execution) {
        SetElement(execution, 0, 1, 0.9F);
        SetElement(execution, 1, 4, 0.0F);
        SetElement(execution, 1, 6, 10.0F);
      },
      FiveBoxes());
  EXPECT_EQ(result.verdict, Verdict::FAIL);
}

TEST(UnorderedOutputs, IgnoredOutputsAreNoPartOfTheRows) {
  TestCase test_case = FiveBoxes();
  test_case.examples[0].outputs[1].ignored = true;
  EXPECT_EQ(
      RunWith([](FakeExecution& execution) { SwapRows(execution, 1, 4, 0, 1); }, test_case).verdict,
      Verdict::PASS);
  EXPECT_EQ(
      RunWith([](FakeExecution& execution) { SwapRows(execution, 0, 1, 0, 1); }, test_case).verdict,
      Verdict::PASS);
  EXPECT_EQ(
      RunWith([](FakeExecution& execution) { SwapRows(execution, 0, 1, 2, 3); }, test_case).verdict,
      Verdict::FAIL);
}

TEST(UnorderedOutputs, ARowInsideOfItsEnclosureIsNoFailureWhereverItStands) {
  // The second box overlaps the first by a third, just about the threshold: the linear kernel
  // leaves 0.8 or makes it 0.8 * (1 - 1 / 3).
  const TestCase test_case = NmsCase({0.9, 0.8, 0.7}, {0, 5, 100}, {0, 0, 0},
                                     {0.9, 0.7, 0.8 * 2 / 3}, {0, 100, 5}, 1, 0.3333333F);
  const auto with_score = [&](float score) {
    return RunWith(
        [score](FakeExecution& execution) {
          // The reference's order is by score.
          SetElement(execution, 0, 2, score);
          SwapDetections(execution, 0, 2);
        },
        test_case);
  };
  // The enclosure is as wide as both answers lie apart, which excuses too much.
  EXPECT_EQ(with_score(0.8F).verdict, Verdict::UNDECIDED) << with_score(0.8F).detail;
  EXPECT_EQ(with_score(static_cast<float>(0.8 * 2 / 3)).verdict, Verdict::PASS);
  EXPECT_EQ(with_score(0.85F).verdict, Verdict::FAIL);
  EXPECT_EQ(with_score(0.4F).verdict, Verdict::FAIL);
}

TEST(UnorderedOutputs, AnotherChoiceAmongTiesIsUndecided) {
  // Of two overlapping boxes with the same score, either may be left out.
  const TestCase test_case = NmsCase({0.9, 0.9, 0.7}, {0, 2, 100}, {0, 0, 0}, {0.9, 0.7}, {0, 100});
  const auto with_left = [&](float left) {
    return RunWith(
               [left](FakeExecution& execution) {
                 SetElement(execution, 1, 0, left);
                 SetElement(execution, 1, 2, left + 10);
               },
               test_case)
        .verdict;
  };
  EXPECT_EQ(with_left(0), Verdict::PASS);
  EXPECT_EQ(with_left(2), Verdict::UNDECIDED);
}

// The second box overlaps the first by a third, just about the threshold: it is left out, or not.
TEST(UnorderedOutputs, ABufferForTheExpectedRowsMayBeTooSmall) {
  TestCase test_case = NmsCase({0.9, 0.8}, {0, 5}, {0, 0}, {0.9}, {0}, 0, 0.3333333F);
  for (const uint32_t output : test_case.model.outputIndexes) {
    test_case.model.operands[output].dimensions.front() = 0;
  }
  const auto with_rows = [&](uint32_t rows) {
    return RunWith(
        [rows](FakeExecution& execution) {
          execution.result.status = hal::V1_0::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
          execution.result.timing = hal::V1_2::Timing();
          execution.result.outputShapes = {
              {{rows}, false}, {{rows, 4}, false}, {{rows}, false}, {{rows}, false}};
        },
        test_case);
  };
  EXPECT_EQ(RunOnFake({}, test_case).verdict, Verdict::PASS);
  EXPECT_EQ(with_rows(2).verdict, Verdict::UNDECIDED) << with_rows(2).detail;
  // There are no more boxes; and for one row there was room.
  EXPECT_EQ(with_rows(3).verdict, Verdict::BROKEN_PROMISE) << with_rows(3).detail;
  EXPECT_EQ(with_rows(1).verdict, Verdict::BROKEN_PROMISE) << with_rows(1).detail;
}

TEST(UnorderedOutputs, WhatDoesNotDependOnAChoiceIsJudged) {
  const TestCase test_case = NmsCase({0.9, 0.9, 0.7}, {0, 2, 100}, {0, 0, 0}, {0.9, 0.7}, {0, 100});
  // No box begins there.
  const CaseResult elsewhere = RunWith(
      [](FakeExecution& execution) {
        SetElement(execution, 1, 0, 1.0F);
        SetElement(execution, 1, 2, 11.0F);
      },
      test_case);
  ExpectResult(elsewhere, Verdict::FAIL, "row 0 is none of the 3 that an honest answer may have");
  // Both of the boxes of which one is to be left out, and not the one that is certain.
  const CaseResult both = RunWith(
      [](FakeExecution& execution) {
        SetElement(execution, 0, 1, 0.9F);
        SetElement(execution, 1, 4, 2.0F);
        SetElement(execution, 1, 6, 12.0F);
      },
      test_case);
  ExpectResult(both, Verdict::FAIL, "a row is missing that every honest answer has");
  const CaseResult zeros = RunWith(
      [](FakeExecution& execution) {
        for (size_t i = 0; i < 2; ++i) {
          const absl::Span<uint8_t> bytes = execution.Output(i);
          std::fill(bytes.begin(), bytes.end(), 0);
        }
      },
      test_case);
  EXPECT_EQ(zeros.verdict, Verdict::FAIL) << zeros.detail;
}

TEST(UnorderedOutputs, RowsThatPassAreHeldAgainstTheirEnclosures) {
  // Of the same score as none of the boxes, by less than the threshold.
  const auto off_by = [](float factor) {
    const CaseResult result = RunWith(
        [factor](FakeExecution& execution) {
          SwapDetections(execution, 0, 2);
          SetElement(execution, 0, 0, 0.7F * factor);
        },
        FiveBoxes());
    EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
    uint64_t suspect = 0;
    for (const OperationAccuracy& accuracy : result.accuracy) suspect += accuracy.suspect;
    return suspect;
  };
  EXPECT_EQ(off_by(1), 0U);
  EXPECT_GT(off_by(1.000004F), 0U);
}

// ---- DETECTION_POSTPROCESSING ----

// Two images of two anchors that do not overlap, with room for three detections in each.
TestCase DetectionCase() {
  ModelBuilder builder;
  std::vector<uint32_t> inputs = {builder.Input({kFloat32, {2, 2, 2}}),
                                  builder.Input({kFloat32, {2, 2, 4}}),
                                  builder.Input({kFloat32, {2, 4}})};
  for (int i = 0; i < 4; ++i) inputs.push_back(builder.Float32(1));
  inputs.push_back(builder.Bool(true));
  for (const int32_t limit : {3, 1, 3}) inputs.push_back(builder.Int32(limit));
  inputs.push_back(builder.Float32(0.3F));
  inputs.push_back(builder.Float32(0.5F));
  inputs.push_back(builder.Bool(false));
  builder.Operation(OperationType::DETECTION_POSTPROCESSING, inputs,
                    {builder.Output({kFloat32, {2, 3}}), builder.Output({kFloat32, {2, 3, 4}}),
                     builder.Output({kInt32, {2, 3}}), builder.Output({kInt32, {2}})});
  // The second image has one detection.
  return CaseWith(
      builder.model(),
      {{0, 0.9, 0, 0.8, 0, 0.7, 0, 0.1}, std::vector<double>(16, 0), {5, 5, 2, 2, 15, 15, 2, 2}},
      {{0.9, 0.8, 0, 0.7, 0, 0},
       {4, 4, 6, 6, 14, 14, 16, 16, 0, 0, 0, 0, 4, 4, 6, 6, 0, 0, 0, 0, 0, 0, 0, 0},
       {0, 0, 0, 0, 0, 0},
       {2, 1}});
}

TEST(UnorderedOutputs, CountedRowsMayComeInAnyOrder) {
  const CaseResult result = RunOnFake({}, DetectionCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
  EXPECT_EQ(RunWith(
                [](FakeExecution& execution) {
                  SwapRows(execution, 0, 1, 0, 1);
                  SwapRows(execution, 1, 4, 0, 1);
                },
                DetectionCase())
                .verdict,
            Verdict::PASS);
  EXPECT_EQ(
      RunWith([](FakeExecution& execution) { SwapRows(execution, 0, 1, 0, 1); }, DetectionCase())
          .verdict,
      Verdict::FAIL);
  // Not into another image, nor behind the last one.
  for (const size_t row : {2, 3}) {
    const CaseResult moved = RunWith(
        [row](FakeExecution& execution) {
          SwapRows(execution, 0, 1, 1, row);
          SwapRows(execution, 1, 4, 1, row);
        },
        DetectionCase());
    EXPECT_EQ(moved.verdict, Verdict::FAIL);
  }
}

TEST(UnorderedOutputs, WhatIsBehindTheCountedRowsMeansNothing) {
  const CaseResult result = RunWith(
      [](FakeExecution& execution) {
        SetElement(execution, 0, 2, 123.0F);
        SetElement(execution, 1, 23, -7.0F);
        SetElement(execution, 2, 5, int32_t{99});
      },
      DetectionCase());
  EXPECT_EQ(result.verdict, Verdict::PASS) << result.detail;
}

TEST(UnorderedOutputs, AWrongCountFails) {
  for (const int32_t count : {-1, 1, 3, 1000000}) {
    const CaseResult result = RunWith(
        [count](FakeExecution& execution) { SetElement(execution, 3, 0, count); }, DetectionCase());
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_THAT(FirstLine(result), HasSubstr("DETECTION_POSTPROCESSING output 3 element [0]"));
  }
}

}  // namespace
}  // namespace nncert
