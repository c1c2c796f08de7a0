// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The poolings of images: a table, an entry an operation.

#include "reference/ops/pooling.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/elementwise.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/image_choices.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

using enum pooling::Slot;
using pooling::kWindow;

// A summary of a window, under way over its elements: what tells one pooling from another.

template <class A>
class MeanOfWindow {
 public:
  void Take(const A& /*arithmetic*/, const typename A::Number& element) { sum_.Add(element); }
  typename A::Number Finish(const A& arithmetic, const typename A::Number& count) const {
    return arithmetic.Divide(arithmetic.Finish(sum_), count);
  }

 private:
  typename A::Accumulator sum_;
};

template <class A>
class RootMeanSquareOfWindow {
 public:
  void Take(const A& /*arithmetic*/, const typename A::Number& element) {
    sum_.MultiplyAdd(element, element);
  }
  typename A::Number Finish(const A& arithmetic, const typename A::Number& count) const {
    const auto mean = arithmetic.Divide(arithmetic.Finish(sum_), count);
    return arithmetic.Sqrt(AtLeastZero<A>(mean));
  }

 private:
  typename A::Accumulator sum_;
};

template <class A>
class GreatestOfWindow {
 public:
  void Take(const A& arithmetic, const typename A::Number& element) {
    greatest_ = arithmetic.Max(greatest_, element);
  }
  typename A::Number Finish(const A& /*arithmetic*/, const typename A::Number& /*count*/) const {
    return greatest_;
  }

 private:
  typename A::Number greatest_ = {-std::numeric_limits<float>::infinity()};
};

// The first element of the image that the window covers at a position, and one more than the last.
std::pair<size_t, size_t> Covered(const WindowAxis& axis, size_t position) {
  const int64_t first = axis.PlaceOf(static_cast<int64_t>(position), 0);
  return {std::max<int64_t>(0, first), std::min(axis.image, first + axis.filter)};
}

template <template <class> class Summary, class A>
absl::Status Pool(const A& arithmetic, KernelContext<A>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Window window = WindowOf(context.operation(), kWindow);
  const auto images = ImagesIn(context.Input(kInput), context->Bool(kLayout, false));
  const auto results = ImagesIn(*output, images.sizes.is_nchw);
  const FusedActivationFunc activation = ActivationOf(context.operation(), kActivation);
  ForEachPixel(results.sizes, [&](size_t batch, size_t y, size_t x) {
    const auto [top, bottom] = Covered(window.vertical, y);
    const auto [left, right] = Covered(window.horizontal, x);
    const auto count = static_cast<double>((bottom - top) * (right - left));
    for (size_t c = 0; c < results.sizes.depth; ++c) {
      Summary<A> summary;
      for (size_t row = top; row < bottom; ++row) {
        for (size_t column = left; column < right; ++column) {
          summary.Take(arithmetic, images.At(batch, row, column, c));
        }
      }
      results.At(batch, y, x, c) =
          Activate(arithmetic, activation, summary.Finish(arithmetic, arithmetic.Constant(count)));
    }
  });
  return absl::OkStatus();
}

// What tells one pooling from another, but for its summary.
struct PoolOperation {
  std::string_view summary;
  std::string_view description;
  bool is_for_quantized = false;
  std::string_view error_bound;
  std::string_view source;
};

