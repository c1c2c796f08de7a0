// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Figures as pages show them.

#ifndef NNCERT_PAGES_NUMBERS_H_
#define NNCERT_PAGES_NUMBERS_H_

#include <cstdint>
#include <string>

#include "pages/markup.h"

namespace nncert {

/// A number with as many digits as a reader can use: three at least, and every digit before the
/// point: "0.0513", "12.3", "1,235"; integers as they are; below 1e-4 and from 1e7 on, "1.23e−7".
/// The error is at most half a unit of the third digit. A minus is U+2212; what is no number is
/// "NaN", "∞" or "−∞".
std::string FormatNumber(double value);

/// "1,840".
std::string FormatCount(uint64_t count);

/// The shortest decimal number that is read back as this one: "12.5", "1e-07", "nan".
std::string FormatExactly(double value);

/// A share in percent with one decimal, "61.7" of 0.617; below a tenth of a percent as FormatNumber
/// has it.
std::string FormatPercent(double share);

/// A round value beside an axis, without digits that say nothing: "0.5", "20,000", "5e−7".
std::string FormatTick(double value);

/// A figure for readers and programs: <data value="9150.25">9.15</data>, whose value is exact and
/// whose text is FormatNumber(value / scale). Where the scale is not 1, an element around it says
/// so by the attribute data-scale.
Markup Figure(double value, double scale = 1);
Markup Figure(uint64_t count);

/// A share as such a figure, in percent without the sign, which says its scale itself.
Markup ShareFigure(double share);

/// A figure with the interval that holds it: "9.15 [9.1, 9.2]", with the interval beneath in a cell
/// of a table.
Markup FigureWithInterval(double value, double low, double high, double scale = 1);
Markup ShareWithInterval(double value, double low, double high);

}  // namespace nncert

#endif  // NNCERT_PAGES_NUMBERS_H_
