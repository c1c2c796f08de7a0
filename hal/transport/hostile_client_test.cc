// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Servers of clients that break the protocol: their requests never reach the device.

#include <capnp/any.h>
#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/transport/channel.h"
#include "hal/transport/driver.capnp.h"
#include "hal/transport/message_stream.h"
#include "hal/transport/server.h"
#include "hal/transport/testing/recording_device.h"
#include "hal/transport/testing/served.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::transport::testing::Record;
using ::nncert::hal::transport::testing::RecordingDevice1_0;
using ::nncert::hal::transport::testing::RecordingDevice1_2;
using ::nncert::hal::transport::testing::SocketPair;
using ::testing::IsEmpty;
using V1_0::ErrorStatus;

// A descriptor of the test's choice as a file.
class AnyFile final : public wire::File::Server {
 public:
  explicit AnyFile(int descriptor) : descriptor_(descriptor) {}
  kj::Maybe<int> getFd() override { return descriptor_; }

 private:
  const int descriptor_;
};

// A file without a descriptor.
class NoFile final : public wire::File::Server {};

class HostileClientTest : public ::testing::Test {
 protected:
  HostileClientTest() : HostileClientTest(nullptr) {}
  explicit HostileClientTest(std::shared_ptr<V1_0::IDevice> device) {
    if (device == nullptr) device = std::make_shared<RecordingDevice1_2>(record_);
    auto [ours, theirs] = SocketPair();
    socket_ = ours;
    server_ = std::thread(
        [this, device, socket = std::move(theirs)] { served_ = Serve(device, socket); });
    auto client = Channel::Open(std::move(ours), nullptr, nullptr);
    EXPECT_TRUE(client.ok());
    client_ = *std::move(client);
    client_
        ->Call("the greeting",
               [&] {
                 return client_->Bootstrap().castAs<wire::Service>().greetRequest().send().then(
                     [&](capnp::Response<wire::Service::GreetResults>&& response) {
                       device_ = response.getDevice().getServed().getDevice();
                       return absl::OkStatus();
                     });
               })
        .IgnoreError();
  }

  ~HostileClientTest() noexcept override {
    End().IgnoreError();
    client_->Run([this] { device_ = nullptr; });
  }

  // Ends the connection. What the server makes of it.
  absl::Status End() {
    client_->Lose(absl::CancelledError("the test is over"));
    client_->WaitForThreads();
    if (server_.joinable()) server_.join();
    return served_;
  }

  // The status with which the device answers a preparation.
  ErrorStatus Prepare(
      const std::function<void(wire::Device::PrepareModelV12Params::Builder)>& write) {
    auto status = ErrorStatus::NONE;
    const absl::Status call = client_->Call("prepareModel_1_2", [&] {
      auto request = KJ_ASSERT_NONNULL(device_).prepareModelV12Request();
      request.setToken(kj::heapArray<kj::byte>(32));
      write(request);
      return request.send().then(
          [&](capnp::Response<wire::Device::PrepareModelV12Results>&& response) {
            status = static_cast<ErrorStatus>(response.getStatus());
            return absl::OkStatus();
          });
    });
    EXPECT_TRUE(call.ok()) << call;
    return status;
  }

  // Checks that a pool is refused and the device not asked.
  void ExpectRefused(const std::function<void(wire::Memory::Builder)>& write) {
    EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
                write(params.initModel().initPools(1)[0]);
              }),
              ErrorStatus::INVALID_ARGUMENT);
    EXPECT_THAT(record_->calls, IsEmpty());
    // The connection goes on.
    EXPECT_EQ(Prepare([](auto) {}), ErrorStatus::NONE);
  }

  const std::shared_ptr<Record> record_ = std::make_shared<Record>();
  FileDescriptor socket_;
  absl::Status served_;
  std::thread server_;
  std::shared_ptr<Channel> client_;
  kj::Maybe<wire::Device::Client> device_;
};