// The definition of a pooling.
template <template <class> class Summary>
OperationDefinition Pooling(const PoolOperation& operation) {
  OperandRule input = FloatTensor("input").Ranks({4}).Describe(
      "The images, [batches, height, width, depth] or, for NCHW, [batches, depth, height, width].");
  OperandRule output = Tensor("output").TypeLike(kInput).Ranks({4}).Describe(
      "[batches, outputHeight, outputWidth, depth] or, for NCHW, [batches, depth, outputHeight, "
      "outputWidth].");
  if (operation.is_for_quantized) {
    input.Types({OperandType::TENSOR_QUANT8_ASYMM});
    output.QuantizedLike(kInput);
  }
  return {
      .summary = operation.summary,
      .description = operation.description,
      .signature = {.inputs =
                        Joined({{std::move(input)},
                                WindowRules(kWindow),
                                {FilterSizeScalar("filterWidth"), FilterSizeScalar("filterHeight"),
                                 ActivationScalar(), LayoutScalar().Trailing()}}),
                    .outputs = {std::move(output)},
                    .forms = {{kInput, kPaddingLeft, kPaddingRight, kPaddingTop, kPaddingBottom,
                               kStrideWidth, kStrideHeight, kFilterWidth, kFilterHeight,
                               kActivation, kLayout},
                              {kInput, kPaddingScheme, kStrideWidth, kStrideHeight, kFilterWidth,
                               kFilterHeight, kActivation, kLayout}}},
      .constraints = Joined({{ImagesConstraint<kWindow>(), FilterConstraint<kWindow>()},
                             WindowConstraints<kWindow>(),
                             {ActivationConstraint<kActivation>()}}),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const size_t depth = InputImagesOf(context, kWindow).depth;
        absl::StatusOr<Shape> shape = WindowedShape(context, kWindow, static_cast<uint32_t>(depth));
        if (!shape.ok()) return shape.status();
        outputs[0] = *std::move(shape);
        return absl::OkStatus();
      },
      // Windows may be larger than the images.
      .steps =
          [](const OperationContext& context) {
            const ImageSizes images = InputImagesOf(context, kWindow);
            return ElementCount(context.Output(0)) *
                   std::min<double>(images.height, context.Int32(kFilterHeight)) *
                   std::min<double>(images.width, context.Int32(kFilterWidth));
          },
      .kernel = Compute(
          [](const auto& arithmetic, auto& context) { return Pool<Summary>(arithmetic, context); }),
      .choose =
          [](OperandChooser& choose) {
            ChooseWindow(choose, kWindow, ChooseImages(choose, kInput, kLayout));
            choose.SetOutputRange(
                0, ChooseActivation(choose, kActivation, choose.SettledRange(kInput)));
          },
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = true,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(AVERAGE_POOL_2D) {
  return Pooling<MeanOfWindow>({
      .summary = "output[b, y, x, c] = activation(mean_{i, j} input[b, y * strideHeight + i - "
                 "paddingTop, x * strideWidth + j - paddingLeft, c])",
      .description = "The mean is over those elements of the window that are inside the image: "
                     "padding moves the window, and is not counted. The output has (image + both "
                     "paddings - filter) / stride + 1 elements along an axis, rounded down.",
      .is_for_quantized = true,
      .error_bound =
          "of a sum of filterHeight * filterWidth elements in any order, and of a division",
      .source = "types.hal 1.0 and 1.2, OperationType::AVERAGE_POOL_2D; that padding is not "
                "counted is the sum(1) of its formula",
  });
}

NNCERT_OPERATION_DEFINITION(L2_POOL_2D) {
  return Pooling<RootMeanSquareOfWindow>({
      .summary = "output[b, y, x, c] = activation(sqrt(mean_{i, j} input[b, y * strideHeight + i - "
                 "paddingTop, x * strideWidth + j - paddingLeft, c]^2))",
      .description = "The mean is over those elements of the window that are inside the image: "
                     "padding moves the window, and is not counted. The output has (image + both "
                     "paddings - filter) / stride + 1 elements along an axis, rounded down.",
      .error_bound = "of a sum of filterHeight * filterWidth squares in any order, of a division "
                     "and of a square root",
      .source = "types.hal 1.0 and 1.2, OperationType::L2_POOL_2D; that padding is not counted is "
                "the sum(1) of its formula",
  });
}

NNCERT_OPERATION_DEFINITION(MAX_POOL_2D) {
  return Pooling<GreatestOfWindow>({
      .summary = "output[b, y, x, c] = activation(max_{i, j} input[b, y * strideHeight + i - "
                 "paddingTop, x * strideWidth + j - paddingLeft, c])",
      .description =
          "The greatest is among those elements of the window that are inside the image: padding "
          "moves the window, and is never the greatest. The output has (image + both paddings - "
          "filter) / stride + 1 elements along an axis, rounded down.",
      .is_for_quantized = true,
      .error_bound = "none: an element is passed on, or a limit of the activation",
      .source = "types.hal 1.0 and 1.2, OperationType::MAX_POOL_2D; that padding is not an element "
                "is as for AVERAGE_POOL_2D",
  });
}

}  // namespace nncert
