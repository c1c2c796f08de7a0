// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/guarded_request.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "cases/element_values.h"
#include "cases/testing/test_cases.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/to_string.h"
#include "hal/validate.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::OperandType;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// The memory of all requests that do not say otherwise.
SparePools& Spares() {
  static SparePools spares;
  return spares;
}

GuardedRequest Build(const TestCase& test_case,
                     OutputSpecification specification = OutputSpecification::FULLY_SPECIFIED,
                     HalVersion version = HalVersion::V1_2) {
  return GuardedRequest::Create(test_case.model, test_case.examples[0], specification, version,
                                Spares())
      .value();
}

// The bytes of a pool of the request, as a driver has them.
absl::Span<uint8_t> Pool(const GuardedRequest& request, size_t pool) {
  return request.request().pools[pool].Map(hal::MemoryAccess::READ_WRITE)->bytes();
}

std::string CheckMemory(const GuardedRequest& request) {
  return std::string(request.CheckMemory().message());
}

TEST(GuardedRequest, InputsAreInPool0AndOutputsInPool1) {
  const TestCase test_case = AddMulCase();
  const GuardedRequest guarded = Build(test_case);
  const hal::V1_0::Request& request = guarded.request();
  ASSERT_EQ(request.pools.size(), 2U);
  ASSERT_EQ(request.inputs.size(), 2U);
  ASSERT_EQ(request.outputs.size(), 2U);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(request.pools[i].name(), "ashmem");
    const hal::V1_0::DataLocation& input = request.inputs[i].location;
    EXPECT_EQ(input.poolIndex, 0U);
    EXPECT_EQ(input.offset % 4, 0U);
    EXPECT_THAT(Pool(guarded, 0).subspan(input.offset, input.length),
                testing::ElementsAreArray(test_case.examples[0].inputs[i].data));
    EXPECT_EQ(request.outputs[i].location.poolIndex, 1U);
    EXPECT_EQ(request.outputs[i].location.offset % 4, 0U);
    EXPECT_EQ(request.outputs[i].location.length, 8U);
  }
}

TEST(GuardedRequest, ArgumentsAreApartByTheGuard) {
  const GuardedRequest guarded = Build(AddMulCase());
  for (const auto* arguments : {&guarded.request().inputs, &guarded.request().outputs}) {
    const hal::V1_0::DataLocation& first = (*arguments)[0].location;
    const hal::V1_0::DataLocation& second = (*arguments)[1].location;
    EXPECT_GE(first.offset, GuardedRequest::kGuardBytes);
    EXPECT_GE(second.offset, first.offset + first.length + GuardedRequest::kGuardBytes);
    EXPECT_GE(guarded.request().pools[second.poolIndex].size(),
              second.offset + second.length + GuardedRequest::kGuardBytes);
  }
}

TEST(GuardedRequest, DimensionsAreGivenWhereTheModelLeavesThemOpen) {
  TestCase test_case = AddCase();
  EXPECT_THAT(Build(test_case).request().inputs[0].dimensions, IsEmpty());
  test_case.model.operands[test_case.model.inputIndexes[0]].dimensions = {0, 2};
  const GuardedRequest guarded = Build(test_case);
  EXPECT_THAT(guarded.request().inputs[0].dimensions, ElementsAre(2, 2));
  EXPECT_THAT(guarded.request().inputs[1].dimensions, IsEmpty());
}

TEST(GuardedRequest, OutputDimensionsAreGivenToEarlierDevicesAlone) {
  TestCase test_case = AddCase();
  test_case.model = WithUnspecifiedOutputs(test_case.model);
  EXPECT_THAT(Build(test_case).request().outputs[0].dimensions, IsEmpty());
  EXPECT_THAT(Build(test_case, OutputSpecification::FULLY_SPECIFIED, HalVersion::V1_1)
                  .request()
                  .outputs[0]
                  .dimensions,
              ElementsAre(2, 2));
}