TEST_F(HostileClientTest, SendsAPoolWithoutAFile) {
  ExpectRefused([](wire::Memory::Builder pool) { pool.setSize(4); });
}

TEST_F(HostileClientTest, SendsAFileWithoutADescriptor) {
  ExpectRefused([](wire::Memory::Builder pool) { pool.setFile(kj::heap<NoFile>()); });
}

TEST_F(HostileClientTest, SendsAPoolThatIsLargerThanItsFile) {
  const Memory memory = *Memory::Allocate(100);
  ExpectRefused([&](wire::Memory::Builder pool) {
    pool.setFile(kj::heap<AnyFile>(memory.fd()));
    pool.setSize(101);
  });
}

TEST_F(HostileClientTest, SendsAPoolThatBeginsBehindItsFile) {
  const Memory memory = *Memory::Allocate(100);
  ExpectRefused([&](wire::Memory::Builder pool) {
    pool.setFile(kj::heap<AnyFile>(memory.fd()));
    pool.setOffset(~uint64_t{0});
    pool.setSize(2);
  });
}

TEST_F(HostileClientTest, SendsASocketAsAPool) {
  ExpectRefused(
      [&](wire::Memory::Builder pool) { pool.setFile(kj::heap<AnyFile>(socket_.get())); });
}

TEST_F(HostileClientTest, SendsPoolsByValue) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              params.initModel().initModel().initPools(1);
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

TEST_F(HostileClientTest, SendsAnotherNumberOfLifetimesThanOfOperands) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              params.initModel().initLifetimes(3);
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

TEST_F(HostileClientTest, SendsMorePoolsThanDescriptorsCanBeSent) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              params.initModel().initPools(kMaxDescriptorsOfMessage + 1);
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

TEST_F(HostileClientTest, SendsMoreHandlesThanDescriptorsCanBeSent) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              params.initModelCache(kMaxDescriptorsOfMessage + 1);
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

// A list of structs without size: 8 bytes of a message stand for as many operands as it likes. Only
// how often a message may be read bounds them, so this one is large.
TEST_F(HostileClientTest, SaysThatThereAreMoreOperandsThanAModelCanHave) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              auto model = params.initModel().initModel();
              model.setOperandValues(kj::heapArray<kj::byte>(kMaxElements * 8));
              auto operands = capnp::toAny(model).getPointerSection()[0];
              operands.initAsListOfAnyStruct(0, 0, kMaxElements + 1);
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

TEST_F(HostileClientTest, SendsATokenOfAnotherSize) {
  EXPECT_EQ(Prepare([&](wire::Device::PrepareModelV12Params::Builder params) {
              params.setToken(kj::heapArray<kj::byte>(31));
            }),
            ErrorStatus::INVALID_ARGUMENT);
  EXPECT_THAT(record_->calls, IsEmpty());
}

TEST_F(HostileClientTest, SendsGarbageBetweenItsMessages) {
  const std::vector<uint8_t> garbage(64, 0xFF);
  EXPECT_EQ(send(socket_.get(), garbage.data(), garbage.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(garbage.size()));
  server_.join();
  EXPECT_TRUE(absl::IsDataLoss(served_)) << served_;
}

class HostileClientOfEarlierDeviceTest : public HostileClientTest {
 protected:
  HostileClientOfEarlierDeviceTest()
      : HostileClientTest(
            std::make_shared<RecordingDevice1_0<V1_0::IDevice>>(std::make_shared<Record>())) {}
};

TEST_F(HostileClientOfEarlierDeviceTest, CallsAMethodThatTheDeviceDoesNotHave) {
  const absl::Status call = client_->Call("getType", [&] {
    return KJ_ASSERT_NONNULL(device_).getTypeRequest().send().then(
        [](capnp::Response<wire::Device::GetTypeResults>&&) { return absl::OkStatus(); });
  });
  EXPECT_TRUE(absl::IsDataLoss(call)) << call;
  EXPECT_TRUE(End().ok());
}

}  // namespace
}  // namespace nncert::hal::transport
