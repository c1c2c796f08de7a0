// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// TOPK_V2: the greatest elements of each row, in descending order, and where they are.

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kInput, kK };
enum : int { kValuesOutput, kIndicesOutput };

// Ranks rows of one length; keeps room for it.
template <class A>
class RowRanking {
 public:
  using Number = typename A::Number;

  explicit RowRanking(size_t length) : order_(length) {}

  // The greatest numbers of `row`, in descending order, as many as `values` has room for.
  void Rank(const Number* row, absl::Span<Number> values, absl::Span<Number> indices) {
    std::iota(order_.begin(), order_.end(), size_t{0});
    const auto is_before = [row](size_t i, size_t j) {
      const bool is_nan = std::isnan(row[i]);
      if (is_nan != std::isnan(row[j])) return is_nan;
      return (is_nan || row[i] == row[j]) ? i > j : row[i] > row[j];
    };
    std::partial_sort(order_.begin(), order_.begin() + values.size(), order_.end(), is_before);
    for (size_t rank = 0; rank < values.size(); ++rank) {
      values[rank] = row[order_[rank]];
      indices[rank] = IndexNumber<Number>(order_[rank]);
    }
  }

 private:
  std::vector<size_t> order_;
};

template <>
class RowRanking<BallArithmetic> {
 public:
  explicit RowRanking(size_t length) : lowest_(length), highest_(length) {}

  void Rank(const Ball* row, absl::Span<Ball> values, absl::Span<Ball> indices) {
    const size_t length = lowest_.size();
    if (std::any_of(row, row + length, [](const Ball& number) { return MayBeNaN(number); })) {
      std::fill(values.begin(), values.end(), Ball::Anything());
      std::fill(indices.begin(), indices.end(), IndexRange<Ball>(0, length - 1));
      return;
    }
    for (size_t i = 0; i < length; ++i) {
      lowest_[i] = {LeastOf(row[i]), i};
      highest_[i] = {GreatestOf(row[i]), i};
    }
    std::sort(lowest_.begin(), lowest_.end(), std::greater<>());
    std::sort(highest_.begin(), highest_.end(), std::greater<>());
    // The n-th greatest number grows with every number of the row.
    for (size_t rank = 0; rank < values.size(); ++rank) {
      values[rank] = Ball::FromBounds(lowest_[rank].first, highest_[rank].first);
    }
    FindIndices(row, indices);
  }

 private:
  // A number and its index. In descending order of these pairs, equal numbers stand with the
  // greater index first, as the operation has it.
  using Ranked = std::pair<double, size_t>;

  // How many of the pairs stand before `ranked`.
  static size_t CountBefore(const std::vector<Ranked>& pairs, const Ranked& ranked) {
    return static_cast<size_t>(
        std::lower_bound(pairs.begin(), pairs.end(), ranked, std::greater<>()) - pairs.begin());
  }

  // Element i may have any rank from the number of elements that are before it even at its
  // greatest and their least, to that of the others that are before it at its least and their
  // greatest. Each rank then has the least and the greatest index of those that may have it.
  void FindIndices(const Ball* row, absl::Span<Ball> indices) {
    const size_t length = lowest_.size();
    const auto ranks_of = [&](size_t i) {
      const size_t itself = GreatestOf(row[i]) > LeastOf(row[i]) ? 1 : 0;
      return std::make_pair(CountBefore(lowest_, {GreatestOf(row[i]), i}),
                            CountBefore(highest_, {LeastOf(row[i]), i}) - itself);
    };
    const size_t count = indices.size();
    least_.assign(count, 0);
    greatest_.assign(count, 0);
    ranks_left_.assign(count + 1, 0);
    // Going up, the first element to reach a rank is the least; going down, the greatest.
    std::iota(ranks_left_.begin(), ranks_left_.end(), size_t{0});
    for (size_t i = 0; i < length; ++i) FillRanks(ranks_of(i), i, least_);
    std::iota(ranks_left_.begin(), ranks_left_.end(), size_t{0});
    for (size_t i = length; i-- > 0;) FillRanks(ranks_of(i), i, greatest_);
    for (size_t rank = 0; rank < count; ++rank) {
      indices[rank] = IndexRange<Ball>(least_[rank], greatest_[rank]);
    }
  }

