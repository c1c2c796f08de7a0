// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/phones.h"

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Classes = std::vector<uint32_t>;

TEST(PhonesTest, ClassIsThatOfTheHighestScore) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(ClassesOf({{-1, -2}, {-5, -2}, {-2, -2}, {nan, nan}, {nan, -9}}),
              ElementsAre(0, 1, 0, kNoClass, 1));
}

TEST(PhonesTest, RepetitionsAndBlanksAreNoPhones) {
  EXPECT_THAT(PhonesOf({0, 3, 3, 0, 0, 3, 5, 5, 0}), ElementsAre(3, 3, 5));
  EXPECT_THAT(PhonesOf({0, 0, 0}), IsEmpty());
  EXPECT_THAT(PhonesOf({}), IsEmpty());
}

TEST(PhonesTest, StepsWithoutAClassAreWrongPhones) {
  EXPECT_THAT(PhonesOf({3, kNoClass, kNoClass, 3}), ElementsAre(3, kNoClass, 3));
}

TEST(PhonesTest, DistanceIsTheFewestEdits) {
  // "kitten" to "sitting" are three: two replacements and an insertion.
  const Classes kitten = {11, 9, 20, 20, 5, 14};
  const Classes sitting = {19, 9, 20, 20, 9, 14, 7};
  EXPECT_EQ(EditDistance(kitten, sitting), 3);
  EXPECT_EQ(EditDistance(sitting, kitten), 3);
  EXPECT_EQ(EditDistance(kitten, kitten), 0);
  EXPECT_EQ(EditDistance(kitten, {}), 6);
  EXPECT_EQ(EditDistance({}, kitten), 6);
  EXPECT_EQ(EditDistance({}, {}), 0);
  // A shift costs two, not four.
  EXPECT_EQ(EditDistance({1, 2, 3, 4}, {2, 3, 4, 5}), 2);
}

TEST(PhonesTest, MltsDividesBySteps) {
  EXPECT_DOUBLE_EQ(MltsPhoneErrorRate({0, 0, 0, 7, 0, 0, 0, 0, 0, 0}, Classes(10, 0)), 10);
  EXPECT_EQ(MltsPhoneErrorRate({}, {}), 0);
}

TEST(PhonesTest, SilenceIsNearlyRightForMlts) {
  // 93 steps of 100 are blanks: whoever says nothing at all has 7 percent, though no phone is
  // right.
  Classes golden(100, 0);
  for (uint32_t phone = 0; phone < 7; ++phone) golden[phone * 10] = phone + 1;
  const Classes nothing(100, 0);
  EXPECT_DOUBLE_EQ(MltsPhoneErrorRate(nothing, golden), 7);
  EXPECT_EQ(EditDistance(PhonesOf(nothing), PhonesOf(golden)), 7);
  EXPECT_EQ(PhonesOf(golden).size(), 7);
}

}  // namespace
}  // namespace nncert
