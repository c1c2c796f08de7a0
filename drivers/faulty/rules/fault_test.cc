// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/rules/fault.h"

#include <set>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "reference/model_builder.h"

namespace nncert::faulty {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::string ErrorOf(std::string_view name) {
  const absl::Status status = ParseFaults(name).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << name << ": " << status;
  return std::string(status.message());
}

TEST(FaultTest, NamesAreParsed) {
  const auto faults = ParseFaults("all_nan+last_element@rank>3@constant");
  ASSERT_TRUE(faults.ok()) << faults.status();
  ASSERT_EQ(faults->size(), 2u);
  EXPECT_EQ((*faults)[0].rule->name, "all_nan");
  EXPECT_TRUE((*faults)[0].conditions.empty());
  EXPECT_EQ((*faults)[1].rule->name, "last_element");
  EXPECT_EQ((*faults)[1].conditions.size(), 2u);
}

TEST(FaultTest, ErrorsNameTheKnownRules) {
  EXPECT_THAT(ErrorOf(""), HasSubstr("all_nan, all_zero"));
  EXPECT_THAT(ErrorOf("all_nans"),
              EndsWith("there is no rule \"all_nans\"; did you mean all_nan?"));
  EXPECT_THAT(ErrorOf("it is wrong"),
              HasSubstr("there is no rule \"it is wrong\"; expected RULE[@CONDITION...][+...]"));
  EXPECT_THAT(ErrorOf("all_nan+"), HasSubstr("there is no rule \"\""));
  EXPECT_THAT(ErrorOf("@constant"), HasSubstr("there is no rule \"\""));
  EXPECT_THAT(ErrorOf("all_nan@blue"), HasSubstr("condition \"blue\""));
  EXPECT_THAT(ErrorOf("all_nan@"), HasSubstr("condition \"\""));
}

TEST(FaultTest, EveryRuleHasANameOfItsOwnASentenceAndOneEffect) {
  std::set<std::string_view> names;
  for (const Rule* rule : AllRules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_EQ(FindRule(rule->name), rule);
    EXPECT_THAT(std::string(rule->name), MatchesRegex("[a-z][a-z0-9_]*"));
    EXPECT_THAT(std::string(rule->breaks), MatchesRegex("[A-Z][^|\n]*\\."));
    const int effects = (rule->misread != nullptr) + (rule->output != nullptr) +
                        (rule->operation != nullptr) + (rule->execution != nullptr) +
                        (rule->repetition != nullptr) + (rule->supported != nullptr) +
                        (rule->prepared != nullptr) + (rule->prepare_delivery != nullptr) +
                        (rule->execute_delivery != nullptr) + (rule->capabilities != nullptr) +
                        (rule->at_load != nullptr) + (rule->at_capabilities != nullptr) +
                        (rule->at_supported != nullptr) + (rule->at_prepare != nullptr) +
                        (rule->at_execute != nullptr) + (rule->at_release != nullptr) +
                        (rule->overlooks_model != nullptr) + (rule->overlooks_request != nullptr) +
                        (rule->burst != nullptr) + (rule->about_device != nullptr) +
                        (rule->treats != nullptr) + (rule->interference != nullptr) +
                        (rule->caching != nullptr) + (rule->request != nullptr) +
                        (rule->model != nullptr) + (rule->refuses != nullptr) +
                        (rule->refuses_after_invalid ? 1 : 0);
    EXPECT_EQ(effects, 1) << rule->name;
  }
  EXPECT_EQ(FindRule("no_such_rule"), nullptr);
}

TEST(FaultTest, EveryNthTimeIsCounted) {
  const auto faults = ParseFaults("all_nan@every=3");
  ASSERT_TRUE(faults.ok()) << faults.status();
  FaultCounters counters(*faults);
  std::vector<bool> bites;
  uint64_t before = 0;
  for (int i = 0; i < 6; ++i) bites.push_back(counters.Bites(0, &before));
  EXPECT_THAT(bites, ElementsAre(false, false, true, false, false, true));
  EXPECT_EQ(before, 1u);
}

// -a, with the faults of a name; a = {1, -2, 3, 4}.
std::vector<double> Negate(std::string_view name) {
  const auto faults = ParseFaults(name);
  EXPECT_TRUE(faults.ok()) << faults.status();
  ModelBuilder builder;
  const OperandSpec spec = {OperandType::TENSOR_FLOAT32, {2, 2}};
  builder.Operation(OperationType::NEG, {builder.Input(spec)}, {builder.Output(spec)});
  absl::StatusOr<OperationCall> call = CallOf(builder.model(), 0, 0);
  EXPECT_TRUE(call.ok()) << call.status();
  call->inputs[0].bytes = BytesOf(spec.type, {1, -2, 3, 4});
  FaultCounters counters(*faults);
  const absl::Status status = ComputeWithFaults(*faults, counters, *call);
  EXPECT_TRUE(status.ok()) << status;
  return RealsOf(call->outputs[0]);
}

TEST(FaultTest, FaultsWorkOneUponTheOther) {
  EXPECT_THAT(Negate("negative_as_zero"), ElementsAre(0, 2, 0, 0));
  EXPECT_THAT(Negate("sign_lost"), ElementsAre(1, 2, 3, 4));
  // What the first fault gives is made of what the second one gives.
  EXPECT_THAT(Negate("negative_as_zero+sign_lost"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Negate("sign_lost+negative_as_zero"), ElementsAre(0, 2, 0, 0));
}

TEST(FaultTest, AFaultWhoseConditionDoesNotHoldDoesNothing) {
  EXPECT_THAT(Negate("sign_lost@rank>2"), ElementsAre(-1, 2, -3, -4));
  EXPECT_THAT(Negate("sign_lost@rank=2@operation=ABS"), ElementsAre(-1, 2, -3, -4));
  EXPECT_THAT(Negate("sign_lost@rank=2@operation=NEG"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(Negate("sign_lost@every=2"), ElementsAre(-1, 2, -3, -4));
  EXPECT_THAT(Negate("execute_fails"), ElementsAre(-1, 2, -3, -4));
}

}  // namespace
}  // namespace nncert::faulty