TEST(GuardedRequest, IsAValidRequest) {
  for (const OutputSpecification specification :
       {OutputSpecification::FULLY_SPECIFIED, OutputSpecification::UNSPECIFIED,
        OutputSpecification::INSUFFICIENT}) {
    TestCase test_case = AddMulCase();
    if (specification != OutputSpecification::FULLY_SPECIFIED) {
      test_case.model = WithUnspecifiedOutputs(test_case.model);
    }
    const GuardedRequest guarded = Build(test_case, specification);
    const absl::Status status =
        hal::validateRequest(guarded.request(), test_case.model, HalVersion::V1_2);
    EXPECT_TRUE(status.ok()) << specification << " " << status;
  }
  for (const HalVersion version : hal::kHalVersions) {
    TestCase test_case = AddMulCase();
    for (hal::V1_2::Operand& operand : test_case.model.operands) {
      for (uint32_t& dimension : operand.dimensions) dimension = 0;
    }
    const GuardedRequest guarded = Build(test_case, OutputSpecification::FULLY_SPECIFIED, version);
    const absl::Status status = hal::validateRequest(guarded.request(), test_case.model, version);
    EXPECT_TRUE(status.ok()) << version << " " << status;
  }
}

TEST(GuardedRequest, OmittedInputsHaveNothing) {
  TestCase test_case = AddCase();
  test_case.examples[0].inputs[1] = {true, {}, {}};
  const GuardedRequest guarded = Build(test_case);
  EXPECT_EQ(guarded.request().inputs[1], (hal::V1_0::RequestArgument{true, {}, {}}));
}

TEST(GuardedRequest, InsufficientIsOneByteShortForOutput0Alone) {
  const GuardedRequest guarded = Build(AddMulCase(), OutputSpecification::INSUFFICIENT);
  EXPECT_EQ(guarded.request().outputs[0].location.length, 7U);
  EXPECT_EQ(guarded.request().outputs[1].location.length, 8U);
}

TEST(CanBeInsufficient, TakesMoreThanOneByte) {
  const auto can = [](OperandType type, std::vector<uint32_t> dimensions) {
    ModelBuilder builder;
    builder.Output({type, dimensions});
    Example example;
    example.outputs = {{false, dimensions, {}}};
    return CanBeInsufficient(builder.model(), example);
  };
  EXPECT_TRUE(can(OperandType::TENSOR_FLOAT32, {1}));
  EXPECT_TRUE(can(OperandType::TENSOR_QUANT8_ASYMM, {2}));
  EXPECT_FALSE(can(OperandType::TENSOR_QUANT8_ASYMM, {1}));
  EXPECT_FALSE(can(OperandType::TENSOR_FLOAT32, {0, 3}));
}

TEST(GuardedRequest, AnEmptyOutputHasRoomForOneElement) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs[0] = {false, {0, 2}, {}};
  EXPECT_EQ(Build(test_case).request().outputs[0].location.length, 4U);
}

TEST(GuardedRequest, AnIgnoredOutputWithoutBytesHasRoomForItsDimensions) {
  TestCase test_case = AddCase();
  test_case.examples[0].outputs[0] = {true, {2, 2}, {}};
  EXPECT_EQ(Build(test_case).request().outputs[0].location.length, 16U);
}

// Every element of a fresh output is wrong, whatever is expected.
TEST(GuardedRequest, OutputsAreFilledWithWhatIsWrong) {
  const double nan = std::nan("");
  struct Expectation {
    OperandType type;
    std::vector<double> expected;
  };
  for (const auto& [type, expected] : std::vector<Expectation>{
           {OperandType::TENSOR_FLOAT32, {0, -1, nan, INFINITY, -INFINITY, 3e38}},
           {OperandType::TENSOR_FLOAT16, {0, -1, nan, INFINITY, -INFINITY, 65504}},
           {OperandType::TENSOR_INT32, {0, -1, 2147483647, -2147483648.0}},
           {OperandType::TENSOR_BOOL8, {0, 1}},
           {OperandType::TENSOR_QUANT8_ASYMM, {0, 127, 128, 255}},
           {OperandType::TENSOR_QUANT8_SYMM, {0, -128, 127, -1}},
           {OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL, {0, -128, 127, -1}},
           {OperandType::TENSOR_QUANT16_ASYMM, {0, 32767, 32768, 65535}},
           {OperandType::TENSOR_QUANT16_SYMM, {0, -32768, 32767, -1}}}) {
    ModelBuilder builder;
    builder.Output({type, {static_cast<uint32_t>(expected.size())}});
    const TestCase test_case = CaseWith(builder.model(), {}, {expected});
    const GuardedRequest guarded = Build(test_case);
    const double tolerance = type == OperandType::TENSOR_BOOL8 ? 0 : 2;
    const std::vector<double> wanted = DecodeElements(type, test_case.examples[0].outputs[0].data);
    const std::vector<double> found = DecodeElements(type, guarded.output(0));
    ASSERT_EQ(found.size(), wanted.size());
    for (size_t i = 0; i < found.size(); ++i) {
      // A NaN is as far off as can be.
      EXPECT_FALSE(std::abs(found[i] - wanted[i]) <= tolerance + 1e-2 * std::abs(wanted[i]))
          << type << " " << i;
    }
    EXPECT_TRUE(guarded.IsUnwritten(0)) << type;
  }
}

