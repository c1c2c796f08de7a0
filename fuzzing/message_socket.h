// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The fuzzer's end of a connection: sends records, and throws away what comes back.

#ifndef NNCERT_FUZZING_MESSAGE_SOCKET_H_
#define NNCERT_FUZZING_MESSAGE_SOCKET_H_

#include <array>
#include <utility>

#include "absl/types/span.h"
#include "fuzzing/message_records.h"
#include "hal/handle.h"
#include "hal/memory.h"

namespace nncert {

/// Two connected Unix stream sockets.
std::pair<hal::FileDescriptor, hal::FileDescriptor> ConnectedSockets();

/// One end of a connection whose other end is under test.
///
/// Descriptors are, by their kind: a pool of 64 bytes, one of 64 KiB, a socket, and /dev/null.
class MessageSocket {
 public:
  explicit MessageSocket(hal::FileDescriptor socket);

  /// Sends what `data` say (ReadRecords), until all is sent or the other side listens no more. A
  /// record that waits is followed by a pause until something comes back, of 200 ms at most; the
  /// third pause in vain is the last. What comes back is thrown away.
  void Say(absl::Span<const uint8_t> data);

  /// Says that nothing more comes.
  void EndSaying();

  /// Throws away what comes until the other side closes its end.
  void ListenToTheEnd();

 private:
  // Whether the other side still listens.
  bool Send(const MessageRecord& record);
  void DiscardAnswers();

  const hal::FileDescriptor socket_;
  const hal::Memory small_pool_;
  const hal::Memory large_pool_;
  const hal::FileDescriptor device_;
};

}  // namespace nncert

#endif  // NNCERT_FUZZING_MESSAGE_SOCKET_H_
