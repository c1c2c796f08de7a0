// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What measuring is made of, on drivers that are honest or tell one lie, without a clock.

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/fake_device.h"
#include "mlts/measuring/accuracy.h"
#include "mlts/measuring/claims.h"
#include "mlts/measuring/golden_check.h"
#include "mlts/measuring/layers.h"
#include "mlts/measuring/leak.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/measuring/timed_requests.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Outcome = CheckResult::Outcome;

const OperandSpec kThree = {OperandType::TENSOR_FLOAT32, {1, 3}};

TensorBytes Floats(const std::vector<double>& values) {
  return BytesOf(OperandType::TENSOR_FLOAT32, values);
}

// Adds up its inputs: what it gives is what it takes next.
Network SumNetwork() {
  ModelBuilder builder;
  const uint32_t input = builder.Input(kThree);
  const uint32_t state = builder.Input(kThree);
  const uint32_t sum = builder.Output(kThree);
  const uint32_t next = builder.Output(kThree);
  builder.Operation(OperationType::ADD, {input, state, builder.Int32(0)}, {sum});
  builder.Operation(OperationType::FLOOR, {sum}, {next});
  Network network;
  network.name = "sum";
  network.model = builder.model();
  network.states = {{.input = 1, .output = 1}};
  return network;
}

// Gives what it takes, below zero cut off, in two operations.
Network PassingNetwork() {
  ModelBuilder builder;
  const uint32_t input = builder.Input(kThree);
  const uint32_t between = builder.Temporary(kThree);
  const uint32_t output = builder.Output(kThree);
  builder.Operation(OperationType::RELU, {input}, {between});
  builder.Operation(OperationType::RELU6, {between}, {output});
  Network network;
  network.name = "passing";
  network.model = builder.model();
  return network;
}

std::unique_ptr<DriverSession> SessionOf(Lies lies = {}) {
  absl::StatusOr<std::unique_ptr<DriverSession>> session =
      DriverSession::FromDevice(MakeFakeDevice(std::move(lies)), "fake");
  EXPECT_TRUE(session.ok()) << session.status();
  return *std::move(session);
}

NetworkArguments ArgumentsOf(const Network& network) {
  absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(network);
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  return *std::move(arguments);
}

// Sequences whose label is where their only input is highest.
class ThreeClasses : public DataSet {
 public:
  size_t size() const override { return 60; }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    if (index == 7) return absl::InvalidArgumentError("number 7 is broken");
    std::vector<double> values = {0, 0, 0};
    values[index % 3] = 1 + static_cast<double>(index) / 100;
    Sequence sequence;
    sequence.name = "number";
    sequence.inputs = {{Floats(values)}};
    sequence.label = static_cast<uint32_t>(index % 3);
    return sequence;
  }
};

Benchmark ThreeClassesBenchmark() {
  Benchmark benchmark;
  benchmark.name = "passing";
  benchmark.network = PassingNetwork();
  benchmark.data = std::make_shared<ThreeClasses>();
  benchmark.evaluator = Evaluator::TOP_K;
  return benchmark;
}

// Exchanges the first two elements of the first output for one execution in so many.
Lies ExchangingLies(int one_in) {
  Lies lies;
  lies.execution = [one_in, count = 0](FakeExecution& execution) mutable {
    if (count++ % one_in != 0) return;
    const absl::Span<uint8_t> bytes = execution.Output(0);
    std::swap_ranges(bytes.begin(), bytes.begin() + 4, bytes.begin() + 4);
  };
  return lies;
}

