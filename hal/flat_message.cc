// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/flat_message.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "hal/schema_values.h"

namespace nncert::hal {
namespace {

// Words that may be read out of the smallest of messages: 1 MiB.
constexpr uint64_t kLeastTraversalLimit = (uint64_t{1} << 20) / sizeof(capnp::word);

}  // namespace

absl::Status ReadFlatMessage(absl::Span<const uint8_t> bytes, const std::string& what,
                             absl::FunctionRef<absl::Status(capnp::MessageReader& message,
                                                            kj::ArrayPtr<const capnp::word> words)>
                                 read) {
  if (bytes.empty()) return absl::InvalidArgumentError(absl::StrCat(what, " is empty"));
  if (bytes.size() % sizeof(capnp::word) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " has ", bytes.size(),
                     " bytes, which is not a multiple of 8: it is truncated or no message"));
  }
  const size_t size = bytes.size() / sizeof(capnp::word);
  return WithoutExceptions([&]() -> absl::Status {
    kj::Array<capnp::word> aligned;
    kj::ArrayPtr<const capnp::word> words(reinterpret_cast<const capnp::word*>(bytes.data()), size);
    if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(capnp::word) != 0) {
      aligned = kj::heapArray<capnp::word>(size);
      std::memcpy(static_cast<void*>(aligned.begin()), bytes.data(), bytes.size());
      words = aligned;
    }
    capnp::ReaderOptions options;
    // Every part is read once, so a few times the size of the message is plenty, and bounds what
    // one that refers to the same part again and again can make of itself.
    options.traversalLimitInWords = std::max<uint64_t>(kLeastTraversalLimit, words.size() * 4);
    capnp::FlatArrayMessageReader message(words, options);
    if (message.getEnd() != words.end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          what, " goes on for ", (words.end() - message.getEnd()) * sizeof(capnp::word),
          " bytes behind its message"));
    }
    return read(message, words);
  });
}

}  // namespace nncert::hal
