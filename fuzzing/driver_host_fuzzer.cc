// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes what a client can send to a process that serves a driver.
//
// The data are records: a byte whose lowest two bits say how many descriptors go along, two bytes
// (the low one first) with the number of bytes that follow, and those bytes.

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include "absl/types/span.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/handle.h"
#include "hal/memory.h"
#include "hal/testing/toy_driver.h"
#include "hal/transport/server.h"

namespace nncert {
namespace {

constexpr size_t kHeader = 3;
constexpr size_t kMostDescriptors = 3;

// Throws away what the server answers, so that it never waits for us.
void DiscardAnswers(int socket) {
  std::array<char, 4096> buffer;
  while (recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT) > 0) continue;
}

// Sends bytes and descriptors. Whether the server still listens.
bool Send(int socket, absl::Span<const uint8_t> bytes, size_t descriptor_count, int descriptor) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostDescriptors)> control;
  while (!bytes.empty()) {
    iovec part = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
    msghdr header = {};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (descriptor_count > 0) {
      header.msg_control = control.data();
      header.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
      cmsghdr* const entry = CMSG_FIRSTHDR(&header);
      entry->cmsg_level = SOL_SOCKET;
      entry->cmsg_type = SCM_RIGHTS;
      entry->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
      for (size_t i = 0; i < descriptor_count; ++i) {
        std::memcpy(CMSG_DATA(entry) + i * sizeof(int), &descriptor, sizeof(int));
      }
    }
    const ssize_t sent = sendmsg(socket, &header, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      bytes.remove_prefix(static_cast<size_t>(sent));
      descriptor_count = 0;
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd event = {.fd = socket, .events = POLLIN | POLLOUT, .revents = 0};
      poll(&event, 1, -1);
      DiscardAnswers(socket);
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace nncert

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using nncert::hal::FileDescriptor;
  // What the server says of each request would fill the disk.
  FLAGS_minloglevel = google::GLOG_FATAL;
  std::array<int, 2> sockets = {-1, -1};
  PCHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0);
  FileDescriptor ours = FileDescriptor::Adopt(sockets[0]);
  std::thread server([theirs = FileDescriptor::Adopt(sockets[1])]() mutable {
    const absl::Status ignored = nncert::hal::transport::Serve(
        std::make_shared<nncert::hal::testing::ToyDriver>(), std::exchange(theirs, {}));
    static_cast<void>(ignored);
  });
  const auto pool = nncert::hal::Memory::Allocate(64);
  CHECK(pool.ok()) << pool.status();
  absl::Span<const uint8_t> rest(data, size);
  while (rest.size() > nncert::kHeader) {
    const size_t wanted = rest[1] | size_t{rest[2]} << 8;
    const size_t descriptors = rest[0] & nncert::kMostDescriptors;
    rest.remove_prefix(nncert::kHeader);
    const absl::Span<const uint8_t> bytes = rest.first(std::min(wanted, rest.size()));
    rest.remove_prefix(bytes.size());
    if (!nncert::Send(ours.get(), bytes, descriptors, pool->fd())) break;
    nncert::DiscardAnswers(ours.get());
  }
  shutdown(ours.get(), SHUT_RDWR);
  server.join();
  return 0;
}
