// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_tree.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace nncert {
namespace {

using Kind = MessageNode::Kind;

constexpr size_t kWord = sizeof(uint64_t);
constexpr uint32_t kMaxSegments = 512;
constexpr int kMaxDepth = 64;
constexpr size_t kGrowth = 16;
constexpr uint64_t kMaxWords = uint64_t{1} << 23;

// What the lowest two bits of a pointer say.
enum Tag : uint64_t { kStructTag, kListTag, kFarTag, kOtherTag };
// Sizes of elements beside those of data.
constexpr uint32_t kPointers = 6;
constexpr uint32_t kStructs = 7;
// A pointer to a struct without anything: to itself, for it must not be null.
constexpr uint64_t kEmptyStruct = 0xFFFFFFFC;
constexpr uint64_t kMaxCount = (uint64_t{1} << 29) - 1;
constexpr uint64_t kMaxOfSection = 0xFFFF;

struct Segments {
  size_t size = 0;  // bytes, the table included
  std::vector<absl::Span<const uint8_t>> parts;
};

std::optional<Segments> FindSegments(absl::Span<const uint8_t> bytes) {
  const auto number_at = [&](size_t index) {
    uint32_t number = 0;
    std::memcpy(&number, bytes.data() + index * sizeof(number), sizeof(number));
    return number;
  };
  if (bytes.size() < sizeof(uint32_t) || number_at(0) >= kMaxSegments) return std::nullopt;
  const size_t count = size_t{number_at(0)} + 1;
  Segments segments;
  segments.size = (count / 2 + 1) * kWord;
  if (bytes.size() < segments.size) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    const size_t size = size_t{number_at(i + 1)} * kWord;
    if (bytes.size() - segments.size < size) return std::nullopt;
    segments.parts.push_back(bytes.subspan(segments.size, size));
    segments.size += size;
  }
  return segments;
}

// Reads a tree. Every function is false when the message is no good.
class Reader {
 public:
  explicit Reader(const Segments& segments)
      : segments_(segments), bytes_left_(kGrowth * segments.size) {}

  bool ReadPointer(size_t segment, uint64_t position, int depth, MessageNode& node) {
    uint64_t pointer = 0;
    if (depth > kMaxDepth || !ReadWord(segment, position, pointer)) return false;
    if ((pointer & 3) != kFarTag) return ReadTarget(segment, position, pointer, depth, node);
    const bool is_double = (pointer >> 2 & 1) != 0;
    const uint64_t pad_position = (pointer & 0xFFFFFFFF) >> 3;
    const auto pad_segment = static_cast<size_t>(pointer >> 32);
    uint64_t pad = 0;
    if (!ReadWord(pad_segment, pad_position, pad)) return false;
    if (!is_double) {
      return (pad & 3) != kFarTag && ReadTarget(pad_segment, pad_position, pad, depth, node);
    }
    uint64_t tag = 0;
    if ((pad & 3) != kFarTag || !ReadWord(pad_segment, pad_position + 1, tag)) return false;
    const auto segment_of_content = static_cast<size_t>(pad >> 32);
    const uint64_t content = (pad & 0xFFFFFFFF) >> 3;
    return ReadContent(segment_of_content, content, tag, depth, node);
  }

 private:
  bool ReadWord(size_t segment, uint64_t position, uint64_t& word) const {
    if (segment >= segments_.parts.size()) return false;
    const absl::Span<const uint8_t> part = segments_.parts[segment];
    if (position >= part.size() / kWord) return false;
    std::memcpy(&word, part.data() + position * kWord, kWord);
    return true;
  }

  bool ReadTarget(size_t segment, uint64_t position, uint64_t pointer, int depth,
                  MessageNode& node) {
    if (pointer == 0) return Charge(kWord);
    if ((pointer & 3) == kOtherTag) {
      node.kind = Kind::kCapability;
      node.count = static_cast<uint32_t>(pointer >> 32);
      return (pointer & 0xFFFFFFFF) == kOtherTag && Charge(kWord);
    }
    const auto offset = static_cast<int32_t>(pointer & 0xFFFFFFFF) >> 2;
    const int64_t content = static_cast<int64_t>(position) + 1 + offset;
    return content >= 0 &&
           ReadContent(segment, static_cast<uint64_t>(content), pointer, depth, node);
  }

