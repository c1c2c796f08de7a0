// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The kernels of one instruction level, named by NNCERT_HOT_LEVEL. levels.bzl compiles this file
// once for each.

#include "reference/fast/hot/ball_elements.h"
#include "reference/fast/hot/balls.h"
#include "reference/fast/hot/depthwise.h"
#include "reference/fast/hot/elementwise.h"
#include "reference/fast/hot/float_weights.h"
#include "reference/fast/hot/functions.h"
#include "reference/fast/hot/integer_product.h"
#include "reference/fast/hot/kernels.h"
#include "reference/fast/hot/real_product.h"

namespace nncert::hot::NNCERT_HOT_LEVEL {

template <class T>
inline constexpr RealKernels<T> kRealKernels = {
    .panel = kPanel<T>,
    .pack = Pack<T>,
    .multiply = Multiply<T>,
    .multiply_few_rows = MultiplyFewRows<T>,
    .depthwise = ComputeDepthwise<T>,
    .binary = ComputeRealBinary<T>,
    .softmax = Softmax<T>,
};

extern const Kernels kKernels;

const Kernels kKernels = {
    .floats = kRealKernels<float>,
    .doubles = kRealKernels<double>,
    .integers = kIntegerProducts,
    .integer_depthwise = ComputeIntegerDepthwise,
    .bytes_to_floats = BytesToFloats,
    .integer_binary = ComputeIntegerBinary,
    .average_pool = AveragePool,
    .max_pool = MaxPool,
    .sum_bytes = SumBytes,
    .max_bytes = MaxBytes,
    .exp = MapExp,
    .tanh = MapTanh,
    .logistic = MapLogistic,
    .survey_balls = SurveyBalls,
    .split_balls = SplitBalls,
    .finish_balls = FinishBalls,
    .ball_binary = ComputeBallBinary,
    .ball_exponentials = ComputeBallExponentials,
    .floats_to_doubles = FloatsToDoubles,
    .floats_to_balls = FloatsToBalls,
    .split_floats = SplitFloats,
    .multiply_few_rows_by_floats = MultiplyFewRowsByFloats,
    .multiply_ball_rows = MultiplyBallRows,
#if defined(__F16C__)
    .halves_to_floats = HalvesToFloats,
    .floats_to_halves = FloatsToHalves,
#else
    .halves_to_floats = nullptr,
    .floats_to_halves = nullptr,
#endif
};

}  // namespace nncert::hot::NNCERT_HOT_LEVEL
