// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Files that are not as they should be: an error each, never a crash.

#include "mlts/tflite/tflite_file.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/testing/tflite_maker.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::testing::StatusIs;
using ::testing::HasSubstr;
using tflite::BuiltinOperator;
using tflite::TensorType;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

absl::Status StatusOfImport(absl::Span<const uint8_t> bytes) {
  const absl::StatusOr<Network> network = ImportTflite(bytes, "network");
  // Whatever is imported is valid.
  if (network.ok()) return ValidateModel(network->model);
  return network.status();
}

TEST(TfliteFileTest, SmallFileIsValid) {
  const std::vector<uint8_t> file = SmallTfliteFile();
  EXPECT_TRUE(StatusOfImport(file).ok()) << StatusOfImport(file);
  EXPECT_LT(file.size(), 4096U);
}

TEST(TfliteFileTest, IsReadWhereverItLiesInMemory) {
  const std::vector<uint8_t> file = SmallTfliteFile();
  for (size_t offset = 0; offset < 8; ++offset) {
    std::vector<uint8_t> moved(offset);
    moved.insert(moved.end(), file.begin(), file.end());
    const absl::Status status = StatusOfImport(absl::MakeConstSpan(moved).subspan(offset));
    EXPECT_TRUE(status.ok()) << "at offset " << offset << ": " << status;
  }
}

TEST(TfliteFileTest, TruncatedAnywhereIsRefused) {
  const std::vector<uint8_t> file = SmallTfliteFile();
  // The last bytes may be padding, or part of what nobody reads.
  size_t refused = 0;
  for (size_t size = 0; size < file.size(); ++size) {
    const std::vector<uint8_t> part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const absl::Status status = StatusOfImport(part);
    if (!status.ok()) {
      ++refused;
      EXPECT_FALSE(status.message().empty());
    }
  }
  EXPECT_GT(refused, file.size() - 16);
}

TEST(TfliteFileTest, EveryFlippedByteGivesANetworkOrAnError) {
  const std::vector<uint8_t> file = SmallTfliteFile();
  size_t refused = 0;
  for (size_t i = 0; i < file.size(); ++i) {
    for (const uint8_t flip : {0x01, 0x80, 0xFF}) {
      std::vector<uint8_t> changed = file;
      changed[i] ^= flip;
      refused += StatusOfImport(changed).ok() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 0U);
}

TEST(TfliteFileTest, EveryPairOfBytesOfOnesGivesANetworkOrAnError) {
  const std::vector<uint8_t> file = SmallTfliteFile();
  for (size_t i = 0; i + 4 <= file.size(); i += 4) {
    std::vector<uint8_t> changed = file;
    std::fill_n(changed.begin() + static_cast<std::ptrdiff_t>(i), 4, 0xFF);
    StatusOfImport(changed).IgnoreError();
  }
}

TEST(TfliteFileTest, OtherFilesAreRefused) {
  EXPECT_THAT(StatusOfImport({}), StatusIs(kInvalid, HasSubstr("no TensorFlow Lite file")));
  const std::string text = "This is a text of some length, and no network.";
  EXPECT_THAT(
      StatusOfImport({reinterpret_cast<const uint8_t*>(text.data()), text.size()}),
      StatusIs(kInvalid, HasSubstr("no TensorFlow Lite file: expected \"TFL3\" from byte 4 on")));
}

TEST(TfliteFileTest, OtherVersionsAreRefused) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {1}});
  maker.Operator(BuiltinOperator::RELU, {input}, {output});
  EXPECT_THAT(StatusOfImport(maker.Finish({input}, {output}, 2)),
              StatusIs(kInvalid, HasSubstr("schema version is 2; expected 3")));
}

// A file of one RELU with these numbers of tensors, of which there are two.
absl::Status ImportWith(const std::vector<int32_t>& inputs_of_operator,
                        const std::vector<int32_t>& outputs_of_operator,
                        const std::vector<int32_t>& inputs, const std::vector<int32_t>& outputs) {
  TfliteMaker maker;
  maker.Tensor({TensorType::FLOAT32, {1}});
  maker.Tensor({TensorType::FLOAT32, {1}});
  maker.Operator(BuiltinOperator::RELU, inputs_of_operator, outputs_of_operator);
  return StatusOfImport(maker.Finish(inputs, outputs));
}

TEST(TfliteFileTest, NumbersOfTensorsAreChecked) {
  EXPECT_TRUE(ImportWith({0}, {1}, {0}, {1}).ok());
  EXPECT_THAT(ImportWith({2}, {1}, {0}, {1}),
              StatusIs(kInvalid, HasSubstr("an input of operator 0 is tensor 2; there are 2")));
  EXPECT_THAT(ImportWith({-2}, {1}, {0}, {1}),
              StatusIs(kInvalid, HasSubstr("an input of operator 0 is tensor -2")));
  EXPECT_THAT(ImportWith({0}, {-1}, {0}, {1}),
              StatusIs(kInvalid, HasSubstr("an output of operator 0 is tensor -1")));
  EXPECT_THAT(ImportWith({0}, {1}, {5}, {1}),
              StatusIs(kInvalid, HasSubstr("an input of the network is tensor 5")));
  EXPECT_THAT(ImportWith({0}, {1}, {0}, {9}),
              StatusIs(kInvalid, HasSubstr("an output of the network is tensor 9")));
  EXPECT_THAT(ImportWith({0}, {1}, {0, 0}, {1}),
              StatusIs(kInvalid, HasSubstr("tensor 0 is two inputs of the network")));
  EXPECT_THAT(ImportWith({0}, {1}, {0}, {}), StatusIs(kInvalid, HasSubstr("it has no outputs")));
  EXPECT_THAT(ImportWith({-1}, {1}, {0}, {1}),
              StatusIs(kInvalid, HasSubstr("RELU: input 0 is missing")));
  EXPECT_THAT(ImportWith({0}, {0}, {0}, {0}),
              StatusIs(kInvalid, HasSubstr("it is written, but has a value already")));
  EXPECT_THAT(ImportWith({1}, {1}, {0}, {1}),
              StatusIs(kInvalid, HasSubstr("it is read before any operator has written it")));
}

