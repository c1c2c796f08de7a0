// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_file.h"

#include <capnp/message.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "cases/testing/same_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::testing::OneOfEverything;
using hal::testing::StatusIs;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// InvalidArgument, with `text` in the message.
auto IsInvalid(const std::string& text) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(text));
}

TestCase CaseOfEverything() {
  TestCase test_case;
  test_case.name = "one_of_everything";
  test_case.dynamicOutputShapeName = "one_of_everything_dynamic_output_shape";
  test_case.minimumVersion = HalVersion::V1_2;
  test_case.specVersion = HalVersion::V1_1;
  test_case.model = OneOfEverything();
  test_case.examples = {
      {.inputs = {{.hasNoValue = false, .dimensions = {2}, .data = {1, 2, 3, 4, 5, 6, 7, 8}},
                  {.hasNoValue = true, .dimensions = {}, .data = {}}},
       .outputs = {{.ignored = false, .dimensions = {2}, .data = {9, 8, 7, 6, 5, 4, 3, 2}},
                   {.ignored = true, .dimensions = {}, .data = {}}}},
      {.inputs = {}, .outputs = {}}};
  test_case.multinomialDistributionTolerance = 0.05F;
  test_case.quantizedTolerance = 2;
  test_case.deviation = "ADD-carry";
  test_case.expectFailure = true;
  return test_case;
}

std::string TemporaryPath(const std::string& name) { return ::testing::TempDir() + "/" + name; }

void WriteBytes(const std::string& path, absl::Span<const uint8_t> bytes) {
  std::ofstream stream(path, std::ios::binary);
  for (const uint8_t byte : bytes) stream.put(static_cast<char>(byte));
  ASSERT_TRUE(stream.good());
}

TEST(CaseFileTest, versions_of_a_later_schema_are_an_error) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::TestCase>();
  builder.setMinimumVersion(static_cast<schema::HalVersion>(4));
  EXPECT_EQ(FromSchema(builder.asReader()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(CaseFileTest, every_version_is_kept) {
  std::vector<TestCase> cases(4);
  for (size_t i = 0; i < hal::kHalVersions.size(); ++i) {
    cases[i].minimumVersion = hal::kHalVersions[i];
    cases[i].specVersion = hal::kHalVersions[i];
  }
  const auto bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::StatusOr<CaseFile> file = ParseCaseFile(*bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->cases, cases);
}

TEST(CaseFileTest, cases_come_back_from_a_file_as_they_were) {
  const std::string path = TemporaryPath("round_trip.case");
  const std::vector<TestCase> cases = {CaseOfEverything(), TestCase{}};
  ASSERT_TRUE(WriteCaseFile(path, "case_file_test", cases).ok());
  const absl::StatusOr<CaseFile> file = LoadCaseFile(path);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->origin, "case_file_test");
  ASSERT_EQ(file->cases.size(), 2);
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(DifferenceOf(cases[i], file->cases[i]), "");
  EXPECT_EQ(ReadCaseFile(path)->size(), 2);
}

TEST(CaseFileTest, every_truncation_is_an_error) {
  const std::vector<TestCase> cases = {CaseOfEverything(), CaseOfEverything()};
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const std::string path = TemporaryPath("truncated.case");
  int prefixes = 0;
  for (size_t size = 0; size < bytes->size(); size += 64) {
    const absl::Span<const uint8_t> prefix = absl::MakeSpan(*bytes).subspan(0, size);
    // What is cut off is the rest of the message, or that there is one.
    const std::string expected = size == 0 ? "the file is empty" : "Message ends prematurely";
    EXPECT_THAT(ParseCaseFile(prefix), IsInvalid(expected)) << size;
    WriteBytes(path, prefix);
    EXPECT_THAT(ReadCaseFile(path), IsInvalid(expected)) << size;
    EXPECT_THAT(ReadCaseFile(path), IsInvalid("truncated.case: ")) << size;
    ++prefixes;
  }
  EXPECT_GT(prefixes, 20);
  for (size_t size = bytes->size() - 9; size < bytes->size(); ++size) {
    const std::string expected = size % 8 == 0
                                     ? "Message ends prematurely"
                                     : "the file has " + std::to_string(size) +
                                           " bytes, which is not a multiple of 8: it is truncated";
    EXPECT_THAT(ParseCaseFile(absl::MakeSpan(*bytes).subspan(0, size)), IsInvalid(expected));
  }
}

// Parses a file with each of its bits flipped in turn; gives how often it was refused.
size_t RefusalsOfFlippedBits(std::vector<uint8_t> bytes) {
  size_t refused = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    refused += ParseCaseFile(bytes).ok() ? 0 : 1;
    bytes[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
  }
  return refused;
}

TEST(CaseFileTest, every_flipped_bit_is_an_error) {
  const absl::StatusOr<std::vector<uint8_t>> bytes =
      SerializeCaseFile("test", std::vector<TestCase>{CaseOfEverything()});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_TRUE(ParseCaseFile(*bytes).ok());
  EXPECT_EQ(RefusalsOfFlippedBits(*bytes), bytes->size() * 8);
}

TEST(CaseFileTest, a_file_without_a_checksum_is_read_and_never_crashes_the_reader) {
  absl::StatusOr<std::vector<uint8_t>> bytes =
      SerializeCaseFile("test", std::vector<TestCase>{CaseOfEverything()});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  // The table of the one segment, the pointer to the root, and the root's first data.
  constexpr size_t kOffset = 16;
  std::fill_n(bytes->begin() + kOffset, 4, 0);
  EXPECT_TRUE(ParseCaseFile(*bytes).ok());
  EXPECT_GT(RefusalsOfFlippedBits(*bytes), 100U);
}

TEST(CaseFileTest, a_damaged_file_says_so) {
  absl::StatusOr<std::vector<uint8_t>> bytes =
      SerializeCaseFile("test", std::vector<TestCase>{CaseOfEverything()});
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  bytes->back() ^= 1;
  EXPECT_THAT(ParseCaseFile(*bytes), IsInvalid("the file is damaged: its checksum says "));
}

// Several threads read a file of that many bytes.
TEST(CaseFileTest, a_large_file_is_read_in_its_order) {
  std::vector<TestCase> cases(64);
  for (size_t i = 0; i < cases.size(); ++i) {
    cases[i].name = "case " + std::to_string(i);
    const std::vector<uint8_t> data(size_t{1} << 18, static_cast<uint8_t>(i));
    cases[i].examples = {{.inputs = {{.dimensions = {1 << 18}, .data = data}}, .outputs = {}}};
  }
  absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::StatusOr<CaseFile> file = ParseCaseFile(*bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->cases, cases);
  bytes->back() ^= 1;
  EXPECT_THAT(ParseCaseFile(*bytes), IsInvalid("the file is damaged: its checksum says "));
}

TEST(CaseFileTest, bytes_behind_the_message_are_an_error) {
  const std::vector<TestCase> cases = {TestCase{}};
  absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok());
  bytes->resize(bytes->size() + 16);
  EXPECT_THAT(ParseCaseFile(*bytes), IsInvalid("goes on for 16 bytes"));
}