  // Reads what is at a position, of which a tag says what it is.
  bool ReadContent(size_t segment, uint64_t position, uint64_t tag, int depth, MessageNode& node) {
    if ((tag & 3) == kStructTag) {
      return ReadStruct(segment, position, tag >> 32 & kMaxOfSection, tag >> 48, depth, node);
    }
    if ((tag & 3) != kListTag) return false;
    const auto element_size = static_cast<uint32_t>(tag >> 32 & 7);
    const auto count = static_cast<uint32_t>(tag >> 35);
    if (element_size == kPointers) {
      node.kind = Kind::kPointerList;
      return ReadPointers(segment, position, count, depth, node);
    }
    if (element_size == kStructs) return ReadStructs(segment, position, count, depth, node);
    node.kind = Kind::kDataList;
    node.element_size = element_size;
    node.count = count;
    return Charge(kWord) &&
           ReadData(segment, position, BytesOfElements(element_size, count), node.data);
  }

  bool ReadStruct(size_t segment, uint64_t position, uint64_t data_words, uint64_t pointers,
                  int depth, MessageNode& node) {
    node.kind = Kind::kStruct;
    return Charge(kWord) && ReadData(segment, position, data_words * kWord, node.data) &&
           ReadPointers(segment, position + data_words, pointers, depth, node);
  }

  bool ReadStructs(size_t segment, uint64_t position, uint64_t words, int depth,
                   MessageNode& node) {
    uint64_t tag = 0;
    if (!ReadWord(segment, position, tag) || (tag & 3) != kStructTag) return false;
    const uint64_t count = (tag & 0xFFFFFFFF) >> 2;
    const uint64_t data_words = tag >> 32 & kMaxOfSection;
    const uint64_t pointers = tag >> 48;
    const uint64_t step = data_words + pointers;
    if (count * step > words || !Charge(kWord)) return false;
    node.kind = Kind::kStructList;
    if (step == 0) {
      node.count = static_cast<uint32_t>(std::min(count, kMaxCount));
      return true;
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (!ReadStruct(segment, position + 1 + i * step, data_words, pointers, depth + 1,
                      node.children.emplace_back())) {
        return false;
      }
    }
    return true;
  }

  bool ReadPointers(size_t segment, uint64_t position, uint64_t count, int depth,
                    MessageNode& node) {
    for (uint64_t i = 0; i < count; ++i) {
      if (!ReadPointer(segment, position + i, depth + 1, node.children.emplace_back())) {
        return false;
      }
    }
    return true;
  }

  bool ReadData(size_t segment, uint64_t position, uint64_t size, std::vector<uint8_t>& data) {
    if (size == 0) return true;
    if (segment >= segments_.parts.size()) return false;
    const absl::Span<const uint8_t> part = segments_.parts[segment];
    if (position > part.size() / kWord || part.size() - position * kWord < size || !Charge(size)) {
      return false;
    }
    const uint8_t* const begin = part.data() + position * kWord;
    data.assign(begin, begin + size);
    return true;
  }

  bool Charge(uint64_t bytes) {
    if (bytes > bytes_left_) return false;
    bytes_left_ -= bytes;
    return true;
  }

  const Segments& segments_;
  uint64_t bytes_left_;
};

// Writes a tree into one segment.
class Writer {
 public:
  Writer() : words_(1) {}

  // Writes the pointer at a position and what it points to. Whether there was room.
  bool WritePointer(size_t position, const MessageNode& node) {
    switch (node.kind) {
      case Kind::kNull:
        return true;
      case Kind::kCapability:
        words_[position] = kOtherTag | uint64_t{node.count} << 32;
        return true;
      case Kind::kStruct: {
        const size_t data_words = node.data.size() / kWord;
        const size_t pointers = node.children.size();
        if (data_words > kMaxOfSection || pointers > kMaxOfSection) return false;
        if (data_words + pointers == 0) {
          words_[position] = kEmptyStruct;
          return true;
        }
        const size_t content = Allocate(data_words + pointers);
        words_[position] = kStructTag | Offset(position, content) | uint64_t{data_words} << 32 |
                           uint64_t{pointers} << 48;
        return WriteStruct(content, data_words, node);
      }
      case Kind::kDataList: {
        const size_t content = Allocate((node.data.size() + kWord - 1) / kWord);
        words_[position] = ListPointer(position, content, node.element_size, node.count);
        WriteData(content, node.data);
        return true;
      }
      case Kind::kPointerList: {
        const size_t content = Allocate(node.children.size());
        words_[position] = ListPointer(position, content, kPointers, node.children.size());
        return WritePointers(content, node);
      }
      case Kind::kStructList:
        return WriteStructs(position, node);
    }
    return false;
  }

