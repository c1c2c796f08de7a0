// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Sequences of calls: what a device sees of them, and what comes back, here and behind a socket.

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/burst_controller.h"
#include "hal/handle.h"
#include "hal/memory.h"
#include "hal/replay/call_sequence.h"
#include "hal/replay/spare_queues.h"
#include "hal/testing/models.h"
#include "hal/testing/toy_driver.h"
#include "hal/transport/client.h"
#include "hal/transport/testing/recording_device.h"
#include "hal/transport/testing/served.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::testing::ToyDriver;
using ::nncert::hal::testing::TwoAdditions;
using ::nncert::hal::testing::TwoAdditionsRequest;
using ::nncert::hal::transport::testing::Record;
using ::nncert::hal::transport::testing::RecordingDevice1_2;
using ::nncert::hal::transport::testing::RecordingPreparedModel1_2;
using ::nncert::hal::transport::testing::Served;
using replay::CallSequence;
using replay::ExecutionMethod;
using replay::SequenceAnswers;
using replay::SequencedAnswers;
using replay::SequenceDevice;
using replay::SequencedModel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using V1_0::ErrorStatus;
using V1_2::MeasureTiming;

// Sequences on a device of this process, or on one behind a socket.
class SequenceTest : public ::testing::TestWithParam<bool> {
 protected:
  // Makes the calls of a sequence of a device.
  SequenceAnswers Answers(const std::shared_ptr<V1_2::IDevice>& device,
                          const CallSequence& sequence) {
    if (!GetParam()) return replay::MakeCalls(*device, sequence, spares_);
    Served served(device);
    const auto remote = served.device<SequenceDevice>();
    EXPECT_NE(remote, nullptr);
    absl::StatusOr<SequenceAnswers> answers = remote->MakeCalls(sequence);
    EXPECT_TRUE(answers.ok()) << answers.status();
    return answers.ok() ? *answers : SequenceAnswers();
  }

  replay::SpareQueues spares_;
};

INSTANTIATE_TEST_SUITE_P(Places, SequenceTest, ::testing::Bool(),
                         [](const auto& place) { return place.param ? "BehindASocket" : "Here"; });

SequencedModel Additions(std::vector<replay::SequencedExecution> executions,
                         bool is_asked = false) {
  return {.model = std::make_shared<const V1_2::Model>(TwoAdditions()),
          .is_asked = is_asked,
          .executions = std::move(executions)};
}

// The bytes of all pools of a request.
std::vector<std::vector<uint8_t>> BytesOf(const V1_2::Request& request) {
  std::vector<std::vector<uint8_t>> bytes;
  for (const Memory& pool : request.pools) {
    const auto mapping = pool.Map(MemoryAccess::READ_ONLY).value();
    bytes.emplace_back(mapping.bytes().begin(), mapping.bytes().end());
  }
  return bytes;
}

TEST_P(SequenceTest, AnswersAllCallsInTheirOrder) {
  const V1_2::Request first = TwoAdditionsRequest();
  const V1_2::Request second = TwoAdditionsRequest();
  const V1_2::Request third = TwoAdditionsRequest();
  const V1_2::Request by_hand = TwoAdditionsRequest();
  CallSequence sequence;
  sequence.patience = absl::Seconds(10);
  sequence.models = {Additions({{.request = first,
                                 .method = ExecutionMethod::kSynchronous,
                                 .measure = MeasureTiming::YES},
                                {.request = second,
                                 .method = ExecutionMethod::kAsynchronous,
                                 .measure = MeasureTiming::NO}},
                               /*is_asked=*/true),
                     Additions({{.request = third,
                                 .method = ExecutionMethod::kAsynchronous,
                                 .measure = MeasureTiming::YES}})};
  const SequenceAnswers answers = Answers(std::make_shared<ToyDriver>(), sequence);
  EXPECT_EQ(answers.violation, "");
  EXPECT_FALSE(answers.keeps_callbacks);
  ASSERT_EQ(answers.models.size(), 2U);
  EXPECT_THAT(answers.models[0].supported, ElementsAre(true, true));
  EXPECT_THAT(answers.models[1].supported, IsEmpty());
  ASSERT_EQ(answers.models[0].results.size(), 2U);
  ASSERT_EQ(answers.models[1].results.size(), 1U);
  for (const SequencedAnswers& model : answers.models) {
    EXPECT_EQ(model.prepared, ErrorStatus::NONE);
    for (const replay::SequencedResult& result : model.results) {
      EXPECT_EQ(result.launched, ErrorStatus::NONE);
      EXPECT_EQ(result.result.status, ErrorStatus::NONE);
      EXPECT_FALSE(result.result.outputShapes.empty());
    }
  }
  constexpr uint64_t kUnknown = V1_2::Timing().timeInDriver;
  EXPECT_NE(answers.models[0].results[0].result.timing.timeInDriver, kUnknown);
  EXPECT_EQ(answers.models[0].results[1].result.timing.timeInDriver, kUnknown);
  EXPECT_NE(answers.models[1].results[0].result.timing.timeInDriver, kUnknown);
  // Each has been executed.
  EXPECT_NE(BytesOf(first), BytesOf(by_hand));
  EXPECT_EQ(BytesOf(first), BytesOf(second));
  EXPECT_EQ(BytesOf(first), BytesOf(third));
}

