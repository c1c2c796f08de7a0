// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/tree_mutator.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace nncert {
namespace {

using Kind = MessageNode::Kind;

constexpr size_t kWord = sizeof(uint64_t);
constexpr uint64_t kMaxBytesOfData = uint64_t{1} << 16;
// Questions, exports and the like are numbered from zero.
constexpr uint64_t kSmallNumbers = 8;

constexpr std::array<uint64_t, 14> kIntegers = {
    0,  1,    2,      3,          4,          7,          8,
    64, 0x7F, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, std::numeric_limits<uint64_t>::max()};

void MutateScalar(std::vector<uint8_t>& data, SplitMix64& random) {
  if (data.empty()) return;
  size_t width = size_t{1} << random.Below(4);
  while (width > data.size()) width /= 2;
  uint8_t* const place = data.data() + random.Below(data.size() / width) * width;
  uint64_t value = 0;
  std::memcpy(&value, place, width);
  switch (random.Below(5)) {
    case 0:
      ++value;
      break;
    case 1:
      --value;
      break;
    case 2:
      value ^= uint64_t{1} << random.Below(8 * width);
      break;
    case 3:
      value = random.Below(kSmallNumbers);
      break;
    default:
      value = random.OneOf(kIntegers);
      break;
  }
  std::memcpy(place, &value, width);
}

void MutateStruct(MessageNode& node, SplitMix64& random, const ByteMutation& mutate_bytes) {
  switch (random.Below(16)) {
    case 0:  // A struct of an older or newer schema.
      node.data.resize(random.Below(node.data.size() / kWord + 2) * kWord);
      return;
    case 1:
      node.children.resize(random.Below(node.children.size() + 2));
      return;
    case 2: {
      const size_t size = node.data.size();
      mutate_bytes(node.data);
      node.data.resize(size);
      return;
    }
    default:
      MutateScalar(node.data, random);
      return;
  }
}

void MutateDataList(MessageNode& node, SplitMix64& random, const ByteMutation& mutate_bytes) {
  switch (random.Below(8)) {
    case 0: {  // A few elements more or less.
      const uint64_t count = node.count + random.Below(9);
      node.count = static_cast<uint32_t>(count - std::min<uint64_t>(count, 4));
      break;
    }
    case 1:
      node.count = static_cast<uint32_t>(random.Below(64));
      break;
    case 2:
      node.element_size = static_cast<uint32_t>(random.Below(6));
      break;
    case 3:  // Elements without size can be many.
      node.element_size = 0;
      node.count = uint32_t{1} << random.Below(29);
      break;
    case 4: {
      std::vector<uint8_t> bytes = node.data;
      mutate_bytes(bytes);
      node.data = std::move(bytes);
      break;
    }
    default:
      MutateScalar(node.data, random);
      break;
  }
  constexpr uint64_t kMost = kMaxBytesOfData;
  if (BytesOfElements(node.element_size, node.count) > kMost) {
    node.count = static_cast<uint32_t>(kMost / kWord);
  }
  node.data.resize(BytesOfElements(node.element_size, node.count));
}

void MutateChildren(std::vector<MessageNode>& children, SplitMix64& random) {
  if (children.empty()) return;
  const auto any = [&] {
    return children.begin() + static_cast<ptrdiff_t>(random.Below(children.size()));
  };
  switch (random.Below(4)) {
    case 0:
      children.erase(any());
      return;
    case 1:
      std::iter_swap(any(), any());
      return;
    case 2: {
      const MessageNode copy = *any();
      const auto place = any();
      children.insert(place, copy);
      return;
    }
    default: {
      const MessageNode copy = *any();
      children.insert(children.end(), 1 + random.Below(16), copy);
      return;
    }
  }
}

void MutateStructList(MessageNode& node, SplitMix64& random) {
  if (random.OneIn(16)) {
    node.children.clear();
    node.count = uint32_t{1} << random.Below(29);
  } else if (node.children.empty()) {
    node.children.push_back({.kind = Kind::kStruct});
    node.children.back().data.resize(kWord * random.Below(4));
  } else {
    MutateChildren(node.children, random);
  }
}

// All nodes that pointers lead to. The elements of a list of structs are at no pointer; their
// pointers are.
void CollectNodes(MessageNode& node, bool is_element, std::vector<MessageNode*>& nodes,
                  std::vector<MessageNode*>& elements) {
  (is_element ? elements : nodes).push_back(&node);
  for (MessageNode& child : node.children) {
    CollectNodes(child, node.kind == Kind::kStructList, nodes, elements);
  }
}

void MutateNode(MessageNode& node, SplitMix64& random, const ByteMutation& mutate_bytes) {
  switch (node.kind) {
    case Kind::kNull:
      node.kind = random.OneOf(std::array{Kind::kStruct, Kind::kDataList, Kind::kPointerList,
                                          Kind::kStructList, Kind::kCapability});
      node.element_size = 2;
      return;
    case Kind::kStruct:
      MutateStruct(node, random, mutate_bytes);
      return;
    case Kind::kDataList:
      MutateDataList(node, random, mutate_bytes);
      return;
    case Kind::kPointerList:
      if (node.children.empty()) {
        node.children.emplace_back();
      } else {
        MutateChildren(node.children, random);
      }
      return;
    case Kind::kStructList:
      MutateStructList(node, random);
      return;
    case Kind::kCapability:
      node.count = static_cast<uint32_t>(random.OneIn(8) ? random.OneOf(kIntegers)
                                                         : random.Below(kSmallNumbers));
      return;
  }
}

}  // namespace

void MutateTree(MessageNode& root, SplitMix64& random, const ByteMutation& mutate_bytes) {
  std::vector<MessageNode*> nodes;
  std::vector<MessageNode*> elements;
  CollectNodes(root, false, nodes, elements);
  const uint64_t choice = random.Below(nodes.size() + elements.size());
  if (choice >= nodes.size()) {
    MutateStruct(*elements[choice - nodes.size()], random, mutate_bytes);
    return;
  }
  MessageNode& node = *nodes[choice];
  switch (random.Below(12)) {
    case 0:
      if (&node != &root) node = MessageNode();
      return;
    case 1: {  // Something else of the message.
      MessageNode copy = *nodes[random.Below(nodes.size())];
      node = std::move(copy);
      return;
    }
    default:
      MutateNode(node, random, mutate_bytes);
      return;
  }
}

}  // namespace nncert
