// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The poolings of images: a table, an entry an operation.

#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "reference/catalogue.h"
#include "reference/ops/elementwise.h"
#include "reference/ops/fast_pooling.h"
#include "reference/ops/image.h"
#include "reference/ops/selection.h"

namespace nncert {
namespace {

enum : int {
  kInput,
  kPaddingLeft,
  kPaddingRight,
  kPaddingTop,
  kPaddingBottom,
  kPaddingScheme,
  kStrideWidth,
  kStrideHeight,
  kFilterWidth,
  kFilterHeight,
  kActivation,
  kLayout
};

constexpr WindowSlots kWindow = {.input = kInput,
                                 .filter_width = kFilterWidth,
                                 .filter_height = kFilterHeight,
                                 .padding_left = kPaddingLeft,
                                 .padding_right = kPaddingRight,
                                 .padding_top = kPaddingTop,
                                 .padding_bottom = kPaddingBottom,
                                 .padding_scheme = kPaddingScheme,
                                 .stride_width = kStrideWidth,
                                 .stride_height = kStrideHeight,
                                 .layout = kLayout};

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

template <template <class> class Summary, class A>
absl::Status Pool(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  const OperationContext& operation = context.operation();
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  // Without batches nothing bounds the depth.
  if (output->size == 0) return absl::OkStatus();
  const Window window = WindowOf(operation, kWindow);
  const ImageSizes images = InputImagesOf(operation, kWindow);
  const ImageSizes results = ImageSizesOf(output->dimensions, images.is_nchw);
  const Number* elements = NhwcElements(context, kInput, images);
  const FusedActivationFunc activation = ActivationOf(operation, kActivation);

  std::vector<Summary<A>> summaries(images.depth);
  size_t position = 0;
  for (size_t batch = 0; batch < results.batches; ++batch) {
    for (size_t y = 0; y < results.height; ++y) {
      const WindowTaps down = window.vertical.TapsAt(static_cast<int64_t>(y));
      const size_t height = down.end - down.first;
      for (size_t x = 0; x < results.width; ++x, ++position) {
        const WindowTaps across = window.horizontal.TapsAt(static_cast<int64_t>(x));
        const size_t width = across.end - across.first;
        std::fill(summaries.begin(), summaries.end(), Summary<A>());
        for (size_t i = 0; i < height; ++i) {
          const size_t row = batch * images.height + down.image + i;
          const Number* pixel = elements + (row * images.width + across.image) * images.depth;
          for (size_t j = 0; j < width; ++j, pixel += images.depth) {
            for (size_t c = 0; c < images.depth; ++c) summaries[c].Take(arithmetic, pixel[c]);
          }
        }
        const Number count = arithmetic.Constant(static_cast<double>(height * width));
        Number* result = output->data + results.PixelOffset(position);
        for (size_t c = 0; c < images.depth; ++c) {
          const Number summary = summaries[c].Finish(arithmetic, count);
          result[c * results.ChannelStride()] = Activate(arithmetic, activation, summary);
        }
      }
    }
  }
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

// The definition of a pooling, which is kFast to the hot kernels.
template <template <class> class Summary, FastPooling kFast>
OperationDefinition Pooling(const PoolOperation& operation) {
  OperandRule input = Tensor("input")
                          .Types({OperandType::TENSOR_FLOAT32})
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
                          .Ranks({4})
                          .Describe(
                              "The images, [batches, height, width, depth] or, for NCHW, "
                              "[batches, depth, height, width].");
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
      .signature = {.inputs = {std::move(input), PaddingScalar("paddingLeft", "left"),
                               PaddingScalar("paddingRight", "right"),
                               PaddingScalar("paddingTop", "top"),
                               PaddingScalar("paddingBottom", "bottom"), PaddingSchemeScalar(),
                               StrideScalar("strideWidth", "width"),
                               StrideScalar("strideHeight", "height"),
                               FilterSizeScalar("filterWidth"), FilterSizeScalar("filterHeight"),
                               ActivationScalar(), LayoutScalar().Trailing()},
                    .outputs = {std::move(output)},
                    .forms = {{kInput, kPaddingLeft, kPaddingRight, kPaddingTop, kPaddingBottom,
                               kStrideWidth, kStrideHeight, kFilterWidth, kFilterHeight,
                               kActivation, kLayout},
                              {kInput, kPaddingScheme, kStrideWidth, kStrideHeight, kFilterWidth,
                               kFilterHeight, kActivation, kLayout}}},
      .constraints = {ImagesConstraint<kWindow>("C1"), FilterConstraint<kWindow>("C2"),
                      PaddingSchemeConstraint<kWindow>("C3"), StrideConstraint<kWindow>("C4"),
                      PaddingConstraint<kWindow>("C5"), WindowFitsConstraint<kWindow>("C6"),
                      ActivationConstraint<kActivation>("C7")},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const size_t depth = InputImagesOf(context, kWindow).depth;
        absl::StatusOr<Shape> shape = WindowedShape(context, kWindow, static_cast<uint32_t>(depth));
        if (shape.ok()) outputs[0] = *std::move(shape);
        return shape.status();
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
          []<class A>(const A& arithmetic, KernelContext<A>& context) {
            if constexpr (std::is_same_v<A, FloatArithmetic> && kFast != FastPooling::kNone) {
              return PoolFloats(kFast, kWindow, kActivation, context);
            } else {
              return Pool<Summary>(arithmetic, context);
            }
          },
          [](IntegerContext& context) {
            if constexpr (kFast == FastPooling::kNone) {
              return Declined();
            } else {
              return PoolIntegers(kFast, kWindow, kActivation, context);
            }
          }),
      .error_bound = operation.error_bound,
      .accepts_empty_tensors = true,
      .source = operation.source,
  };
}

}  // namespace