// Prepares whatever it is given at once; or lets go of callbacks without calling them.
class PreparingDevice : public RecordingDevice1_2 {
 public:
  explicit PreparingDevice(std::shared_ptr<Record> record, bool calls_back = true)
      : RecordingDevice1_2(std::move(record)), calls_back_(calls_back) {}

  ErrorStatus prepareModel_1_2(
      const V1_2::Model& /*model*/, V1_2::ExecutionPreference /*preference*/,
      const std::vector<Handle>& /*modelCache*/, const std::vector<Handle>& /*dataCache*/,
      const V1_2::CacheToken& /*token*/,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    record_->Add("prepareModel_1_2");
    if (calls_back_) {
      callback->notify_1_2(ErrorStatus::NONE, std::make_shared<RecordingPreparedModel1_2>(record_));
    }
    return ErrorStatus::NONE;
  }

 private:
  const bool calls_back_;
};

TEST_P(SequenceTest, ExecutesByTheFirstVersionsMethod) {
  const V1_2::Request request = TwoAdditionsRequest();
  const V1_2::Request by_hand = TwoAdditionsRequest();
  const auto record = std::make_shared<Record>();
  CallSequence sequence;
  sequence.models = {
      Additions({{.request = request, .method = ExecutionMethod::kAsynchronous1_0}})};
  const SequenceAnswers answers = Answers(std::make_shared<ToyDriver>(), sequence);
  EXPECT_EQ(answers.violation, "");
  ASSERT_EQ(answers.models.size(), 1U);
  ASSERT_EQ(answers.models[0].results.size(), 1U);
  EXPECT_EQ(answers.models[0].results[0].result.status, ErrorStatus::NONE);
  EXPECT_THAT(answers.models[0].results[0].result.outputShapes, IsEmpty());
  EXPECT_NE(BytesOf(request), BytesOf(by_hand));
  // Which does not call its callback, and can still do so.
  sequence.deadline = absl::Milliseconds(200);
  Answers(std::make_shared<PreparingDevice>(record), sequence);
  EXPECT_THAT(record->calls, ElementsAre("prepareModel_1_2", "execute"));
}

TEST_P(SequenceTest, ExecutesByTheBurstOfAModel) {
  const V1_2::Request by_itself = TwoAdditionsRequest();
  CallSequence sequence;
  sequence.models = {Additions({{.request = by_itself, .method = ExecutionMethod::kSynchronous}})};
  std::vector<V1_2::Request> requests;
  // Before the second one the driver is to forget all memory.
  for (int i = 0; i < 3; ++i) {
    requests.push_back(TwoAdditionsRequest());
    sequence.models[0].executions.push_back({.request = requests.back(),
                                             .method = ExecutionMethod::kBurst,
                                             .measure = MeasureTiming::YES});
  }
  const SequenceAnswers answers = Answers(std::make_shared<ToyDriver>(), sequence);
  EXPECT_EQ(answers.violation, "");
  ASSERT_EQ(answers.models.size(), 1U);
  ASSERT_EQ(answers.models[0].results.size(), 4U);
  for (size_t i = 0; i < requests.size(); ++i) {
    const replay::SequencedResult& result = answers.models[0].results[i + 1];
    EXPECT_EQ(result.result.status, ErrorStatus::NONE);
    EXPECT_NE(result.result.timing.timeInDriver, V1_2::Timing().timeInDriver);
    EXPECT_EQ(BytesOf(requests[i]), BytesOf(by_itself));
  }
}

