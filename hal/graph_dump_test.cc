// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/graph_dump.h"

#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/float16.h"
#include "hal/testing/models.h"

namespace nncert::hal {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using V1_2::Model;
using V1_2::Operand;
using V1_2::OperandLifeTime;
using V1_2::OperandType;

std::string Dump(const Model& model, std::string_view name = "test") {
  std::ostringstream stream;
  graphDump(name, model, stream);
  return stream.str();
}

// What is wrong with the markup of a drawing: Graphviz refuses a label whose tags do not match, and
// a bold text that is empty. Nothing when all is well.
std::string ProblemOfMarkup(const std::string& dump) {
  std::vector<std::string> open;
  for (size_t start = 0; (start = dump.find("label=<", start)) != std::string::npos;) {
    start += strlen("label=<");
    for (bool is_label = true; is_label;) {
      const size_t bracket = dump.find_first_of("<>&", start);
      if (bracket == std::string::npos) return "a label does not end";
      const std::string rest = dump.substr(bracket, 16);
      start = bracket + 1;
      if (rest[0] == '>') {
        if (!open.empty()) return absl::StrCat("not closed: ", open.back());
        is_label = false;
      } else if (rest[0] == '&') {
        if (!absl::StartsWith(rest, "&amp;") && !absl::StartsWith(rest, "&lt;") &&
            !absl::StartsWith(rest, "&gt;") && !absl::StartsWith(rest, "&quot;")) {
          return absl::StrCat("no entity: ", rest);
        }
      } else {
        const size_t end = dump.find('>', start);
        const std::string tag = dump.substr(start, dump.find_first_of(" >", start) - start);
        start = end + 1;
        if (tag[0] == '/') {
          if (open.empty() || "/" + open.back() != tag) return absl::StrCat("closed: ", tag);
          open.pop_back();
        } else if (dump[end - 1] != '/') {
          if (absl::StartsWith(dump.substr(start), "</")) return absl::StrCat("empty: ", tag);
          open.push_back(tag);
        }
      }
    }
  }
  return "";
}

// An operand of a model with nothing else in it, as it is drawn.
std::string DrawnOperand(const Operand& operand, const std::vector<uint8_t>& values = {}) {
  Model model;
  model.operands = {operand};
  model.operandValues = values;
  const std::string dump = Dump(model);
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  constexpr std::string_view kStart = "operand 0<BR/>";
  const size_t start = dump.find(kStart) + kStart.size();
  return dump.substr(start, dump.find(">]", start) - start);
}

// A constant of these elements, at byte 3 of operandValues.
template <typename Value>
std::string DrawnConstant(OperandType type, const std::vector<uint32_t>& dimensions,
                          const std::vector<Value>& elements) {
  Operand operand;
  operand.type = type;
  operand.dimensions = dimensions;
  operand.lifetime = OperandLifeTime::CONSTANT_COPY;
  const size_t length = elements.size() * sizeof(Value);
  operand.location = {.poolIndex = 0, .offset = 3, .length = static_cast<uint32_t>(length)};
  std::vector<uint8_t> values(3 + length);
  std::memcpy(values.data() + 3, elements.data(), length);
  return DrawnOperand(operand, values);
}

TEST(GraphDumpTest, a_model_is_drawn_with_its_operands_operations_and_arrows) {
  EXPECT_EQ(Dump(testing::TwoAdditions(), "two additions"), R"dot(digraph {
  graph [labelloc=t, fontname="Helvetica", fontsize=14, ranksep=0.3]
  node [fontname="Helvetica", fontsize=10, margin="0.1,0.05"]
  edge [fontname="Helvetica", fontsize=8, arrowsize=0.7]
  label=<<B>two additions</B><BR/>operations: 2, operands: 6>

  operand0 [shape=box, style="rounded,filled", fillcolor="#c8e6c9", label=<<B>input 0 of the model</B><BR/>operand 0<BR/>TENSOR_FLOAT32 [2]<BR/>MODEL_INPUT>]
  operand3 [shape=box, style="rounded", label=<operand 3<BR/>TENSOR_FLOAT32 [2]<BR/>TEMPORARY_VARIABLE>]
  operand5 [shape=box, style="rounded,filled", fillcolor="#ffcc80", label=<<B>output 0 of the model</B><BR/>operand 5<BR/>TENSOR_FLOAT32 [2]<BR/>MODEL_OUTPUT>]

  operation0 [shape=plain, label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">
    <TR><TD COLSPAN="3" BGCOLOR="#bbdefb"><B>0: ADD</B></TD></TR>
    <TR><TD>input 1</TD><TD>operand 1</TD><TD ALIGN="LEFT">TENSOR_FLOAT32 [2] = {10, 20}, CONSTANT_COPY</TD></TR>
    <TR><TD>input 2</TD><TD>operand 2</TD><TD ALIGN="LEFT">INT32 = 0, CONSTANT_COPY</TD></TR>
    </TABLE>>]
  operand0 -> operation0 [label="input 0"]
  operation0 -> operand3

  operation1 [shape=plain, label=<<TABLE BORDER="0" CELLBORDER="1" CELLSPACING="0" CELLPADDING="4">
    <TR><TD COLSPAN="3" BGCOLOR="#bbdefb"><B>1: ADD</B></TD></TR>
    <TR><TD>input 1</TD><TD>operand 4</TD><TD ALIGN="LEFT">TENSOR_FLOAT32 [2], CONSTANT_REFERENCE, 8 bytes at 8 of pool 0</TD></TR>
    <TR><TD>input 2</TD><TD>operand 2</TD><TD ALIGN="LEFT">INT32 = 0, CONSTANT_COPY</TD></TR>
    </TABLE>>]
  operand3 -> operation1 [label="input 0"]
  operation1 -> operand5
}
)dot");
}