TEST(GuardedRequest, TakesTheMemoryOfARequestThatHasGone) {
  SparePools spares;
  const auto create = [&spares](const TestCase& test_case) {
    return GuardedRequest::Create(test_case.model, test_case.examples[0],
                                  OutputSpecification::FULLY_SPECIFIED, HalVersion::V1_2, spares)
        .value();
  };
  std::vector<int> files;
  {
    const GuardedRequest gone = create(AddMulCase());
    for (const size_t pool : {0, 1}) {
      for (uint8_t& byte : Pool(gone, pool)) byte = 0x77;
      files.push_back(gone.request().pools[pool].fd());
    }
  }
  // Another case has other arguments in pools of the same size.
  const GuardedRequest again = create(AddCase());
  EXPECT_THAT(files, testing::UnorderedElementsAre(again.request().pools[0].fd(),
                                                   again.request().pools[1].fd()));
  EXPECT_EQ(CheckMemory(again), "");
  EXPECT_TRUE(again.IsUnwritten(0));
  const GuardedRequest fresh = create(AddCase());
  for (const size_t pool : {0, 1}) {
    EXPECT_NE(fresh.request().pools[pool], again.request().pools[pool]);
    EXPECT_THAT(Pool(again, pool), testing::ElementsAreArray(Pool(fresh, pool)));
  }
}

TEST(GuardedRequest, BesideAnotherHasItsInputsAndOtherOutputs) {
  SparePools spares;
  const TestCase test_case = AddMulCase();
  const Example& example = test_case.examples[0];
  std::optional<GuardedRequest> first =
      GuardedRequest::Create(test_case.model, example, OutputSpecification::FULLY_SPECIFIED,
                             HalVersion::V1_2, spares)
          .value();
  // The outputs change places.
  hal::V1_2::Model model = test_case.model;
  std::swap(model.outputIndexes[0], model.outputIndexes[1]);
  const GuardedRequest beside =
      GuardedRequest::CreateBeside(*first, model, {&example.outputs[1], &example.outputs[0]},
                                   HalVersion::V1_2)
          .value();
  EXPECT_TRUE(hal::validateRequest(beside.request(), model, HalVersion::V1_2).ok());
  EXPECT_EQ(beside.request().inputs, first->request().inputs);
  EXPECT_EQ(beside.request().pools[0], first->request().pools[0]);
  EXPECT_NE(beside.request().pools[1], first->request().pools[1]);
  const size_t place = beside.request().outputs[0].location.offset;
  Pool(beside, 1)[place] ^= 1;
  EXPECT_FALSE(beside.IsUnwritten(0));
  EXPECT_TRUE(first->IsUnwritten(0) && first->IsUnwritten(1));
  EXPECT_EQ(CheckMemory(beside), "");

  // Its memory stays its own when the other one has gone.
  first.reset();
  const GuardedRequest next =
      GuardedRequest::Create(test_case.model, example, OutputSpecification::FULLY_SPECIFIED,
                             HalVersion::V1_2, spares)
          .value();
  EXPECT_NE(next.request().pools[0], beside.request().pools[0]);
  Pool(beside, 0)[beside.request().inputs[1].location.offset + 3] ^= 1;
  EXPECT_EQ(CheckMemory(beside), "changed input 1 at byte 3");
  EXPECT_EQ(CheckMemory(next), "");
}