TEST(SequenceQueuesTest, TheQueuesOfABurstAreThoseOfOneThatHasEnded) {
  const auto device = std::make_shared<ToyDriver>();
  replay::SpareQueues spares;
  const auto make_calls = [&] {
    CallSequence sequence;
    sequence.models = {
        Additions({{.request = TwoAdditionsRequest(), .method = ExecutionMethod::kBurst}})};
    const SequenceAnswers answers = replay::MakeCalls(*device, sequence, spares);
    ASSERT_EQ(answers.models.size(), 1U);
    ASSERT_EQ(answers.models[0].results.size(), 1U);
    EXPECT_EQ(answers.models[0].results[0].result.status, ErrorStatus::NONE);
  };
  const auto file_of = [](const BurstQueues& queues) {
    return queues.requests.descriptor().memory.descriptor();
  };
  make_calls();
  BurstQueues first = spares.Take({}).value();
  const FileDescriptor file_of_first = file_of(first);
  make_calls();
  spares.GiveBack(std::move(first));
  // Takes the queues that came back before the first ones, which it gives back after them.
  make_calls();
  EXPECT_EQ(file_of(spares.Take({}).value()), file_of_first);
}

// How a device refuses models.
struct Refusal {
  ErrorStatus called = ErrorStatus::INVALID_ARGUMENT;
  bool gives_model = false;
  int times = 1;
};

// Refuses whatever it is given, by default as the HAL demands.
class RefusingDevice : public RecordingDevice1_2 {
 public:
  explicit RefusingDevice(const std::shared_ptr<Record>& record) : RecordingDevice1_2(record) {
    record->supported.status = ErrorStatus::INVALID_ARGUMENT;
    record->launch_status = ErrorStatus::INVALID_ARGUMENT;
  }

  ErrorStatus prepareModel(const V1_0::Model& model,
                           const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    callback->notify(refusal.called, nullptr);
    return RecordingDevice1_2::prepareModel(model, nullptr);
  }
  ErrorStatus prepareModel_1_1(
      const V1_1::Model& model, V1_1::ExecutionPreference preference,
      const std::shared_ptr<V1_0::IPreparedModelCallback>& callback) override {
    callback->notify(refusal.called, nullptr);
    return RecordingDevice1_2::prepareModel_1_1(model, preference, nullptr);
  }
  ErrorStatus prepareModel_1_2(
      const V1_2::Model& model, V1_2::ExecutionPreference preference,
      const std::vector<Handle>& modelCache, const std::vector<Handle>& dataCache,
      const V1_2::CacheToken& token,
      const std::shared_ptr<V1_2::IPreparedModelCallback>& callback) override {
    for (int i = 0; i < refusal.times; ++i) {
      callback->notify_1_2(
          refusal.called,
          refusal.gives_model ? std::make_shared<RecordingPreparedModel1_2>(record_) : nullptr);
    }
    return RecordingDevice1_2::prepareModel_1_2(model, preference, modelCache, dataCache, token,
                                                nullptr);
  }

  Refusal refusal;
};

TEST_P(SequenceTest, AllModelsArePreparedBeforeTheFirstIsExecuted) {
  const auto record = std::make_shared<Record>();
  CallSequence sequence;
  for (int i = 0; i < 2; ++i) {
    sequence.models.push_back(
        Additions({{.request = TwoAdditionsRequest(), .method = ExecutionMethod::kSynchronous}}));
  }
  const SequenceAnswers answers = Answers(std::make_shared<PreparingDevice>(record), sequence);
  EXPECT_EQ(answers.models.size(), 2U);
  EXPECT_THAT(record->calls, ElementsAre("prepareModel_1_2", "prepareModel_1_2",
                                         "executeSynchronously", "executeSynchronously"));
}

TEST_P(SequenceTest, ABurstThatIsNotOpenedBreaksARule) {
  const auto record = std::make_shared<Record>();
  record->burst.status = ErrorStatus::GENERAL_FAILURE;
  CallSequence sequence;
  sequence.models = {
      Additions({{.request = TwoAdditionsRequest(), .method = ExecutionMethod::kBurst}})};
  const SequenceAnswers answers = Answers(std::make_shared<PreparingDevice>(record), sequence);
  EXPECT_EQ(answers.violation,
            "configureExecutionBurst ended with GENERAL_FAILURE; expected NONE and a burst");
  EXPECT_THAT(answers.models, IsEmpty());
}

