// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/graph_dump.h"

#include <cstring>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "hal/float16.h"
#include "hal/testing/models.h"

namespace nncert::hal {
namespace {

std::string Dump(const V1_2::Model& model, std::string_view name = "test") {
  std::ostringstream stream;
  graphDump(name, model, stream);
  return stream.str();
}

// The label of a constant scalar of a type and value.
template <typename Value>
std::string LabelOfScalar(V1_2::OperandType type, Value value) {
  V1_2::Model model;
  model.operandValues.resize(3 + sizeof value);
  std::memcpy(model.operandValues.data() + 3, &value, sizeof value);
  model.operands.resize(1);
  model.operands[0].type = type;
  model.operands[0].lifetime = V1_2::OperandLifeTime::CONSTANT_COPY;
  model.operands[0].location = {.poolIndex = 0, .offset = 3, .length = sizeof value};
  const std::string dump = Dump(model);
  const size_t start = dump.find("COPY\\n") + 6;
  return dump.substr(start, dump.find('"', start) - start);
}

TEST(GraphDumpTest, a_model_is_drawn_with_its_operands_operations_and_edges) {
  EXPECT_EQ(Dump(testing::TwoAdditions(), "two additions"), R"dot(// two additions
digraph {
    d0 [style=filled fillcolor=black fontcolor=white label="0\nTF32(2)"]
    d1 [label="1: COPY\nTF32(2)"]
    d2 [label="2: COPY\nI32 = 0"]
    d3 [label="3\nTF32(2)"]
    d4 [label="4: REF\nTF32(2)"]
    d5 [style=filled fillcolor=black fontcolor=white label="5\nTF32(2)"]
    n0 [shape=box ordering=in label="0: ADD"]
    d0 -> n0 [label=0]
    d1 -> n0 [label=1]
    d2 -> n0 [label=2]
    n0 -> d3
    n1 [shape=box ordering=in label="1: ADD"]
    d3 -> n1 [label=0]
    d4 -> n1 [label=1]
    d2 -> n1 [label=2]
    n1 -> d5
}
)dot");
}

TEST(GraphDumpTest, types_without_an_abbreviation_have_their_name_or_number) {
  const std::string dump = Dump(testing::OneOfEverything());
  EXPECT_TRUE(absl::StrContains(dump, "6: REF\\nTENSOR_QUANT8_SYMM_PER_CHANNEL(2x2)")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "\"7\\ncom.example.test[3](0x3)")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "8: REF\\nTOEMB(2)")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "9: NO\\nTENSOR_FLOAT16\"")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "label=\"2: com.example.test[1]\"")) << dump;
}

TEST(GraphDumpTest, names_of_extensions_stay_in_their_label) {
  V1_2::Model model = testing::OneOfEverything();
  model.extensionNameToPrefix[0].name = "a\"b\\c\nd";
  EXPECT_TRUE(absl::StrContains(Dump(model), "label=\"2: a?b?c?d[1]\"")) << Dump(model);
  model.extensionNameToPrefix.clear();
  EXPECT_TRUE(absl::StrContains(Dump(model), "label=\"2: OperationType(0x00070001)\""));
}

TEST(GraphDumpTest, scalar_constants_show_their_value) {
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::FLOAT32, 0.5F), "F32 = 0.5");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::INT32, int32_t{-7}), "I32 = -7");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::UINT32, uint32_t{4000000000}), "U32 = 4000000000");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::FLOAT16, FloatToFloat16(1.5F)), "FLOAT16 = 1.5");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::BOOL, uint8_t{1}), "BOOL = true");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::OEM, uint8_t{1}), "OEM");
  EXPECT_EQ(LabelOfScalar(V1_2::OperandType::INT32, int64_t{1}), "I32") << "of a wrong length";
}

TEST(GraphDumpTest, many_outputs_and_a_single_input_are_ordered_by_output) {
  V1_2::Model model;
  model.operands.resize(3);
  model.operations = {{.type = V1_2::OperationType::SPLIT, .inputs = {0}, .outputs = {1, 2}}};
  const std::string dump = Dump(model);
  EXPECT_TRUE(absl::StrContains(dump, "n0 [shape=box ordering=out label=\"0: SPLIT\"]")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "    d0 -> n0\n")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "    n0 -> d2 [label=1]\n")) << dump;
}

TEST(GraphDumpTest, a_corrupt_model_does_not_crash_and_a_name_stays_in_its_comment) {
  V1_2::Model model = testing::TwoAdditions();
  model.inputIndexes = {1000};
  model.operands[2].location.offset = 0xFFFFFFFF;
  model.operands[3].lifetime = static_cast<V1_2::OperandLifeTime>(9);
  model.operations[0].inputs[0] = 77;
  const std::string dump = Dump(model, "a\nb");
  EXPECT_TRUE(absl::StartsWith(dump, "// a b\ndigraph {\n")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "d77 -> n0")) << dump;
  EXPECT_TRUE(absl::StrContains(dump, "\"3: ?\\nTF32(2)\"")) << dump;
}

}  // namespace
}  // namespace nncert::hal
