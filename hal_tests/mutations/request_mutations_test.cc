// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/request_mutations.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/spare_pools.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::Request;
using ::testing::HasSubstr;

// The errors of all mutants of a + b by family and change: "family: change"; empty for legal ones.
std::multimap<std::string, std::string> ErrorsOfAdd(HalVersion version) {
  const TestCase add = AddCase();
  SparePools spares;
  const auto request = GuardedRequest::Create(
      add.model, add.examples[0], OutputSpecification::FULLY_SPECIFIED, version, spares);
  EXPECT_TRUE(request.ok()) << request.status();
  EXPECT_TRUE(WhyInvalid(request->request(), add.model, version).ok());
  std::multimap<std::string, std::string> errors;
  ForEachRequestMutation(add.model, request->request(), [&](const RequestMutation& mutation) {
    Request mutant = request->request();
    mutation.apply(mutant);
    EXPECT_FALSE(mutant == request->request()) << mutation.describe() << " changes nothing";
    errors.emplace(std::string(mutation.family.name) + ": " + mutation.describe(),
                   WhyInvalid(mutant, add.model, version).message());
  });
  return errors;
}

TEST(RequestMutationsTest, EachFamilyBreaksWhatItIsCalledFor) {
  const auto errors = ErrorsOfAdd(HalVersion::V1_2);
  const auto expect = [&](const std::string& mutation, const std::string& error) {
    const auto found = errors.find(mutation);
    ASSERT_NE(found, errors.end()) << mutation;
    EXPECT_THAT(found->second, HasSubstr(error)) << mutation;
  };
  expect("removeInputTest: input 1 removed", "the request has 1 inputs; expected 2");
  expect("removeOutputTest: output 0 removed", "the request has 0 outputs; expected 1");
  expect("addArgumentTest: one more output, which is omitted",
         "the request has 2 outputs; expected 1");
  expect("omitRequiredInputTest: input 0: omitted", "has no value; it is not optional");
  expect("mutateOmittedArgumentTest: output 0: omitted, and has dimensions",
         "an omitted argument has the location");
  expect("aliasOutputTest: output 0: in the memory of input 1", "it overlaps input 1");
  expect("mutateRequestPoolTest: pool 1: no memory", "pool 1: the pool has no file descriptor");
  expect("mutateArgumentRankTest: input 0: dimensions [2, 2, 1], where the model has [2, 2]",
         "the rank is 3; expected 2");
  expect("mutateArgumentDimensionTest: input 0: dimensions [3, 2], where the model has [2, 2]",
         "the dimension 0 is 3; expected 2");
  expect("leaveDimensionUnknownTest: input 0: dimensions [0, 2], where the model has [2, 2]",
         "the dimension 0 is 0; expected 2");
}

TEST(RequestMutationsTest, EveryFamilyHasInvalidMutants) {
  for (const HalVersion version : {HalVersion::V1_0, HalVersion::V1_2}) {
    std::set<std::string> families;
    for (const auto& [mutation, error] : ErrorsOfAdd(version)) {
      if (!error.empty()) families.insert(mutation.substr(0, mutation.find(':')));
    }
    EXPECT_EQ(families.size(), RequestMutationFamilies().size());
  }
}

TEST(RequestMutationsTest, LocationsThatOverflowAreInvalid) {
  int overflowing = 0;
  for (const auto& [mutation, error] : ErrorsOfAdd(HalVersion::V1_2)) {
    if (mutation.find("mutateArgumentLocationTest: ") != 0) continue;
    EXPECT_THAT(error, HasSubstr("the location ends at byte ")) << mutation;
    overflowing += error.find("byte 4294967296;") != error.npos ? 1 : 0;
  }
  // Offset and length of each argument, in two ways.
  EXPECT_EQ(overflowing, 6);
}

}  // namespace
}  // namespace nncert