TEST_P(SequenceTest, ARefusedModelIsNotExecuted) {
  V1_2::Model subtraction = TwoAdditions();
  // Two inputs, not three, as no operation of the catalogue has it.
  subtraction.operations[0].inputs.pop_back();
  CallSequence sequence;
  SequencedModel model =
      Additions({{.request = TwoAdditionsRequest(), .method = ExecutionMethod::kSynchronous}});
  model.model = std::make_shared<const V1_2::Model>(subtraction);
  sequence.models = {model, Additions({{.request = TwoAdditionsRequest()}})};
  const SequenceAnswers answers = Answers(std::make_shared<ToyDriver>(), sequence);
  EXPECT_EQ(answers.violation, "");
  ASSERT_EQ(answers.models.size(), 2U);
  EXPECT_NE(answers.models[0].prepared, ErrorStatus::NONE);
  EXPECT_THAT(answers.models[0].results, IsEmpty());
  // The next one is a model by itself.
  EXPECT_EQ(answers.models[1].prepared, ErrorStatus::NONE);
  EXPECT_EQ(answers.models[1].results.size(), 1U);
}

// A model without operations, and what is to be asked about it.
SequencedModel Invalid(HalVersion version) {
  V1_2::Model model = TwoAdditions();
  model.operations.clear();
  return {.model = std::make_shared<const V1_2::Model>(model),
          .is_asked = true,
          .version = version,
          .preference = V1_2::ExecutionPreference::SUSTAINED_SPEED,
          .is_invalid = true};
}

TEST_P(SequenceTest, InvalidModelsAreRefusedByTheMethodsOfTheirVersions) {
  const auto record = std::make_shared<Record>();
  CallSequence sequence;
  for (const HalVersion version : kHalVersions) sequence.models.push_back(Invalid(version));
  // Of this one nobody asks what is supported.
  sequence.models.push_back(Invalid(HalVersion::V1_2));
  sequence.models.back().is_asked = false;
  const SequenceAnswers answers = Answers(std::make_shared<RefusingDevice>(record), sequence);
  EXPECT_EQ(answers.violation, "");
  ASSERT_EQ(answers.models.size(), 4U);
  for (const SequencedAnswers& model : answers.models) {
    EXPECT_THAT(model.supported, IsEmpty());
    EXPECT_EQ(model.prepared, ErrorStatus::INVALID_ARGUMENT);
    EXPECT_THAT(model.results, IsEmpty());
  }
  EXPECT_THAT(record->calls,
              ElementsAre("getSupportedOperations", "prepareModel", "getSupportedOperations_1_1",
                          "prepareModel_1_1", "getSupportedOperations_1_2", "prepareModel_1_2",
                          "prepareModel_1_2"));
  EXPECT_EQ(record->preference, V1_2::ExecutionPreference::SUSTAINED_SPEED);
}

TEST_P(SequenceTest, AnInvalidModelThatIsNotRefusedEndsIt) {
  for (const auto& [name, deviate] :
       std::vector<std::pair<const char*, std::function<void(Record&, Refusal&)>>>{
           {"answered",
            [](Record&record, Refusal& /*refusal*/) {
              record.supported = {.status = ErrorStatus::NONE, .supportedOperations = {}};
            }},
           {"failed",
            [](Record&record, Refusal& /*refusal*/) {
              record.supported.status = ErrorStatus::GENERAL_FAILURE;
            }},
           {"launched",
            [](Record&record, Refusal& /*refusal*/) { record.launch_status = ErrorStatus::NONE; }},
           {"called back",
            [](Record& /*record*/, Refusal&refusal) {
              refusal.called = ErrorStatus::DEVICE_UNAVAILABLE;
            }},
           {"prepared", [](Record& /*record*/, Refusal&refusal) { refusal.gives_model = true; }},
       }) {
    const auto record = std::make_shared<Record>();
    const auto device = std::make_shared<RefusingDevice>(record);
    deviate(*record, device->refusal);
    CallSequence sequence;
    sequence.models = {Invalid(HalVersion::V1_2)};
    const SequenceAnswers answers = Answers(device, sequence);
    EXPECT_THAT(answers.models, IsEmpty()) << name;
  }
}

