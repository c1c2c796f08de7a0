// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/burst_controller.h"

#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/fake_clock.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"
#include "hal/testing/toy_driver.h"
#include "hal/to_string.h"

namespace nncert::hal {
namespace {

using ::testing::ElementsAre;
using testing::FakeClock;
using ::testing::HasSubstr;
using testing::StatusIs;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;
using V1_2::ErrorStatus;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::MeasureTiming;

const Deadline& Long() {
  static const Deadline deadline(absl::Seconds(30));
  return deadline;
}

auto IsDataLoss(const std::string& text) {
  return StatusIs(absl::StatusCode::kDataLoss, HasSubstr(text));
}

auto IsFailedPrecondition(const std::string& text) {
  return StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(text));
}

// A driver's side of a burst that does what a test tells it, in the thread of the test.
class ScriptedModel : public V1_2::IPreparedModel,
                      public std::enable_shared_from_this<ScriptedModel> {
 public:
  // Which slots were freed.
  class Context : public V1_2::IBurstContext {
   public:
    explicit Context(std::shared_ptr<ScriptedModel> model) : model_(std::move(model)) {}
    ~Context() override { model_->is_closed = true; }
    void freeMemory(int32_t slot) override { model_->freed.push_back(slot); }

   private:
    const std::shared_ptr<ScriptedModel> model_;
  };

  ErrorStatus execute(const V1_0::Request&,
                      const std::shared_ptr<V1_0::IExecutionCallback>&) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  ErrorStatus execute_1_2(const V1_2::Request&, MeasureTiming,
                          const std::shared_ptr<V1_2::IExecutionCallback>&) override {
    return ErrorStatus::GENERAL_FAILURE;
  }
  V1_2::ExecuteSynchronouslyResult executeSynchronously(const V1_2::Request&,
                                                        MeasureTiming) override {
    return {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
  }
  V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<V1_2::IBurstCallback>& given_callback,
      const MQDescriptorSync<FmqRequestDatum>& requestChannel,
      const MQDescriptorSync<FmqResultDatum>& resultChannel) override {
    callback = given_callback;
    requests = std::make_unique<MessageQueue<FmqRequestDatum>>(
        MessageQueue<FmqRequestDatum>::Open(requestChannel).value());
    results = std::make_unique<MessageQueue<FmqResultDatum>>(
        MessageQueue<FmqResultDatum>::Open(resultChannel).value());
    result_memory = resultChannel.memory;
    if (!gives_context) return {.status = status, .context = nullptr};
    return {.status = status, .context = std::make_shared<Context>(shared_from_this())};
  }

  // The request that has come.
  BurstRequest Read() const {
    std::vector<FmqRequestDatum> packet(requests->availableToRead().value());
    EXPECT_TRUE(requests->read(absl::MakeSpan(packet)).ok());
    const absl::StatusOr<BurstRequest> request = deserializeBurstRequest(packet);
    EXPECT_TRUE(request.ok()) << request.status();
    return *request;
  }

  void Write(const std::vector<FmqResultDatum>& packet) const {
    ASSERT_TRUE(results->write(packet).ok());
  }

  ErrorStatus status = ErrorStatus::NONE;
  bool gives_context = true;
  std::shared_ptr<V1_2::IBurstCallback> callback;
  std::unique_ptr<MessageQueue<FmqRequestDatum>> requests;
  std::unique_ptr<MessageQueue<FmqResultDatum>> results;
  Memory result_memory;
  std::vector<int32_t> freed;
  bool is_closed = false;
};

std::vector<FmqResultDatum> SomeResult(uint32_t dimension = 2) {
  return serializeBurstResult({.status = ErrorStatus::NONE,
                               .outputShapes = {{.dimensions = {dimension}, .isSufficient = true}},
                               .timing = {}});
}

// A burst with a scripted driver.
class BurstControllerTest : public ::testing::Test {
 protected:
  void Open(const BurstLengths& lengths = {}) {
    auto opened = BurstController::Open(*model_, lengths);
    ASSERT_TRUE(opened.ok()) << opened.status();
    burst_ = *std::move(opened);
  }

  // Has a request sent and read.
  BurstRequest Exchange(const V1_2::Request& request) {
    const absl::Status status = burst_->Send(request, MeasureTiming::NO);
    EXPECT_TRUE(status.ok()) << status;
    return model_->Read();
  }