  const std::vector<uint64_t>& words() const { return words_; }

 private:
  size_t Allocate(size_t words) {
    const size_t position = words_.size();
    words_.resize(position + words);
    return position;
  }

  static uint64_t Offset(size_t position, size_t content) {
    return uint64_t{static_cast<uint32_t>(content - position - 1) << 2};
  }

  static uint64_t ListPointer(size_t position, size_t content, uint32_t element_size,
                              uint64_t count) {
    return kListTag | Offset(position, content) | uint64_t{element_size} << 32 |
           std::min(count, kMaxCount) << 35;
  }

  void WriteData(size_t content, const std::vector<uint8_t>& data) {
    if (!data.empty()) std::memcpy(words_.data() + content, data.data(), data.size());
  }

  bool WritePointers(size_t content, const MessageNode& node) {
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (words_.size() > kMaxWords || !WritePointer(content + i, node.children[i])) return false;
    }
    return true;
  }

  bool WriteStruct(size_t content, size_t data_words, const MessageNode& node) {
    WriteData(content, node.data);
    return WritePointers(content + data_words, node);
  }

  bool WriteStructs(size_t position, const MessageNode& node) {
    size_t data_words = 0;
    size_t pointers = 0;
    for (const MessageNode& element : node.children) {
      data_words = std::max(data_words, element.data.size() / kWord);
      pointers = std::max(pointers, element.children.size());
    }
    if (data_words > kMaxOfSection || pointers > kMaxOfSection) return false;
    const size_t step = data_words + pointers;
    const uint64_t count =
        step == 0 ? std::max<uint64_t>(node.count, node.children.size()) : node.children.size();
    const size_t content = Allocate(1 + step * node.children.size());
    words_[position] = ListPointer(position, content, kStructs, step * node.children.size());
    words_[content] = kStructTag | std::min(count, kMaxCount) << 2 | uint64_t{data_words} << 32 |
                      uint64_t{pointers} << 48;
    for (size_t i = 0; i < node.children.size(); ++i) {
      if (!WriteStruct(content + 1 + i * step, data_words, node.children[i])) return false;
    }
    return true;
  }

  // The root pointer first.
  std::vector<uint64_t> words_;
};

}  // namespace

uint64_t BytesOfElements(uint32_t element_size, uint32_t count) {
  static constexpr std::array<uint64_t, 6> kBits = {0, 1, 8, 16, 32, 64};
  return (kBits[element_size] * count + 7) / 8;
}

std::optional<size_t> SizeOfMessage(absl::Span<const uint8_t> bytes) {
  const std::optional<Segments> segments = FindSegments(bytes);
  if (!segments.has_value()) return std::nullopt;
  return segments->size;
}

std::optional<MessageNode> ReadMessageTree(absl::Span<const uint8_t> bytes) {
  const std::optional<Segments> segments = FindSegments(bytes);
  if (!segments.has_value()) return std::nullopt;
  MessageNode root;
  if (!Reader(*segments).ReadPointer(0, 0, 0, root)) return std::nullopt;
  return root;
}

std::optional<std::vector<uint8_t>> WriteMessageTree(const MessageNode& root) {
  Writer writer;
  if (!writer.WritePointer(0, root) || writer.words().size() > kMaxWords) return std::nullopt;
  const std::array<uint32_t, 2> table = {0, static_cast<uint32_t>(writer.words().size())};
  std::vector<uint8_t> bytes(sizeof(table) + writer.words().size() * kWord);
  std::memcpy(bytes.data(), table.data(), sizeof(table));
  std::memcpy(bytes.data() + sizeof(table), writer.words().data(), writer.words().size() * kWord);
  return bytes;
}

}  // namespace nncert