TEST_P(SequenceTest, ARefusalThatComesTwiceBreaksARule) {
  const auto record = std::make_shared<Record>();
  const auto device = std::make_shared<RefusingDevice>(record);
  device->refusal.times = 2;
  CallSequence sequence;
  sequence.models = {Invalid(HalVersion::V1_2)};
  const SequenceAnswers answers = Answers(device, sequence);
  EXPECT_EQ(answers.violation,
            "the callback of prepareModel_1_2 was called 2 times; expected exactly one call");
  EXPECT_THAT(answers.models, IsEmpty());
}

TEST_P(SequenceTest, WhatBreaksARuleEndsIt) {
  const auto record = std::make_shared<Record>();
  record->supported = {.status = ErrorStatus::NONE, .supportedOperations = {true}};
  CallSequence sequence;
  sequence.models = {Additions({}, /*is_asked=*/true), Additions({})};
  const SequenceAnswers answers = Answers(std::make_shared<RecordingDevice1_2>(record), sequence);
  EXPECT_THAT(answers.violation, HasSubstr("gave 1 answers; expected one for each of the 2"));
  EXPECT_THAT(answers.models, IsEmpty());
  EXPECT_THAT(record->calls, ElementsAre("getSupportedOperations_1_2"));
}

TEST_P(SequenceTest, ACallbackThatCannotComeBreaksARule) {
  CallSequence sequence;
  sequence.models = {Additions({})};
  const SequenceAnswers answers =
      Answers(std::make_shared<PreparingDevice>(std::make_shared<Record>(), /*calls_back=*/false),
              sequence);
  EXPECT_THAT(answers.violation,
              HasSubstr("prepareModel_1_2 returned NONE and did not call its callback"));
  EXPECT_THAT(answers.models, IsEmpty());
}

TEST_P(SequenceTest, ACallbackThatMayStillComeBreaksNone) {
  const auto record = std::make_shared<Record>();
  CallSequence sequence;
  // Half of it is there to begin in.
  sequence.deadline = absl::Seconds(2);
  sequence.models = {Additions({})};
  const SequenceAnswers answers = Answers(std::make_shared<RecordingDevice1_2>(record), sequence);
  EXPECT_EQ(answers.violation, "");
  EXPECT_THAT(answers.models, IsEmpty());
}

TEST_P(SequenceTest, NoCallIsBegunOnceAllHaveTakenAsLongAsOneMay) {
  const auto record = std::make_shared<Record>();
  CallSequence sequence;
  sequence.deadline = absl::ZeroDuration();
  sequence.models = {Additions({})};
  const SequenceAnswers answers = Answers(std::make_shared<RecordingDevice1_2>(record), sequence);
  EXPECT_EQ(answers.violation, "");
  EXPECT_THAT(answers.models, IsEmpty());
  EXPECT_THAT(record->calls, IsEmpty());
}

TEST(Sequence, TakesADeadlineAndAHalfAndOneForEachModelAtTheMost) {
  CallSequence sequence;
  sequence.models = {Additions({}), Additions({})};
  EXPECT_EQ(LongestTimeOf(sequence), absl::InfiniteDuration());
  sequence.deadline = absl::Seconds(2);
  sequence.patience = absl::Milliseconds(250);
  EXPECT_EQ(LongestTimeOf(sequence), absl::Milliseconds(7500));
  // Of what is to be refused nothing is given back.
  sequence.models.push_back(Invalid(HalVersion::V1_2));
  EXPECT_EQ(LongestTimeOf(sequence), absl::Milliseconds(7750));
}

TEST(SequenceBehindASocket, OneThatIsTooLargeHarmsNobody) {
  Served served(std::make_shared<ToyDriver>());
  CallSequence sequence;
  sequence.models = {Additions({})};
  // Each has two pools at the least.
  for (int i = 0; i < 200; ++i) {
    sequence.models[0].executions.push_back({.request = TwoAdditionsRequest()});
  }
  const auto device = served.device<SequenceDevice>();
  EXPECT_TRUE(absl::IsInternal(device->MakeCalls(sequence).status()));
  EXPECT_TRUE(served.connection().status().ok());
  sequence.models[0].executions.resize(1);
  EXPECT_EQ(device->MakeCalls(sequence).value().models.size(), 1U);
}

}  // namespace
}  // namespace nncert::hal::transport