  const std::shared_ptr<ScriptedModel> model_ = std::make_shared<ScriptedModel>();
  std::shared_ptr<BurstController> burst_;
  const V1_2::Request request_ = TwoAdditionsRequest();
};

TEST_F(BurstControllerTest, a_request_arrives_with_slots_for_its_pools_and_its_result_comes_back) {
  Open();
  ASSERT_TRUE(burst_->Send(request_, MeasureTiming::YES).ok());
  const BurstRequest arrived = model_->Read();
  EXPECT_EQ(arrived.request.inputs, request_.inputs);
  EXPECT_EQ(arrived.request.outputs, request_.outputs);
  EXPECT_THAT(arrived.slots, ElementsAre(0, 1));
  EXPECT_EQ(arrived.measure, MeasureTiming::YES);
  model_->Write(SomeResult(7));
  const auto result = burst_->Receive(Long());
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->status, ErrorStatus::NONE);
  EXPECT_EQ(result->outputShapes,
            (std::vector<V1_2::OutputShape>{{.dimensions = {7}, .isSufficient = true}}));
}

TEST_F(BurstControllerTest, slots_stand_for_the_pools_that_have_them) {
  Open();
  Exchange(request_);
  const V1_2::GetMemoriesResult memories = model_->callback->getMemories({1, 0, 1});
  EXPECT_EQ(memories.status, ErrorStatus::NONE);
  ASSERT_EQ(memories.buffers.size(), 3);
  request_.pools[1].Map(MemoryAccess::READ_WRITE)->data()[0] = 77;
  for (const size_t of_output : {size_t{0}, size_t{2}}) {
    const Memory& memory = memories.buffers[of_output];
    EXPECT_EQ(memory.Map(MemoryAccess::READ_ONLY)->data()[0], 77);
    EXPECT_EQ(memory.size(), request_.pools[1].size());
    EXPECT_EQ(memory.name(), request_.pools[1].name());
    EXPECT_EQ(memory.protection(), request_.pools[1].protection());
  }
  for (const int32_t unknown :
       {-1, 2, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()}) {
    const V1_2::GetMemoriesResult refused = model_->callback->getMemories({0, unknown});
    EXPECT_EQ(refused.status, ErrorStatus::INVALID_ARGUMENT) << unknown;
    EXPECT_TRUE(refused.buffers.empty());
  }
}

TEST_F(BurstControllerTest, a_pool_keeps_its_slot_and_is_not_held) {
  Open();
  Exchange(request_);
  model_->Write(SomeResult());
  ASSERT_TRUE(burst_->Receive(Long()).ok());
  V1_2::Request other = TwoAdditionsRequest();
  other.pools = {request_.pools[1], *Memory::Allocate(8), request_.pools[0]};
  EXPECT_THAT(Exchange(other).slots, ElementsAre(1, 2, 0));
  const Memory own = std::move(other.pools[1]);
  EXPECT_FALSE(own.IsHeldElsewhere());
}

TEST_F(BurstControllerTest, the_driver_is_given_its_owners_pool_while_there_is_one) {
  Open();
  V1_2::Request request = request_;
  const Memory& first = request_.pools[0];
  first.Map(MemoryAccess::READ_WRITE)->data()[0] = 55;
  Exchange(request);
  EXPECT_EQ(model_->callback->getMemories({0}).buffers.at(0), first);
  // The same file is the same pool, whoever opened it, and the last to have sent it owns it.
  request.pools[0] =
      Memory::FromDescriptor(first.descriptor(), first.size(), first.protection(), 0, first.name())
          .value();
  ASSERT_NE(request.pools[0], first);
  model_->Write(SomeResult());
  ASSERT_TRUE(burst_->Receive(Long()).ok());
  EXPECT_THAT(Exchange(request).slots, ElementsAre(0, 1));
  EXPECT_EQ(model_->callback->getMemories({0}).buffers.at(0), request.pools[0]);
  request.pools[0] = Memory();
  const V1_2::GetMemoriesResult reopened = model_->callback->getMemories({0});
  ASSERT_EQ(reopened.buffers.size(), 1);
  EXPECT_EQ(reopened.buffers[0].Map(MemoryAccess::READ_ONLY)->data()[0], 55);
}

