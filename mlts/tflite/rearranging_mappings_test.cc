// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What moves elements in TensorFlow Lite, and reductions, as operations of the HAL.

#include <functional>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/testing/run_network.h"
#include "mlts/tflite/testing/tflite_maker.h"

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tflite::BuiltinOperator;
using tflite::TensorType;

const TensorToMake kUnknownFloats = {TensorType::FLOAT32, {}};

// A network of an operator on floats: its first input, further inputs and options are added by
// `add`, which is given the tensors of the input and of the output.
std::vector<uint8_t> FileOf(const std::vector<int32_t>& dimensions,
                            const std::function<void(TfliteMaker&, int32_t, int32_t)>& add,
                            const TensorToMake& output = kUnknownFloats) {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, dimensions});
  const int32_t result = maker.Tensor(output);
  add(maker, input, result);
  return maker.Finish({input}, {result});
}

struct Result {
  std::vector<uint32_t> dimensions;
  RealNumbers numbers;

  bool operator==(const Result&) const = default;
};

void PrintTo(const Result& result, std::ostream* stream) {
  *stream << ::testing::PrintToString(result.dimensions) << ": "
          << ::testing::PrintToString(result.numbers);
}

Result ResultOf(const std::vector<uint8_t>& file, const RealNumbers& input) {
  const Network network = ImportOrFail(file);
  if (network.model.operations.empty()) return {};
  const absl::StatusOr<std::vector<RealNumbers>> outputs = RunNetwork(network, {input});
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return {OutputOperandOf(network).dimensions, outputs.ok() ? outputs->front() : RealNumbers()};
}

// The reason for which a file is refused.
std::string Refusal(const std::vector<uint8_t>& file) {
  const absl::StatusOr<Network> network = ImportTflite(file, "network");
  EXPECT_FALSE(network.ok());
  return std::string(network.status().message());
}

TEST(RearrangingMappingsTest, ReshapesByAnInputItsOptionsOrTheFile) {
  const Result expected = {{2, 1}, {1, 2}};
  EXPECT_EQ(
      ResultOf(
          FileOf(
              {2},
              [](TfliteMaker& maker, int32_t input, int32_t output) {
                maker.Operator(BuiltinOperator::RESHAPE, {input, maker.Int32s({-1, 1})}, {output});
              }),
          {1, 2}),
      expected);
  EXPECT_EQ(ResultOf(FileOf({2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              const std::vector<int32_t> shape = {2, 1};
                              maker.Operator(
                                  BuiltinOperator::RESHAPE, {input}, {output},
                                  tflite::CreateReshapeOptionsDirect(maker.builder(), &shape));
                            }),
                     {1, 2}),
            expected);
  EXPECT_EQ(ResultOf(FileOf({2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::RESHAPE, {input}, {output});
                            },
                            {TensorType::FLOAT32, {2, 1}}),
                     {1, 2}),
            expected);
  EXPECT_THAT(Refusal(FileOf({2},
                             [](TfliteMaker& maker, int32_t input, int32_t output) {
                               maker.Operator(BuiltinOperator::RESHAPE,
                                              {input, maker.Int32s({1, 1, 1, 1, 2})}, {output});
                             })),
              HasSubstr("constraint C1 does not hold: shape has 1 to 4 entries"));
}

TEST(RearrangingMappingsTest, AddsAndTakesDimensionsAway) {
  EXPECT_EQ(
      ResultOf(
          FileOf(
              {2},
              [](TfliteMaker& maker, int32_t input, int32_t output) {
                maker.Operator(BuiltinOperator::EXPAND_DIMS, {input, maker.Int32s({-1})}, {output});
              }),
          {1, 2}),
      (Result{{2, 1}, {1, 2}}));
  EXPECT_EQ(ResultOf(FileOf({1, 2, 1},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::SQUEEZE, {input}, {output});
                            }),
                     {1, 2}),
            (Result{{2}, {1, 2}}));
  EXPECT_EQ(ResultOf(FileOf({1, 2, 1},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              const std::vector<int32_t> dimensions = {-1};
                              maker.Operator(
                                  BuiltinOperator::SQUEEZE, {input}, {output},
                                  tflite::CreateSqueezeOptionsDirect(maker.builder(), &dimensions));
                            }),
                     {1, 2}),
            (Result{{1, 2}, {1, 2}}));
}

TEST(RearrangingMappingsTest, Transposes) {
  EXPECT_EQ(
      ResultOf(
          FileOf(
              {2, 2},
              [](TfliteMaker& maker, int32_t input, int32_t output) {
                maker.Operator(BuiltinOperator::TRANSPOSE, {input, maker.Int32s({1, 0})}, {output});
              }),
          {1, 2, 3, 4}),
      (Result{{2, 2}, {1, 3, 2, 4}}));
}

