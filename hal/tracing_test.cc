// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/tracing.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream stream(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// A trace file that does not exist yet.
std::string FreshPath(const std::string& name) {
  std::string path = ::testing::TempDir() + "/" + name;
  std::remove(path.c_str());
  return path;
}

TEST(TracingTest, a_scope_is_one_complete_event_with_its_duration) {
  const std::string path = FreshPath("one.json");
  auto writer = TraceWriter::Open(path);
  ASSERT_TRUE(writer.ok()) << writer.status();
  { const ScopedTrace trace("[NN_LD_PE]run", writer->get()); }
  (*writer)->Record("exact", 5'000'007, 1'002);
  writer->reset();
  const std::vector<std::string> lines = Lines(path);
  ASSERT_EQ(lines.size(), 3);
  EXPECT_EQ(lines[0], "[");
  EXPECT_TRUE(
      absl::StartsWith(lines[1], "{\"name\":\"[NN_LD_PE]run\",\"cat\":\"nn\",\"ph\":\"X\","))
      << lines[1];
  EXPECT_TRUE(absl::EndsWith(lines[1], "},")) << lines[1];
  EXPECT_TRUE(absl::StrContains(lines[2], "\"ts\":5000.007,\"dur\":1.002,")) << lines[2];
}

TEST(TracingTest, names_are_escaped) {
  const std::string path = FreshPath("escaped.json");
  auto writer = TraceWriter::Open(path);
  ASSERT_TRUE(writer.ok());
  (*writer)->Record("a\"b\\c\n", 0, 0);
  (*writer)->Flush();
  EXPECT_TRUE(absl::StrContains(Lines(path)[1], R"("name":"a\"b\\c\u000a",)")) << Lines(path)[1];
}

TEST(TracingTest, writers_and_threads_share_a_file_line_by_line) {
  const std::string path = FreshPath("shared.json");
  constexpr int kEvents = 2000;
  {
    auto first = TraceWriter::Open(path);
    auto second = TraceWriter::Open(path);
    ASSERT_TRUE(first.ok() && second.ok());
    std::vector<std::thread> threads;
    for (TraceWriter* writer : {first->get(), second->get(), first->get()}) {
      threads.emplace_back([writer] {
        for (int i = 0; i < kEvents; ++i) const ScopedTrace trace("event", writer);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  const std::vector<std::string> lines = Lines(path);
  ASSERT_EQ(lines.size(), 1 + 3 * kEvents);
  for (size_t i = 1; i < lines.size(); ++i) {
    ASSERT_TRUE(absl::StartsWith(lines[i], "{\"name\":\"event\"") && absl::EndsWith(lines[i], "},"))
        << lines[i];
  }
}

TEST(TracingTest, a_file_that_cannot_be_opened_is_an_error) {
  const std::string path = ::testing::TempDir() + "/no_such_folder/x.json";
  EXPECT_THAT(TraceWriter::Open(path),
              testing::StatusIs(absl::StatusCode::kNotFound,
                                ::testing::HasSubstr("cannot open the trace file " + path)));
}

// The variable is read once in a process, so this is the one test that sets it.
TEST(TracingTest, the_macros_name_layer_and_phase_and_write_to_the_file_of_the_environment) {
  const std::string path = FreshPath("environment.json");
  ASSERT_EQ(setenv("NNCERT_TRACE", path.c_str(), 1), 0);
  {
    NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_COMPILATION, "prepare");
    NNTRACE_FULL_SWITCH(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "run");
    NNTRACE_FULL_SUBTRACT(NNTRACE_LAYER_IPC, NNTRACE_PHASE_UNSPECIFIED, "wait");
    NNTRACE_COMP("kernel");
  }
  ASSERT_NE(TraceWriter::OfEnvironment(), nullptr);
  TraceWriter::OfEnvironment()->Flush();
  const std::vector<std::string> lines = Lines(path);
  ASSERT_EQ(lines.size(), 5);
  EXPECT_TRUE(absl::StrContains(lines[1], "\"[NN_LC_PCO]kernel\"")) << lines[1];
  EXPECT_TRUE(absl::StrContains(lines[2], "\"[SUB][NN_LI_PU]wait\"")) << lines[2];
  EXPECT_TRUE(absl::StrContains(lines[3], "\"[SW][NN_LD_PE]run\"")) << lines[3];
  EXPECT_TRUE(absl::StrContains(lines[4], "\"[NN_LD_PC]prepare\"")) << lines[4];
}

}  // namespace
}  // namespace nncert::hal
