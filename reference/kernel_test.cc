// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "reference/fast_kernel.h"
#include "reference/operation_definition.h"
#include "reference/prepared_constants.h"
#include "reference/run_kernel.h"
#include "reference/signature.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;

// What an executor would give to the kernel of an operation with operands of four elements.
class FakeBuffers : public KernelBuffers {
 public:
  explicit FakeBuffers(NumberSystem system) : system_(system) {}

  NumberSystem system() const override { return system_; }
  const Precision& precision() const override { return kQuantizedPrecision; }
  const std::byte* InputElements(int slot, int /*i*/) override { return inputs[slot].data(); }
  absl::StatusOr<std::byte*> OutputElements(int /*index*/,
                                            absl::Span<const uint32_t> dimensions) override {
    output.assign(NumberOfElements(dimensions) * sizeof(Ball), std::byte{0xff});
    return output.data();
  }
  std::byte* Scratch(size_t bytes) override {
    scratch_.emplace_back(bytes, std::byte{0xff});
    return scratch_.back().data();
  }
  NativeElements Native(int slot, int /*i*/) override {
    return natives.count(slot) == 0 ? NativeElements()
                                    : NativeElements{natives[slot].data(), held_at};
  }
  bool IsConstant(int slot, int /*i*/) const override { return constant_slots.count(slot) != 0; }
  PreparedConstants& constants() override { return constants_; }
  void LetGo(int slot, size_t first, size_t last) override {
    let_go.push_back({slot, first, last});
  }
  void ParallelFor(size_t count, size_t grain,
                   absl::FunctionRef<void(size_t begin, size_t end)> work) override {
    for (size_t begin = 0; begin < count; begin += grain) {
      work(begin, std::min(count, begin + grain));
    }
  }

  std::map<int, std::vector<std::byte>> inputs;
  std::map<int, std::vector<std::byte>> natives;
  Precision held_at = kFloat32Precision;
  std::map<int, bool> constant_slots;
  std::vector<std::tuple<int, size_t, size_t>> let_go;
  std::vector<std::byte> output;

 private:
  NumberSystem system_;
  PreparedConstants constants_;
  std::vector<std::vector<std::byte>> scratch_;
};

// Two data operands and one output, all of `type` and [4].
class FakeOperation {
 public:
  FakeOperation(OperandType type, Kernel kernel) {
    definition_.signature = {.inputs = {Tensor("a").Types({type}), Tensor("b").Types({type})},
                             .outputs = {Tensor("output").Types({type})}};
    definition_.kernel = kernel;
    info_.type = type;
    info_.dimensions = {4};
    info_.scale = type == kQuant8 ? 0.5f : 0.f;
    inputs_ = {{&info_, 0, false, nullptr}, {&info_, 1, false, nullptr}};
    outputs_ = {{&info_, 2, false, nullptr}};
  }

  OperationContext context() const {
    return OperationContext(definition_, Stage::kExecution, HalVersion::V1_2, bindings_, inputs_,
                            outputs_);
  }

 private:
  OperationDefinition definition_;
  const SlotBindings bindings_ = {{0, 1}, {1, 1}};
  OperandInfo info_;
  std::vector<OperandState> inputs_;
  std::vector<OperandState> outputs_;
};

template <class T>
std::vector<std::byte> Bytes(const std::vector<T>& values) {
  const auto* bytes = reinterpret_cast<const std::byte*>(values.data());
  return {bytes, bytes + values.size() * sizeof(T)};
}

template <class T>
std::vector<T> Elements(const FakeBuffers& buffers) {
  const auto* elements = reinterpret_cast<const T*>(buffers.output.data());
  return {elements, elements + 4};
}

// Adds 1.
Kernel PlusOne() {
  return Compute([](const auto& arithmetic, auto& context) -> absl::Status {
    const auto input = context.Input(0);
    auto output = context.Output(0);
    if (!output.ok()) return output.status();
    for (size_t i = 0; i < input.size; ++i) {
      (*output)[i] = arithmetic.Add(input[i], arithmetic.Constant(1));
    }
    return absl::OkStatus();
  });
}

absl::Status RunFake(const OperationContext& operation, KernelBuffers& buffers,
                     const FastKernel* fast) {
  return RunKernel(operation, buffers, fast, NeedsDouble(operation));
}