TEST(GraphDumpTest, operands_of_every_kind_say_what_they_are) {
  const std::string dump = Dump(testing::OneOfEverything());
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  EXPECT_THAT(dump, HasSubstr("operands: 11, relaxComputationFloat32toFloat16>"));
  EXPECT_THAT(dump, HasSubstr("<TD>operand 6</TD><TD ALIGN=\"LEFT\">TENSOR_QUANT8_SYMM_PER_CHANNEL "
                              "[2, 2], scales 0.5, 0.25 along dimension 1, CONSTANT_REFERENCE, "
                              "4 bytes at 0 of pool 1</TD>"));
  EXPECT_THAT(dump, HasSubstr("operand 7<BR/>com.example.test[3] [0, 3]<BR/>"
                              "extraParams of 3 bytes<BR/>MODEL_OUTPUT>"));
  EXPECT_THAT(dump, HasSubstr("TENSOR_OEM_BYTE [2], scale -3, zeroPoint -1, CONSTANT_REFERENCE"));
  EXPECT_THAT(dump,
              HasSubstr("<TD>operand 9</TD><TD ALIGN=\"LEFT\">TENSOR_FLOAT16, NO_VALUE</TD>"));
  EXPECT_THAT(dump, HasSubstr("<B>input 1 of the model</B><BR/>operand 10<BR/>TENSOR_QUANT16_ASYMM "
                              "[3, 0]<BR/>scale 0.125, zeroPoint 40000<BR/>MODEL_INPUT>"));
  EXPECT_THAT(dump, HasSubstr("<B>2: com.example.test[1]</B>"));
}

TEST(GraphDumpTest, of_many_scales_the_first_are_told) {
  Operand operand;
  operand.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  operand.dimensions = {7};
  operand.extraParams =
      V1_2::SymmPerChannelQuantParams{.scales = {1, 2, 3, 4, 5, 6, 7}, .channelDim = 0};
  EXPECT_THAT(DrawnOperand(operand), HasSubstr(">scales 1, 2, 3, 4 and 3 more along dimension 0<"));
}

TEST(GraphDumpTest, names_stay_in_their_label) {
  Model model = testing::OneOfEverything();
  model.extensionNameToPrefix[0].name = "a\"b\\c\nd<e>&\xC3";
  const std::string dump = Dump(model, "x\"><B>\\y\nz");
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  EXPECT_THAT(dump, HasSubstr("<B>2: a&quot;b?c?d&lt;e&gt;&amp;?[1]</B>"));
  EXPECT_THAT(dump, HasSubstr("label=<<B>x&quot;&gt;&lt;B&gt;?y?z</B><BR/>operations: 3"));

  model.extensionNameToPrefix.clear();
  EXPECT_THAT(Dump(model), HasSubstr("<B>2: OperationType(0x00070001)</B>"));
  EXPECT_THAT(Dump(model, ""), HasSubstr("label=<operations: 3"));
}

TEST(GraphDumpTest, constants_of_few_elements_show_them) {
  EXPECT_EQ(DrawnConstant<float>(OperandType::FLOAT32, {}, {0.5F}),
            "FLOAT32 = 0.5<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<int32_t>(OperandType::INT32, {}, {-7}), "INT32 = -7<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<uint32_t>(OperandType::UINT32, {}, {4000000000}),
            "UINT32 = 4000000000<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<uint16_t>(OperandType::FLOAT16, {}, {FloatToFloat16(1.5F)}),
            "FLOAT16 = 1.5<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<uint8_t>(OperandType::BOOL, {}, {1}), "BOOL = true<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<uint8_t>(OperandType::TENSOR_BOOL8, {2}, {0, 3}),
            "TENSOR_BOOL8 [2] = {false, true}<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<int32_t>(OperandType::TENSOR_INT32, {4, 2}, {0, 0, 1, 1, -2, 2, 0, 0}),
            "TENSOR_INT32 [4, 2] = {0, 0, 1, 1, -2, 2, 0, 0}<BR/>CONSTANT_COPY");
  EXPECT_EQ(DrawnConstant<uint8_t>(OperandType::TENSOR_QUANT8_ASYMM, {2}, {7, 255}),
            "TENSOR_QUANT8_ASYMM [2] = {7, 255}<BR/>scale 0, zeroPoint 0<BR/>CONSTANT_COPY");
}

