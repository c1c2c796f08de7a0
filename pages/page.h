// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Pages that are one file and need nothing else.

#ifndef NNCERT_PAGES_PAGE_H_
#define NNCERT_PAGES_PAGE_H_

#include <string>
#include <vector>

#include "pages/markup.h"

namespace nncert {

/// A page of HTML with the style sheet (pages/style.css) and the script (pages/page.js) in it. It
/// asks nobody for anything, and has browsers see to that: by its content security policy neither
/// another script nor an address, should one get into it, does anything. It can be read without the
/// script, which sorts and filters.
std::string WritePage(const std::string& title, const Markup& body);

/// A table under construction. Numbers are right-aligned with figures of equal width; a table that
/// is too wide scrolls in a box of its own.
class Table {
 public:
  /// What is in a column, which its alignment goes by.
  enum class Kind { NUMBER, TEXT, MARK };

  /// A column: what it is called, and what is in it: numbers, texts or drawings (IntervalMark).
  struct Column {
    std::string name;
    Kind kind = Kind::NUMBER;
  };

  /// `style` has classes of the style sheet: "sortable" gets a button on each column's name,
  /// "filtered" a field above.
  explicit Table(std::vector<Column> columns, std::string style = "");

  /// Figures are divided by `scale`, as of Figure.
  void SetScale(double scale) { scale_ = scale; }

  /// Appends a row of as many cells as there are columns; `style` as above. The first cell is the
  /// row's heading.
  void AddRow(const std::vector<Markup>& cells, const std::string& style = "");

  /// The table, without the columns that are empty in every row; nothing when there is no row.
  Markup Build() const;

 private:
  struct Row {
    std::vector<Markup> cells;
    std::string style;
  };

  std::vector<Column> columns_;
  std::string style_;
  double scale_ = 1;
  std::vector<Row> rows_;
};

}  // namespace nncert

#endif  // NNCERT_PAGES_PAGE_H_