  // Gives `index` to the ranks of the range that have none yet.
  void FillRanks(std::pair<size_t, size_t> ranks, size_t index, std::vector<size_t>& result) {
    for (size_t rank = NextLeft(ranks.first); rank < result.size() && rank <= ranks.second;
         rank = NextLeft(rank)) {
      result[rank] = index;
      ranks_left_[rank] = rank + 1;
    }
  }

  // The first rank from `rank` that has no index yet; the number of ranks when all have.
  // ranks_left_ says of each rank where to look on, and is shortened on the way.
  size_t NextLeft(size_t rank) {
    rank = std::min(rank, ranks_left_.size() - 1);
    while (ranks_left_[rank] != rank) {
      ranks_left_[rank] = ranks_left_[ranks_left_[rank]];
      rank = ranks_left_[rank];
    }
    return rank;
  }

  std::vector<Ranked> lowest_;
  std::vector<Ranked> highest_;
  std::vector<size_t> least_;
  std::vector<size_t> greatest_;
  std::vector<size_t> ranks_left_;
};

template <class A>
absl::Status RankRows(const A&, KernelContext<A>& context) {
  const auto input = context.IntegerInput(kInput);
  auto values =
      context.Output(kValuesOutput, context->Output(kValuesOutput).dimensions, LoadAs::kInteger);
  if (!values.ok()) return values.status();
  auto indices = context.Output(kIndicesOutput);
  if (!indices.ok()) return indices.status();
  const size_t length = input.dimensions.back();
  const auto k = static_cast<size_t>(context->Int32(kK));
  RowRanking<A> ranking(length);
  for (size_t row = 0; row < input.size / length; ++row) {
    ranking.Rank(input.data + row * length, values->elements().subspan(row * k, k),
                 indices->elements().subspan(row * k, k));
  }
  return absl::OkStatus();
}

}  // namespace

NNCERT_OPERATION_DEFINITION(TOPK_V2) {
  return {
      .summary =
          "values[..., i], indices[..., i] = the i-th greatest of input[..., :] and its index",
      .description =
          "The k greatest elements of each row, that is along the last dimension, in descending "
          "order. Of equal elements the one with the greater index comes first.",
      .signature = {.inputs = {NumberTensor("input").Describe("The elements to be put in order."),
                               Int32Scalar("k").Values(kNoValues).Describe(
                                   "How many elements of each row the outputs have.")},
                    .outputs = {Tensor("values").TypeLike(kInput).QuantizedLike(kInput).Describe(
                                    "The greatest elements: the dimensions of the input, but for "
                                    "the last, which is k."),
                                Tensor("indices")
                                    .Types({OperandType::TENSOR_INT32})
                                    .Describe(
                                        "Their indexes along the last dimension of the input.")}},
      .constraints = {Constraint(
          "k is in [1, last dimension of input]", {.shapes = {kInput}, .values = {kK}},
          [](const OperationContext& context) {
            return context.Int32(kK) >= 1 && static_cast<uint32_t>(context.Int32(kK)) <=
                                                 context.Input(kInput).dimensions.back();
          })},
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        outputs[kValuesOutput] = context.Input(kInput).dimensions;
        outputs[kValuesOutput].back() = static_cast<uint32_t>(context.Int32(kK));
        outputs[kIndicesOutput] = outputs[kValuesOutput];
        return absl::OkStatus();
      },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return RankRows(arithmetic, context);
      }),
      .choose =
          [](OperandChooser& choose) {
            const uint32_t length = choose.Dimensions(kInput).back();
            choose.SetInt32(kK, choose.Between(1, length));
            choose.SetOutputRange(kIndicesOutput, {0, length - 1.0});
          },
      .error_bound = "none: elements that may be equal may change places",
      .source = "types.hal 1.2, OperationType::TOPK_V2",
  };
}

}  // namespace nncert