TEST(RearrangingMappingsTest, Pads) {
  EXPECT_EQ(ResultOf(FileOf({2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              // Of 64 bits, as some files have them.
                              const int32_t paddings =
                                  maker.Constant<int64_t>({TensorType::INT64, {1, 2}}, {1, 2});
                              maker.Operator(BuiltinOperator::PAD, {input, paddings}, {output});
                            }),
                     {1, 2}),
            (Result{{5}, {0, 1, 2, 0, 0}}));
  EXPECT_EQ(ResultOf(FileOf({2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              const int32_t paddings =
                                  maker.Constant<int32_t>({TensorType::INT32, {1, 2}}, {1, 0});
                              maker.Operator(BuiltinOperator::PADV2,
                                             {input, paddings, maker.Floats({9})}, {output});
                            }),
                     {1, 2}),
            (Result{{3}, {9, 1, 2}}));
}

TEST(RearrangingMappingsTest, PadsSignedTensors) {
  TfliteMaker maker;
  const TensorToMake bytes = {TensorType::INT8, {2}, {0.5F}, {-3}};
  const int32_t input = maker.Tensor(bytes);
  const int32_t output = maker.Tensor({TensorType::INT8, {3}, {0.5F}, {-3}});
  const int32_t paddings = maker.Constant<int32_t>({TensorType::INT32, {1, 2}}, {1, 0});
  const int32_t value = maker.Constant<int8_t>({TensorType::INT8, {1}, {0.5F}, {-3}}, {1});
  maker.Operator(BuiltinOperator::PADV2, {input, paddings, value}, {output});
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{1, -1.5}})[0],
              ElementsAre(2, 1, -1.5));
}

TEST(RearrangingMappingsTest, Reduces) {
  struct Reduction {
    BuiltinOperator code;
    RealNumbers expected;
  };
  for (const Reduction& reduction :
       {Reduction{BuiltinOperator::MEAN, {2, 4.5}}, Reduction{BuiltinOperator::SUM, {4, 9}},
        Reduction{BuiltinOperator::REDUCE_PROD, {3, 20}},
        Reduction{BuiltinOperator::REDUCE_MAX, {3, 5}},
        Reduction{BuiltinOperator::REDUCE_MIN, {1, 4}}}) {
    for (const bool keeps : {false, true}) {
      const std::vector<uint8_t> file =
          FileOf({2, 2}, [&](TfliteMaker& maker, int32_t input, int32_t output) {
            maker.Operator(reduction.code, {input, maker.Int32s({1})}, {output},
                           tflite::CreateReducerOptions(maker.builder(), keeps));
          });
      const std::vector<uint32_t> dimensions =
          keeps ? std::vector<uint32_t>{2, 1} : std::vector<uint32_t>{2};
      EXPECT_EQ(ResultOf(file, {1, 3, 4, 5}), (Result{dimensions, reduction.expected}))
          << EnumNameBuiltinOperator(reduction.code);
    }
  }
}

TEST(RearrangingMappingsTest, ReducesBooleans) {
  for (const auto& [code, expected] :
       {std::pair{BuiltinOperator::REDUCE_ANY, 1}, std::pair{BuiltinOperator::REDUCE_ALL, 0}}) {
    TfliteMaker maker;
    const int32_t input = maker.Tensor({TensorType::BOOL, {2}});
    const int32_t output = maker.Tensor({.type = TensorType::BOOL, .has_rank = true});
    maker.Operator(code, {input, maker.Int32s({0})}, {output});
    EXPECT_THAT(ImportAndRun(maker.Finish({input}, {output}), {{1, 0}})[0], ElementsAre(expected));
  }
}

TEST(RearrangingMappingsTest, FindsTheGreatest) {
  const auto argument = [](BuiltinOperator code, TensorType type) {
    return FileOf({1, 3},
                  [code](TfliteMaker& maker, int32_t input, int32_t output) {
                    maker.Operator(code, {input, maker.Int32s({-1})}, {output});
                  },
                  {type, {}});
  };
  EXPECT_EQ(ResultOf(argument(BuiltinOperator::ARG_MAX, TensorType::INT32), {1, 9, 2}),
            (Result{{1}, {1}}));
  EXPECT_EQ(ResultOf(argument(BuiltinOperator::ARG_MIN, TensorType::INT32), {1, 9, 2}),
            (Result{{1}, {0}}));
  EXPECT_THAT(Refusal(argument(BuiltinOperator::ARG_MAX, TensorType::INT64)),
              HasSubstr("ARG_MAX: its output is not of INT32, as the HAL's is"));
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {3}});
  const int32_t values = maker.Tensor(kUnknownFloats);
  const int32_t indexes = maker.Tensor({TensorType::INT32, {}});
  maker.Operator(BuiltinOperator::TOPK_V2, {input, maker.Int32s({2})}, {values, indexes});
  EXPECT_THAT(ImportAndRun(maker.Finish({input}, {values, indexes}), {{1, 9, 2}}),
              ElementsAre(ElementsAre(9, 2), ElementsAre(1, 2)));
}

