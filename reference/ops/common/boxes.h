// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Boxes in images: what operations on regions of interest, proposals and detections share.
//
// A box is four numbers, its least and its greatest corner: [x1, y1, x2, y2] with x1 <= x2 and y1
// <= y2 (types.hal 1.2, BOX_WITH_NMS_LIMIT).

#ifndef NNCERT_REFERENCE_OPS_COMMON_BOXES_H_
#define NNCERT_REFERENCE_OPS_COMMON_BOXES_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "reference/operand_chooser.h"
#include "reference/operation_definition.h"
#include "reference/ops/common/selection.h"

namespace nncert {

/// Numbers of a box.
inline constexpr size_t kCorners = 4;

// ---- Operand rules ----

/// The rule of a tensor of boxes or points beside input `slot`: of its type when that is floating
/// point, in eighths of a pixel when it is TENSOR_QUANT8_ASYMM.
inline OperandRule PixelTensor(std::string_view name, int slot) {
  return Tensor(name)
      .TypeWhen(slot, OperandType::TENSOR_FLOAT32, OperandType::TENSOR_FLOAT32)
      .TypeWhen(slot, OperandType::TENSOR_FLOAT16, OperandType::TENSOR_FLOAT16)
      .TypeWhen(slot, OperandType::TENSOR_QUANT8_ASYMM, OperandType::TENSOR_QUANT16_ASYMM)
      .Quantized(0.125f, 0, OperandType::TENSOR_QUANT16_ASYMM);
}

/// The rule of the tensor "batches", which says what image each row of boxes is of.
inline OperandRule BatchIndexes() {
  return Int32Vector("batches").Describe(
      "[boxes]: the image that each box is of. Boxes of an image stand together.");
}

/// The rule of an INT32 output of rank 1.
inline OperandRule Int32Output(std::string_view name) {
  return Tensor(name).Types({OperandType::TENSOR_INT32}).Ranks({1});
}

// ---- Images ----

/// Rows of boxes that belong to one image.
struct ImageRows {
  int32_t batch = 0;
  size_t first = 0;
  size_t count = 0;
};

/// The runs of equal batch indexes.
inline std::vector<ImageRows> ImagesOf(absl::Span<const int32_t> batches) {
  std::vector<ImageRows> images;
  for (size_t i = 0; i < batches.size(); ++i) {
    if (images.empty() || images.back().batch != batches[i]) images.push_back({batches[i], i, 0});
    ++images.back().count;
  }
  return images;
}

/// Whether each batch index is in one run only.
inline bool AreBatchesTogether(absl::Span<const int32_t> batches) {
  std::vector<int32_t> runs;
  for (const ImageRows& image : ImagesOf(batches)) runs.push_back(image.batch);
  std::sort(runs.begin(), runs.end());
  return std::adjacent_find(runs.begin(), runs.end()) == runs.end();
}

// ---- Constraints ----

/// The boxes are rows of four.
template <int kBoxes>
Constraint BoxRowsConstraint() {
  return Constraint("each row of boxes has four numbers", {.shapes = {kBoxes}},
                    [](const OperationContext& context) {
                      return context.Input(kBoxes).dimensions[1] == kCorners;
                    });
}

/// Every row has a batch index.
template <int kBoxes, int kBatches>
Constraint BatchCountConstraint() {
  return Constraint("batches has an entry for each row of boxes", {.shapes = {kBoxes, kBatches}},
                    [](const OperationContext& context) {
                      return context.Input(kBatches).dimensions[0] ==
                             context.Input(kBoxes).dimensions[0];
                    });
}

/// Batch indexes are images: indexes of the first dimension of input `kImages`.
template <int kImages, int kBatches>
Constraint BatchRangeConstraint() {
  return Constraint(
      "batches are at least 0 and less than the number of images",
      {.shapes = {kImages, kBatches}, .values = {kBatches}}, [](const OperationContext& context) {
        const int64_t images = context.Input(kImages).dimensions[0];
        const std::vector<int32_t> batches = context.Int32s(kBatches);
        return std::all_of(batches.begin(), batches.end(),
                           [images](int32_t batch) { return batch >= 0 && batch < images; });
      });
}

/// Boxes of an image stand together.
template <int kBatches>
Constraint BatchOrderConstraint() {
  return Constraint(
      "rows of the same batch stand together", {.shapes = {kBatches}, .values = {kBatches}},
      [](const OperationContext& context) { return AreBatchesTogether(context.Int32s(kBatches)); });
}

// ---- Kernels ----

/// Whether two corners may be in order. A NaN is not.
template <class A>
bool MayBeInOrder(const A& arithmetic, const typename A::Number& low,
                  const typename A::Number& high) {
  if (std::isnan(LeastOf(low)) || std::isnan(LeastOf(high))) return false;
  return arithmetic.Less(high, low) != Truth::kTrue;
}

/// An error unless the corners of every box in input `slot` are in order. Boxes are the elements of
/// the slot, `boxes_in_row` a row.
template <class A>
absl::Status CheckBoxes(const A& arithmetic, const OperationContext& context, int slot,
                        absl::Span<const typename A::Number> boxes, size_t boxes_in_row = 1) {
  for (size_t box = 0; box < boxes.size() / kCorners; ++box) {
    const auto* corners = boxes.data() + box * kCorners;
    if (MayBeInOrder(arithmetic, corners[0], corners[2]) &&
        MayBeInOrder(arithmetic, corners[1], corners[3])) {
      continue;
    }
    const std::string column = boxes_in_row == 1 ? "" : absl::StrCat(" class ", box % boxes_in_row);
    return context.InputError(
        slot, absl::StrCat("row ", box / boxes_in_row, column, " is the box [", LeastOf(corners[0]),
                           ", ", LeastOf(corners[1]), ", ", GreatestOf(corners[2]), ", ",
                           GreatestOf(corners[3]), "]; expected x1 <= x2 and y1 <= y2"));
  }
  return absl::OkStatus();
}

/// A stretch along one axis.
template <class Number>
struct Extent {
  Number low{};
  Number high{};
};

/// The extent of size exp(log_scale) * size around center + shift * size: how a network's deltas
/// change a box.
template <class A>
Extent<typename A::Number> MovedExtent(const A& arithmetic, const typename A::Number& center,
                                       const typename A::Number& size,
                                       const typename A::Number& shift,
                                       const typename A::Number& log_scale) {
  using Number = typename A::Number;
  const Number moved = arithmetic.Add(center, arithmetic.Multiply(shift, size));
  const Number half = arithmetic.Multiply(arithmetic.Multiply(arithmetic.Exp(log_scale), size),
                                          arithmetic.Constant(0.5));
  return {arithmetic.Subtract(moved, half), arithmetic.Add(moved, half)};
}

/// The same for an extent given by its ends.
template <class A>
Extent<typename A::Number> MovedExtent(const A& arithmetic,
                                       const Extent<typename A::Number>& extent,
                                       const typename A::Number& shift,
                                       const typename A::Number& log_scale) {
  using Number = typename A::Number;
  const Number half = arithmetic.Constant(0.5);
  // The middle may also be computed as the low end and half of the size.
  const Number center = arithmetic.Loosen(
      arithmetic.Multiply(arithmetic.Add(extent.low, extent.high), half), extent.high, 1);
  return MovedExtent(arithmetic, center, arithmetic.Subtract(extent.high, extent.low), shift,
                     log_scale);
}

/// Sets `moved` to the box that the deltas [dx, dy, dw, dh] make of `box`, cut off at the edges of
/// an image.
template <class A>
void MoveBox(const A& arithmetic, const typename A::Number* box, const typename A::Number* deltas,
             const typename A::Number& image_height, const typename A::Number& image_width,
             typename A::Number* moved) {
  using Number = typename A::Number;
  const Number zero = arithmetic.Constant(0);
  for (size_t axis = 0; axis < 2; ++axis) {
    const Number& image = axis == 0 ? image_width : image_height;
    const Extent<Number> extent =
        MovedExtent(arithmetic, {box[axis], box[axis + 2]}, deltas[axis], deltas[axis + 2]);
    moved[axis] = arithmetic.Min(arithmetic.Max(extent.low, zero), image);
    moved[axis + 2] = arithmetic.Min(arithmetic.Max(extent.high, zero), image);
  }
}

// ---- Choices ----

/// Deltas beyond this one make boxes of nearly anything that are cut off on all sides, or, in
/// halves, overflow.
inline constexpr double kGreatestDelta = 6;

/// Settles which of `images` images each of `boxes` boxes is of. There may be images without boxes.
inline void ChooseBatches(OperandChooser& choose, int slot, uint32_t boxes, uint32_t images) {
  std::vector<int32_t> batches(boxes);
  for (int32_t& batch : batches) {
    batch = static_cast<int32_t>(choose.Between(0, int64_t{images} - 1));
  }
  std::sort(batches.begin(), batches.end());
  choose.SetInt32s(slot, batches);
}

/// How many of `count` boxes to keep by chance: fewer than there are, or more, or -1, or, seldom,
/// 0.
inline int64_t RandomLimit(const OperandChooser& choose, int64_t count) {
  if (choose.OneIn(32)) return 0;
  return choose.OneIn(4) ? -1 : choose.Between(1, count + 1);
}

/// A stretch of `whole` by chance, which may begin or end where that does.
inline Extent<double> RandomExtent(const OperandChooser& choose, const Extent<double>& whole) {
  const double length = whole.high - whole.low;
  const double size = choose.random().Uniform(length / 16, choose.OneIn(2) ? length / 4 : length);
  const double low =
      choose.OneIn(8) ? whole.low : choose.random().Uniform(whole.low, whole.high - size);
  return {low, choose.OneIn(8) ? whole.high : std::min(low + size, whole.high)};
}

/// `extent` moved by up to a quarter of its size, without what is then outside of `whole`.
inline Extent<double> RandomlyMoved(const OperandChooser& choose, const Extent<double>& extent,
                                    const Extent<double>& whole) {
  const double most = (extent.high - extent.low) / 4;
  const double shift = choose.random().Uniform(-most, most);
  return {std::max(extent.low + shift, whole.low), std::min(extent.high + shift, whole.high)};
}

/// How many times as large as usual images are, by how far elements go: 1024 pixels and more, and
/// so few where halves go that their squares are halves.
inline double ImageScale(const OperandChooser& choose) {
  return std::max(1.0, choose.reach() / 32);
}

/// The corners of boxes by chance, from `across.low` to `across.high` and from `down.low` to
/// `down.high`. Two of three are near the box `period` before them, so that there are overlaps of
/// all degrees. The ends of `across` and `down` are multiples of an eighth if it matters that no
/// box is beyond them.
inline std::vector<double> RandomBoxes(const OperandChooser& choose, size_t count,
                                       const Extent<double>& across, const Extent<double>& down,
                                       size_t period = 1) {
  std::vector<double> corners(count * kCorners);
  for (size_t box = 0; box < count; ++box) {
    const bool is_near = box >= period && !choose.OneIn(3);
    for (size_t axis = 0; axis < 2; ++axis) {
      const Extent<double>& whole = axis == 0 ? across : down;
      const size_t low = box * kCorners + axis;
      const size_t before = is_near ? low - period * kCorners : low;
      const Extent<double> extent =
          is_near ? RandomlyMoved(choose, {corners[before], corners[before + 2]}, whole)
                  : RandomExtent(choose, whole);
      corners[low] = extent.low;
      corners[low + 2] = extent.high;
    }
  }
  // Now and then a box without width; no more than one, as two have no intersection over union.
  if (count > 0 && choose.OneIn(8)) corners[corners.size() - 2] = corners[corners.size() - 4];
  // Corners with few digits lie on pixels, or just between them.
  if (choose.OneIn(2)) {
    for (double& corner : corners) corner = std::floor(corner * 8) / 8;
  }
  return corners;
}

/// Settles a tensor of such boxes: `boxes_in_row` a row, each of which is at times near the one
/// above it.
inline void ChooseBoxes(OperandChooser& choose, int slot, uint32_t rows,
                        const Extent<double>& across, const Extent<double>& down,
                        uint32_t boxes_in_row = 1) {
  choose.SetDimensions(slot, {rows, boxes_in_row * uint32_t{kCorners}});
  choose.SetValues(slot,
                   RandomBoxes(choose, size_t{rows} * boxes_in_row, across, down, boxes_in_row));
  choose.SetRange(slot, {std::min(across.low, down.low), std::max(across.high, down.high)});
}

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_BOXES_H_
