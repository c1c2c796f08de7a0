// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <limits>
#include <string>

#include "gtest/gtest.h"
#include "hal/conversion.h"
#include "hal/testing/expect_invalid.h"
#include "hal/testing/models.h"
#include "hal/validate.h"

namespace nncert::hal {
namespace {

using testing::ExpectInvalid;
using testing::TwoAdditions;
using testing::TwoAdditionsRequest;
using V1_2::Model;
using V1_2::OperandType;
using V1_2::Request;

void ExpectInvalidRequest(const std::function<void(Model&)>& change_model,
                          const std::function<void(Request&)>& change, const std::string& message,
                          HalVersion version = HalVersion::V1_2) {
  Model model = TwoAdditions();
  Request request = TwoAdditionsRequest();
  ASSERT_TRUE(validateRequest(request, model, version).ok());
  change_model(model);
  change(request);
  ExpectInvalid(validateRequest(request, model, version), message);
}

void ExpectValidRequest(const std::function<void(Model&)>& change_model,
                        const std::function<void(Request&)>& change,
                        HalVersion version = HalVersion::V1_2) {
  Model model = TwoAdditions();
  Request request = TwoAdditionsRequest();
  change_model(model);
  change(request);
  const absl::Status status = validateRequest(request, model, version);
  EXPECT_TRUE(status.ok()) << status;
}

const auto kSameModel = [](Model&) {};

TEST(ValidateRequestTest, a_simple_request_is_valid_in_every_version) {
  for (const HalVersion version : kHalVersions)
    ExpectValidRequest(
        kSameModel, [](Request&) {}, version);
  const Model model = TwoAdditions();
  EXPECT_TRUE(validateRequest(TwoAdditionsRequest(), convertToV1_0(model)).ok());
  EXPECT_TRUE(validateRequest(TwoAdditionsRequest(), convertToV1_1(model)).ok());
}

TEST(ValidateRequestTest, there_must_be_an_argument_for_every_input_and_output) {
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.inputs.clear(); }, "the request has 0 inputs; expected 1");
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.outputs.push_back(r.outputs[0]); },
      "the request has 2 outputs; expected 1");
}

TEST(ValidateRequestTest, an_omitted_argument_must_be_empty) {
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.inputs[0].hasNoValue = true; },
      "request input 0: an omitted argument has the location");
  ExpectInvalidRequest(
      kSameModel,
      [](Request& r) { r.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {2}}; },
      "the dimensions [2]; expected zeros and none");
  ExpectValidRequest(kSameModel, [](Request& r) {
    r.inputs[0] = {.hasNoValue = true, .location = {}, .dimensions = {}};
  });
}

TEST(ValidateRequestTest, arguments_must_lie_within_their_pool) {
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.inputs[0].location.poolIndex = 2; },
      "request input 0: the poolIndex is 2; expected less than 2");
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.outputs[0].location.length = 9; },
      "request output 0: the location ends at byte 9; the pool has 8 bytes");
  ExpectInvalidRequest(
      kSameModel,
      [](Request& r) { r.outputs[0].location.offset = std::numeric_limits<uint32_t>::max(); },
      "request output 0: the location ends at byte 4294967303");
}

TEST(ValidateRequestTest, pools_must_be_of_a_kind_of_the_version) {
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.pools.emplace_back(); },
      "pool 2: the pool has no file descriptor");
  const auto blob = [](Request& r) { r.pools[0] = *Memory::Allocate(8, kHardwareBufferBlob); };
  ExpectInvalidRequest(kSameModel, blob, "expected one that HAL 1.0 knows", HalVersion::V1_0);
  ExpectValidRequest(kSameModel, blob);
}

TEST(ValidateRequestTest, given_dimensions_must_agree_with_the_model) {
  ExpectInvalidRequest(
      kSameModel,
      [](Request& r) {
        r.inputs[0].dimensions = {2, 1};
      },
      "request input 0: the rank is 2; expected 1");
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.outputs[0].dimensions = {1}; },
      "request output 0: the dimension 0 is 1; expected 2 as in the model");
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.inputs[0].dimensions = {0}; },
      "request input 0: the dimension 0 is 0; expected 2");
  ExpectValidRequest(kSameModel, [](Request& r) { r.inputs[0].dimensions = {2}; });
}

