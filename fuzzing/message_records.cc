// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_records.h"

#include <algorithm>

namespace nncert {
namespace {

constexpr size_t kHeader = 3;

}  // namespace

std::vector<MessageRecord> ReadRecords(absl::Span<const uint8_t> data) {
  std::vector<MessageRecord> records;
  while (data.size() >= kHeader) {
    const size_t wanted = data[1] | size_t{data[2]} << 8;
    MessageRecord& record = records.emplace_back();
    record.descriptors = data[0] & MessageRecord::kMaxDescriptors;
    record.descriptor_kind = data[0] >> 2 & (MessageRecord::kDescriptorKinds - 1);
    record.replies = data[0] >> 4 & MessageRecord::kMaxReplies;
    data.remove_prefix(kHeader);
    const auto bytes = data.first(std::min(wanted, data.size()));
    record.bytes.assign(bytes.begin(), bytes.end());
    data.remove_prefix(bytes.size());
  }
  return records;
}

std::vector<uint8_t> WriteRecords(const std::vector<MessageRecord>& records) {
  std::vector<uint8_t> data;
  for (const MessageRecord& record : records) {
    const size_t size = std::min(record.bytes.size(), MessageRecord::kMaxBytes);
    data.push_back(static_cast<uint8_t>(record.descriptors | record.descriptor_kind << 2 |
                                        record.replies << 4));
    data.push_back(static_cast<uint8_t>(size & 0xFF));
    data.push_back(static_cast<uint8_t>(size >> 8));
    data.insert(data.end(), record.bytes.begin(),
                record.bytes.begin() + static_cast<ptrdiff_t>(size));
  }
  return data;
}

}  // namespace nncert
