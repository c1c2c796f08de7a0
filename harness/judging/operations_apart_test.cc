// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/operations_apart.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/judging/element_judge.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr OperandType kFloat = OperandType::TENSOR_FLOAT32;
constexpr OperandType kHalf = OperandType::TENSOR_FLOAT16;

// A case whose expected outputs are the reference's.
class Fixture {
 public:
  Fixture(const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs)
      : test_case_(CaseWith(model, inputs, {})), oracle_(test_case_, {.has_temporaries = true}) {
    test_case_.examples[0].outputs = oracle_.Expected(0).value();
    Keep(test_case_.model.outputIndexes, test_case_.examples[0].outputs);
    Keep(TemporariesOf(test_case_.model), oracle_.Temporaries(0).value());
  }

  // What the driver gave is another number in one element.
  void Change(uint32_t operand, size_t element, double value) {
    const OperandType type = test_case_.model.operands[operand].type;
    std::vector<double> numbers = NumbersOf(type, values_[operand].data);
    numbers[element] = value;
    values_[operand].data = BytesOf(type, numbers);
  }

  OperandValues& values() { return values_; }
  const TestCase& test_case() const { return test_case_; }

  std::vector<bool> Passing() { return Apart().Passing(); }

  std::vector<OperationAccuracy> Accuracy() {
    OperationsApart apart = Apart();
    apart.Passing();
    std::vector<OperationAccuracy> all;
    for (const std::vector<OperationAccuracy>& of_operation : apart.Accuracy()) {
      AddAccuracy(of_operation, all);
    }
    return all;
  }

  // The same by a case for each operation.
  std::vector<OperationAccuracy> AccuracyOneByOne() {
    std::vector<OperationAccuracy> all;
    for (size_t i = 0; i < test_case_.model.operations.size(); ++i) {
      TestCase part = CaseOfOperations(test_case_, 0, {i}, values_).value();
      Oracle oracle(part);
      part.examples[0].outputs = oracle.Expected(0).value();
      std::vector<ActualOutput> actual;
      for (const uint32_t output : test_case_.model.operations[i].outputs) {
        actual.push_back({values_[output].data, false});
      }
      ElementJudge judge({part, &oracle, KernelChoice::kFast, false});
      EXPECT_EQ(judge(0, actual).verdict, Verdict::PASS);
      AddAccuracy(judge.accuracy(), all);
    }
    return all;
  }

 private:
  OperationsApart Apart() { return OperationsApart(test_case_, 0, values_, oracle_); }

  void Keep(const std::vector<uint32_t>& operands, const std::vector<ExpectedOutput>& outputs) {
    for (size_t i = 0; i < operands.size(); ++i) {
      values_[operands[i]] = {outputs[i].dimensions, outputs[i].data};
    }
  }

  TestCase test_case_;
  Oracle oracle_;
  OperandValues values_;
};

// tanh((a + b) * factor) of [3] floats, with the sum (operand 4) and the product (operand 5) in
// between.
hal::V1_2::Model ThreeOperations() {
  ModelBuilder builder;
  const OperandSpec spec = {kFloat, {3}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t none = builder.Int32(0);
  const uint32_t factor = builder.Constant({kFloat, {1}}, {0.3});
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t product = builder.Temporary(spec);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::MUL, {sum, factor, none}, {product});
  builder.Operation(OperationType::TANH, {product}, {builder.Output(spec)});
  return builder.model();
}

Fixture OfThreeOperations() { return Fixture(ThreeOperations(), {{0.125, 0.75, 2}, {1, 1, 1}}); }

constexpr uint32_t kSum = 4;
constexpr uint32_t kProduct = 5;
constexpr uint32_t kTanh = 6;

TEST(OperationsApart, HonestOperationsPass) {
  Fixture fixture = OfThreeOperations();
  EXPECT_THAT(fixture.Passing(), ElementsAre(true, true, true));
}

TEST(OperationsApart, AnOperationIsJudgedOnWhatTheDriverHasAsItsInputs) {
  Fixture fixture = OfThreeOperations();
  fixture.Change(kSum, 1, 2);
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, false, true));
  // Right, given the wrong sum.
  fixture.Change(kProduct, 1, 0.6);
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, true, false));
  fixture.Change(kTanh, 1, std::tanh(0.6));
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, true, true));
}

TEST(OperationsApart, ElementsAreLikeThoseOfEachOperationByItself) {
  Fixture fixture = OfThreeOperations();
  // Within the threshold, and not what is expected.
  fixture.Change(kSum, 0, 1.1250001);
  fixture.Change(kProduct, 2, 0.9000001);
  fixture.Change(kTanh, 1, std::tanh(0.525) + 5e-6);
  const std::vector<OperationAccuracy> accuracy = fixture.Accuracy();
  ASSERT_THAT(accuracy, SizeIs(3));
  EXPECT_EQ(accuracy[2].operation, "TANH");
  EXPECT_EQ(accuracy[2].elements, 3U);
  EXPECT_EQ(accuracy[2].suspect, 1U);
  EXPECT_THAT(accuracy[2].first_suspect, testing::HasSubstr("TANH output 0: element [1] (flat 1)"));
  EXPECT_EQ(accuracy, fixture.AccuracyOneByOne());
}

