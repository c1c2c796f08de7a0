// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tables of tens of thousands of rows, which browsers would take long to lay out.

#ifndef NNCERT_PAGES_LONG_TABLE_H_
#define NNCERT_PAGES_LONG_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pages/markup.h"

namespace nncert {

/// A table of texts that is in the page as data. The page's script shows the rows that are searched
/// for, some at a time. Texts that occur more than once are in it once.
class LongTable {
 public:
  /// `id` is that of the element which holds the data. Columns whose texts are few are to be chosen
  /// from, of all of them.
  LongTable(std::string id, std::vector<std::string> columns);

  /// Appends a row of as many cells as there are columns.
  void AddRow(const std::vector<std::string>& cells);

  /// The table; nothing when there is no row.
  Markup Build() const;

 private:
  const std::string id_;
  const std::vector<std::string> columns_;
  std::vector<std::string> texts_;
  std::map<std::string, uint32_t> place_of_;
  std::vector<uint32_t> cells_;  // places in texts_
};

}  // namespace nncert

#endif  // NNCERT_PAGES_LONG_TABLE_H_