TEST(ValidateRequestTest, dimensions_that_the_model_leaves_open_must_be_given_for_inputs) {
  const auto open = [](Model& m) { m.operands[0].dimensions = {0}; };
  ExpectInvalidRequest(
      open, [](Request&) {}, "request input 0: no dimensions are given, and the model's are [0]");
  ExpectInvalidRequest(
      open, [](Request& r) { r.inputs[0].dimensions = {0}; },
      "request input 0: the dimension 0 is 0; expected a known one");
  ExpectValidRequest(open, [](Request& r) { r.inputs[0].dimensions = {2}; });
  ExpectValidRequest(open, [](Request& r) { r.inputs[0].dimensions = {1}; });
}

TEST(ValidateRequestTest, dimensions_of_outputs_may_stay_open_in_1_2_alone) {
  const auto open = [](Model& m) { m.operands[5].dimensions = {0}; };
  const auto give_none = [](Request&) {};
  const auto give_zero = [](Request& r) { r.outputs[0].dimensions = {0}; };
  ExpectValidRequest(open, give_none);
  ExpectValidRequest(open, give_zero);
  ExpectInvalidRequest(open, give_none, "request output 0: no dimensions are given",
                       HalVersion::V1_1);
  ExpectInvalidRequest(open, give_zero, "request output 0: the dimension 0 is 0", HalVersion::V1_1);
  ExpectValidRequest(
      open, [](Request& r) { r.outputs[0].dimensions = {2}; }, HalVersion::V1_0);
}

TEST(ValidateRequestTest, an_operand_of_unknown_rank_may_be_given_any_dimensions) {
  const auto open = [](Model& m) {
    m.operands[0].dimensions = {};
    m.operands[5].dimensions = {};
  };
  ExpectValidRequest(open, [](Request& r) {
    r.inputs[0].dimensions = {1, 2};
    r.outputs[0].dimensions = {1, 1, 2};
  });
  ExpectInvalidRequest(
      open, [](Request&) {}, "request input 0: no dimensions are given, and the model's are []");
}

TEST(ValidateRequestTest, a_scalar_cannot_be_given_dimensions) {
  const auto scalar = [](Model& m) {
    m.operands[0].type = OperandType::FLOAT32;
    m.operands[0].dimensions = {};
  };
  ExpectValidRequest(scalar, [](Request&) {});
  ExpectInvalidRequest(
      scalar, [](Request& r) { r.inputs[0].dimensions = {1}; },
      "request input 0: the rank is 1; expected 0");
}

TEST(ValidateRequestTest, an_input_must_hold_its_dimensions_and_an_output_need_not) {
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.inputs[0].location.length = 7; },
      "request input 0: the length is 7; expected at least 8 for TENSOR_FLOAT32");
  ExpectValidRequest(kSameModel, [](Request& r) { r.outputs[0].location.length = 7; });
}

TEST(ValidateRequestTest, outputs_must_not_overlap_inputs_or_each_other) {
  ExpectInvalidRequest(
      kSameModel,
      [](Request& r) {
        r.pools[0] = *Memory::Allocate(12);
        r.outputs[0].location = {0, 4, 8};
      },
      "request output 0: it overlaps input 0");
  ExpectInvalidRequest(
      kSameModel, [](Request& r) { r.pools[1] = r.pools[0]; },
      "request output 0: it overlaps input 0");
  ExpectValidRequest(kSameModel, [](Request& r) {
    r.pools[0] = *Memory::Allocate(16);
    r.outputs[0].location = {0, 8, 8};
  });
  ExpectInvalidRequest(
      [](Model& m) {
        m.outputIndexes = {5, 5};
      },
      [](Request& r) { r.outputs.push_back(r.outputs[0]); },
      "request output 1: it overlaps output 0");
}

TEST(ValidateRequestTest, a_corrupt_model_is_an_error_and_no_crash) {
  ExpectInvalidRequest([](Model& m) { m.inputIndexes[0] = 77; }, [](Request&) {},
                       "request input 0: the operand index is 77; expected less than 6");
}

}  // namespace
}  // namespace nncert::hal