TEST(OperationsApart, ElementsOfOperationsThatDoNotPassAreNotAmongThem) {
  Fixture fixture = OfThreeOperations();
  fixture.Change(kTanh, 0, 7);
  const std::vector<OperationAccuracy> accuracy = fixture.Accuracy();
  ASSERT_THAT(accuracy, SizeIs(2));
  EXPECT_EQ(accuracy[0].operation, "ADD");
  EXPECT_EQ(accuracy[1].operation, "MUL");
}

TEST(OperationsApart, TheInputsOfAnOperationAloneSayHowPreciseItIs) {
  // One operation on floats, one on halves, in one model.
  ModelBuilder builder;
  const uint32_t a = builder.Input({kFloat, {2}});
  const uint32_t b = builder.Input({kHalf, {2}});
  const uint32_t of_floats = builder.Output({kFloat, {2}});
  const uint32_t from_halves = builder.Output({kFloat, {2}});
  builder.Operation(OperationType::ABS, {a}, {of_floats});
  builder.Operation(OperationType::CAST, {b}, {from_halves});
  Fixture fixture(builder.model(), {{1, 2}, {1, 2}});
  EXPECT_THAT(fixture.Passing(), ElementsAre(true, true));
  fixture.Change(of_floats, 0, 1.001);
  fixture.Change(from_halves, 0, 1.001);
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, true));
}

TEST(OperationsApart, AnOutputThatNobodyLooksAtMayBeAnything) {
  Fixture fixture = OfThreeOperations();
  fixture.values().erase(kTanh);
  EXPECT_THAT(fixture.Passing(), ElementsAre(true, true, true));
  EXPECT_THAT(fixture.Accuracy(), SizeIs(2));
}

TEST(OperationsApart, AnOperationWhoseInputIsNotKnownIsNotSaidToPass) {
  Fixture fixture = OfThreeOperations();
  fixture.values().erase(kSum);
  EXPECT_THAT(fixture.Passing(), ElementsAre(true, false, true));
}

TEST(OperationsApart, NorIsOneOfConstants) {
  ModelBuilder builder;
  const uint32_t a = builder.Input({kFloat, {1}});
  const uint32_t constant = builder.Constant({kFloat, {1}}, {4});
  const uint32_t none = builder.Int32(0);
  const uint32_t root = builder.Temporary({kFloat, {1}});
  builder.Operation(OperationType::SQRT, {constant}, {root});
  builder.Operation(OperationType::ADD, {a, root, none}, {builder.Output({kFloat, {1}})});
  EXPECT_THAT(Fixture(builder.model(), {{1}}).Passing(), ElementsAre(false, true));
}

TEST(OperationsApart, NorIsOneWhoseRowsHaveNoOrderUnlessTheyAreThoseExpected) {
  ModelBuilder builder;
  const std::vector<uint32_t> inputs = {builder.Input({kFloat, {1, 2}}),
                                        builder.Input({kFloat, {1, 8}}),
                                        builder.Input({OperandType::TENSOR_INT32, {1}}),
                                        builder.Float32(0.1F),
                                        builder.Int32(-1),
                                        builder.Int32(0),
                                        builder.Float32(0.3F),
                                        builder.Float32(0.5F),
                                        builder.Float32(0.1F)};
  const uint32_t scores = builder.Temporary({kFloat, {1}});
  builder.Operation(
      OperationType::BOX_WITH_NMS_LIMIT, inputs,
      {scores, builder.Output({kFloat, {1, 4}}), builder.Output({OperandType::TENSOR_INT32, {1}}),
       builder.Output({OperandType::TENSOR_INT32, {1}})});
  builder.Operation(OperationType::ABS, {scores}, {builder.Output({kFloat, {1}})});
  Fixture fixture(builder.model(), {{0, 0.75}, {0, 0, 1, 1, 0, 0, 2, 2}, {0}});
  EXPECT_THAT(fixture.Passing(), ElementsAre(true, true));
  // Near enough for any other operation.
  fixture.Change(scores, 0, std::nextafter(0.75F, 1.0F));
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, true));
}

TEST(OperationsApart, NothingIsSaidOfAModelThatTheReferenceDoesNotExecute) {
  Fixture fixture = OfThreeOperations();
  // Other dimensions than the operation comes to.
  fixture.values()[kSum] = {{2}, BytesOf(kFloat, {1, 2})};
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, false, false));
  EXPECT_THAT(fixture.Accuracy(), IsEmpty());
}

TEST(OperationsApart, NorOfOneWhoseValuesTakeMuchMemory) {
  ModelBuilder builder;
  const OperandSpec spec = {kFloat, {1 << 20}};
  const uint32_t a = builder.Input(spec);
  const uint32_t between = builder.Temporary(spec);
  builder.Operation(OperationType::ABS, {a}, {between});
  builder.Operation(OperationType::ABS, {between}, {builder.Output(spec)});
  Fixture fixture(builder.model(), {std::vector<double>(1 << 20, 1)});
  EXPECT_THAT(fixture.Passing(), ElementsAre(false, false));
}

}  // namespace
}  // namespace nncert