TEST_F(BurstControllerTest, freed_slots_are_forgotten_and_taken_again_in_another_order) {
  Open();
  Exchange(request_);
  model_->Write(SomeResult());
  ASSERT_TRUE(burst_->Receive(Long()).ok());
  burst_->FreeAllMemory();
  EXPECT_THAT(model_->freed, ElementsAre(0, 1));
  EXPECT_EQ(model_->callback->getMemories({0}).status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(Exchange(request_).slots, ElementsAre(1, 0));
  // The driver is told of slots that stand for nothing, too.
  burst_->FreeMemory(0);
  burst_->FreeMemory(0);
  burst_->FreeMemory(-3);
  EXPECT_THAT(model_->freed, ElementsAre(0, 1, 0, 0, -3));
  EXPECT_EQ(model_->callback->getMemories({1}).status, ErrorStatus::NONE);
  EXPECT_EQ(model_->callback->getMemories({0}).status, ErrorStatus::INVALID_ARGUMENT);
}

TEST_F(BurstControllerTest, a_pool_without_a_descriptor_reaches_the_driver_as_such) {
  Open();
  V1_2::Request request = request_;
  request.pools[0] = Memory();
  EXPECT_THAT(Exchange(request).slots, ElementsAre(0, 1));
  const V1_2::GetMemoriesResult memories = model_->callback->getMemories({0});
  ASSERT_EQ(memories.buffers.size(), 1);
  EXPECT_FALSE(memories.buffers[0].valid());
}

TEST_F(BurstControllerTest, there_is_one_request_at_a_time) {
  Open();
  EXPECT_THAT(burst_->Receive(Long()),
              IsFailedPrecondition("the burst has no request that could be answered"));
  Exchange(request_);
  EXPECT_THAT(burst_->Send(request_, MeasureTiming::NO),
              IsFailedPrecondition("a request of the burst has not been answered yet"));
  model_->Write(SomeResult());
  EXPECT_TRUE(burst_->Receive(Long()).ok());
  Exchange(request_);
}

TEST_F(BurstControllerTest, a_result_that_does_not_come_is_waited_for_until_the_deadline) {
  Open();
  Exchange(request_);
  FakeClock clock;
  const Deadline deadline(absl::Seconds(1), clock);
  int asked = 0;
  const auto pass_time = [&] {
    if (++asked == 3) clock.Advance(absl::Seconds(1));
    return absl::OkStatus();
  };
  EXPECT_THAT(burst_->Receive(deadline, pass_time),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "the request of the burst was not answered in time"));
  EXPECT_EQ(asked, 3);
  // It is still under way, and may yet be answered.
  model_->Write(SomeResult());
  EXPECT_TRUE(burst_->Receive(deadline).ok());
}

TEST_F(BurstControllerTest, a_driver_that_is_lost_is_not_waited_for) {
  Open();
  Exchange(request_);
  EXPECT_THAT(burst_->Receive(Deadline::Never(), [] { return absl::UnavailableError("it ended"); }),
              StatusIs(absl::StatusCode::kUnavailable, "it ended"));
  // What it wrote at last is taken all the same.
  const auto answer_at_last = [this] {
    model_->Write(SomeResult());
    return absl::UnavailableError("it ended");
  };
  EXPECT_TRUE(burst_->Receive(Deadline::Never(), answer_at_last).ok());
}

TEST_F(BurstControllerTest, a_result_that_is_not_one_packet_is_data_loss) {
  Open();
  const std::vector<FmqResultDatum> good = SomeResult();
  std::vector<FmqResultDatum> twice = good;
  twice.insert(twice.end(), good.begin(), good.end());
  const std::vector<FmqResultDatum> half(good.begin(), good.begin() + 2);
  std::vector<FmqResultDatum> boundless = good;
  boundless[0] = FmqResultDatum::makePacketInformation(
      {.packetSize = 0xFFFFFFFF, .errorStatus = ErrorStatus::NONE, .numberOfOperands = 0xFFFFFFFF});
  std::vector<FmqResultDatum> garbage(1024);
  for (FmqResultDatum& datum : garbage)
    std::memset(static_cast<void*>(&datum), 0xA5, sizeof(datum));
  const std::pair<std::vector<FmqResultDatum>, std::string> cases[] = {
      {twice, "the packet has 8 elements; it says 4, and its parts are 4"},
      {half, "the packet ends after 2 elements; expected operandDimensionValue"},
      {boundless, "packet element 3 is of alternative 3; expected operandInformation"},
      {garbage, "packet element 0 is of alternative 165; expected packetInformation"},
      {{FmqResultDatum()}, "the packet ends after 1 elements; expected executionTiming"},
  };
  for (const auto& [packet, text] : cases) {
    Exchange(request_);
    model_->Write(packet);
    EXPECT_THAT(burst_->Receive(Long()), IsDataLoss("the result is no single packet: " + text));
  }
  Exchange(request_);
  model_->Write(good);
  EXPECT_TRUE(burst_->Receive(Long()).ok());
}