NNCERT_OPERATION_DEFINITION(AVERAGE_POOL_2D) {
  return Pooling<MeanOfWindow, FastPooling::kMean>({
      .summary =
          "output[b, y, x, c] = activation(mean_{i, j} input[b, y * strideHeight + i - paddingTop, "
          "x * strideWidth + j - paddingLeft, c])",
      .description =
          "The mean is over those elements of the window that are inside the image: padding moves "
          "the window, and is not counted. The output has (image + both paddings - filter) / "
          "stride + 1 elements along an axis, rounded down.",
      .is_for_quantized = true,
      .error_bound = "of a sum of filterHeight * filterWidth elements in any order, and of a "
                     "division",
      .source =
          "types.hal 1.0 and 1.2, OperationType::AVERAGE_POOL_2D; that padding is not counted "
          "is the sum(1) of its formula",
  });
}

NNCERT_OPERATION_DEFINITION(L2_POOL_2D) {
  return Pooling<RootMeanSquareOfWindow, FastPooling::kNone>({
      .summary = "output[b, y, x, c] = activation(sqrt(mean_{i, j} input[b, y * strideHeight + i - "
                 "paddingTop, x * strideWidth + j - paddingLeft, c]^2))",
      .description =
          "The mean is over those elements of the window that are inside the image: padding moves "
          "the window, and is not counted. The output has (image + both paddings - filter) / "
          "stride + 1 elements along an axis, rounded down.",
      .error_bound = "of a sum of filterHeight * filterWidth squares in any order, of a division "
                     "and of a square root",
      .source = "types.hal 1.0 and 1.2, OperationType::L2_POOL_2D; that padding is not counted is "
                "the sum(1) of its formula",
  });
}

NNCERT_OPERATION_DEFINITION(MAX_POOL_2D) {
  return Pooling<GreatestOfWindow, FastPooling::kGreatest>({
      .summary =
          "output[b, y, x, c] = activation(max_{i, j} input[b, y * strideHeight + i - paddingTop, "
          "x * strideWidth + j - paddingLeft, c])",
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
