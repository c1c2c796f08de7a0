// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_socket.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "glog/logging.h"

namespace nncert {
namespace {

using hal::FileDescriptor;
using hal::Memory;

constexpr int kPause = 200;  // milliseconds; on a busy machine, the other side may need them
// After so many pauses in which nothing came, none is made any more.
constexpr int kMostPauses = 3;

Memory MustAllocate(size_t size) {
  auto memory = Memory::Allocate(size);
  CHECK(memory.ok()) << memory.status();
  return *std::move(memory);
}

}  // namespace

std::pair<FileDescriptor, FileDescriptor> ConnectedSockets() {
  std::array<int, 2> sockets = {-1, -1};
  PCHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0);
  return {FileDescriptor::Adopt(sockets[0]), FileDescriptor::Adopt(sockets[1])};
}

MessageSocket::MessageSocket(FileDescriptor socket)
    : socket_(std::move(socket)),
      small_pool_(MustAllocate(64)),
      large_pool_(MustAllocate(size_t{1} << 16)),
      device_(FileDescriptor::Adopt(open("/dev/null", O_RDWR | O_CLOEXEC))) {}

void MessageSocket::Say(absl::Span<const uint8_t> data) {
  int pauses_left = kMostPauses;
  for (const MessageRecord& record : ReadRecords(data)) {
    if (!Send(record)) return;
    if (record.waits && pauses_left > 0) {
      pollfd event = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
      if (poll(&event, 1, kPause) == 0) --pauses_left;
    }
    DiscardAnswers();
  }
}

void MessageSocket::EndSaying() { shutdown(socket_.get(), SHUT_WR); }

void MessageSocket::ListenToTheEnd() {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t received = recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (received == 0 || (received < 0 && errno != EINTR)) return;
  }
}

void MessageSocket::DiscardAnswers() {
  std::array<char, 4096> buffer;
  while (recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT) > 0) continue;
}

bool MessageSocket::Send(const MessageRecord& record) {
  const std::array<int, MessageRecord::kDescriptorKinds> kinds = {
      small_pool_.fd(), large_pool_.fd(), socket_.get(), device_.get()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * MessageRecord::kMaxDescriptors)>
      control;
  size_t descriptors = record.descriptors;
  absl::Span<const uint8_t> bytes(record.bytes);
  while (!bytes.empty()) {
    iovec part = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
    msghdr header = {};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptors > 0) {
      header.msg_control = control.data();
      header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptors);
      cmsghdr* const entry = CMSG_FIRSTHDR(&header);
      entry->cmsg_level = SOL_SOCKET;
      entry->cmsg_type = SCM_RIGHTS;
      entry->cmsg_len = CMSG_LEN(sizeof(int) * descriptors);
      for (size_t i = 0; i < descriptors; ++i) {
        std::memcpy(CMSG_DATA(entry) + i * sizeof(int), &kinds[record.descriptor_kind],
                    sizeof(int));
      }
    }
    const ssize_t sent = sendmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      descriptors = 0;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd event = {.fd = socket_.get(), .events = POLLIN | POLLOUT, .revents = 0};
      poll(&event, 1, -1);
      DiscardAnswers();
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace nncert
