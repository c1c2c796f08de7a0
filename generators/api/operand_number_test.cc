// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The number that a page of the handbook gives an operand is where the operand stands in the HAL,
// and where our messages say that it stands.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "generators/api/handbook.h"
#include "generators/api/operation_text.h"
#include "hal/to_string.h"
#include "re2/re2.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// How many operands the tests put where any number of them may stand.
constexpr int kMany = 3;

// One row of a table of operands.
struct Row {
  std::string number;
  std::string operand;
};
using Table = std::vector<Row>;

// The tables of operands between two titles of a page.
std::vector<Table> TablesBetween(const std::string& page, absl::string_view first,
                                 absl::string_view last) {
  const size_t begin = page.find(absl::StrCat("\n## ", first, "\n"));
  const size_t end = page.find(absl::StrCat("\n## ", last, "\n"));
  EXPECT_TRUE(begin < end && end != std::string::npos) << page;
  static const re2::RE2 pattern(R"(^\| ([^|]*) \| `([^`]*)`.*)");
  const std::vector<std::string> lines = absl::StrSplit(page.substr(begin, end - begin), '\n');
  std::vector<Table> tables;
  for (const std::string& line : lines) {
    if (absl::StartsWith(line, "|--|")) tables.emplace_back();
    Row row;
    if (re2::RE2::FullMatch(line, pattern, &row.number, &row.operand)) {
      tables.back().push_back(row);
    }
  }
  return tables;
}

// The place that a number of a page means, where n is kMany: of "n + 1", 4.
int PlaceOf(absl::string_view number) {
  int place = 0;
  for (absl::string_view term : absl::StrSplit(number, " + ")) {
    int value = kMany;
    if (term != "n") {
      EXPECT_TRUE(absl::SimpleAtoi(term, &value)) << number;
    }
    place += value;
  }
  return place;
}

// The first and the last place of "7", "n" or "0 to n - 1".
SlotBinding PlacesOf(absl::string_view number) {
  const size_t to = number.find(" to n");
  if (to == absl::string_view::npos) return {PlaceOf(number), 1};
  EXPECT_EQ(number, "0 to n - 1");
  return {0, kMany};
}

// Operands that fit the inputs of a form, and the outputs, of one operation.
class FittingOperands {
 public:
  FittingOperands(const OperationDefinition& definition, const std::vector<int>& form,
                  HalVersion version)
      : version_(version), by_slot_(definition.signature.inputs.size()) {
    for (const int slot : form) {
      const OperandRule& rule = definition.signature.inputs[slot];
      if (rule.since() > version) continue;
      by_slot_[slot] = Fitting(rule);
      inputs_.insert(inputs_.end(), rule.is_variadic() ? kMany : 1, *by_slot_[slot]);
    }
    for (const OperandRule& rule : definition.signature.outputs) {
      outputs_.insert(outputs_.end(), rule.is_variadic() ? kMany : 1, Fitting(rule));
    }
  }

  absl::StatusOr<SlotBindings> Match(const OperationDefinition& definition) const {
    return MatchSignature(definition, version_, StatesOf(inputs_), StatesOf(outputs_));
  }

 private:
  static std::vector<OperandState> StatesOf(const std::vector<OperandInfo>& infos) {
    std::vector<OperandState> states;
    for (const OperandInfo& info : infos) {
      states.push_back({.info = &info, .operand_index = static_cast<uint32_t>(states.size())});
    }
    return states;
  }

  // The first type that the rule allows, of unknown dimensions.
  OperandInfo Fitting(const OperandRule& rule) const {
    OperandInfo info;
    if (rule.like_slot() >= 0) {
      info = *by_slot_[rule.like_slot()];
    } else {
      const auto type = std::find_if(
          rule.types().begin(), rule.types().end(), [&](const TypeAlternative& alternative) {
            return alternative.since <= version_ &&
                   (alternative.when_slot < 0 ||
                    by_slot_[alternative.when_slot]->type == alternative.when_type);
          });
      EXPECT_NE(type, rule.types().end()) << rule.name();
      info.type = type->type;
      info.scale = IsQuantized(info.type) ? 1 : 0;
    }
    for (const QuantizationRule& quantization : rule.quantization()) {
      if (quantization.kind == QuantizationRule::Kind::kFixed &&
          (quantization.only_type.has_value() ? info.type == *quantization.only_type
                                              : IsQuantized(info.type))) {
        info.scale = quantization.scale;
        info.zeroPoint = quantization.zeroPoint;
      } else if (quantization.kind == QuantizationRule::Kind::kSameAs && IsQuantized(info.type)) {
        info.scale = by_slot_[quantization.slot]->scale;
        info.zeroPoint = by_slot_[quantization.slot]->zeroPoint;
      } else if (quantization.kind == QuantizationRule::Kind::kBias &&
                 info.type == OperandType::TENSOR_INT32) {
        info.scale = by_slot_[quantization.slot]->scale * by_slot_[quantization.filter_slot]->scale;
      }
    }
    return info;
  }

  HalVersion version_;
  std::vector<std::optional<OperandInfo>> by_slot_;
  std::vector<OperandInfo> inputs_;
  std::vector<OperandInfo> outputs_;
};

class OperandNumberTest : public ::testing::TestWithParam<const OperationDefinition*> {
 protected:
  const OperationDefinition& definition() const { return *GetParam(); }
};