// Adds 10 to integers, unless the first of them is 0, when it writes nonsense and declines.
absl::Status PlusTen(IntegerContext& context) {
  const auto input = context.Input<uint8_t>(0);
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < input.size; ++i) (*output)[i] = input[i] + 10;
  return input[0] == 0 ? Declined() : absl::OkStatus();
}

// Adds 20 to numbers.
template <class A>
absl::Status PlusTwenty(const A& arithmetic, FastContext<A>& context) {
  const auto input = context.Input(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < input.size; ++i) {
    (*output)[i] = arithmetic.Add(input[i], arithmetic.Constant(20));
  }
  return absl::OkStatus();
}

TEST(RunKernelTest, QuantizedOperandsAreComputedWithIntegersInFloat) {
  const FakeOperation operation(kQuant8, PlusOne());
  const FastKernel fast = {.with_double = PlusTwenty<DoubleArithmetic>, .with_integers = PlusTen};
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<uint8_t>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, &fast).ok());
  EXPECT_THAT(Elements<uint8_t>(buffers), ElementsAre(11, 12, 13, 14));
}

TEST(RunKernelTest, WhatFastKernelsDeclineTheDefinitionComputes) {
  const FakeOperation operation(kQuant8, PlusOne());
  const FastKernel fast = {.with_integers = PlusTen};
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<uint8_t>({0, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, &fast).ok());
  // 1 is two steps of 0.5.
  EXPECT_THAT(Elements<uint8_t>(buffers), ElementsAre(2, 4, 5, 6));
}

TEST(RunKernelTest, WhatTheIntegerKernelDeclinesGoesToTheFastOneInDouble) {
  const FakeOperation operation(kQuant8, PlusOne());
  const FastKernel fast = {.with_double = PlusTwenty<DoubleArithmetic>, .with_integers = PlusTen};
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<uint8_t>({0, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, &fast).ok());
  EXPECT_THAT(Elements<uint8_t>(buffers), ElementsAre(40, 42, 43, 44));
}

TEST(RunKernelTest, TheOracleNeverComputesWithIntegers) {
  const FakeOperation operation(kQuant8, PlusOne());
  const FastKernel fast = {.with_integers = PlusTen};
  FakeBuffers buffers(NumberSystem::kDouble);
  buffers.inputs[0] = Bytes<double>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, &fast).ok());
  EXPECT_THAT(Elements<double>(buffers), ElementsAre(3, 4, 5, 6));
}

TEST(RunKernelTest, FloatOperandsAreNotGivenToAnIntegerKernel) {
  const FakeOperation operation(kFloat32, PlusOne());
  const FastKernel fast = {.with_integers = PlusTen};
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<float>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, &fast).ok());
  EXPECT_THAT(Elements<float>(buffers), ElementsAre(2, 3, 4, 5));
}

TEST(RunKernelTest, EachNumberSystemHasAFastKernelOfItsOwn) {
  const FakeOperation operation(kFloat32, PlusOne());
  const FastKernel fast = {.with_float = PlusTwenty<FloatArithmetic>,
                           .with_ball = PlusTwenty<BallArithmetic>};
  FakeBuffers floats(NumberSystem::kFloat);
  floats.inputs[0] = Bytes<float>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), floats, &fast).ok());
  EXPECT_EQ(Elements<float>(floats)[0], 21);
  FakeBuffers doubles(NumberSystem::kDouble);
  doubles.inputs[0] = Bytes<double>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), doubles, &fast).ok());
  EXPECT_EQ(Elements<double>(doubles)[0], 2);
  FakeBuffers balls(NumberSystem::kBall);
  balls.inputs[0] = Bytes<Ball>({{1, 0}, {2, 0}, {3, 0}, {4, 0}});
  ASSERT_TRUE(RunFake(operation.context(), balls, &fast).ok());
  EXPECT_EQ(Elements<Ball>(balls)[0].midpoint, 21);
}

TEST(RunKernelTest, WithoutAFastKernelTheDefinitionComputes) {
  const FakeOperation operation(kFloat32, PlusOne());
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<float>({1, 2, 3, 4});
  ASSERT_TRUE(RunFake(operation.context(), buffers, nullptr).ok());
  EXPECT_THAT(Elements<float>(buffers), ElementsAre(2, 3, 4, 5));
}