TEST(NetworkOnDriverTest, states_begin_at_zero_and_are_carried) {
  const Network network = SumNetwork();
  const NetworkArguments arguments = ArgumentsOf(network);
  const std::unique_ptr<DriverSession> session = SessionOf();
  const auto on_driver = NetworkOnDriver::Prepare(*session, arguments, kDefaultDeadline);
  ASSERT_TRUE(on_driver.ok()) << on_driver.status();
  Sequence sequence;
  sequence.name = "three";
  sequence.inputs = {{Floats({1, 2, 3})}, {Floats({10, 20, 30})}, {Floats({0, 0, 1})}};
  for (int time = 0; time < 2; ++time) {
    std::vector<Inference> inferences;
    const absl::StatusOr<SequenceOutputs> outputs = (*on_driver)->Run(sequence, &inferences);
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    EXPECT_THAT(*outputs,
                ElementsAre(ElementsAre(Floats({1, 2, 3})), ElementsAre(Floats({11, 22, 33})),
                            ElementsAre(Floats({11, 22, 34}))));
    ASSERT_THAT(inferences, SizeIs(3));
    EXPECT_EQ(inferences[1].inputs[1], Floats({1, 2, 3}));
  }
  sequence.inputs = {{Floats({1, 2})}};
  EXPECT_THAT((*on_driver)->Run(sequence), StatusIs(absl::StatusCode::kInvalidArgument,
                                                    HasSubstr("three: input 0 has 8 bytes")));
  EXPECT_TRUE((*on_driver)->Release().ok());
}

TEST(NetworkOnDriverTest, tells_unsupported_from_wrong) {
  const Network network = PassingNetwork();
  const NetworkArguments arguments = ArgumentsOf(network);
  Lies refusing;
  refusing.supported = [](hal::V1_0::GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  refusing.prepare = [](const auto& callback, const auto& /*model*/) {
    callback->notify(hal::V1_0::ErrorStatus::GENERAL_FAILURE, nullptr);
    return hal::V1_0::ErrorStatus::GENERAL_FAILURE;
  };
  EXPECT_THAT(
      NetworkOnDriver::Prepare(*SessionOf(refusing), arguments, kDefaultDeadline).status(),
      StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("does not support operation 0")));
  Lies failing;
  failing.execution = [](FakeExecution& execution) {
    execution.result = {hal::V1_0::ErrorStatus::GENERAL_FAILURE, {}, {}};
  };
  const std::unique_ptr<DriverSession> session = SessionOf(failing);
  const auto on_driver = NetworkOnDriver::Prepare(*session, arguments, kDefaultDeadline);
  ASSERT_TRUE(on_driver.ok());
  EXPECT_THAT((*on_driver)->Execute({Floats({1, 2, 3})}).status(),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("GENERAL_FAILURE")));
}

TEST(DistinctInferencesTest, answers_that_are_alike_are_left_out) {
  const NetworkArguments arguments = ArgumentsOf(PassingNetwork());
  std::vector<Inference> inferences;
  for (const double value : {1.0, 1.0 + 1e-7, 2.0, 1.0, 3.0, 4.0}) {
    inferences.push_back({{Floats({value, 0, 0})}, {Floats({value, 0, 0})}});
  }
  EXPECT_THAT(DistinctInferences(arguments, inferences, 8), SizeIs(4));
  EXPECT_THAT(DistinctInferences(arguments, inferences, 2), SizeIs(2));
}

