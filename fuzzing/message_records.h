// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What one side of a connection says to the other (hal/transport), as the data of a fuzz target.

#ifndef NNCERT_FUZZING_MESSAGE_RECORDS_H_
#define NNCERT_FUZZING_MESSAGE_RECORDS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// A part of what one side says: bytes that are sent together, most often one message.
struct MessageRecord {
  /// How many descriptors go along.
  static constexpr uint8_t kMaxDescriptors = 3;
  static constexpr uint8_t kDescriptorKinds = 4;
  static constexpr uint8_t kMaxReplies = 3;
  static constexpr size_t kMaxBytes = 0xFFFF;

  uint8_t descriptors = 0;
  /// What they are of, which is the fuzz target's affair; below kDescriptorKinds.
  uint8_t descriptor_kind = 0;
  /// How many more questions and answers are to come from the other side before the next record is
  /// sent.
  uint8_t replies = 0;
  std::vector<uint8_t> bytes = {};

  friend bool operator==(const MessageRecord&, const MessageRecord&) = default;
};

/// Takes data apart into records: a byte whose lowest two bits are the number of descriptors, the
/// next two their kind and the next two the number of replies; two bytes (the low one first) with
/// the number of bytes that follow; and those bytes. The last record has what is left. Any data are
/// records.
std::vector<MessageRecord> ReadRecords(absl::Span<const uint8_t> data);

/// The data that ReadRecords takes apart into these records.
std::vector<uint8_t> WriteRecords(const std::vector<MessageRecord>& records);

}  // namespace nncert

#endif  // NNCERT_FUZZING_MESSAGE_RECORDS_H_