TEST(RunKernelTest, AnErrorOfAFastKernelEndsTheOperation) {
  const FakeOperation operation(kQuant8, PlusOne());
  const FastKernel fast = {
      .with_integers = [](IntegerContext&) { return absl::InvalidArgumentError("no"); }};
  FakeBuffers buffers(NumberSystem::kFloat);
  buffers.inputs[0] = Bytes<uint8_t>({1, 2, 3, 4});
  EXPECT_EQ(RunFake(operation.context(), buffers, &fast), absl::InvalidArgumentError("no"));
}

TEST(KernelTest, ScratchIsZeroUnlessItIsAskedForUninitialized) {
  const FakeOperation operation(kFloat32, Compute([](const auto& arithmetic, auto& context) {
                                  const auto* zeros = context.Scratch(100);
                                  context.UninitializedScratch(100)[99] = arithmetic.Constant(1);
                                  auto output = context.Output(0);
                                  for (int i = 0; i < 4; ++i) (*output)[i] = zeros[33 * i];
                                  return absl::OkStatus();
                                }));
  FakeBuffers buffers(NumberSystem::kFloat);
  ASSERT_TRUE(RunFake(operation.context(), buffers, nullptr).ok());
  EXPECT_THAT(Elements<float>(buffers), ElementsAre(0, 0, 0, 0));
}

// How often FromConstantsKernel has made a Doubled.
std::atomic<int> times_made = 0;

struct Doubled {
  std::vector<double> numbers;
};

// a + 2 * b, where 2 * b is made from constants when b is one.
absl::Status AddDoubled(const DoubleArithmetic& /*arithmetic*/,
                        FastContext<DoubleArithmetic>& context) {
  const auto a = context.Input(0);
  const Doubled& doubled = context.FromConstants<Doubled>({1}, [&] {
    ++times_made;
    const auto b = context.Input(1);
    Doubled result;
    for (size_t i = 0; i < b.size; ++i) result.numbers.push_back(2 * b[i]);
    context.LetGo(1, 0, b.size);
    return result;
  });
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = 0; i < a.size; ++i) (*output)[i] = a[i] + doubled.numbers[i];
  return absl::OkStatus();
}

constexpr FastKernel kAddDoubled = {.with_double = AddDoubled};

TEST(FastContextTest, WhatIsMadeOfConstantsIsMadeOnce) {
  const FakeOperation operation(kFloat32, PlusOne());
  FakeBuffers buffers(NumberSystem::kDouble);
  buffers.constant_slots[1] = true;
  buffers.inputs[0] = Bytes<double>({1, 2, 3, 4});
  buffers.inputs[1] = Bytes<double>({10, 20, 30, 40});
  times_made = 0;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(RunFake(operation.context(), buffers, &kAddDoubled).ok());
    EXPECT_THAT(Elements<double>(buffers), ElementsAre(21, 42, 63, 84));
  }
  EXPECT_EQ(times_made, 1);
  EXPECT_THAT(buffers.let_go, ElementsAre(std::make_tuple(1, 0, 4)));
}

TEST(FastContextTest, WhatIsMadeOfVariablesIsMadeInEveryExecution) {
  const FakeOperation operation(kFloat32, PlusOne());
  FakeBuffers buffers(NumberSystem::kDouble);
  buffers.constant_slots[0] = true;
  buffers.inputs[0] = Bytes<double>({1, 2, 3, 4});
  times_made = 0;
  for (const double b : {10.0, 20.0}) {
    buffers.inputs[1] = Bytes<double>({b, b, b, b});
    ASSERT_TRUE(RunFake(operation.context(), buffers, &kAddDoubled).ok());
    EXPECT_EQ(Elements<double>(buffers)[3], 4 + 2 * b);
  }
  EXPECT_EQ(times_made, 2);
  EXPECT_TRUE(buffers.let_go.empty());
}

// Copies the numbers that a reader reads one by one, last ones first.
template <class A>
absl::Status ReadBackwards(const A& /*arithmetic*/, FastContext<A>& context) {
  const NumberReader<typename A::Number> reader = context.Reader(0);
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  for (size_t i = output->size; i-- > 0;) {
    typename A::Number room;
    (*output)[i] = *reader.Read(i, 1, &room);
  }
  return absl::OkStatus();
}