TEST(GuardedRequest, IsUnwrittenUntilAByteChanges) {
  const GuardedRequest guarded = Build(AddCase());
  EXPECT_TRUE(guarded.IsUnwritten(0));
  const hal::V1_0::DataLocation& location = guarded.request().outputs[0].location;
  Pool(guarded, 1)[location.offset + location.length - 1] ^= 1;
  EXPECT_FALSE(guarded.IsUnwritten(0));
  EXPECT_TRUE(guarded.CheckMemory().ok());
}

TEST(GuardedRequest, ZerosAreWrittenEvenWhereNansAreExpected) {
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT16}) {
    ModelBuilder builder;
    builder.Output({type, {3}});
    const double nan = std::nan("");
    const GuardedRequest guarded = Build(CaseWith(builder.model(), {}, {{nan, nan, nan}}));
    EXPECT_TRUE(guarded.IsUnwritten(0)) << type;
    const hal::V1_0::DataLocation& location = guarded.request().outputs[0].location;
    for (uint8_t& byte : Pool(guarded, 1).subspan(location.offset, location.length)) byte = 0;
    EXPECT_FALSE(guarded.IsUnwritten(0)) << type;
  }
}

TEST(GuardedRequest, EveryByteOutsideOfOutputsIsWatched) {
  const GuardedRequest guarded = Build(AddMulCase());
  const auto is_in_output = [&](size_t offset) {
    for (const hal::V1_0::RequestArgument& output : guarded.request().outputs) {
      const size_t begin = output.location.offset;
      if (offset >= begin && offset < begin + output.location.length) return true;
    }
    return false;
  };
  for (size_t pool = 0; pool < 2; ++pool) {
    const absl::Span<uint8_t> bytes = Pool(guarded, pool);
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] ^= 0x10;
      EXPECT_EQ(guarded.CheckMemory().ok(), pool == 1 && is_in_output(i)) << pool << " " << i;
      bytes[i] ^= 0x10;
    }
  }
  EXPECT_TRUE(guarded.CheckMemory().ok());
}

TEST(GuardedRequest, SaysWhereAWriteWentAstray) {
  const TestCase test_case = AddMulCase();
  const auto after_change = [&](size_t pool, size_t argument, int64_t from_begin) {
    const GuardedRequest guarded = Build(test_case);
    const auto& arguments = pool == 0 ? guarded.request().inputs : guarded.request().outputs;
    Pool(guarded, pool)[arguments[argument].location.offset + from_begin] ^= 0xFF;
    return CheckMemory(guarded);
  };
  EXPECT_EQ(after_change(1, 0, 8), "wrote past output 0");
  EXPECT_EQ(after_change(1, 0, -1), "wrote before output 0");
  EXPECT_EQ(after_change(1, 1, -1), "wrote before output 1");
  EXPECT_EQ(after_change(1, 1, 8), "wrote past output 1");
  EXPECT_EQ(after_change(0, 1, 3), "changed input 1 at byte 3");
  EXPECT_THAT(after_change(0, 0, -1), HasSubstr("wrote between the inputs"));
}

// A request of two inputs and two outputs, arranged in this way.
GuardedRequest Arrange(const RequestLayout& layout) {
  const TestCase test_case = AddMulCase();
  return GuardedRequest::Create(test_case.model, test_case.examples[0], layout, HalVersion::V1_2,
                                Spares())
      .value();
}

TEST(RequestLayout, PoolsAreOfTheKindsThatItSays) {
  const GuardedRequest guarded =
      Arrange({.inputs = PoolKind::kMmapFd, .outputs = PoolKind::kHardwareBufferBlob});
  ASSERT_EQ(guarded.request().pools.size(), 2U);
  EXPECT_EQ(guarded.request().pools[0].name(), "mmap_fd");
  EXPECT_EQ(guarded.request().pools[1].name(), "hardware_buffer_blob");
  EXPECT_EQ(CheckMemory(guarded), "");
  EXPECT_TRUE(guarded.IsUnwritten(0));
  const GuardedRequest ordinary = Build(AddMulCase());
  for (const size_t pool : {0, 1}) {
    EXPECT_THAT(Pool(guarded, pool), testing::ElementsAreArray(Pool(ordinary, pool)));
  }
}