TEST(AccuracyTest, honest_driver_is_as_right_as_the_reference) {
  const Benchmark benchmark = ThreeClassesBenchmark();
  const NetworkArguments arguments = ArgumentsOf(benchmark.network);
  const std::unique_ptr<DriverSession> driver = SessionOf();
  const std::unique_ptr<DriverSession> reference = SessionOf();
  std::vector<double> shares;
  AccuracyOptions options;
  options.on_progress = [&](double share) {
    shares.push_back(share);
    return true;
  };
  const auto measured = MeasureAccuracy(
      benchmark, arguments, {{"driver", driver.get()}, {"reference", reference.get()}}, options);
  ASSERT_TRUE(measured.ok()) << measured.status();
  ASSERT_THAT(measured->results, SizeIs(2));
  EXPECT_EQ(measured->results[0].driver, "driver");
  EXPECT_EQ(measured->results[0].sequences, 59);
  EXPECT_EQ(measured->results[0].top_k[0].value, 1);
  EXPECT_EQ(measured->comparison->changed, 0);
  ASSERT_THAT(measured->checks, SizeIs(1));
  EXPECT_EQ(measured->checks[0].outcome, Outcome::PASS);
  EXPECT_THAT(measured->problems, ElementsAre(HasSubstr("number 7 is broken")));
  EXPECT_THAT(measured->inferences, ElementsAre(SizeIs(8), SizeIs(8)));
  EXPECT_THAT(shares, SizeIs(60));
  options.samples = 3;
  const auto few = MeasureAccuracy(benchmark, arguments, {{"driver", driver.get()}}, options);
  ASSERT_TRUE(few.ok());
  EXPECT_EQ(few->results[0].sequences, 3);
  EXPECT_FALSE(few->comparison.has_value());
  options.on_progress = [](double) { return false; };
  EXPECT_THAT(MeasureAccuracy(benchmark, arguments, {{"driver", driver.get()}}, options).status(),
              StatusIs(absl::StatusCode::kCancelled, HasSubstr("interrupted")));
}

TEST(AccuracyTest, driver_that_is_wrong_on_some_samples_fails) {
  const Benchmark benchmark = ThreeClassesBenchmark();
  const NetworkArguments arguments = ArgumentsOf(benchmark.network);
  const std::unique_ptr<DriverSession> driver = SessionOf(ExchangingLies(4));
  const std::unique_ptr<DriverSession> reference = SessionOf();
  const auto measured = MeasureAccuracy(
      benchmark, arguments, {{"driver", driver.get()}, {"reference", reference.get()}}, {});
  ASSERT_TRUE(measured.ok()) << measured.status();
  EXPECT_EQ(measured->checks[0].outcome, Outcome::FAIL) << measured->checks[0].detail;
  EXPECT_GT(measured->comparison->baseline_alone_right, 8);
  ASSERT_TRUE(measured->furthest.has_value());
  // Which operation that is, is seen on the sample that was lost.
  const std::unique_ptr<DriverSession> always = SessionOf(ExchangingLies(1));
  std::string why;
  EXPECT_EQ(FirstDivergingOperation(arguments, *always, *measured->furthest, kDefaultDeadline, why),
            "1 (RELU6)")
      << why;
  const auto layers = MeasureLayers(arguments, *always, *measured->furthest, kDefaultDeadline);
  ASSERT_TRUE(layers.ok()) << layers.status();
  ASSERT_THAT(*layers, SizeIs(2));
  EXPECT_EQ((*layers)[0].maximum_absolute_error, 0);
  EXPECT_GE((*layers)[1].maximum_absolute_error, 1);
}

// A network of bytes; what it computes is of no interest to golden outputs.
NetworkArguments QuantizedArguments() {
  const OperandSpec bytes = {OperandType::TENSOR_QUANT8_ASYMM, {1, 4}, 0.5F, 0};
  ModelBuilder builder;
  const uint32_t input = builder.Input(bytes);
  const uint32_t output = builder.Output(bytes);
  builder.Operation(OperationType::RELU, {input}, {output});
  Network network;
  network.model = builder.model();
  return ArgumentsOf(network);
}

std::vector<Outcome> GoldenOutcomes(const TensorBytes& golden, const TensorBytes& driver,
                                    const TensorBytes& reference) {
  const NetworkArguments arguments = QuantizedArguments();
  GoldenCheck check(arguments);
  Sequence sequence;
  sequence.name = "cup";
  sequence.inputs = {{golden}};
  sequence.golden_outputs = {{golden}};
  const SequenceOutputs by_reference = {{reference}};
  EXPECT_TRUE(check.Add(sequence, {{driver}}, &by_reference).ok());
  std::vector<Outcome> outcomes;
  for (const CheckResult& result : check.Checks()) outcomes.push_back(result.outcome);
  return outcomes;
}