constexpr FastKernel kReadBackwards = {.with_double = ReadBackwards<DoubleArithmetic>,
                                       .with_ball = ReadBackwards<BallArithmetic>};

TEST(FastContextTest, ReadersConvertWhatIsNotConvertedYet) {
  const FakeOperation floats(kFloat32, PlusOne());
  FakeBuffers in_double(NumberSystem::kDouble);
  in_double.natives[0] = Bytes<float>({1, 0.5, -3, 0x1p-127F});
  ASSERT_TRUE(RunFake(floats.context(), in_double, &kReadBackwards).ok());
  EXPECT_THAT(Elements<double>(in_double), ElementsAre(1, 0.5, -3, 0x1p-127));
  FakeBuffers in_balls(NumberSystem::kBall);
  in_balls.natives = in_double.natives;
  ASSERT_TRUE(RunFake(floats.context(), in_balls, &kReadBackwards).ok());
  const std::vector<Ball> balls = Elements<Ball>(in_balls);
  EXPECT_EQ(balls[2].midpoint, -3);
  EXPECT_TRUE(balls[2].IsExact());
  // It may be held as zero.
  EXPECT_TRUE(balls[3].Contains(0));
  EXPECT_TRUE(balls[3].Contains(0x1p-127));
}

TEST(FastContextTest, ReadersConvertQuantizedElementsToRealNumbers) {
  const FakeOperation quantized(kQuant8, PlusOne());
  FakeBuffers buffers(NumberSystem::kDouble);
  buffers.natives[0] = Bytes<uint8_t>({1, 2, 3, 250});
  ASSERT_TRUE(RunFake(quantized.context(), buffers, &kReadBackwards).ok());
  // Stored as steps again.
  EXPECT_THAT(Elements<double>(buffers), ElementsAre(1, 2, 3, 250));
}

TEST(FastContextTest, ReadersReadWhatIsThere) {
  const FakeOperation floats(kFloat32, PlusOne());
  FakeBuffers buffers(NumberSystem::kDouble);
  buffers.inputs[0] = Bytes<double>({1, 2, 3, 0.1});
  ASSERT_TRUE(RunFake(floats.context(), buffers, &kReadBackwards).ok());
  EXPECT_THAT(Elements<double>(buffers), ElementsAre(1, 2, 3, 0.1));
}

TEST(FastContextTest, FloatsAreThoseThatImplementationsHold) {
  const FakeOperation floats(kFloat32, PlusOne());
  FakeBuffers buffers(NumberSystem::kBall);
  const OperationContext operation = floats.context();
  FastContext<BallArithmetic> context(operation, buffers);
  EXPECT_EQ(context.Floats(0), nullptr);
  buffers.natives[0] = Bytes<float>({1, 2, 3, 4});
  ASSERT_NE(context.Floats(0), nullptr);
  EXPECT_EQ(context.Floats(0)[3], 4);
  buffers.held_at = kFloat16Precision;
  EXPECT_EQ(context.Floats(0), nullptr);
}

TEST(PreparedConstantsTest, KeepsOneObjectOfEachType) {
  PreparedConstants constants;
  const int& number = constants.Get<int>([] { return 1; });
  const std::string& text = constants.Get<std::string>([] { return std::string("text"); });
  EXPECT_EQ(number, 1);
  EXPECT_EQ(text, "text");
  EXPECT_EQ(&constants.Get<int>([] { return 2; }), &number);
  EXPECT_EQ(&constants.Get<std::string>([] { return std::string(); }), &text);
}

TEST(PreparedConstantsTest, ThreadsThatAskAtOnceGetTheSameObject) {
  PreparedConstants constants;
  std::atomic<int> made = 0;
  std::vector<const std::vector<int>*> objects(4);
  std::vector<std::thread> threads;
  for (const std::vector<int>*& object : objects) {
    threads.emplace_back([&] {
      object = &constants.Get<std::vector<int>>([&made] {
        ++made;
        return std::vector<int>(1000, 7);
      });
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  for (const std::vector<int>* object : objects) {
    EXPECT_EQ(object, objects[0]);
    EXPECT_EQ((*object)[999], 7);
  }
}

}  // namespace
}  // namespace nncert
