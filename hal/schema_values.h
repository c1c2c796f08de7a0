// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What reading and writing Cap'n Proto messages takes, whatever they are about.

#ifndef NNCERT_HAL_SCHEMA_VALUES_H_
#define NNCERT_HAL_SCHEMA_VALUES_H_

#include <capnp/blob.h>
#include <kj/exception.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"

namespace nncert::hal {

/// Runs `function`, which gives a Status or StatusOr, and turns what Cap'n Proto throws into one:
/// InvalidArgument for a corrupt message, ResourceExhausted when there is no memory.
template <typename Function>
auto WithoutExceptions(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const kj::Exception& exception) {
    return absl::InvalidArgumentError(
        absl::StrCat("the Cap'n Proto message is corrupt: ", exception.getDescription().cStr()));
  } catch (const std::exception& exception) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot hold the Cap'n Proto message: ", exception.what()));
  }
}

/// The status, with what it is about before its message.
inline absl::Status About(const std::string& what, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(what, ": ", status.message()));
}

/// Writes the values of a list into a message.
template <typename Value, typename Builder>
void CopyList(const std::vector<Value>& from, Builder to) {
  for (size_t i = 0; i < from.size(); ++i) to.set(static_cast<unsigned>(i), from[i]);
}

/// The values of a list of a message.
template <typename Value, typename Reader>
std::vector<Value> ToVector(const Reader& list) {
  std::vector<Value> values(list.size());
  for (unsigned i = 0; i < list.size(); ++i) values[i] = list[i];
  return values;
}

/// Bytes as a message takes them.
inline capnp::Data::Reader ToData(absl::Span<const uint8_t> bytes) {
  return {bytes.data(), bytes.size()};
}

/// The bytes of a message.
inline std::vector<uint8_t> ToBytes(const capnp::Data::Reader& data) {
  return std::vector<uint8_t>(data.begin(), data.end());
}

/// A text of a message.
inline std::string ToText(const capnp::Text::Reader& text) {
  return std::string(text.begin(), text.end());
}

}  // namespace nncert::hal

#endif  // NNCERT_HAL_SCHEMA_VALUES_H_
