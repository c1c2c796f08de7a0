// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The rows that selections of boxes make of an operation's outputs.

#ifndef NNCERT_REFERENCE_OPS_COMMON_SELECTED_ROWS_H_
#define NNCERT_REFERENCE_OPS_COMMON_SELECTED_ROWS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "reference/kernel.h"
#include "reference/ops/common/suppression.h"
#include "reference/possible_rows.h"

namespace nncert {

/// The rows of all images, one image after another.
template <class A>
class SelectedRows {
 public:
  using Number = typename A::Number;

  /// Rows that are made of these outputs, which have no numbers yet.
  explicit SelectedRows(std::vector<RowNumbers<Number>> columns) : columns_(std::move(columns)) {}

  /// Adds an image, whose rows are those of `selection`.
  void AddImage(const Selection<Number>& selection) {
    for (const Candidate<Number>& candidate : selection.boxes) {
      rows_.group_of.push_back(rows_.groups.size());
      rows_.is_certain.push_back(!candidate.may_be_dropped);
    }
    rows_.groups.push_back({selection.least, selection.most});
    if (doubt_.empty()) doubt_ = selection.doubt;
  }

  /// Adds the elements that the next row has of a column.
  void Append(size_t column, absl::Span<const Number> elements) {
    std::vector<Number>& numbers = columns_[column].numbers;
    numbers.insert(numbers.end(), elements.begin(), elements.end());
  }
  void Append(size_t column, const Number& element) { columns_[column].numbers.push_back(element); }

  /// Writes all rows into outputs of as many rows.
  absl::Status Write(KernelContext<A>& context) const {
    if (!doubt_.empty()) return context.LeaveRowsOpen(rows_, columns_, doubt_);
    for (const RowNumbers<Number>& column : columns_) {
      Shape dimensions = {static_cast<uint32_t>(rows_.size())};
      if (column.size > 1) dimensions.push_back(static_cast<uint32_t>(column.size));
      auto output = context.Output(column.output, dimensions, column.store_as);
      if (!output.ok()) return output.status();
      std::copy(column.numbers.begin(), column.numbers.end(), output->data);
    }
    return absl::OkStatus();
  }

  /// Writes them into outputs that have room for `most` rows of each image, and how many there are
  /// into output `counts`. What is behind them means nothing.
  absl::Status WriteWithCounts(const A& arithmetic, KernelContext<A>& context, size_t most,
                               int counts) const {
    if (!doubt_.empty()) {
      PossibleRows rows = rows_;
      rows.have_counts = true;
      return context.LeaveRowsOpen(std::move(rows), columns_, doubt_);
    }
    for (const RowNumbers<Number>& column : columns_) {
      auto output = context.Output(column.output);
      if (!output.ok()) return output.status();
      std::fill_n(output->data, output->size, arithmetic.Unspecified());
      auto from = column.numbers.begin();
      for (size_t image = 0; image < rows_.groups.size(); ++image) {
        const auto end = from + static_cast<std::ptrdiff_t>(rows_.groups[image].most * column.size);
        std::copy(from, end, output->data + image * most * column.size);
        from = end;
      }
    }
    auto output = context.Output(counts);
    if (!output.ok()) return output.status();
    for (size_t image = 0; image < rows_.groups.size(); ++image) {
      (*output)[image] = IndexNumber<Number>(rows_.groups[image].most);
    }
    return absl::OkStatus();
  }

 private:
  std::vector<RowNumbers<Number>> columns_;
  PossibleRows rows_;
  std::string doubt_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_SELECTED_ROWS_H_
