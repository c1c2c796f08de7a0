// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/driver_process.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/handle.h"
#include "hal/testing/status_is.h"
#include "hal/transport/client.h"
#include "hal/transport/socket.h"
#include "harness/testing/misbehaving.h"
#include "system/child_process.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// The processors that a process may run on.
cpu_set_t ProcessorsOf(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  EXPECT_EQ(sched_getaffinity(process, sizeof(set), &set), 0);
  return set;
}

TEST(DriverProcessTest, AProcessIsOnTheProcessorThatItIsToShare) {
  const std::vector<int> processors = AllowedProcessors();
  DriverProcessOptions options = MisbehavingOptions("honest");
  auto host = DriverProcess::Start(options);
  ASSERT_TRUE(host.ok()) << host.status();
  const cpu_set_t all = ProcessorsOf((*host)->process());
  EXPECT_EQ(static_cast<size_t>(CPU_COUNT(&all)), processors.size());

  options.processor = processors.back();
  host = DriverProcess::Start(options);
  ASSERT_TRUE(host.ok()) << host.status();
  const cpu_set_t one = ProcessorsOf((*host)->process());
  EXPECT_EQ(CPU_COUNT(&one), 1);
  EXPECT_TRUE(CPU_ISSET(processors.back(), &one));
  // The caller's thread is where it was.
  EXPECT_EQ(AllowedProcessors().size(), processors.size());
}

TEST(DriverProcessTest, TheSessionOpensAnotherProcess) {
  auto process = DriverProcess::Start(MisbehavingOptions("honest"));
  ASSERT_TRUE(process.ok()) << process.status();
  const auto another = (*process)->session().OpenAnother();
  ASSERT_TRUE(another.ok()) << another.status();
  EXPECT_NE((*another)->device(), (*process)->session().device());
  // It goes on without the first.
  *process = nullptr;
  EXPECT_EQ((*another)->device()->getStatus(), hal::V1_0::DeviceStatus::AVAILABLE);
}

// A host without DriverProcess, and this side of its socket.
std::unique_ptr<ChildProcess> BareHost(const std::string& kind, hal::FileDescriptor& socket) {
  auto sockets = hal::transport::ConnectedSockets();
  EXPECT_TRUE(sockets.ok()) << sockets.status();
  if (!sockets.ok()) return nullptr;
  socket = std::move(sockets->first);
  const hal::FileDescriptor other = std::move(sockets->second);
  auto process = ChildProcess::Start(
      {kDriverHost, absl::StrCat("--driver=", MisbehavingDriver()), absl::StrCat("--option=", kind),
       absl::StrCat("--fd=", ChildProcess::kSocket)},
      other.get());
  EXPECT_TRUE(process.ok()) << process.status();
  return *std::move(process);
}

// The host ended because its client had gone, though the driver did not come to its end.
void ExpectGivenUp(ChildProcess& host) {
  const auto end = host.WaitFor(absl::Seconds(30));
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_status, 1);
  EXPECT_EQ(end->signal, 0);
  EXPECT_THAT(host.LastLines(), Contains(HasSubstr("the client has gone, and the driver does not "
                                                   "come to its end")));
}

TEST(DriverProcessTest, AHostThatHangsWhileItLoadsDoesNotOutliveItsClient) {
  hal::FileDescriptor socket;
  const auto host = BareHost("load_hang", socket);
  EXPECT_FALSE(host->WaitFor(absl::Milliseconds(100)).has_value());
  socket = {};
  ExpectGivenUp(*host);
}

TEST(DriverProcessTest, AHostThatHangsAtItsEndDoesNotOutliveItsClient) {
  hal::FileDescriptor socket;
  const auto host = BareHost("exit_hang", socket);
  const auto connection = hal::transport::Connection::Open(std::move(socket));
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_EQ((*connection)->device()->getStatus(), hal::V1_0::DeviceStatus::AVAILABLE);
  (*connection)->Close();
  ExpectGivenUp(*host);
}