TEST(GraphDumpTest, of_other_constants_it_is_told_where_they_are) {
  EXPECT_EQ(DrawnConstant<float>(OperandType::TENSOR_FLOAT32, {9}, std::vector<float>(9)),
            "TENSOR_FLOAT32 [9]<BR/>CONSTANT_COPY, 36 bytes at 3 of operandValues");
  EXPECT_EQ(DrawnConstant<uint8_t>(OperandType::OEM, {}, {1}),
            "OEM<BR/>CONSTANT_COPY, 1 bytes at 3 of operandValues");
  EXPECT_EQ(DrawnConstant<int64_t>(OperandType::INT32, {}, {1}),
            "INT32<BR/>CONSTANT_COPY, 8 bytes at 3 of operandValues")
      << "of a wrong length";
}

TEST(GraphDumpTest, arguments_that_have_names_are_called_by_them) {
  std::ostringstream stream;
  graphDump("", testing::TwoAdditions(), stream,
            {{.inputs = {"input<1>", "input2", "activation"}, .outputs = {"output"}}});
  const std::string dump = stream.str();
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  EXPECT_THAT(dump, HasSubstr("<TR><TD>input 2: activation</TD><TD>operand 2</TD>"));
  EXPECT_THAT(dump, HasSubstr("operand0 -> operation0 [label=\"input 0: input&lt;1&gt;\"]"));
  // The second operation has none.
  EXPECT_THAT(dump, HasSubstr("operand3 -> operation1 [label=\"input 0\"]"));
}

TEST(GraphDumpTest, arrows_are_numbered_where_there_are_several) {
  Model model;
  model.operands.resize(3);
  model.operations = {{.type = V1_2::OperationType::SPLIT, .inputs = {0}, .outputs = {1, 2}}};
  const std::string dump = Dump(model);
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  EXPECT_THAT(dump, HasSubstr("    <TR><TD BGCOLOR=\"#bbdefb\"><B>0: SPLIT</B></TD></TR>\n    "
                              "</TABLE>>]\n"));
  EXPECT_THAT(dump, HasSubstr("  operand0 -> operation0\n"));
  EXPECT_THAT(dump, HasSubstr("  operation0 -> operand2 [label=\"output 1\"]\n"));
}

TEST(GraphDumpTest, constants_that_are_arguments_or_written_or_never_read_have_a_box) {
  Model model = testing::TwoAdditions();
  model.outputIndexes = {1};
  model.operations[0].outputs = {2};
  model.operations[1].inputs = {3, 3, 3};
  const std::string dump = Dump(model);
  EXPECT_THAT(dump, HasSubstr("<B>output 0 of the model</B><BR/>operand 1<BR/>"));
  EXPECT_THAT(dump, HasSubstr("  operation0 -> operand2\n"));
  EXPECT_THAT(dump, HasSubstr("  operand4 [shape=box, style=\"rounded\", label=<operand 4<BR/>"));
  EXPECT_THAT(dump, Not(HasSubstr("<TD>input")));
}

TEST(GraphDumpTest, a_corrupt_model_is_drawn_as_far_as_that_goes) {
  Model model = testing::TwoAdditions();
  model.inputIndexes = {1000};
  model.operands[2].location.offset = 0xFFFFFFFF;
  model.operands[3].lifetime = static_cast<OperandLifeTime>(9);
  model.operations[0].inputs[0] = 77;
  model.operations[1].outputs[0] = 78;
  const std::string dump = Dump(model);
  EXPECT_THAT(ProblemOfMarkup(dump), IsEmpty()) << dump;
  EXPECT_THAT(dump,
              HasSubstr("<TD>input 0</TD><TD>operand 77</TD><TD ALIGN=\"LEFT\">there is none<"));
  EXPECT_THAT(dump, HasSubstr("<TD>output 0</TD><TD>operand 78</TD>"));
  EXPECT_THAT(dump, Not(HasSubstr("operand77")));
  EXPECT_THAT(dump, HasSubstr("INT32, CONSTANT_COPY, 4 bytes at 4294967295 of operandValues"));
  EXPECT_THAT(dump, HasSubstr("operand 3<BR/>TENSOR_FLOAT32 [2]<BR/>OperandLifeTime(9)>"));
}

}  // namespace
}  // namespace nncert::hal