TEST(RequestLayout, ReadOnlyInputsCannotBeWrittenTo) {
  const GuardedRequest guarded = Arrange({.inputs = PoolKind::kReadOnlyMmapFd});
  EXPECT_FALSE(guarded.request().pools[0].Map(hal::MemoryAccess::READ_WRITE).ok());
  EXPECT_TRUE(guarded.request().pools[0].Map(hal::MemoryAccess::READ_ONLY).ok());
  EXPECT_EQ(CheckMemory(guarded), "");
}

TEST(RequestLayout, EveryArgumentMayHaveAPool) {
  const GuardedRequest guarded = Arrange({.has_pool_for_each = true});
  const hal::V1_0::Request& request = guarded.request();
  ASSERT_EQ(request.pools.size(), 4U);
  EXPECT_EQ(request.inputs[0].location.poolIndex, 0U);
  EXPECT_EQ(request.inputs[1].location.poolIndex, 1U);
  EXPECT_EQ(request.outputs[0].location.poolIndex, 2U);
  EXPECT_EQ(request.outputs[1].location.poolIndex, 3U);
  EXPECT_EQ(CheckMemory(guarded), "");
  Pool(guarded, 3)[request.outputs[1].location.offset] ^= 1;
  EXPECT_EQ(CheckMemory(guarded), "");
  EXPECT_TRUE(guarded.IsUnwritten(0));
  EXPECT_FALSE(guarded.IsUnwritten(1));
  Pool(guarded, 3)[request.outputs[1].location.offset - 1] ^= 1;
  EXPECT_EQ(CheckMemory(guarded), "wrote before output 1");
  Pool(guarded, 1)[request.inputs[1].location.offset] ^= 1;
  EXPECT_EQ(CheckMemory(guarded), "changed input 1 at byte 0");
}

TEST(RequestLayout, ArgumentsMayLieAtOddOffsets) {
  const GuardedRequest guarded = Arrange({.shift = 1});
  for (const auto& arguments : {guarded.request().inputs, guarded.request().outputs}) {
    for (const hal::V1_0::RequestArgument& argument : arguments) {
      EXPECT_EQ(argument.location.offset % 4, 1U);
    }
  }
  EXPECT_EQ(CheckMemory(guarded), "");
}

TEST(RequestLayout, BuffersMayBeLargerAndTheirRestIsWatched) {
  EXPECT_THAT(CapacitiesFor(AddMulCase().model, AddMulCase().examples[0]), ElementsAre(8, 8));
  const GuardedRequest guarded = Arrange({.capacities = {8, 12}});
  const hal::V1_0::DataLocation& location = guarded.request().outputs[1].location;
  EXPECT_EQ(location.length, 12U);
  EXPECT_TRUE(guarded.CheckRestOf(1, 8).ok());
  Pool(guarded, 1)[location.offset + 9] ^= 1;
  EXPECT_EQ(guarded.CheckRestOf(1, 8).message(), "wrote byte 9 of the buffer of output 1");
  EXPECT_TRUE(guarded.CheckRestOf(1, 10).ok());
  EXPECT_EQ(CheckMemory(guarded), "");
}

TEST(GuardedRequest, IsPutBackWithOtherBytesInOutputsAlone) {
  GuardedRequest guarded = Build(AddMulCase());
  const auto bytes = [&](size_t pool) {
    const absl::Span<uint8_t> all = Pool(guarded, pool);
    return std::vector<uint8_t>(all.begin(), all.end());
  };
  const std::vector<uint8_t> inputs = bytes(0);
  const std::vector<uint8_t> outputs = bytes(1);
  for (const size_t pool : {0, 1}) {
    for (uint8_t& byte : Pool(guarded, pool)) byte = 0x77;
  }
  guarded.Reset(0x0F);
  EXPECT_EQ(bytes(0), inputs);
  EXPECT_EQ(CheckMemory(guarded), "");
  EXPECT_TRUE(guarded.IsUnwritten(0));
  const size_t place = guarded.request().outputs[0].location.offset;
  EXPECT_EQ(bytes(1)[place], outputs[place] ^ 0x0F);
  guarded.Reset();
  EXPECT_EQ(bytes(1), outputs);
}