INSTANTIATE_TEST_SUITE_P(Catalogue, OperandNumberTest, ::testing::ValuesIn(AllOperations()),
                         [](const auto& test) { return test.param->name(); });

TEST_P(OperandNumberTest, IsWhereMatchSignatureBindsTheInputOfAForm) {
  const Signature& signature = definition().signature;
  const std::vector<std::vector<int>> forms = signature.AllForms();
  const std::vector<Table> tables = TablesBetween(HandbookPage(definition()), "Inputs", "Outputs");
  ASSERT_EQ(tables.size(), forms.size());
  for (size_t i = 0; i < forms.size(); ++i) {
    ASSERT_EQ(tables[i].size(), forms[i].size());
    for (const HalVersion version : hal::kHalVersions) {
      if (version < definition().since() || !signature.HasForm(forms[i], version)) continue;
      SCOPED_TRACE(absl::StrCat("table ", i, ", HAL ", std::string(hal::toString(version))));
      const absl::StatusOr<SlotBindings> bindings =
          FittingOperands(definition(), forms[i], version).Match(definition());
      ASSERT_TRUE(bindings.ok()) << bindings.status();
      for (size_t row = 0; row < tables[i].size(); ++row) {
        const int slot = forms[i][row];
        EXPECT_EQ(tables[i][row].operand, signature.inputs[slot].name());
        if (signature.inputs[slot].since() > version) continue;
        const SlotBinding places = PlacesOf(tables[i][row].number);
        EXPECT_EQ(places.first, (*bindings)[slot].first) << tables[i][row].operand;
        EXPECT_EQ(places.count, (*bindings)[slot].count) << tables[i][row].operand;
      }
    }
  }
}

TEST_P(OperandNumberTest, OfAnOutputIsItsPlace) {
  const std::vector<Table> tables =
      TablesBetween(HandbookPage(definition()), "Outputs", "Constraints");
  ASSERT_EQ(tables.size(), 1);
  ASSERT_EQ(tables[0].size(), definition().signature.outputs.size());
  int place = 0;
  for (const Row& row : tables[0]) {
    const SlotBinding places = PlacesOf(row.number);
    EXPECT_EQ(places.first, place) << row.operand;
    place += places.count;
  }
}

// Forms that could not be told apart by their titles would be of no use.
TEST_P(OperandNumberTest, FormsHaveTitlesOfTheirOwn) {
  const std::vector<FormText> forms = FormTexts(definition());
  for (size_t i = 0; i < forms.size(); ++i) {
    EXPECT_EQ(forms[i].title.empty(), forms.size() == 1);
    for (size_t j = 0; j < i; ++j) EXPECT_NE(forms[i].title, forms[j].title);
  }
}

std::string NumberOf(const std::vector<OperandText>& operands, absl::string_view name) {
  for (const OperandText& operand : operands) {
    if (operand.name == name) return operand.number;
  }
  return "none";
}

TEST(OperandNumberExamples, StrideWidthOfAConvolutionIsInput7WithPaddingsAnd4WithAScheme) {
  const OperationDefinition& convolution = *FindOperation("CONV_2D");
  const std::vector<FormText> forms = FormTexts(convolution);
  ASSERT_EQ(forms.size(), 2);
  EXPECT_EQ(forms[0].title, "with paddingLeft, paddingRight, paddingTop and paddingBottom");
  EXPECT_EQ(NumberOf(forms[0].inputs, "strideWidth"), "7");
  EXPECT_EQ(NumberOf(forms[0].inputs, "paddingScheme"), "none");
  EXPECT_EQ(forms[1].title, "with paddingScheme");
  EXPECT_EQ(NumberOf(forms[1].inputs, "strideWidth"), "4");
  EXPECT_EQ(NumberOf(forms[1].inputs, "paddingLeft"), "none");
  EXPECT_THAT(HandbookPage(convolution),
              HasSubstr("\n### Inputs with paddingScheme\n\n| number |"));
}

TEST(OperandNumberExamples, AFormThatLacksWhatAnotherHasIsWithoutIt) {
  const std::vector<FormText> forms = FormTexts(*FindOperation("LSTM"));
  ASSERT_EQ(forms.size(), 2);
  EXPECT_THAT(forms[0].title, HasSubstr("without input_layer_norm_weights, "));
  EXPECT_THAT(forms[1].title, HasSubstr("with input_layer_norm_weights, "));
}

TEST(OperandNumberExamples, WhatComesAfterAnyNumberOfOperandsIsCountedFromThere) {
  OperationDefinition definition;
  definition.signature.inputs = {Int32Scalar("first"), Tensor("values").Variadic(),
                                 Int32Scalar("axis"), Int32Scalar("last")};
  std::vector<std::string> numbers;
  const std::vector<FormText> forms = FormTexts(definition);
  for (const OperandText& input : forms[0].inputs) numbers.push_back(input.number);
  EXPECT_THAT(numbers, ElementsAre("0", "1 to n", "n + 1", "n + 2"));

  EXPECT_EQ(NumberOf(FormTexts(*FindOperation("CONCATENATION"))[0].inputs, "axis"), "n");
  EXPECT_EQ(NumberOf(OutputTexts(*FindOperation("SPLIT")), "outputs"), "0 to n - 1");
}

}  // namespace
}  // namespace nncert
