// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The service of docs/serving_a_driver.md is there verbatim, and serves.

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/deadline.h"
#include "hal/transport/client.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

using ::testing::HasSubstr;

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(MinimalServiceTest, IsInTheDocument) {
  const std::string source = ContentOf("docs/examples/minimal_service.cc");
  EXPECT_THAT(ContentOf("docs/serving_a_driver.md"), HasSubstr("```cpp\n" + source + "```\n"));
}

TEST(MinimalServiceTest, Serves) {
  // An address holds no more than 107 bytes, which the folder of a test may exceed.
  std::string folder = "/tmp/nncert-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  std::string socket = folder + "/socket";
  std::string program = "docs/examples/minimal_service";
  char* const arguments[] = {program.data(), socket.data(), nullptr};
  pid_t process = 0;
  ASSERT_EQ(posix_spawn(&process, program.c_str(), nullptr, nullptr, arguments, environ), 0);
  auto connection = Connection::Connect(socket);
  const Deadline deadline(absl::Seconds(30));
  while (!connection.ok() && !deadline.HasPassed()) {
    absl::SleepFor(absl::Milliseconds(5));
    connection = Connection::Connect(socket);
  }
  ASSERT_TRUE(connection.ok()) << connection.status();
  const auto device = std::dynamic_pointer_cast<V1_2::IDevice>((*connection)->device());
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->getVersionString().version, "minimal service 1");
  kill(process, SIGKILL);
  EXPECT_EQ(waitpid(process, nullptr, 0), process);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace nncert::hal::transport
