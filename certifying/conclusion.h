// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a certification comes to as a whole.

#ifndef NNCERT_CERTIFYING_CONCLUSION_H_
#define NNCERT_CERTIFYING_CONCLUSION_H_

#include <string>
#include <string_view>

#include "certifying/report.h"

namespace nncert {

/// Whether a driver is certified.
enum class Certification {
  CERTIFIED,      ///< something passed, nothing failed, and nothing is open
  NOT_CERTIFIED,  ///< something failed, or there is nothing that passed
  INCOMPLETE,     ///< nothing failed, but something was not run or could not be decided
};

/// The enumerator in words: "NOT CERTIFIED".
std::string_view toString(Certification certification);

/// What a certification comes to, and why: a sentence without a full stop.
struct Conclusion {
  Certification certification = Certification::INCOMPLETE;
  std::string reason;
};

/// What the results of a run of every suite come to.
Conclusion ConclusionOf(const RunReport& report);

/// "NOT CERTIFIED: 12 of 6075 cases failed, in ADD and MUL", the last line of a certification.
std::string toString(const Conclusion& conclusion);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_CONCLUSION_H_