TEST_F(BurstControllerTest, a_result_that_nobody_asked_for_is_data_loss) {
  Open();
  EXPECT_TRUE(burst_->CheckNoResult().ok());
  Exchange(request_);
  model_->Write(SomeResult());
  EXPECT_TRUE(burst_->CheckNoResult().ok());
  ASSERT_TRUE(burst_->Receive(Long()).ok());
  EXPECT_TRUE(burst_->CheckNoResult().ok());
  model_->Write(SomeResult());
  const auto is_told = IsDataLoss(
      "the driver wrote 4 elements of results that no request was sent for; expected "
      "exactly one packet for each request");
  EXPECT_THAT(burst_->Send(request_, MeasureTiming::NO), is_told);
  burst_->Close();
  EXPECT_THAT(burst_->CheckNoResult(), is_told);
}

TEST_F(BurstControllerTest, positions_that_are_impossible_are_data_loss) {
  Open();
  Exchange(request_);
  const Mapping queue = *model_->result_memory.Map(MemoryAccess::READ_WRITE);
  std::memset(queue.data(), 0x5A, 8);
  EXPECT_THAT(burst_->Receive(Long()), IsDataLoss("the shared positions of a message queue of 1024 "
                                                  "elements are impossible"));
  burst_->Close();
  Open();
  std::memset(model_->result_memory.Map(MemoryAccess::READ_WRITE)->data(), 0x5A, 8);
  EXPECT_THAT(burst_->Send(request_, MeasureTiming::NO), IsDataLoss("are impossible"));
  EXPECT_THAT(burst_->CheckNoResult(), IsDataLoss("are impossible"));
}

TEST_F(BurstControllerTest, a_packet_longer_than_the_queue_is_not_sent) {
  Open({.request_elements = 6, .result_elements = 64});
  EXPECT_EQ(burst_->PacketOf(request_, MeasureTiming::NO).size(), 6);
  V1_2::Request longer = request_;
  longer.inputs[0].dimensions = {2};
  EXPECT_THAT(burst_->Send(longer, MeasureTiming::NO),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "cannot write 7 elements at once: the message queue holds 6"));
  Exchange(request_);
  model_->Write(SomeResult());
  EXPECT_TRUE(burst_->Receive(Long()).ok());
}

TEST(LengthsForTest, many_arguments_fit) {
  V1_2::Request request = TwoAdditionsRequest();
  EXPECT_EQ(LengthsFor(request).request_elements, 1024);
  EXPECT_EQ(LengthsFor(request).result_elements, 1024);
  V1_2::RequestArgument argument = request.outputs[0];
  argument.dimensions.assign(16, 1);
  request.inputs.assign(100, argument);
  request.outputs.assign(200, argument);
  const BurstLengths lengths = LengthsFor(request);
  const BurstRequest longest = {.request = request, .slots = {0, 1}};
  EXPECT_EQ(lengths.request_elements, serializeBurstRequest(longest).size());
  const std::vector<V1_2::OutputShape> shapes(200, {argument.dimensions, true});
  EXPECT_EQ(lengths.result_elements,
            serializeBurstResult({.outputShapes = shapes, .timing = {}}).size());
}

TEST_F(BurstControllerTest, a_driver_that_does_not_read_requests_is_found_out) {
  Open({.request_elements = 6, .result_elements = 64});
  ASSERT_TRUE(burst_->Send(request_, MeasureTiming::NO).ok());
  model_->Write(SomeResult());
  ASSERT_TRUE(burst_->Receive(Long()).ok());
  EXPECT_THAT(burst_->Send(request_, MeasureTiming::NO),
              IsDataLoss("the driver has answered requests without reading them"));
}

