// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/call_rules.h"

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::replay {

using V1_0::ErrorStatus;

std::string WrongSupport(absl::string_view call, const V1_0::GetSupportedOperationsResult& result,
                         size_t operations) {
  if (result.status != ErrorStatus::NONE) {
    return absl::StrCat(call, " ended with ", toString(result.status),
                        "; expected NONE for a valid model");
  }
  if (result.supportedOperations.size() != operations) {
    return absl::StrCat(call, " gave ", result.supportedOperations.size(),
                        " answers; expected one for each of the ", operations, " operations");
  }
  return "";
}

std::string WrongCallback(absl::string_view call, ErrorStatus launched,
                          std::optional<ErrorStatus> called) {
  if (!called.has_value()) {
    return absl::StrCat(call, " returned ", toString(launched),
                        " and did not call its callback; expected exactly one call");
  }
  if (launched != ErrorStatus::NONE && launched != *called) {
    return absl::StrCat(call, " returned ", toString(launched), " and called its callback with ",
                        toString(*called), "; expected the same status");
  }
  return "";
}

std::string WrongPreparation(absl::string_view call, const PrepareCallback::Result& result,
                             HalVersion version) {
  if (result.status != ErrorStatus::NONE) {
    if (result.model == nullptr) return "";
    return absl::StrCat(call, " gave a prepared model together with ", toString(result.status),
                        "; expected null");
  }
  if (result.model == nullptr) {
    return absl::StrCat(call,
                        " gave NONE together with a null prepared model; expected a prepared "
                        "model");
  }
  if (version >= HalVersion::V1_2 &&
      dynamic_cast<V1_2::IPreparedModel*>(result.model.get()) == nullptr) {
    return absl::StrCat(call, " gave a prepared model that is not one of HAL 1.2");
  }
  return "";
}

std::string WrongCalls(absl::string_view call, int calls) {
  if (calls == 1) return "";
  return absl::StrCat("the callback of ", call, " was called ", calls,
                      " times; expected exactly one call");
}

std::string WrongCallsAtEnd(absl::string_view call, int calls, bool is_late) {
  if (calls > 1 && !is_late) return WrongCalls(call, calls);
  if (!is_late) return "";
  if (calls == 1) {
    return absl::StrCat("the callback of ", call,
                        " was called after the prepared model had been released");
  }
  return absl::StrCat("the callback of ", call, " was called ", calls,
                      " times, the last time after the prepared model had been released; expected "
                      "exactly one call");
}

}  // namespace nncert::hal::replay