TEST(GoldenCheckTest, honest_rounding_is_not_held_against_a_driver) {
  const TensorBytes golden = {10, 20, 30, 40};
  EXPECT_THAT(GoldenOutcomes(golden, golden, golden), ElementsAre(Outcome::PASS, Outcome::PASS));
  EXPECT_THAT(GoldenOutcomes(golden, {12, 18, 30, 40}, golden),
              ElementsAre(Outcome::PASS, Outcome::PASS));
  // The reference is as far, or a step nearer.
  EXPECT_THAT(GoldenOutcomes(golden, {10, 20, 35, 40}, {10, 20, 35, 40}),
              ElementsAre(Outcome::PASS, Outcome::NOT_RUN));
  EXPECT_THAT(GoldenOutcomes(golden, {10, 20, 33, 40}, {10, 20, 32, 40}),
              ElementsAre(Outcome::PASS, Outcome::NOT_RUN));
}

TEST(GoldenCheckTest, what_is_wrong_fails_even_beside_what_is_rounded) {
  EXPECT_THAT(GoldenOutcomes({10, 20, 30, 40}, {10, 20, 35, 43}, {10, 20, 35, 40}),
              ElementsAre(Outcome::FAIL, Outcome::FAIL));
}

TEST(GoldenCheckTest, without_golden_outputs_nothing_is_said) {
  const NetworkArguments arguments = QuantizedArguments();
  EXPECT_THAT(GoldenCheck(arguments).Checks(), IsEmpty());
}

LeakMeasurement LeakOf(const std::function<ResourceUse(size_t load)>& use) {
  const Network network = PassingNetwork();
  const NetworkArguments arguments = ArgumentsOf(network);
  const std::unique_ptr<DriverSession> session = SessionOf();
  const TimedDriver driver = {"driver", session.get(), {{{Floats({1, 2, 3})}, {}}}};
  TimingPlan plan;
  plan.loads = 8;
  size_t load = 0;
  const auto measured =
      MeasureLeak(arguments, driver, plan, kDefaultDeadline, [&] { return use(load++); });
  EXPECT_TRUE(measured.ok()) << measured.status();
  return *measured;
}

TEST(LeakTest, what_grows_with_each_load_is_named) {
  const LeakMeasurement descriptors = LeakOf([](size_t load) {
    return ResourceUse{10 + load, 1 << 20, 3};
  });
  EXPECT_EQ(descriptors.check.outcome, Outcome::FAIL);
  EXPECT_THAT(descriptors.check.detail, HasSubstr("descriptors, 1 [1, 1] a load"));
  EXPECT_THAT(descriptors.check.detail, ::testing::Not(HasSubstr("memory")));
  EXPECT_EQ(descriptors.result.loads, 8);
  const LeakMeasurement memory = LeakOf([](size_t load) { return ResourceUse{10, load << 20, 3}; });
  EXPECT_THAT(memory.check.detail, HasSubstr("1.049e+06 [1.049e+06, 1.049e+06] a load"));
}

TEST(LeakTest, what_fills_once_is_no_leak) {
  const LeakMeasurement measured = LeakOf([](size_t load) {
    const size_t filled = std::min<size_t>(load, 6);
    return ResourceUse{10 + filled, filled << 20, 3};
  });
  EXPECT_EQ(measured.check.outcome, Outcome::PASS) << measured.check.detail;
}

TEST(LeakTest, a_step_in_each_pass_is_no_leak) {
  for (const size_t step_at : {1, 3, 4, 7}) {
    const LeakMeasurement measured = LeakOf([&](size_t load) {
      return ResourceUse{10, ((load + 8 - step_at) / 8) << 20, 3};
    });
    EXPECT_EQ(measured.check.outcome, Outcome::PASS) << step_at << ": " << measured.check.detail;
  }
}

TEST(LeakTest, what_grows_in_large_steps_is_a_leak) {
  const LeakMeasurement measured = LeakOf([](size_t load) {
    return ResourceUse{10, (load / 3) << 20, 3};
  });
  EXPECT_EQ(measured.check.outcome, Outcome::FAIL);
  EXPECT_THAT(measured.check.detail, HasSubstr("bytes of memory"));
}

