// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Values of the HAL to and from the messages of hal/transport/driver.capnp.
//
// Nothing here trusts a message: what is read is checked, and an InvalidArgument says what is
// wrong. Cap'n Proto throws when a message itself is corrupt; these functions are called in a
// channel's loop, where that ends. All of them are to be called there.

#ifndef NNCERT_HAL_TRANSPORT_WIRE_H_
#define NNCERT_HAL_TRANSPORT_WIRE_H_

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/handle.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/transport/driver.capnp.h"
#include "hal/v1_0/types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal::transport {

/// Writes into one message, and counts its descriptors.
class Writer {
 public:
  void Write(const Memory& memory, wire::Memory::Builder builder);
  void Write(const std::vector<Memory>& memories, capnp::List<wire::Memory>::Builder builder);
  void Write(const std::vector<Handle>& handles, capnp::List<wire::Handle>::Builder builder);
  void Write(const V1_2::Request& request, wire::Request::Builder builder);
  template <typename Element>
  void Write(const MQDescriptorSync<Element>& channel, wire::Channel::Builder builder) {
    Write(channel.memory, builder.initMemory());
    builder.setElementSize(channel.elementSize);
    builder.setElementCount(channel.elementCount);
    builder.setFlags(channel.flags);
  }

  /// Throws when the model is larger than a message can be.
  void Write(const V1_2::Model& model, wire::Model::Builder builder);

  /// Throws when the message has more descriptors than can be sent.
  void CheckDescriptors() const;

  size_t descriptors() const { return descriptors_; }

 private:
  wire::File::Client File(const FileDescriptor& descriptor);

  size_t descriptors_ = 0;
};

/// How large a message will be, roughly: Cap'n Proto gets that much memory for it, and clears that,
/// or else 8 KiB. A message that comes to be larger gets more.
inline constexpr capnp::MessageSize kSmallMessage = {.wordCount = 24, .capCount = 1};
capnp::MessageSize SizeHint(const V1_2::Model& model);
capnp::MessageSize SizeHint(const V1_2::Request& request);

// Texts may hold any byte.
inline capnp::Text::Reader ToWire(const std::string& text) { return {text.data(), text.size()}; }
inline std::string Read(capnp::Text::Reader text) { return {text.begin(), text.size()}; }

void Write(const V1_0::PerformanceInfo& info, wire::PerformanceInfo::Builder builder);
void Write(const V1_2::ExecuteSynchronouslyResult& result, wire::ExecutionResult::Builder builder);

/// The most elements that a list may have of those that are structs: operands, operations,
/// arguments, shapes and the like. A message may say that it has more than it has bytes.
inline constexpr size_t kMaxElements = size_t{1} << 20;

/// Fails when a list of `what`, as it came in a message, is longer than `most`.
template <typename List>
absl::Status CheckCount(const char* what, const List& list, size_t most = kMaxElements) {
  if (list.size() <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("there are ", list.size(), " ", what, "; expected at most ", most));
}

// Pools are checked against their descriptors: each must be there, be of a file, and the file as
// large as it is said to be. There are no more of them than a message can carry descriptors, and no
// more handles.
absl::StatusOr<Memory> Read(wire::Memory::Reader reader);
absl::StatusOr<std::vector<Memory>> Read(capnp::List<wire::Memory>::Reader reader);
absl::StatusOr<std::vector<Handle>> Read(capnp::List<wire::Handle>::Reader reader);
absl::StatusOr<V1_2::Model> Read(wire::Model::Reader reader);
template <typename Element>
absl::StatusOr<MQDescriptorSync<Element>> ReadChannel(wire::Channel::Reader reader) {
  absl::StatusOr<Memory> memory = Read(reader.getMemory());
  if (!memory.ok()) return memory.status();
  return MQDescriptorSync<Element>{.memory = *std::move(memory),
                                   .elementSize = reader.getElementSize(),
                                   .elementCount = reader.getElementCount(),
                                   .flags = reader.getFlags()};
}

/// Reads the requests of one client, and the memory of its bursts. Keeps the pools of the last
/// message, and small ones of those before it, for the next one mostly has one of them, also when
/// it is to another prepared model, and finds it mapped: new mappings cost more than a small
/// execution.
class PoolReader {
 public:
  /// A request, whose pools are checked as above. Its memory is kept until the next call at least.
  absl::StatusOr<V1_2::Request> Read(wire::Request::Reader reader);

  /// Pools, checked and kept likewise.
  absl::StatusOr<std::vector<Memory>> Read(capnp::List<wire::Memory>::Reader reader);

 private:
  // A pool, and the file that it is of.
  struct KnownPool {
    dev_t device;
    ino_t inode;
    Memory memory;
  };

  absl::StatusOr<KnownPool> ReadPool(wire::Memory::Reader reader) const;

  // The one that was used last is the first.
  std::vector<KnownPool> known_;
};

/// The token of a compilation cache, which has a fixed size.
absl::StatusOr<V1_2::CacheToken> ReadToken(capnp::Data::Reader reader);

V1_0::PerformanceInfo Read(wire::PerformanceInfo::Reader reader);
absl::StatusOr<V1_2::ExecuteSynchronouslyResult> Read(wire::ExecutionResult::Reader reader);

// Enumerators; a number that is none is an error.
absl::StatusOr<V1_0::ErrorStatus> ReadErrorStatus(int32_t value);
absl::StatusOr<V1_0::DeviceStatus> ReadDeviceStatus(int32_t value);
absl::StatusOr<V1_2::DeviceType> ReadDeviceType(int32_t value);
absl::StatusOr<HalVersion> ReadVersion(wire::HalVersion version);
wire::HalVersion ToWire(HalVersion version);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_WIRE_H_
