// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Messages of Cap'n Proto as trees that can be changed without a schema: what is a pointer and what
// is data, a message tells by itself (Cap'n Proto's "Encoding Spec").

#ifndef NNCERT_FUZZING_MESSAGE_TREE_H_
#define NNCERT_FUZZING_MESSAGE_TREE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// What one pointer of a message points to.
struct MessageNode {
  enum class Kind {
    kNull,
    kStruct,
    kDataList,     // of elements without pointers
    kPointerList,  // of pointers
    kStructList,
    kCapability,
  };

  Kind kind = Kind::kNull;

  /// Of a kDataList: 0 to 5, for elements of 0, 1, 8, 16, 32 and 64 bits.
  uint32_t element_size = 0;

  /// Of a kDataList: the number of elements, so many that `data` holds them. Of a kStructList
  /// without children: the number of elements, which have no size. Of a kCapability: its place in
  /// the table of capabilities.
  uint32_t count = 0;

  /// The data of a kStruct, whole words, and of a kDataList.
  std::vector<uint8_t> data = {};

  /// The pointers of a kStruct, the elements of a kPointerList or a kStructList.
  std::vector<MessageNode> children = {};

  friend bool operator==(const MessageNode&, const MessageNode&) = default;
};

/// The number of bytes that a kDataList of `count` elements needs.
uint64_t BytesOfElements(uint32_t element_size, uint32_t count);

/// The bytes of the message that `bytes` begin with, its table of segments included; nothing when
/// no whole message is there.
std::optional<size_t> SizeOfMessage(absl::Span<const uint8_t> bytes);

/// Reads a message that `bytes` begin with. Nothing when it is truncated, points out of itself, is
/// nested more than 64 deep, or becomes more than 16 times as large as it is: pointers may share
/// what they point to.
std::optional<MessageNode> ReadMessageTree(absl::Span<const uint8_t> bytes);

/// The message of one segment whose root is `root`. The elements of each kStructList are given the
/// size of the largest. Nothing when the message does not fit into what pointers can say (64 MiB).
std::optional<std::vector<uint8_t>> WriteMessageTree(const MessageNode& root);

}  // namespace nncert

#endif  // NNCERT_FUZZING_MESSAGE_TREE_H_
