// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Clients of servers that break the protocol. Whatever a server does, calls return, callbacks that
// wait are called, and the status says what happened.

#include <capnp/any.h>
#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/replay/call_sequence.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/transport/channel.h"
#include "hal/transport/client.h"
#include "hal/transport/driver.capnp.h"
#include "hal/transport/testing/served.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::testing::PreparedModelCallback;
using ::nncert::hal::testing::TwoAdditions;
using ::nncert::hal::transport::testing::SocketPair;
using ::nncert::hal::transport::testing::WaitUntil;
using ::testing::HasSubstr;
using V1_0::ErrorStatus;

// --- Servers that do not even speak Cap'n Proto ---

void SendBytes(int socket, const std::vector<uint8_t>& bytes) {
  EXPECT_EQ(send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(bytes.size()));
}

std::vector<uint8_t> Serialized(capnp::MessageBuilder& message) {
  const auto words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

// What a client makes of a server that answers with bytes and then closes the socket, or does not.
absl::Status StatusAfter(const std::vector<uint8_t>& bytes, bool is_closed) {
  auto [ours, theirs] = SocketPair();
  SendBytes(theirs.get(), bytes);
  if (is_closed) shutdown(theirs.get(), SHUT_WR);
  return Connection::Open(std::move(ours), {.call_timeout = absl::Seconds(2), .on_lost = nullptr})
      .status();
}

void ExpectDataLoss(const absl::Status& status, const std::string& text) {
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(text));
  EXPECT_THAT(std::string(status.message()), HasSubstr("during "));
}

TEST(HostileServerTest, GoesAwayAtOnce) {
  const absl::Status status = StatusAfter({}, true);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("during the greeting"));
}

TEST(HostileServerTest, IsSilent) {
  const absl::Status status = StatusAfter({}, false);
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("during the greeting"));
}

TEST(HostileServerTest, SaysThatAMessageHasManySegments) {
  ExpectDataLoss(StatusAfter(std::vector<uint8_t>(64, 0xFF), false), "segments");
}

TEST(HostileServerTest, SaysThatAMessageIsHuge) {
  ExpectDataLoss(StatusAfter({0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF}, false), "words");
}

TEST(HostileServerTest, StopsWithinAMessage) {
  const absl::Status status = StatusAfter({0, 0, 0, 0, 9, 0, 0, 0, 1, 2, 3}, true);
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("within a message"));
}

TEST(HostileServerTest, SendsAMessageWithoutAnything) {
  ExpectDataLoss(StatusAfter(std::vector<uint8_t>(8, 0), false), "");
}

TEST(HostileServerTest, SendsAPointerOutOfTheMessage) {
  ExpectDataLoss(StatusAfter({0, 0, 0, 0, 1, 0, 0, 0, 0xFC, 0x7F, 0, 0, 1, 0, 1, 0}, false), "");
}

TEST(HostileServerTest, Aborts) {
  capnp::MallocMessageBuilder message;
  message.initRoot<capnp::rpc::Message>().initAbort().setReason("for no reason");
  ExpectDataLoss(StatusAfter(Serialized(message), false), "for no reason");
}

TEST(HostileServerTest, AnswersWhatWasNotAsked) {
  capnp::MallocMessageBuilder message;
  auto answer = message.initRoot<capnp::rpc::Message>().initReturn();
  answer.setAnswerId(12345);
  answer.initResults();
  ExpectDataLoss(StatusAfter(Serialized(message), false), "");
}

TEST(HostileServerTest, SendsDescriptorsThatNobodyWants) {
  auto [ours, theirs] = SocketPair();
  std::vector<int> descriptors(200, theirs.get());
  std::vector<char> control(CMSG_SPACE(descriptors.size() * sizeof(int)));
  for (int i = 0; i < 4; ++i) {
    uint8_t byte = 0;
    iovec part = {&byte, 1};
    msghdr header = {};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* const entry = CMSG_FIRSTHDR(&header);
    entry->cmsg_level = SOL_SOCKET;
    entry->cmsg_type = SCM_RIGHTS;
    entry->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
    std::memcpy(CMSG_DATA(entry), descriptors.data(), descriptors.size() * sizeof(int));
    ASSERT_EQ(sendmsg(theirs.get(), &header, 0), 1);
  }
  ExpectDataLoss(Connection::Open(std::move(ours)).status(), "file descriptors");
}

