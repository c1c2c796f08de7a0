// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What XNNPACK itself does where the driver refuses: the evidence for the second part of
// docs/known_results.md. A newer XNNPACK that does better fails here, and the driver may then do
// more.

#include <xnnpack.h>

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nncert::xnnpack {
namespace {

using ::testing::ElementsAre;

class LimitsTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_EQ(xnn_initialize(nullptr), xnn_status_success); }
  ~LimitsTest() override {
    if (made_ != nullptr) xnn_delete_operator(made_);
  }

  // A convolution of one pixel with these scales, of filter and output 1.
  xnn_status CreateConvolution(float input_scale) {
    const uint8_t filter = 1;
    const int32_t bias = 0;
    return xnn_create_convolution2d_nhwc_qu8(0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0,
                                             input_scale, 0, 1, &filter, &bias, 0, 1, 0, 255, 0,
                                             &made_);
  }

  xnn_operator_t made_ = nullptr;
};

using LimitsDeathTest = LimitsTest;

// The padded average of quantized elements divides by the window, not by the pixels inside the
// image.
TEST_F(LimitsTest, AveragesOfQuantizedElementsCountThePadding) {
  ASSERT_EQ(xnn_create_average_pooling2d_nhwc_qu8(0, 1, 0, 0, 1, 2, 1, 1, 1, 1, 1, 0, 1, 0, 1, 0,
                                                  255, 0, &made_),
            xnn_status_success);
  std::vector<uint8_t> image(2 + XNN_EXTRA_BYTES);
  image[0] = 100;
  image[1] = 200;
  std::vector<uint8_t> averages(2);
  ASSERT_EQ(
      xnn_setup_average_pooling2d_nhwc_qu8(made_, 1, 1, 2, image.data(), averages.data(), nullptr),
      xnn_status_success);
  ASSERT_EQ(xnn_run_operator(made_, nullptr), xnn_status_success);
  // (100 + 200) / 2, and 200 alone, which the documentation says is 200.
  EXPECT_THAT(averages, ElementsAre(150, 100));
}

// Of single precision elements it does as the documentation says.
TEST_F(LimitsTest, AveragesOfFloatsDoNotCountThePadding) {
  ASSERT_EQ(xnn_create_average_pooling2d_nhwc_f32(0, 1, 0, 0, 1, 2, 1, 1, 1, 1, 1, -1000, 1000, 0,
                                                  &made_),
            xnn_status_success);
  std::vector<float> image(2 + XNN_EXTRA_BYTES);
  image[0] = 100;
  image[1] = 200;
  std::vector<float> averages(2);
  ASSERT_EQ(
      xnn_setup_average_pooling2d_nhwc_f32(made_, 1, 1, 2, image.data(), averages.data(), nullptr),
      xnn_status_success);
  ASSERT_EQ(xnn_run_operator(made_, nullptr), xnn_status_success);
  EXPECT_THAT(averages, ElementsAre(150, 200));
}

TEST_F(LimitsTest, WindowsOfOnePixelAreRefused) {
  EXPECT_EQ(
      xnn_create_max_pooling2d_nhwc_f32(0, 0, 0, 0, 1, 1, 2, 2, 1, 1, 1, 1, 1, -1, 1, 0, &made_),
      xnn_status_invalid_parameter);
  EXPECT_EQ(
      xnn_create_average_pooling2d_nhwc_f32(0, 0, 0, 0, 1, 1, 2, 2, 1, 1, 1, -1, 1, 0, &made_),
      xnn_status_invalid_parameter);
}

TEST_F(LimitsTest, LargeScalesAreRefused) {
  EXPECT_EQ(CreateConvolution(256), xnn_status_unsupported_parameter);
}

TEST_F(LimitsTest, ActivationsThatLeaveOneStepAreRefused) {
  EXPECT_EQ(xnn_create_clamp_nc_u8(1, 1, 1, 5, 5, 0, &made_), xnn_status_invalid_parameter);
}

TEST_F(LimitsDeathTest, SmallScalesAbort) {
  EXPECT_DEATH(CreateConvolution(0x1p-33f), "scale >= ");
}

// A transposed convolution of one pixel with stride 3, of whose three rows the outer two are cut
// off.
TEST_F(LimitsDeathTest, TransposedConvolutionsShorterThanTheStrideCrash) {
  const std::vector<float> filter(9, 1);
  const float bias = 0;
  ASSERT_EQ(xnn_create_deconvolution2d_nhwc_f32(1, 1, 1, 1, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1,
                                                filter.data(), &bias, -1, 1, 0, &made_),
            xnn_status_success);
  const std::vector<float> image(1 + XNN_EXTRA_BYTES);
  float result = 0;
  EXPECT_DEATH(
      {
        xnn_setup_deconvolution2d_nhwc_f32(made_, 1, 1, 1, 0, 0, image.data(), &result, nullptr);
        xnn_run_operator(made_, nullptr);
      },
      "");
}

}  // namespace
}  // namespace nncert::xnnpack