TEST(ClaimsTest, claims_are_held_against_the_mean_of_all_networks_of_a_type) {
  const std::vector<PerformanceClaim> claims = ClaimsOf(
      {{"TENSOR_FLOAT32", 0.5}, {"TENSOR_QUANT8_ASYMM", 0.2}},
      {{"TENSOR_FLOAT32", {{0.5, 0.4, 0.6}, {2, 1.6, 2.4}}}, {"TENSOR_FLOAT16", {{1, 1, 1}}}});
  ASSERT_THAT(claims, SizeIs(2));
  EXPECT_EQ(claims[0].claimed, 0.5);
  EXPECT_THAT(claims[0].measured.value, DoubleNear(1, 1e-12));
  EXPECT_THAT(claims[0].measured.low, DoubleNear(0.8, 1e-12));
  EXPECT_THAT(claims[0].measured.high, DoubleNear(1.2, 1e-12));
  EXPECT_TRUE(IsOverstated(claims[0]));
  // Nothing is claimed of it.
  EXPECT_EQ(claims[1].claimed, static_cast<double>(FLT_MAX));
  EXPECT_FALSE(IsOverstated(claims[1]));
}

LatencyResult LatencyOf(const std::string& driver, const Estimate& median) {
  LatencyResult latency;
  latency.driver = driver;
  latency.executor = "sync";
  latency.wall.p50 = median;
  return latency;
}

TEST(ClaimsTest, what_a_call_takes_is_left_out_of_ratios) {
  BenchmarkResult benchmark;
  benchmark.latency = {LatencyOf("driver", {30, 29, 31}), LatencyOf("cpu", {20, 19, 21})};
  EXPECT_EQ(RatioOfTimes(benchmark, "driver", "cpu")->value, 1.5);
  EXPECT_EQ(RatioOfComputing(benchmark, "driver", "cpu")->value, 1.5);
  benchmark.call_time = {10, 9, 11};
  EXPECT_EQ(RatioOfTimes(benchmark, "driver", "cpu")->value, 1.5);
  const std::optional<Estimate> ratio = RatioOfComputing(benchmark, "driver", "cpu");
  ASSERT_TRUE(ratio.has_value());
  EXPECT_EQ(ratio->value, 2);
  EXPECT_THAT(ratio->low, DoubleNear((29.0 - 9) / (21 - 9), 1e-12));
  EXPECT_THAT(ratio->high, DoubleNear((31.0 - 11) / (19 - 11), 1e-12));
  // Where hardly more than a call is left, nothing is said.
  benchmark.call_time = {18, 17, 19.5};
  EXPECT_FALSE(RatioOfComputing(benchmark, "driver", "cpu").has_value());
  EXPECT_FALSE(RatioOfComputing(benchmark, "cpu", "cpu").has_value());
}

TEST(ClaimsTest, every_version_of_a_device_says_what_it_claims) {
  const absl::StatusOr<std::unique_ptr<DriverSession>> early =
      DriverSession::FromDevice(MakeFakeDevice1_1(), "early");
  ASSERT_TRUE(early.ok());
  const absl::StatusOr<ClaimedTimes> claimed = ClaimedTimesOf(**early, kDefaultDeadline);
  ASSERT_TRUE(claimed.ok()) << claimed.status();
  EXPECT_EQ(*claimed, (ClaimedTimes{{"TENSOR_FLOAT32", 1},
                                    {"TENSOR_QUANT8_ASYMM", 1},
                                    {"relaxedFloat32toFloat16PerformanceTensor", 1}}));
  Network network = PassingNetwork();
  EXPECT_EQ(SubjectOfClaim(network.model), "TENSOR_FLOAT32");
  network.model.relaxComputationFloat32toFloat16 = true;
  EXPECT_EQ(SubjectOfClaim(network.model), "relaxedFloat32toFloat16PerformanceTensor");
}

}  // namespace
}  // namespace nncert