TEST(WithUnspecifiedOutputs, KeepsTheRankOfOutputsAndAllElse) {
  const TestCase test_case = AddCase();
  hal::V1_2::Model model = WithUnspecifiedOutputs(test_case.model);
  const uint32_t output = model.outputIndexes[0];
  EXPECT_THAT(model.operands[output].dimensions, ElementsAre(0, 0));
  EXPECT_FALSE(HasFullySpecifiedOutputs(model));
  EXPECT_TRUE(HasFullySpecifiedOutputs(test_case.model));
  model.operands[output].dimensions = {2, 2};
  EXPECT_EQ(model, test_case.model);
}

TEST(HasFullySpecifiedOutputs, AnUnknownRankIsNotSpecified) {
  TestCase test_case = AddCase();
  test_case.model.operands[test_case.model.outputIndexes[0]].dimensions = {};
  EXPECT_FALSE(HasFullySpecifiedOutputs(test_case.model));
}

class CheckExampleTest : public testing::Test {
 protected:
  std::string Check() const {
    return std::string(CheckExample(test_case_.model, test_case_.examples[0]).message());
  }

  TestCase test_case_ = AddCase();
  Example& example_ = test_case_.examples[0];
};

TEST_F(CheckExampleTest, AcceptsWhatFits) {
  EXPECT_EQ(Check(), "");
  example_.outputs[0] = {true, {2, 2}, {}};
  EXPECT_EQ(Check(), "");
  example_.outputs.clear();
  EXPECT_EQ(Check(), "");
  example_.inputs[1] = {true, {}, {}};
  EXPECT_EQ(Check(), "");
}

TEST_F(CheckExampleTest, CountsInputsAndOutputs) {
  example_.inputs.pop_back();
  EXPECT_EQ(Check(), "there are 1 inputs; the model has 2");
  example_.inputs.resize(3);
  EXPECT_EQ(Check(), "there are 3 inputs; the model has 2");
  example_ = AddCase().examples[0];
  example_.outputs.resize(2);
  EXPECT_EQ(Check(), "there are 2 expected outputs; the model has 1");
}

TEST_F(CheckExampleTest, BytesMustFillTheDimensions) {
  example_.inputs[1].data.pop_back();
  EXPECT_EQ(Check(), "input 1: has 15 bytes; expected 16 for dimensions [2, 2]");
  example_ = AddCase().examples[0];
  example_.outputs[0].data.clear();
  EXPECT_EQ(Check(), "expected output 0: has 0 bytes; expected 16 for dimensions [2, 2]");
}

TEST_F(CheckExampleTest, DimensionsMustFitTheModel) {
  example_.inputs[0].dimensions = {4};
  EXPECT_THAT(Check(), HasSubstr("input 0: "));
  example_.inputs[0].dimensions = {1, 4};
  EXPECT_THAT(Check(), HasSubstr("[1, 4]"));
  example_.inputs[0].dimensions = {};
  EXPECT_THAT(Check(), HasSubstr("a tensor has no dimensions"));
  example_ = AddCase().examples[0];
  example_.outputs[0].dimensions = {2, 3};
  EXPECT_THAT(Check(), HasSubstr("expected output 0: "));
}

TEST_F(CheckExampleTest, HugeDimensionsDoNotOverflow) {
  for (hal::V1_2::Operand& operand : test_case_.model.operands) {
    if (!operand.dimensions.empty()) operand.dimensions = {};
  }
  example_.inputs[0].dimensions = {65536, 65536, 65536, 65536};
  EXPECT_THAT(Check(), HasSubstr("input 0: has 16 bytes; expected "));
}

TEST_F(CheckExampleTest, OmittedInputsHaveNeitherDimensionsNorBytes) {
  example_.inputs[0].hasNoValue = true;
  EXPECT_THAT(Check(), HasSubstr("input 0: is omitted; expected no dimensions and no bytes"));
}

TEST_F(CheckExampleTest, ARequestCannotGiveAnEmptyTensor) {
  test_case_.model.operands[test_case_.model.inputIndexes[0]].dimensions = {0, 2};
  example_.inputs[0] = {false, {0, 2}, {}};
  EXPECT_THAT(Check(), HasSubstr("input 0: has the dimensions [0, 2]"));
}

}  // namespace
}  // namespace nncert
