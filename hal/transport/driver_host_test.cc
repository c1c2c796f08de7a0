// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// driver_host as a process.

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/transport/client.h"
#include "hal/transport/testing/served.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

using ::nncert::hal::testing::PreparedModelCallback;
using ::nncert::hal::testing::TwoAdditions;
using ::nncert::hal::testing::TwoAdditionsRequest;
using ::nncert::hal::transport::testing::SocketPair;
using ::nncert::hal::transport::testing::WaitUntil;
using ::testing::HasSubstr;
using V1_0::ErrorStatus;

constexpr char kHost[] = "hal/transport/driver_host";
constexpr char kDriver[] = "--driver=hal/libloadable_driver.so";

// A process of driver_host, killed at the end of its life.
class Host {
 public:
  explicit Host(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), kHost);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    EXPECT_EQ(posix_spawn(&process_, kHost, nullptr, nullptr, argv.data(), environ), 0);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    if (process_ <= 0) return;
    Kill(SIGKILL);
    Wait();
  }

  pid_t process() const { return process_; }
  void Kill(int signal) const { kill(process_, signal); }

  // Its exit status, or minus the signal that ended it.
  int Wait() {
    int status = 0;
    EXPECT_EQ(waitpid(process_, &status, 0), process_);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t process_ = 0;
};

// A host that serves the other end of `socket`.
std::unique_ptr<Host> HostOf(FileDescriptor& socket, std::vector<std::string> arguments) {
  auto [ours, theirs] = SocketPair();
  socket = std::move(ours);
  // The host inherits this one alone.
  fcntl(theirs.get(), F_SETFD, 0);
  arguments.push_back(absl::StrCat("--fd=", theirs.get()));
  return std::make_unique<Host>(std::move(arguments));
}

// A folder with a short path, for an address holds no more than 107 bytes. Removed at the end.
class Folder {
 public:
  Folder() { EXPECT_NE(mkdtemp(path_.data()), nullptr); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string File(const std::string& name) const { return absl::StrCat(path_, "/", name); }

 private:
  std::string path_ = "/tmp/nncert-XXXXXX";
};

TEST(DriverHostTest, ServesADriver) {
  FileDescriptor socket;
  // Not each processor of the machine need be ours.
  const auto host = HostOf(socket, {kDriver, absl::StrCat("--cpu=", sched_getcpu())});
  auto connection = Connection::Open(socket);
  ASSERT_TRUE(connection.ok()) << connection.status();
  const auto device = std::dynamic_pointer_cast<V1_2::IDevice>((*connection)->device());
  ASSERT_NE(device, nullptr);
  const auto callback = std::make_shared<PreparedModelCallback>();
  device->prepareModel_1_2(TwoAdditions(), V1_2::ExecutionPreference::LOW_POWER, {}, {}, {},
                           callback);
  callback->calls.Wait();
  ASSERT_NE(callback->prepared, nullptr);
  const auto result =
      callback->prepared->executeSynchronously(TwoAdditionsRequest(), V1_2::MeasureTiming::NO);
  EXPECT_EQ(result.status, ErrorStatus::NONE);
  callback->prepared = nullptr;
  *connection = nullptr;
  socket = FileDescriptor();
  EXPECT_EQ(host->Wait(), 0);
}

TEST(DriverHostTest, TellsTheClientWhyThereIsNoDriver) {
  FileDescriptor socket;
  const auto host = HostOf(socket, {"--driver=/no/such/driver.so"});
  const auto connection = Connection::Open(std::move(socket));
  EXPECT_TRUE(absl::IsNotFound(connection.status())) << connection.status();
  EXPECT_THAT(std::string(connection.status().message()), HasSubstr("/no/such/driver.so"));
  EXPECT_EQ(host->Wait(), 0);
}

TEST(DriverHostTest, ACrashIsNotAFailure) {
  FileDescriptor socket;
  const auto host = HostOf(socket, {kDriver});
  const auto connection = Connection::Open(std::move(socket));
  ASSERT_TRUE(connection.ok()) << connection.status();
  host->Kill(SIGKILL);
  EXPECT_EQ(host->Wait(), -SIGKILL);
  EXPECT_EQ((*connection)->device()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  EXPECT_TRUE(absl::IsUnavailable((*connection)->status())) << (*connection)->status();
}

TEST(DriverHostTest, ListensUntilItIsTerminated) {
  const Folder folder;
  const std::string path = folder.File("service");
  Host host({kDriver, absl::StrCat("--listen=", path)});
  struct stat file = {};
  WaitUntil([&] { return stat(path.c_str(), &file) == 0; });
  EXPECT_TRUE(S_ISSOCK(file.st_mode));
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
  const auto first = Connection::Connect(path);
  const auto second = Connection::Connect(path);
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ((*first)->peer_process(), host.process());
  EXPECT_EQ((*first)->device()->getStatus(), V1_0::DeviceStatus::AVAILABLE);
  EXPECT_EQ((*second)->device()->getStatus(), V1_0::DeviceStatus::AVAILABLE);

  // Nobody else can have the socket.
  Host another({kDriver, absl::StrCat("--listen=", path)});
  EXPECT_EQ(another.Wait(), 1);
  EXPECT_EQ((*first)->device()->getStatus(), V1_0::DeviceStatus::AVAILABLE);

  host.Kill(SIGTERM);
  EXPECT_EQ(host.Wait(), 0);
  EXPECT_NE(stat(path.c_str(), &file), 0);
  EXPECT_EQ((*first)->device()->getStatus(), V1_0::DeviceStatus::UNKNOWN);
  EXPECT_TRUE(absl::IsNotFound(Connection::Connect(path).status()));
}

TEST(DriverHostTest, ReplacesTheSocketOfOneThatDied) {
  const Folder folder;
  const std::string path = folder.File("stale");
  {
    Host host({kDriver, absl::StrCat("--listen=", path)});
    WaitUntil([&] { return Connection::Connect(path).ok(); });
  }
  EXPECT_TRUE(absl::IsUnavailable(Connection::Connect(path).status()));
  Host host({kDriver, absl::StrCat("--listen=", path), "--permissions=666"});
  WaitUntil([&] { return Connection::Connect(path).ok(); });
  struct stat file = {};
  EXPECT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0666U);
}

TEST(DriverHostTest, LeavesFilesAlone) {
  const Folder folder;
  const std::string path = folder.File("file");
  std::ofstream(path) << "precious";
  Host host({kDriver, absl::StrCat("--listen=", path)});
  EXPECT_EQ(host.Wait(), 1);
  struct stat file = {};
  EXPECT_EQ(stat(path.c_str(), &file), 0);
  EXPECT_TRUE(S_ISREG(file.st_mode));
}

TEST(DriverHostTest, RefusesWrongArguments) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{},
                                             {"--fd=3"},
                                             {kDriver},
                                             {kDriver, "--fd=x"},
                                             {kDriver, "--fd=3", "--listen=/tmp/x"},
                                             {kDriver, "--fd=3", "--nothing=1"},
                                             {kDriver, "fd"}}) {
    Host host(arguments);
    EXPECT_EQ(host.Wait(), 2);
  }
}

}  // namespace
}  // namespace nncert::hal::transport
