// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/golden_data_set.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using hal::testing::StatusIs;

// A network of two floats, to which three are the answer.
Network Floats() {
  return NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {1, 2})},
                   {OperandOf(OperandType::TENSOR_FLOAT32, {1, 3})});
}

// The sequence of these files.
absl::StatusOr<Sequence> ReadOne(const GoldenFiles& files, uint32_t data_size,
                                 const Network& network) {
  const auto data = OpenGoldenFiles({files}, data_size, network);
  if (!data.ok()) return data.status();
  EXPECT_EQ((*data)->size(), 1);
  return (*data)->Read(0);
}

TEST(GoldenDataSetTest, FilesAreDividedIntoInferences) {
  const TestFolder folder;
  const std::string input = folder.Write("a.input", BytesOfElements<float>({1, 2, 3, 4}));
  const std::string output = folder.Write("a.output", BytesOfElements<float>({1, 2, 3, 4, 5, 6}));
  const auto sequence = ReadOne({"a", {input}, {output}}, 4, Floats());
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->name, "a");
  EXPECT_THAT(sequence->inputs, ElementsAre(ElementsAre(BytesOfElements<float>({1, 2})),
                                            ElementsAre(BytesOfElements<float>({3, 4}))));
  EXPECT_THAT(sequence->golden_outputs,
              ElementsAre(ElementsAre(BytesOfElements<float>({1, 2, 3})),
                          ElementsAre(BytesOfElements<float>({4, 5, 6}))));
  EXPECT_FALSE(sequence->label.has_value());
}

TEST(GoldenDataSetTest, SeveralInputsAndOutputsStayInOrder) {
  const TestFolder folder;
  const Network network = NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {2}),
                                     OperandOf(OperandType::TENSOR_FLOAT32, {1})},
                                    {OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {}),
                                     OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1})});
  const auto sequence = ReadOne({"a",
                                 {folder.Write("0", std::vector<uint8_t>{1, 2}),
                                  folder.Write("1", BytesOfElements<float>({9}))},
                                 {folder.Write("2", std::vector<uint8_t>{3, 4, 5}),
                                  folder.Write("3", std::vector<uint8_t>{6})}},
                                0, network);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(sequence->inputs[0], ElementsAre(ElementsAre(1, 2), SizeIs(4)));
  EXPECT_THAT(sequence->golden_outputs[0], ElementsAre(ElementsAre(3, 4, 5), ElementsAre(6)));
}

TEST(GoldenDataSetTest, ResultsNeedNotBeKnown) {
  const TestFolder folder;
  const auto sequence =
      ReadOne({"a", {folder.Write("a", BytesOfElements<float>({1, 2}))}, {}}, 4, Floats());
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(sequence->golden_outputs, IsEmpty());
}

TEST(GoldenDataSetTest, FloatsAreReadForHalves) {
  const TestFolder folder;
  const Network halves = NetworkOf({OperandOf(OperandType::TENSOR_FLOAT16, {1, 2})},
                                   {OperandOf(OperandType::TENSOR_FLOAT16, {1, 1})});
  const auto sequence = ReadOne({"a",
                                 {folder.Write("a", BytesOfElements<float>({1, -2}))},
                                 {folder.Write("b", BytesOfElements<float>({0.5F}))}},
                                4, halves);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->inputs[0][0], BytesOfElements<uint16_t>({0x3C00, 0xC000}));
  EXPECT_EQ(sequence->golden_outputs[0][0], BytesOfElements<uint16_t>({0x3800}));
}

TEST(GoldenDataSetTest, WrongSizesFailAlone) {
  const TestFolder folder;
  const std::string input = folder.Write("a.input", BytesOfElements<float>({1, 2}));
  const std::string output = folder.Write("a.output", BytesOfElements<float>({1, 2, 3}));
  const std::string long_input = folder.Write("long.input", std::vector<uint8_t>(12));
  const std::string empty_input = folder.Write("empty.input", "");
  const std::string short_output = folder.Write("short.output", std::vector<uint8_t>(11));
  const auto data = OpenGoldenFiles({{"long", {long_input}, {output}},
                                     {"empty", {empty_input}, {output}},
                                     {"short", {input}, {short_output}},
                                     {"none", {folder / "none.input"}, {output}},
                                     {"no_output", {input}, {folder / "none.output"}},
                                     {"good", {input}, {output}}},
                                    4, Floats());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       long_input + ": has 12 bytes, where an inference takes 8"));
  EXPECT_THAT((*data)->Read(1),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       empty_input + ": has 0 bytes, where an inference takes 8"));
  EXPECT_THAT((*data)->Read(2),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       short_output + ": has 11 bytes, where 1 inferences give 12"));
  EXPECT_THAT((*data)->Read(3), StatusIs(absl::StatusCode::kNotFound, HasSubstr("none.input")));
  EXPECT_THAT((*data)->Read(4), StatusIs(absl::StatusCode::kNotFound, HasSubstr("none.output")));
  EXPECT_TRUE((*data)->Read(5).ok());
}

TEST(GoldenDataSetTest, OutputsOfUnknownSizeAreDividedEvenly) {
  const TestFolder folder;
  const Network network = NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1})},
                                    {OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {})});
  const std::string input = folder.Write("a.input", std::vector<uint8_t>{1, 2});
  const std::string output = folder.Write("a.output", std::vector<uint8_t>{1, 2, 3, 4});
  const auto sequence = ReadOne({"a", {input}, {output}}, 1, network);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_THAT(sequence->golden_outputs,
              ElementsAre(ElementsAre(ElementsAre(1, 2)), ElementsAre(ElementsAre(3, 4))));
  const std::string odd = folder.Write("b.output", std::vector<uint8_t>{1, 2, 3});
  EXPECT_THAT(ReadOne({"a", {input}, {odd}}, 1, network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       odd + ": has 3 bytes, where 2 inferences give as many each"));
}

TEST(GoldenDataSetTest, InputsOfOtherLengthsAreTold) {
  const TestFolder folder;
  const Network network = NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1}),
                                     OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1})},
                                    {});
  const std::string one = folder.Write("a", std::vector<uint8_t>{1});
  const std::string two = folder.Write("b", std::vector<uint8_t>{1, 2});
  EXPECT_THAT(ReadOne({"a", {one, two}, {}}, 1, network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       two + ": is of 2 inferences, and " + one + " of 1"));
  EXPECT_THAT(ReadOne({"a", {one}, {}}, 1, network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       one + ": there are 1 input files, and the network has 2 inputs"));
  EXPECT_THAT(ReadOne({"a", {one, one}, {two}}, 1, network),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       two + ": there are 1 golden files, and the network has 0 outputs"));
}

TEST(GoldenDataSetTest, NetworksOfOtherTypesAreTold) {
  EXPECT_THAT(
      OpenGoldenFiles({}, 1, Floats()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               "network: golden files have elements of 1 bytes; input 0 is TENSOR_FLOAT32"));
  EXPECT_THAT(
      OpenGoldenFiles({}, 4, NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {1, 0})}, {})),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("unknown size: [1, 0]")));
}

}  // namespace
}  // namespace nncert
