// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The data of a fuzz target, taken from the front.

#ifndef NNCERT_FUZZING_FUZZ_DATA_H_
#define NNCERT_FUZZING_FUZZ_DATA_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// Bytes that become values. What is missing at the end is zero.
class FuzzData {
 public:
  FuzzData(const uint8_t* data, size_t size) : rest_(data, size) {}

  bool is_empty() const { return rest_.empty(); }

  template <typename Value>
  Value Take() {
    static_assert(std::is_trivially_copyable_v<Value>);
    Value value = {};
    const size_t size = std::min(sizeof(value), rest_.size());
    if (size > 0) std::memcpy(static_cast<void*>(&value), rest_.data(), size);
    rest_.remove_prefix(size);
    return value;
  }

  template <typename Value>
  std::vector<Value> TakeVector(size_t count) {
    std::vector<Value> values;
    for (size_t i = 0; i < count; ++i) values.push_back(Take<Value>());
    return values;
  }

 private:
  absl::Span<const uint8_t> rest_;
};

}  // namespace nncert

#endif  // NNCERT_FUZZING_FUZZ_DATA_H_
