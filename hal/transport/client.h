// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The client's side of the transport: a driver in another process as an IDevice of this one.
//
//   absl::StatusOr<std::unique_ptr<Connection>> connection = Connection::Connect("/run/my_driver");
//   if (!connection.ok()) return connection.status();
//   const auto device = std::dynamic_pointer_cast<V1_2::IDevice>((*connection)->device());
//
// Whatever the process at the other end does (it crashes, hangs, or sends nonsense), every call
// returns what the interface allows it to return, no exception leaves this library, and status()
// says what really happened.

#ifndef NNCERT_HAL_TRANSPORT_CLIENT_H_
#define NNCERT_HAL_TRANSPORT_CLIENT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/handle.h"
#include "hal/v1_0/interfaces.h"
#include "hal/version.h"

namespace nncert::hal::transport {

/// How a connection is to behave.
struct ConnectionOptions {
  /// How long a call may take, the greeting of the server included, before the connection is given
  /// up with DeadlineExceeded. Can be changed later: Connection::SetCallTimeout.
  absl::Duration call_timeout = absl::InfiniteDuration();

  /// Called once, by a thread of the connection, when the connection is lost for whatever reason,
  /// Close included, with what status() says. The calls under way have been told to return, and the
  /// callbacks that wait have been called. May be empty. Must not destroy the Connection.
  std::function<void(const absl::Status&)> on_lost;
};

/// A connection to a process that serves one device, and the proxies of that device.
///
/// Proxies are used like the objects they stand for, by any number of threads at the same time.
/// Their calls block until the other process has answered; the thread that calls reads the answer
/// from the socket itself, so that no other thread has to wake up for it. Only a thread that is in
/// an event loop of KJ's of its own cannot make calls: they fail as if they could not be sent.
///
/// Pools travel as file descriptors and are mapped by the other process: nothing of a tensor is
/// copied. So do the channels of bursts and the handles of compilation caches. One call can carry
/// 253 descriptors, as Linux has it; a call with more fails with GENERAL_FAILURE and leaves the
/// connection as it is.
///
/// When the last reference to a proxy of a prepared model or a burst goes, the other process drops
/// its own; getStatus returns only when what was dropped before has been destroyed. The thread that
/// hands a proxy to a callback holds a reference until a moment after the callback has returned.
///
/// A callback that is given to the driver is kept for as long as the driver keeps it, and is called
/// by threads of the connection (never by one that is within a call of a proxy), as often as the
/// driver calls it. A callback that the driver drops without having called it is dropped here, and
/// not called.
///
/// Once the connection is lost, every call that is under way and every later one returns
/// GENERAL_FAILURE (getStatus: UNKNOWN) with empty results, and each callback that belongs to a
/// preparation or an execution and has not been called yet is called with GENERAL_FAILURE: by
/// notify_1_2 when it is one of HAL 1.2, else by notify.
class Connection {
 public:
  /// Connects to the Unix socket at `path`. Fails with NotFound when there is none, Unavailable
  /// when nobody listens there, and otherwise as Open.
  static absl::StatusOr<std::unique_ptr<Connection>> Connect(const std::string& path,
                                                             ConnectionOptions options = {});

  /// Takes over a connected Unix stream socket and asks the server for its device. Fails with
  /// InvalidArgument when `socket` is none, with the server's own status when it says that it has
  /// no device (a driver that cannot be loaded, for example), and like status() when the server
  /// is lost before it has answered.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(FileDescriptor socket,
                                                          ConnectionOptions options = {});

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Closes the connection. Proxies may outlive it: their calls fail. Waits until every callback
  /// that is being called has returned, so it must not be called by one.
  ~Connection();

  /// The device: a V1_2::IDevice, V1_1::IDevice or V1_0::IDevice that is none of a later version,
  /// as is the one that is served. Never null.
  const std::shared_ptr<V1_0::IDevice>& device() const;

  /// The version of the device.
  HalVersion version() const;

  /// The process at the other end, or 0 when the system does not tell.
  int peer_process() const;

  /// OK while the connection stands; afterwards the reason why it does not, which never changes:
  ///
  /// - Unavailable: the other process closed the socket. It most likely ended.
  /// - DataLoss: the other process broke the protocol: a message that is none, a count, size or
  ///   enumerator that cannot be, a missing or wrong descriptor or capability, an answer that the
  ///   interface does not allow.
  /// - DeadlineExceeded: it did not answer in time.
  /// - Cancelled: this side closed the connection; or whatever else was given to Close.
  ///
  /// The message names the calls that were under way, such as
  /// "during IPreparedModel::executeSynchronously".
  absl::Status status() const;

  /// The calls of proxies that are under way, such as "IDevice::prepareModel_1_2", the oldest
  /// first.
  std::vector<std::string> calls_under_way() const;

  /// How long calls that begin from now on may take; see ConnectionOptions::call_timeout.
  void SetCallTimeout(absl::Duration timeout);

  /// Gives the connection up, from any thread: `reason`, which must not be OK, becomes status()
  /// unless there is one already. Does not wait for anything.
  void Close(const absl::Status& reason = absl::CancelledError("the connection was closed"));

 private:
  class Impl;
  explicit Connection(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_CLIENT_H_
