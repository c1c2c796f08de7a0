// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_socket.h"

#include <capnp/rpc.capnp.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <optional>
#include <vector>

#include "fuzzing/message_tree.h"
#include "glog/logging.h"
#include "hal/transport/message_stream.h"

namespace nncert {
namespace {

using hal::FileDescriptor;
using hal::Memory;

constexpr int kPause = 200;  // milliseconds; on a busy machine, the other side may need them
// After so many pauses in which nothing came, none is made any more.
constexpr int kMostPauses = 3;

// Whether a message is one that the other side can be waited for. Finish, Release and the like come
// when it suits it.
bool IsReply(const MessageNode& message) {
  using capnp::rpc::Message;
  if (message.data.empty()) return false;
  const uint8_t kind = message.data[0];
  return kind == Message::CALL || kind == Message::RETURN || kind == Message::BOOTSTRAP;
}

Memory MustAllocate(size_t size) {
  auto memory = Memory::Allocate(size);
  CHECK(memory.ok()) << memory.status();
  return *std::move(memory);
}

}  // namespace

MessageSocket::MessageSocket(FileDescriptor socket)
    : socket_(std::move(socket)),
      small_pool_(MustAllocate(64)),
      large_pool_(MustAllocate(size_t{1} << 16)),
      device_(FileDescriptor::Adopt(open("/dev/null", O_RDWR | O_CLOEXEC))) {}

void MessageSocket::Say(absl::Span<const uint8_t> data) {
  int pauses_left = kMostPauses;
  size_t expected = 0;
  for (const MessageRecord& record : ReadRecords(data)) {
    if (!Send(record)) return;
    expected += record.replies;
    if (pauses_left > 0 && !AwaitReplies(expected)) {
      --pauses_left;
      // What is missing does not come any more.
      expected = replies_;
    }
  }
}

bool MessageSocket::AwaitReplies(size_t expected) {
  ReadReplies();
  while (replies_ < expected) {
    pollfd event = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
    if (poll(&event, 1, kPause) <= 0 || (event.revents & POLLHUP) != 0) return false;
    ReadReplies();
  }
  return true;
}

void MessageSocket::EndSaying() { shutdown(socket_.get(), SHUT_WR); }

void MessageSocket::ListenToTheEnd() {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t received = recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (received == 0 || (received < 0 && errno != EINTR)) return;
  }
}

void MessageSocket::ReadReplies() {
  std::array<uint8_t, 4096> buffer;
  ssize_t received = 0;
  while ((received = recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT)) > 0) {
    input_.insert(input_.end(), buffer.begin(), buffer.begin() + received);
  }
  absl::Span<const uint8_t> rest(input_);
  for (auto size = SizeOfMessage(rest); size.has_value(); size = SizeOfMessage(rest)) {
    const std::optional<MessageNode> message = ReadMessageTree(rest.first(*size));
    if (message.has_value() && IsReply(*message)) ++replies_;
    rest.remove_prefix(*size);
  }
  input_.erase(input_.begin(), input_.end() - static_cast<ptrdiff_t>(rest.size()));
}

bool MessageSocket::Send(const MessageRecord& record) {
  const std::array<int, MessageRecord::kDescriptorKinds> kinds = {
      small_pool_.fd(), large_pool_.fd(), socket_.get(), device_.get()};
  std::vector<int> descriptors(record.descriptors, kinds[record.descriptor_kind]);
  absl::Span<const uint8_t> bytes(record.bytes);
  while (!bytes.empty()) {
    iovec part = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
    const ssize_t sent =
        hal::transport::SendParts(socket_.get(), absl::MakeSpan(&part, 1), descriptors);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      descriptors.clear();
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd event = {.fd = socket_.get(), .events = POLLIN | POLLOUT, .revents = 0};
      poll(&event, 1, -1);
      ReadReplies();
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace nncert