// --- Servers that lie ---

// A device whose methods a test defines. What is not defined throws.
struct Lies {
  std::function<void(wire::Service::GreetResults::Builder)> greet;
  std::function<void(wire::Device::GetStatusResults::Builder)> get_status;
  std::function<void(wire::Device::GetTypeResults::Builder)> get_type;
  std::function<void(wire::Device::GetVersionStringResults::Builder)> get_version_string;
  std::function<void(wire::Device::GetSupportedExtensionsResults::Builder)> get_extensions;
  std::function<void(wire::Device::GetSupportedOperationsV12Results::Builder)> get_supported;
  std::function<void(wire::Device::MakeCallsResults::Builder)> make_calls;
  std::function<void(wire::PreparedModelCallback::Client)> prepare;
  int32_t prepare_status = 0;
  std::function<void(wire::PreparedModel::ExecuteSynchronouslyResults::Builder)> execute;
};

class LyingPreparedModel final : public wire::PreparedModel::Server {
 public:
  explicit LyingPreparedModel(const Lies& lies) : lies_(lies) {}

  kj::Promise<void> executeSynchronously(ExecuteSynchronouslyContext context) override {
    lies_.execute(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> configureExecutionBurst(ConfigureExecutionBurstContext context) override {
    context.getResults().setStatus(-1);
    return kj::READY_NOW;
  }

 private:
  const Lies& lies_;
};

class LyingDevice final : public wire::Device::Server {
 public:
  explicit LyingDevice(const Lies& lies) : lies_(lies) {}

  kj::Promise<void> getStatus(GetStatusContext context) override {
    lies_.get_status(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> getType(GetTypeContext context) override {
    lies_.get_type(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> getVersionString(GetVersionStringContext context) override {
    lies_.get_version_string(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> getSupportedExtensions(GetSupportedExtensionsContext context) override {
    lies_.get_extensions(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> getSupportedOperationsV12(GetSupportedOperationsV12Context context) override {
    lies_.get_supported(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> makeCalls(MakeCallsContext context) override {
    lies_.make_calls(context.getResults());
    return kj::READY_NOW;
  }
  kj::Promise<void> prepareModel(PrepareModelContext context) override {
    lies_.prepare(context.getParams().getCallback().getCallback());
    context.getResults().setStatus(lies_.prepare_status);
    return kj::READY_NOW;
  }

 private:
  const Lies& lies_;
};

class LyingService final : public wire::Service::Server {
 public:
  explicit LyingService(const Lies& lies) : lies_(lies) {}

  kj::Promise<void> greet(GreetContext context) override {
    lies_.greet(context.getResults());
    return kj::READY_NOW;
  }

 private:
  const Lies& lies_;
};

class LyingServerTest : public ::testing::Test {
 protected:
  LyingServerTest() {
    lies_.greet = [this](wire::Service::GreetResults::Builder results) {
      results.setProtocolVersion(wire::PROTOCOL_VERSION);
      auto served = results.initDevice().initServed();
      served.setDevice(kj::heap<LyingDevice>(lies_));
      served.setVersion(wire::HalVersion::V12);
      served.setMakesCalls(lies_.make_calls != nullptr);
    };
  }

  ~LyingServerTest() override {
    connection_ = nullptr;
    if (server_ == nullptr) return;
    server_->Lose(absl::CancelledError("the test is over"));
    server_->WaitForThreads();
  }

  absl::Status Open() {
    auto [ours, theirs] = SocketPair();
    auto server = Channel::Open(
        std::move(theirs),
        [this](Channel&) -> capnp::Capability::Client { return kj::heap<LyingService>(lies_); },
        nullptr);
    if (!server.ok()) return server.status();
    server_ = *std::move(server);
    auto connection = Connection::Open(
        std::move(ours),
        {.call_timeout = absl::Seconds(20), .on_lost = [this](const absl::Status&) { ++losses_; }});
    if (!connection.ok()) return connection.status();
    connection_ = *std::move(connection);
    return absl::OkStatus();
  }

  std::shared_ptr<V1_2::IDevice> OpenDevice() {
    EXPECT_TRUE(Open().ok());
    return std::dynamic_pointer_cast<V1_2::IDevice>(connection_->device());
  }

  // Checks that the connection was lost for what the server sent, once and for all.
  void ExpectLost(const std::string& text) {
    const absl::Status status = connection_->status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(text));
    WaitUntil([this] { return losses_ == 1; });
    EXPECT_EQ(connection_->device()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  }

  // Has the device prepare a model, which the lies answer.
  std::shared_ptr<PreparedModelCallback> Prepare() {
    const auto device = OpenDevice();
    auto callback = std::make_shared<PreparedModelCallback>();
    status_ = device->prepareModel(convertToV1_0(TwoAdditions()), callback);
    return callback;
  }

  // A prepared model of the lying kind.
  std::shared_ptr<V1_2::IPreparedModel> PrepareHonestly() {
    lies_.prepare = [this](wire::PreparedModelCallback::Client callback) {
      auto request = callback.notifyV12Request();
      auto pointer = request.initPreparedModel();
      pointer.setPreparedModel(kj::heap<LyingPreparedModel>(lies_));
      pointer.setIsV12(true);
      server_->Track(request.send().ignoreResult());
    };
    const auto callback = Prepare();
    callback->calls.Wait();
    return callback->prepared;
  }

  Lies lies_;
  ErrorStatus status_ = ErrorStatus::NONE;
  std::atomic<int> losses_ = 0;
  std::shared_ptr<Channel> server_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(LyingServerTest, SpeaksAnotherVersionOfTheProtocol) {
  lies_.greet = [](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(99);
  };
  ExpectDataLoss(Open(), "version 99");
}

TEST_F(LyingServerTest, OffersNothing) {
  lies_.greet = [](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
  };
  ExpectDataLoss(Open(), "failure of code 0");
}

TEST_F(LyingServerTest, FailsForAReasonThatThereIsNot) {
  lies_.greet = [](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
    results.initDevice().initFailure().setCode(-5);
  };
  ExpectDataLoss(Open(), "failure of code -5");
}

TEST_F(LyingServerTest, OffersNoDevice) {
  lies_.greet = [](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
    results.initDevice().initServed().setVersion(wire::HalVersion::V12);
  };
  ExpectDataLoss(Open(), "neither a device nor a failure");
}

TEST_F(LyingServerTest, OffersADeviceOfALaterVersion) {
  lies_.greet = [this](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
    auto served = results.initDevice().initServed();
    served.setDevice(kj::heap<LyingDevice>(lies_));
    served.setVersion(static_cast<wire::HalVersion>(9));
  };
  ExpectDataLoss(Open(), "version");
}

TEST_F(LyingServerTest, OffersSomethingElseAsADevice) {
  lies_.greet = [this](wire::Service::GreetResults::Builder results) {
    results.setProtocolVersion(wire::PROTOCOL_VERSION);
    auto served = results.initDevice().initServed();
    served.setDevice(
        capnp::Capability::Client(kj::heap<LyingPreparedModel>(lies_)).castAs<wire::Device>());
    served.setVersion(wire::HalVersion::V12);
  };
  EXPECT_EQ(OpenDevice()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  ExpectLost("during IDevice::getStatus");
}

TEST_F(LyingServerTest, HasAStatusThatThereIsNot) {
  lies_.get_status = [](auto results) { results.setStatus(4); };
  EXPECT_EQ(OpenDevice()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  ExpectLost("DeviceStatus 4");
}

TEST_F(LyingServerTest, IsOfATypeThatThereIsNot) {
  lies_.get_type = [](auto results) { results.setType(0); };
  EXPECT_EQ(OpenDevice()->getType().status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("DeviceType 0");
}

TEST_F(LyingServerTest, AnswersWithAnErrorThatThereIsNot) {
  lies_.get_version_string = [](auto results) { results.setStatus(77); };
  EXPECT_EQ(OpenDevice()->getVersionString().status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("ErrorStatus 77");
}

TEST_F(LyingServerTest, AnswersWithAnException) {
  lies_.get_version_string = [](auto) {
    kj::throwFatalException(KJ_EXCEPTION(FAILED, "out of order"));
  };
  EXPECT_EQ(OpenDevice()->getVersionString().status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("out of order");
}

TEST_F(LyingServerTest, HasAHundredMillionExtensionsOfNoSize) {
  lies_.get_extensions = [](wire::Device::GetSupportedExtensionsResults::Builder results) {
    capnp::toAny(results).getPointerSection()[0].initAs<capnp::List<wire::Device::GetStatusParams>>(
        100'000'000);
  };
  EXPECT_EQ(OpenDevice()->getSupportedExtensions().status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("the answer to IDevice::getSupportedExtensions");
}

TEST_F(LyingServerTest, AnswersWithAStructureForAList) {
  lies_.get_supported = [](wire::Device::GetSupportedOperationsV12Results::Builder results) {
    capnp::toAny(results).getPointerSection()[0].initAsAnyStruct(1, 1);
  };
  EXPECT_EQ(OpenDevice()->getSupportedOperations_1_2(TwoAdditions()).status,
            ErrorStatus::GENERAL_FAILURE);
  ExpectLost("the answer to IDevice::getSupportedOperations_1_2");
}

TEST_F(LyingServerTest, PreparesWithAnErrorThatThereIsNot) {
  lies_.prepare_status = -1;
  lies_.prepare = [](auto) {};
  const auto callback = Prepare();
  EXPECT_EQ(status_, ErrorStatus::GENERAL_FAILURE);
  // The callback that waited is told.
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(callback->prepared, nullptr);
  ExpectLost("ErrorStatus -1");
}

TEST_F(LyingServerTest, NotifiesAnErrorThatThereIsNot) {
  lies_.prepare = [this](wire::PreparedModelCallback::Client callback) {
    auto request = callback.notifyV12Request();
    request.setStatus(1000);
    server_->Track(request.send().ignoreResult());
  };
  const auto callback = Prepare();
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("ErrorStatus 1000");
}

TEST_F(LyingServerTest, NotifiesAPreparedModelOfAnEarlierVersion) {
  lies_.prepare = [this](wire::PreparedModelCallback::Client callback) {
    auto request = callback.notifyV12Request();
    request.initPreparedModel().setPreparedModel(kj::heap<LyingPreparedModel>(lies_));
    server_->Track(request.send().ignoreResult());
  };
  const auto callback = Prepare();
  callback->calls.Wait();
  EXPECT_EQ(callback->status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("the prepared model is one of HAL 1.0");
}

TEST_F(LyingServerTest, GivesACallbackBackAsAPreparedModel) {
  lies_.prepare = [this](wire::PreparedModelCallback::Client callback) {
    auto request = callback.notifyV12Request();
    auto pointer = request.initPreparedModel();
    pointer.setPreparedModel(capnp::Capability::Client(callback).castAs<wire::PreparedModel>());
    pointer.setIsV12(true);
    server_->Track(request.send().ignoreResult());
  };
  // As a prepared model it would hold itself for ever.
  auto callback = Prepare();
  callback->calls.Wait();
  EXPECT_EQ(callback->prepared, nullptr);
  ExpectLost("IPreparedModelCallback::notify_1_2 is wrong: it gives an object of the client's own");
  const std::weak_ptr<PreparedModelCallback> weak = callback;
  callback = nullptr;
  WaitUntil([&] { return weak.expired(); });
}

TEST_F(LyingServerTest, TakesACallbackForSomethingElse) {
  lies_.prepare = [this](wire::PreparedModelCallback::Client callback) {
    auto request =
        capnp::Capability::Client(callback).castAs<wire::BurstCallback>().getMemoriesRequest();
    server_->Track(request.send().ignoreResult());
  };
  lies_.get_status = [](auto results) { results.setStatus(0); };
  const auto callback = Prepare();
  // That is answered with an exception, and harms nobody.
  EXPECT_EQ(connection_->device()->getStatus(), V1_0::DeviceStatus::AVAILABLE);
  EXPECT_EQ(callback->calls.count(), 0);
}

TEST_F(LyingServerTest, DropsACallbackThatItNeverCalled) {
  lies_.prepare = [](auto) {};
  auto callback = Prepare();
  EXPECT_EQ(status_, ErrorStatus::NONE);
  const std::weak_ptr<PreparedModelCallback> weak = callback;
  callback = nullptr;
  WaitUntil([&] { return weak.expired(); });
  EXPECT_TRUE(connection_->status().ok());
}

TEST_F(LyingServerTest, ExecutesWithoutATiming) {
  lies_.execute = [](auto results) { results.initResult().setStatus(0); };
  const auto prepared = PrepareHonestly();
  ASSERT_NE(prepared, nullptr);
  const auto result = prepared->executeSynchronously({}, V1_2::MeasureTiming::NO);
  EXPECT_EQ(result.status, ErrorStatus::GENERAL_FAILURE);
  ExpectLost("no timing");
}

TEST_F(LyingServerTest, ExecutesWithAHundredMillionShapes) {
  lies_.execute = [](wire::PreparedModel::ExecuteSynchronouslyResults::Builder results) {
    auto result = results.initResult();
    capnp::toAny(result).getPointerSection()[0].initAs<capnp::List<wire::Device::GetStatusParams>>(
        100'000'000);
  };
  const auto prepared = PrepareHonestly();
  ASSERT_NE(prepared, nullptr);
  const auto result = prepared->executeSynchronously({}, V1_2::MeasureTiming::NO);
  EXPECT_EQ(result.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_TRUE(result.outputShapes.empty());
  ExpectLost("the answer to IPreparedModel::executeSynchronously");
}

TEST_F(LyingServerTest, AnswersASequenceOtherwiseThanItWasAsked) {
  replay::CallSequence sequence;
  sequence.models.push_back({.model = std::make_shared<const V1_2::Model>(TwoAdditions()),
                             .is_asked = true,
                             .executions = {{}}});
  using Results = wire::Device::MakeCallsResults::Builder;
  const std::vector<std::pair<std::function<void(Results)>, std::string>> lies = {
      {[](Results results) { results.initModels(2); }, "answers for 2 models; expected 1"},
      {[](Results results) { results.initModels(1); }, "0 answers about operations; expected 2"},
      {[](Results results) {
         auto model = results.initModels(1)[0];
         model.initSupported(2);
         model.setPrepared(77);
       },
       "no ErrorStatus 77"},
      {[](Results results) { results.initModels(1)[0].initSupported(2); },
       "0 results of executions; expected 1"},
      {[](Results results) {
         auto model = results.initModels(1)[0];
         model.initSupported(2);
         model.initResults(1)[0].setLaunched(-3);
       },
       "no ErrorStatus -3"},
      {[](Results results) {
         auto model = results.initModels(1)[0];
         model.initSupported(2);
         model.initResults(1)[0].initResult().setStatus(0);
       },
       "no timing"},
  };
  for (const auto& [lie, text] : lies) {
    lies_.make_calls = lie;
    const auto device = std::dynamic_pointer_cast<replay::SequenceDevice>(OpenDevice());
    ASSERT_NE(device, nullptr);
    EXPECT_TRUE(absl::IsDataLoss(device->MakeCalls(sequence).status()));
    ExpectLost(text);
    connection_ = nullptr;
    server_->Lose(absl::CancelledError("the next one comes"));
    server_->WaitForThreads();
    losses_ = 0;
  }
}

// One that was built when they could not be.
TEST_F(LyingServerTest, OfSequencesWithoutInvalidModelsSaysSo) {
  lies_.make_calls = [](wire::Device::MakeCallsResults::Builder /*results*/) {};
  const auto device = std::dynamic_pointer_cast<replay::SequenceDevice>(OpenDevice());
  ASSERT_NE(device, nullptr);
  EXPECT_FALSE(device->TakesInvalidModels());
}

TEST_F(LyingServerTest, OfNoSequencesIsAskedCallByCall) {
  EXPECT_EQ(std::dynamic_pointer_cast<replay::SequenceDevice>(OpenDevice()), nullptr);
}

TEST_F(LyingServerTest, ConfiguresABurstWithAnErrorThatThereIsNot) {
  const auto prepared = PrepareHonestly();
  ASSERT_NE(prepared, nullptr);
  const auto burst = prepared->configureExecutionBurst(nullptr, {}, {});
  EXPECT_EQ(burst.status, ErrorStatus::GENERAL_FAILURE);
  EXPECT_EQ(burst.context, nullptr);
  ExpectLost("ErrorStatus -1");
}

}  // namespace
}  // namespace nncert::hal::transport