TEST(CaseFileTest, a_message_that_blows_itself_up_is_an_error) {
  // A list of 2^28 structures without a single byte, in a message of a few words.
  const std::vector<uint8_t> bomb = {
      0, 0, 0, 0,    4, 0, 0, 0,  // one segment of four words
      0, 0, 0, 0,    0, 0, 2, 0,  // the root has two pointers
      0, 0, 0, 0,    0, 0, 0, 0,  // no origin
      1, 0, 0, 0,    7, 0, 0, 0,  // cases: a composite list of zero words
      0, 0, 0, 0x40, 0, 0, 0, 0,  // of 2^28 elements that have no size
  };
  EXPECT_THAT(ParseCaseFile(bomb), IsInvalid("Exceeded message traversal limit"));
}

TEST(CaseFileTest, bytes_need_not_be_aligned) {
  const std::vector<TestCase> cases = {TestCase{}};
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok());
  std::vector<uint8_t> shifted(bytes->size() + 1);
  std::copy(bytes->begin(), bytes->end(), shifted.begin() + 1);
  EXPECT_TRUE(ParseCaseFile(absl::MakeSpan(shifted).subspan(1)).ok());
}

TEST(CaseFileTest, a_file_larger_than_the_default_limit_of_the_format_is_read) {
  std::vector<TestCase> cases(1);
  cases[0].model.operandValues.resize(80 << 20, 7);
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile("test", cases);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::StatusOr<CaseFile> file = ParseCaseFile(*bytes);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->cases[0].model.operandValues.size(), 80 << 20);
}

TEST(CaseFileTest, files_that_are_missing_or_no_case_files_are_named) {
  const std::string missing = TemporaryPath("missing.case");
  EXPECT_THAT(ReadCaseFile(missing),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(StartsWith(missing), HasSubstr(": cannot open the file"))));
  EXPECT_THAT(ReadCaseFile(::testing::TempDir()),
              IsInvalid(::testing::TempDir() + ": not a regular file"));
  const std::string text = TemporaryPath("text.case");
  const std::string content = "This is not a message but text of 40 bytes.....!";
  WriteBytes(text, absl::MakeSpan(std::bit_cast<const uint8_t*>(content.data()), content.size()));
  EXPECT_THAT(ReadCaseFile(text), IsInvalid("text.case: the Cap'n Proto message is corrupt: "));
}

TEST(CaseFileTest, a_folder_that_does_not_exist_cannot_be_written_to) {
  const std::string path = TemporaryPath("no_such_folder/x.case");
  EXPECT_THAT(WriteCaseFile(path, "test", {}),
              StatusIs(absl::StatusCode::kNotFound, StartsWith(path)));
}

TEST(CaseFileTest, a_failed_write_leaves_the_old_file_and_nothing_beside_it) {
  const std::string folder = TemporaryPath("atomic");
  mkdir(folder.c_str(), 0777);
  const std::string path = folder + "/x.case";
  const std::vector<TestCase> good = {TestCase{}};
  ASSERT_TRUE(WriteCaseFile(path, "old", good).ok());
  std::vector<TestCase> bad = {TestCase{}};
  bad[0].model.pools.emplace_back();
  EXPECT_THAT(
      WriteCaseFile(path, "new", bad),
      IsInvalid("x.case: case 0 (): pool 0: cannot map a memory pool without a file descriptor"));
  EXPECT_EQ(LoadCaseFile(path)->origin, "old");
  ASSERT_EQ(unlink(path.c_str()), 0);
  EXPECT_EQ(rmdir(folder.c_str()), 0) << "something else was left there";
}

}  // namespace
}  // namespace nncert