TEST(DriverProcessTest, ADriverThatCannotBeLoadedSaysWhy) {
  const auto error = [](const DriverProcessOptions& options) {
    return std::string(DriverProcess::Start(options).status().message());
  };
  EXPECT_THAT(error(MisbehavingOptions("no_such_kind")), HasSubstr("there is no such kind"));
  EXPECT_THAT(error(MisbehavingOptions("load_crash")),
              AllOf(StartsWith(absl::StrCat("driver load_crash: loading it: ", kSegmentationFault,
                                            "\n  the last lines that it wrote:\n"
                                            "    backtrace of SIGSEGV:\n    #0 ")),
                    HasSubstr("Create() at misbehaving_driver.so+0x")));
  EXPECT_THAT(error(MisbehavingOptions("load_complain")),
              AllOf(StartsWith("driver load_complain: "), HasSubstr("not today"),
                    EndsWith("\n  the last lines that it wrote:\n    why not today")));
  const absl::Status hang =
      DriverProcess::Start(MisbehavingOptions("load_hang", absl::Seconds(2))).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(hang)) << hang;
  EXPECT_THAT(std::string(hang.message()),
              AllOf(StartsWith("driver load_hang: it was not loaded within 2s: "),
                    HasSubstr("the driver is stalled")));
  DriverProcessOptions options = MisbehavingOptions("honest");
  options.driver = "/no/such/driver.so";
  EXPECT_THAT(error(options), HasSubstr("/no/such/driver.so"));
  options = MisbehavingOptions("honest");
  options.program = "/no/such/program";
  EXPECT_THAT(error(options), HasSubstr("/no/such/program"));
  options = MisbehavingOptions("honest");
  options.socket = absl::StrCat(::testing::TempDir(), "/no_such_socket");
  EXPECT_THAT(error(options), HasSubstr("no_such_socket"));
}

TEST(DriverProcessTest, AServiceThatIsSilentIsRefused) {
  std::string folder = "/tmp/nncert-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  const std::string path = folder + "/silent";
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  const auto listener = hal::FileDescriptor::Adopt(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  DriverProcessOptions options;
  options.name = "silent";
  options.socket = path;
  options.deadline = absl::Milliseconds(300);
  const absl::Status status = DriverProcess::Start(options).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_EQ(status.message(), "driver silent: the service did not answer within 300ms");
  std::filesystem::remove_all(folder);
}

TEST(DriverProcessTest, AProgramThatTalksNonsenseIsRefused) {
  const std::string program = absl::StrCat(::testing::TempDir(), "/nonsense");
  std::ofstream(program) << "#!/bin/sh\nyes | head -c 4096 >&3\nexec sleep 1000\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  DriverProcessOptions options = MisbehavingOptions("honest", absl::Seconds(3));
  options.program = program;
  EXPECT_THAT(DriverProcess::Start(options),
              StatusIs(absl::StatusCode::kDataLoss,
                       StartsWith("driver honest: a message says that it has 175704698 segments")));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
}

// The CPU time is what a start costs on any machine, however busy it is.
TEST(DriverProcessTest, AProcessStartsFast) {
  absl::Duration best = absl::InfiniteDuration();
  for (int i = 0; i < 5; ++i) {
    const absl::Duration start = CpuTimeOf(getpid()).value();
    const auto host = DriverProcess::Start(MisbehavingOptions("honest"));
    const absl::Duration own = CpuTimeOf(getpid()).value() - start;
    ASSERT_TRUE(host.ok()) << host.status();
    best = std::min(best, own + (*host)->Usage().cpu_time);
  }
  RecordProperty("milliseconds", absl::StrCat(absl::ToDoubleMilliseconds(best)));
  EXPECT_LT(best, absl::Milliseconds(500));
}

}  // namespace
}  // namespace nncert
