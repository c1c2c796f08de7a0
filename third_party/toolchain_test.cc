// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One test for each library that the project stands on. When nothing builds, these names say which
// library is broken.

#include <benchmark/benchmark.h>
#include <capnp/compat/json.h>
#include <capnp/message.h>
#include <capnp/persistent.capnp.h>
#include <capnp/rpc-twoparty.h>
#include <capnp/serialize.h>
#include <kj/async-io.h>
#include <kj/string.h>
#include <zlib.h>

#include <cstdint>
#include <string>

#include "Eigen/Core"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/schema/model.capnp.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

absl::StatusOr<int> ParseInteger(absl::string_view text) {
  int value = 0;
  if (!absl::SimpleAtoi(text, &value)) {
    return absl::InvalidArgumentError(absl::StrCat("not an integer: ", text));
  }
  return value;
}

TEST(ToolchainTest, AbseilStatusCarriesValueOrMessage) {
  EXPECT_EQ(ParseInteger("41").value(), 41);
  const absl::StatusOr<int> failure = ParseInteger("forty");
  ASSERT_FALSE(failure.ok());
  EXPECT_EQ(failure.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(failure.status().ToString(), HasSubstr("forty"));
}

TEST(ToolchainTest, AbseilContainersStringsAndTimeLink) {
  absl::flat_hash_map<std::string, int> ranks = {{"matrix", 2}};
  EXPECT_EQ(ranks["matrix"], 2);
  EXPECT_EQ(absl::StrFormat("%s has rank %d", "matrix", ranks["matrix"]), "matrix has rank 2");
  EXPECT_EQ(absl::FormatDuration(absl::Milliseconds(1500)), "1.5s");
}

TEST(ToolchainTest, EigenMultipliesAndChecksIndexes) {
  Eigen::Matrix2f matrix;
  matrix << 1, 2, 3, 4;
  const Eigen::Vector2f product = matrix * Eigen::Vector2f(1, -1);
  EXPECT_EQ(product, Eigen::Vector2f(-1, -1));
  // Optimized builds keep assertions; see .bazelrc.
  const Eigen::Index outside = matrix.rows();
  EXPECT_DEATH(static_cast<void>(matrix(outside, 0)), "row >= 0 && row < rows\\(\\)");
}

TEST(ToolchainTest, CapnProtoRoundTripsAModel) {
  capnp::MallocMessageBuilder message;
  auto dimensions = message.initRoot<schema::Model>().initOperands(1)[0].initDimensions(2);
  dimensions.set(0, 3);
  dimensions.set(1, 5);
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);

  capnp::FlatArrayMessageReader reader(words);
  const auto operands = reader.getRoot<schema::Model>().getOperands();
  ASSERT_EQ(operands.size(), 1U);
  EXPECT_EQ(operands[0].getDimensions()[1], 5U);
}

TEST(ToolchainTest, CapnProtoReadsAndWritesJson) {
  const capnp::JsonCodec codec;
  capnp::MallocMessageBuilder message;
  auto model = message.initRoot<schema::Model>();
  codec.decode(kj::StringPtr(R"({"inputIndexes": [7]})"), model);
  ASSERT_EQ(model.getInputIndexes().size(), 1U);
  EXPECT_EQ(model.getInputIndexes()[0], 7U);
  EXPECT_THAT(codec.encode(model.asReader()).cStr(), HasSubstr("\"inputIndexes\":[7]"));
}

using Savable = capnp::Persistent<capnp::Text, capnp::Text>;

// Implements an interface that comes with Cap'n Proto, to need no schema for this test.
class Keeper final : public Savable::Server {
 public:
  kj::Promise<void> save(SaveContext context) override {
    context.getResults().setSturdyRef("kept");
    return kj::READY_NOW;
  }
};

TEST(ToolchainTest, CapnProtoCallsOverASocketPair) {
  kj::AsyncIoContext context = kj::setupAsyncIo();
  kj::TwoWayPipe pipe = context.provider->newTwoWayPipe();
  capnp::TwoPartyClient server(*pipe.ends[0], kj::heap<Keeper>(),
                               capnp::rpc::twoparty::Side::SERVER);
  capnp::TwoPartyClient client(*pipe.ends[1]);
  Savable::Client keeper = client.bootstrap().castAs<Savable>();
  const auto answer = keeper.saveRequest().send().wait(context.waitScope);
  EXPECT_STREQ(answer.getSturdyRef().cStr(), "kept");
}

TEST(ToolchainTest, GlogWritesToStandardError) {
  testing::internal::CaptureStderr();
  LOG(ERROR) << "a line of the log";
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("a line of the log"));
}

TEST(ToolchainTest, BenchmarkKeepsAValueAlive) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < 10; ++i) benchmark::DoNotOptimize(sum += i);
  EXPECT_EQ(sum, 45);
}

TEST(ToolchainTest, ZlibChecksums) {
  const std::string digits = "123456789";
  EXPECT_EQ(crc32_z(0, reinterpret_cast<const Bytef*>(digits.data()), digits.size()), 0xCBF43926U);
}

}  // namespace
}  // namespace nncert
