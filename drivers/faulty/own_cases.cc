// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <utility>

#include "cases/testing/test_cases.h"
#include "drivers/faulty/kill_run.h"
#include "reference/model_builder.h"

namespace nncert::faulty {
namespace {

// 10^8 + 1 + 1 + 1 + 1 - 10^8 = 4; the ones are lost in a float of the size of 10^8.
TestCase SumThatCancels() {
  ModelBuilder builder;
  const uint32_t input = builder.Input({OperandType::TENSOR_FLOAT32, {1, 6}});
  const uint32_t output = builder.Output({OperandType::TENSOR_FLOAT32, {1}});
  builder.Operation(OperationType::REDUCE_SUM,
                    {input, builder.Int32Vector({1}), builder.Bool(false)}, {output});
  return CaseWith(builder.model(), {{1e8, 1, 1, 1, 1, -1e8}}, {{4}}, "sum_that_cancels");
}

// 1 / (1 + e) and e / (1 + e), of elements whose exponentials no float can hold.
TestCase SoftmaxOfLargeElements() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {1, 2}};
  const uint32_t input = builder.Input(spec);
  builder.Operation(OperationType::SOFTMAX, {input, builder.Float32(1)}, {builder.Output(spec)});
  return CaseWith(builder.model(), {{1000, 1001}}, {{0.26894142137, 0.73105857863}},
                  "softmax_of_large_elements");
}

// a + b with other numbers in a second example.
TestCase TwoExamples() {
  TestCase test_case = AddCase();
  Example second = test_case.examples.front();
  const std::vector<double> numbers = {5, 6, 7, 8};
  second.inputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, numbers);
  second.inputs[1].data = BytesOf(OperandType::TENSOR_FLOAT32, numbers);
  second.outputs[0].data = BytesOf(OperandType::TENSOR_FLOAT32, {10, 12, 14, 16});
  test_case.examples.push_back(std::move(second));
  test_case.name = "two_examples";
  return test_case;
}

// ((a + 0.875) + 0.875) + 0.875 in steps of 1: each sum is rounded up to the next step, so 0
// gives 3.
TestCase StepsThatAreRounded() {
  ModelBuilder builder;
  const OperandSpec whole = {OperandType::TENSOR_QUANT8_ASYMM, {2}, 1, 10};
  const OperandSpec eighths = {OperandType::TENSOR_QUANT8_ASYMM, {2}, 0.125, 0};
  const uint32_t a = builder.Input(whole);
  const uint32_t b = builder.Input(eighths);
  const uint32_t once = builder.Temporary(whole);
  const uint32_t twice = builder.Temporary(whole);
  const uint32_t none = builder.Int32(0);
  builder.Operation(OperationType::ADD, {a, b, none}, {once});
  builder.Operation(OperationType::ADD, {once, b, none}, {twice});
  builder.Operation(OperationType::ADD, {twice, b, none}, {builder.Output(whole)});
  return CaseWith(builder.model(), {{10, 20}, {7, 7}}, {{13, 23}}, "steps_that_are_rounded");
}

// a + b - c, where what the threshold allows of the sum is more than what is left of it.
TestCase DifferenceThatCancels() {
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2}};
  const uint32_t a = builder.Input(spec);
  const uint32_t b = builder.Input(spec);
  const uint32_t c = builder.Input(spec);
  const uint32_t sum = builder.Temporary(spec);
  const uint32_t none = builder.Int32(0);
  builder.Operation(OperationType::ADD, {a, b, none}, {sum});
  builder.Operation(OperationType::SUB, {sum, c, none}, {builder.Output(spec)});
  return CaseWith(builder.model(), {{1000, 2000}, {24, 48}, {1023, 2046}}, {{1, 2}},
                  "difference_that_cancels");
}

}  // namespace

std::vector<TestCase> OwnCases() {
  return {SumThatCancels(), SoftmaxOfLargeElements(), TwoExamples(), StepsThatAreRounded(),
          DifferenceThatCancels()};
}

}  // namespace nncert::faulty