TEST(RearrangingMappingsTest, JoinsAndSplits) {
  EXPECT_EQ(ResultOf(FileOf({1, 2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(
                                  BuiltinOperator::CONCATENATION, {input, input}, {output},
                                  tflite::CreateConcatenationOptions(maker.builder(), -2));
                            }),
                     {1, 2}),
            (Result{{2, 2}, {1, 2, 1, 2}}));
  EXPECT_EQ(ResultOf(FileOf({2},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::PACK, {input, input}, {output},
                                             tflite::CreatePackOptions(maker.builder(), 2, 1));
                            }),
                     {1, 2}),
            (Result{{2, 2}, {1, 1, 2, 2}}));
  EXPECT_THAT(Refusal(FileOf({1, 2},
                             [](TfliteMaker& maker, int32_t input, int32_t output) {
                               maker.Operator(
                                   BuiltinOperator::CONCATENATION, {input, input}, {output},
                                   tflite::CreateConcatenationOptions(maker.builder(), 2));
                             })),
              HasSubstr("the axis is 2; expected -2 to 1"));
}

// The file of an operator with two outputs.
std::vector<RealNumbers> RunSplit(
    const std::vector<int32_t>& dimensions,
    const std::function<void(TfliteMaker&, int32_t, const std::vector<int32_t>&)>& add,
    const RealNumbers& input) {
  TfliteMaker maker;
  const int32_t tensor = maker.Tensor({TensorType::FLOAT32, dimensions});
  const std::vector<int32_t> outputs = {maker.Tensor(kUnknownFloats), maker.Tensor(kUnknownFloats)};
  add(maker, tensor, outputs);
  return ImportAndRun(maker.Finish({tensor}, outputs), {input});
}

TEST(RearrangingMappingsTest, Splits) {
  EXPECT_THAT(RunSplit({1, 4},
                       [](TfliteMaker& maker, int32_t input, const std::vector<int32_t>& outputs) {
                         maker.Operator(BuiltinOperator::SPLIT, {maker.Int32s({1}), input}, outputs,
                                        tflite::CreateSplitOptions(maker.builder(), 2));
                       },
                       {1, 2, 3, 4}),
              ElementsAre(ElementsAre(1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(RunSplit({1, 4},
                       [](TfliteMaker& maker, int32_t input, const std::vector<int32_t>& outputs) {
                         maker.Operator(BuiltinOperator::SPLIT_V,
                                        {input, maker.Int32s({1, -1}), maker.Int32s({1})}, outputs);
                       },
                       {1, 2, 3, 4}),
              ElementsAre(ElementsAre(1), ElementsAre(2, 3, 4)));
  EXPECT_THAT(RunSplit({2, 2},
                       [](TfliteMaker& maker, int32_t input, const std::vector<int32_t>& outputs) {
                         maker.Operator(BuiltinOperator::UNPACK, {input}, outputs,
                                        tflite::CreateUnpackOptions(maker.builder(), 2, 1));
                       },
                       {1, 2, 3, 4}),
              ElementsAre(ElementsAre(1, 3), ElementsAre(2, 4)));
}

TEST(RearrangingMappingsTest, Slices) {
  EXPECT_EQ(ResultOf(FileOf({4},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::SLICE,
                                             {input, maker.Int32s({1}), maker.Int32s({2})},
                                             {output});
                            }),
                     {1, 2, 3, 4}),
            (Result{{2}, {2, 3}}));
  const auto strided = [](int32_t new_axis) {
    return FileOf({2, 2}, [new_axis](TfliteMaker& maker, int32_t input, int32_t output) {
      maker.Operator(BuiltinOperator::STRIDED_SLICE,
                     {input, maker.Int32s({0, 1}), maker.Int32s({2, 2}), maker.Int32s({1, 1})},
                     {output},
                     tflite::CreateStridedSliceOptions(maker.builder(), 0, 0, 0, new_axis, 2));
    });
  };
  EXPECT_EQ(ResultOf(strided(0), {1, 2, 3, 4}), (Result{{2}, {2, 4}}));
  EXPECT_THAT(Refusal(strided(1)), HasSubstr("it makes new axes, which the HAL does not"));
}

TEST(RearrangingMappingsTest, GathersAndRepeats) {
  EXPECT_EQ(ResultOf(FileOf({1, 3},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::GATHER, {input, maker.Int32s({2, 0})},
                                             {output},
                                             tflite::CreateGatherOptions(maker.builder(), 1));
                            }),
                     {1, 2, 3}),
            (Result{{1, 2}, {3, 1}}));
  EXPECT_EQ(
      ResultOf(FileOf({2},
                      [](TfliteMaker& maker, int32_t input, int32_t output) {
                        maker.Operator(BuiltinOperator::TILE, {input, maker.Int32s({2})}, {output});
                      }),
               {1, 2}),
      (Result{{4}, {1, 2, 1, 2}}));
}

