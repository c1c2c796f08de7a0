// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/flat_message.h"

#include <capnp/message.h>

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/schema/model.capnp.h"
#include "hal/testing/status_is.h"

namespace nncert::hal {
namespace {

using ::testing::HasSubstr;
using testing::StatusIs;

// A message of a model with these values.
std::vector<uint8_t> MessageOf(const std::vector<uint8_t>& values) {
  capnp::MallocMessageBuilder message;
  message.initRoot<schema::Model>().setOperandValues({values.data(), values.size()});
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

// Reads the values of a model `times` times over.
absl::Status ReadValues(absl::Span<const uint8_t> bytes, std::vector<uint8_t>& values,
                        int times = 1) {
  return ReadFlatMessage(bytes, "the test",
                         [&](capnp::MessageReader& message, kj::ArrayPtr<const capnp::word> words) {
                           EXPECT_EQ(words.asBytes().size(), bytes.size());
                           for (int i = 0; i < times; ++i) {
                             const auto read = message.getRoot<schema::Model>().getOperandValues();
                             values.assign(read.begin(), read.end());
                           }
                           return absl::OkStatus();
                         });
}

auto IsInvalid(const std::string& message) {
  return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(message));
}

TEST(FlatMessageTest, a_message_is_read_at_any_alignment) {
  const std::vector<uint8_t> bytes = MessageOf({1, 2, 3});
  for (size_t shift = 0; shift < 8; ++shift) {
    std::vector<uint8_t> shifted(shift);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    std::vector<uint8_t> values;
    const absl::Status status = ReadValues(absl::MakeSpan(shifted).subspan(shift), values);
    EXPECT_TRUE(status.ok()) << status;
    EXPECT_EQ(values, (std::vector<uint8_t>{1, 2, 3}));
  }
}

TEST(FlatMessageTest, what_is_no_whole_message_is_an_error) {
  std::vector<uint8_t> bytes = MessageOf({1, 2, 3});
  std::vector<uint8_t> values;
  EXPECT_THAT(ReadValues({}, values), IsInvalid("the test is empty"));
  for (size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_THAT(ReadValues(absl::MakeSpan(bytes).subspan(0, size), values),
                IsInvalid(size % 8 == 0 ? "Message ends prematurely"
                                        : "the test has " + std::to_string(size) +
                                              " bytes, which is not a multiple of 8: it is "
                                              "truncated or no message"));
  }
  bytes.resize(bytes.size() + 16);
  EXPECT_THAT(ReadValues(bytes, values), IsInvalid("the test goes on for 16 bytes behind"));
}

TEST(FlatMessageTest, no_more_is_read_than_four_times_the_size) {
  const std::vector<uint8_t> bytes = MessageOf(std::vector<uint8_t>(1 << 20));
  std::vector<uint8_t> values;
  EXPECT_TRUE(ReadValues(bytes, values, 3).ok());
  EXPECT_THAT(ReadValues(bytes, values, 5), IsInvalid("Exceeded message traversal limit"));
}

TEST(FlatMessageTest, an_error_of_the_reader_is_passed_on) {
  EXPECT_THAT(ReadFlatMessage(MessageOf({}), "the test",
                              [](capnp::MessageReader&, kj::ArrayPtr<const capnp::word>) {
                                return absl::NotFoundError("no such thing");
                              }),
              StatusIs(absl::StatusCode::kNotFound, "no such thing"));
}

}  // namespace
}  // namespace nncert::hal