TEST_F(BurstControllerTest, any_packet_can_be_a_request) {
  Open();
  const std::vector<FmqRequestDatum> sent = {FmqRequestDatum::makePoolIdentifier(5)};
  model_->Write({FmqResultDatum::makeOperandDimensionValue(3)});
  EXPECT_THAT(burst_->ExecutePacket(sent, Long()).status(),
              IsDataLoss("the driver wrote 1 elements of results that no request was sent for"));
  ASSERT_TRUE(burst_->ReceivePacket(Long()).ok());
  burst_->Close();
  EXPECT_EQ(burst_->ExecutePacket(sent, Long()).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST_F(BurstControllerTest, any_packet_can_be_sent_and_read_as_it_is) {
  Open();
  const std::vector<FmqRequestDatum> sent = {FmqRequestDatum::makePoolIdentifier(5),
                                             FmqRequestDatum::makePoolIdentifier(6)};
  ASSERT_TRUE(burst_->SendPacket(sent).ok());
  std::vector<FmqRequestDatum> read(2);
  ASSERT_TRUE(model_->requests->read(absl::MakeSpan(read)).ok());
  EXPECT_EQ(read, sent);
  const std::vector<FmqResultDatum> answer = {FmqResultDatum::makeOperandDimensionValue(3)};
  model_->Write(answer);
  const auto received = burst_->ReceivePacket(Long());
  ASSERT_TRUE(received.ok()) << received.status();
  EXPECT_EQ(*received, answer);
}

TEST_F(BurstControllerTest, a_closed_burst_has_no_memory_and_sends_nothing) {
  Open();
  Exchange(request_);
  burst_->Close();
  EXPECT_TRUE(model_->is_closed);
  EXPECT_EQ(model_->callback->getMemories({0}).status, ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(burst_->Send(request_, MeasureTiming::NO),
              IsFailedPrecondition("the burst has been closed"));
  // The driver may keep the callback for longer than there is a controller.
  burst_ = nullptr;
  EXPECT_EQ(model_->callback->getMemories({0}).status, ErrorStatus::INVALID_ARGUMENT);
}

TEST_F(BurstControllerTest, a_driver_that_does_not_open_a_burst_as_it_should_is_told) {
  model_->status = ErrorStatus::GENERAL_FAILURE;
  EXPECT_THAT(BurstController::Open(*model_),
              IsFailedPrecondition("configureExecutionBurst ended with GENERAL_FAILURE and gave a "
                                   "burst; expected NONE and a burst"));
  EXPECT_TRUE(model_->is_closed);
  model_->gives_context = false;
  EXPECT_THAT(BurstController::Open(*model_),
              IsFailedPrecondition("configureExecutionBurst ended with GENERAL_FAILURE; expected "
                                   "NONE and a burst"));
  model_->status = ErrorStatus::NONE;
  EXPECT_THAT(BurstController::Open(*model_),
              IsFailedPrecondition("configureExecutionBurst ended with NONE and gave no burst"));
  EXPECT_THAT(BurstController::Open(*model_, {.request_elements = 0}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("at least one element")));
}

// Against the driver's side.

std::shared_ptr<V1_2::IPreparedModel> PrepareToy() {
  const auto callback = std::make_shared<testing::PreparedModelCallback>();
  std::make_shared<testing::ToyDriver>()->prepareModel_1_2(
      TwoAdditions(), V1_2::ExecutionPreference::LOW_POWER, {}, {}, {}, callback);
  callback->calls.Wait();
  return callback->prepared;
}

std::vector<float> OutputOf(const V1_2::Request& request) {
  const Mapping mapping = *request.pools[1].Map(MemoryAccess::READ_ONLY);
  std::vector<float> output(2);
  std::memcpy(output.data(), mapping.data(), 8);
  return output;
}

TEST(BurstControllerWithServerTest, requests_are_executed_whatever_memory_slots_have_stood_for) {
  const auto model = PrepareToy();
  const auto burst = BurstController::Open(*model);
  ASSERT_TRUE(burst.ok()) << burst.status();
  for (int i = 0; i < 6; ++i) {
    if (i % 2 == 1) (*burst)->FreeAllMemory();
    const V1_2::Request request = TwoAdditionsRequest();
    const auto result = (*burst)->Execute(request, MeasureTiming::YES, Long());
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->status, ErrorStatus::NONE);
    EXPECT_THAT(OutputOf(request), ElementsAre(111, 222));
  }
}

TEST(BurstControllerWithServerTest, bursts_of_one_model_have_requests_under_way_at_the_same_time) {
  const auto model = PrepareToy();
  std::vector<std::shared_ptr<BurstController>> bursts;
  std::vector<V1_2::Request> requests;
  for (int i = 0; i < 4; ++i) {
    auto burst = BurstController::Open(*model);
    ASSERT_TRUE(burst.ok()) << burst.status();
    bursts.push_back(*std::move(burst));
    requests.push_back(TwoAdditionsRequest());
    ASSERT_TRUE(bursts.back()->Send(requests.back(), MeasureTiming::NO).ok());
  }
  for (size_t i = bursts.size(); i-- > 0;) {
    const auto result = bursts[i]->Receive(Long());
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(result->status, ErrorStatus::NONE);
    EXPECT_THAT(OutputOf(requests[i]), ElementsAre(111, 222));
  }
}

}  // namespace
}  // namespace nncert::hal