TEST(RearrangingMappingsTest, RearrangesBlocks) {
  EXPECT_EQ(ResultOf(FileOf({1, 1, 1, 4},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::DEPTH_TO_SPACE, {input}, {output},
                                             tflite::CreateDepthToSpaceOptions(maker.builder(), 2));
                            }),
                     {1, 2, 3, 4}),
            (Result{{1, 2, 2, 1}, {1, 2, 3, 4}}));
  EXPECT_EQ(ResultOf(FileOf({1, 2, 2, 1},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(BuiltinOperator::SPACE_TO_DEPTH, {input}, {output},
                                             tflite::CreateSpaceToDepthOptions(maker.builder(), 2));
                            }),
                     {1, 2, 3, 4}),
            (Result{{1, 1, 1, 4}, {1, 2, 3, 4}}));
  EXPECT_EQ(ResultOf(FileOf({1, 2, 2, 1},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              const int32_t paddings = maker.Constant<int32_t>(
                                  {TensorType::INT32, {2, 2}}, {0, 0, 0, 0});
                              maker.Operator(BuiltinOperator::SPACE_TO_BATCH_ND,
                                             {input, maker.Int32s({2, 1}), paddings}, {output});
                            }),
                     {1, 2, 3, 4}),
            (Result{{2, 1, 2, 1}, {1, 2, 3, 4}}));
  const auto batches = [](int32_t crop) {
    return FileOf({2, 1, 2, 1}, [crop](TfliteMaker& maker, int32_t input, int32_t output) {
      const int32_t crops = maker.Constant<int32_t>({TensorType::INT32, {2, 2}}, {0, 0, 0, crop});
      maker.Operator(BuiltinOperator::BATCH_TO_SPACE_ND, {input, maker.Int32s({2, 1}), crops},
                     {output});
    });
  };
  EXPECT_EQ(ResultOf(batches(0), {1, 2, 3, 4}), (Result{{1, 2, 2, 1}, {1, 2, 3, 4}}));
  EXPECT_THAT(Refusal(batches(1)), HasSubstr("it crops, which the HAL does not"));
}

TEST(RearrangingMappingsTest, Resizes) {
  const auto bilinear = [](bool aligns_corners, bool has_half_pixels) {
    return FileOf({1, 1, 2, 1}, [=](TfliteMaker& maker, int32_t input, int32_t output) {
      maker.Operator(
          BuiltinOperator::RESIZE_BILINEAR, {input, maker.Int32s({1, 4})}, {output},
          tflite::CreateResizeBilinearOptions(maker.builder(), aligns_corners, has_half_pixels));
    });
  };
  EXPECT_EQ(ResultOf(bilinear(false, false), {1, 3}), (Result{{1, 1, 4, 1}, {1, 2, 3, 3}}));
  EXPECT_THAT(Refusal(bilinear(true, false)), HasSubstr("it aligns corners"));
  EXPECT_THAT(Refusal(bilinear(false, true)), HasSubstr("its pixels have their centres at 0.5"));
  EXPECT_EQ(ResultOf(FileOf({1, 1, 2, 1},
                            [](TfliteMaker& maker, int32_t input, int32_t output) {
                              maker.Operator(
                                  BuiltinOperator::RESIZE_NEAREST_NEIGHBOR,
                                  {input, maker.Int32s({1, 4})}, {output},
                                  tflite::CreateResizeNearestNeighborOptions(maker.builder()));
                            }),
                     {1, 3}),
            (Result{{1, 1, 4, 1}, {1, 1, 3, 3}}));
}

}  // namespace
}  // namespace nncert