// A network of RELU on a constant.
absl::Status ImportWithConstant(const TensorToMake& tensor, const std::vector<uint8_t>& bytes) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1}});
  const int32_t constant = maker.ConstantBytes(tensor, bytes);
  const int32_t output = maker.Tensor({TensorType::FLOAT32, {}});
  maker.Operator(BuiltinOperator::ADD, {input, constant}, {output});
  return StatusOfImport(maker.Finish({input}, {output}));
}

TEST(TfliteFileTest, ConstantsAreChecked) {
  EXPECT_TRUE(ImportWithConstant({TensorType::FLOAT32, {2}}, std::vector<uint8_t>(8)).ok());
  EXPECT_THAT(ImportWithConstant({TensorType::FLOAT32, {2}}, std::vector<uint8_t>(7)),
              StatusIs(kInvalid, HasSubstr("it has 7 bytes; expected 8")));
  EXPECT_THAT(ImportWithConstant({TensorType::FLOAT32, {2, -1}}, std::vector<uint8_t>(8)),
              StatusIs(kInvalid, HasSubstr("its dimensions are [2, -1]")));
  EXPECT_THAT(ImportWithConstant({TensorType::FLOAT32, {65536, 65536, 65536, 65536}},
                                 std::vector<uint8_t>(8)),
              StatusIs(kInvalid, HasSubstr("expected at most 1073741824 elements")));
  EXPECT_THAT(ImportWithConstant({TensorType::COMPLEX64, {1}}, std::vector<uint8_t>(8)),
              StatusIs(kInvalid, HasSubstr("it is of COMPLEX64, which the HAL has not")));
  EXPECT_THAT(ImportWithConstant({static_cast<TensorType>(99), {1}}, std::vector<uint8_t>(8)),
              StatusIs(kInvalid, HasSubstr("it is of type 99, which the HAL has not")));
  EXPECT_THAT(ImportWithConstant({TensorType::UINT8, {1}, {-1.0F}, {0}}, {0}),
              StatusIs(kInvalid, HasSubstr("a scale of it is -1; expected a number above 0")));
  EXPECT_THAT(ImportWithConstant({TensorType::UINT8, {1}, {1.0F}, {256}}, {0}),
              StatusIs(kInvalid, HasSubstr("its zero point is 256; expected 0 to 255")));
  EXPECT_THAT(ImportWithConstant({TensorType::INT8, {2}, {1, 1}, {0, 4}}, {0, 0}),
              StatusIs(kInvalid, HasSubstr("2 scales and the zero point 4")));
  EXPECT_THAT(ImportWithConstant({TensorType::INT8, {3}, {1, 1}, {0, 0}}, {0, 0, 0}),
              StatusIs(kInvalid, HasSubstr("it has 2 scales along dimension 0 of [3]")));
  EXPECT_THAT(ImportWithConstant({TensorType::INT8, {1}, {1, 1, 1}, {0, 0}}, {0}),
              StatusIs(kInvalid, HasSubstr("there are 3 scales and 2 zero points")));
}

// Thousands of tensors of one buffer would come to gigabytes.
TEST(TfliteFileTest, ConstantsThatShareABufferAreBounded) {
  flatbuffers::FlatBufferBuilder builder;
  const std::vector<uint8_t> data(1 << 20);
  const std::vector<flatbuffers::Offset<tflite::Buffer>> buffers = {
      tflite::CreateBuffer(builder), tflite::CreateBufferDirect(builder, &data)};
  const std::vector<int32_t> large = {1 << 18};
  std::vector<flatbuffers::Offset<tflite::Tensor>> tensors = {
      tflite::CreateTensorDirect(builder, &large)};
  std::vector<flatbuffers::Offset<tflite::Operator>> operators;
  constexpr int32_t kAdditions = 64;
  for (int32_t i = 0; i < kAdditions; ++i) {
    tensors.push_back(tflite::CreateTensorDirect(builder, &large, TensorType::FLOAT32, 1));
    tensors.push_back(tflite::CreateTensorDirect(builder, &large));
    const std::vector<int32_t> inputs = {2 * i, 2 * i + 1};
    const std::vector<int32_t> outputs = {2 * i + 2};
    operators.push_back(tflite::CreateOperatorDirect(builder, 0, &inputs, &outputs));
  }
  const std::vector<flatbuffers::Offset<tflite::OperatorCode>> codes = {
      tflite::CreateOperatorCode(builder, 0)};
  const std::vector<int32_t> inputs = {0};
  const std::vector<int32_t> outputs = {2 * kAdditions};
  const std::vector<flatbuffers::Offset<tflite::SubGraph>> graphs = {
      tflite::CreateSubGraphDirect(builder, &tensors, &inputs, &outputs, &operators)};
  tflite::FinishModelBuffer(
      builder, tflite::CreateModelDirect(builder, 3, &codes, &graphs, nullptr, &buffers));
  EXPECT_THAT(StatusOfImport({builder.GetBufferPointer(), builder.GetSize()}),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("many times more bytes")));
}

}  // namespace
}  // namespace nncert
