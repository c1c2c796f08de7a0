// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/client.h"

#include <sys/socket.h>

#include <utility>

#include "hal/transport/channel.h"
#include "hal/transport/client_objects.h"
#include "hal/transport/socket.h"

namespace nncert::hal::transport {

class Connection::Impl {
 public:
  Impl(std::shared_ptr<Channel> channel, RemoteDevice device, int peer_process)
      : channel_(std::move(channel)), device_(std::move(device)), peer_process_(peer_process) {}

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    channel_->Lose(absl::CancelledError("the connection was closed"));
    channel_->WaitForThreads();
  }

  Channel& channel() const { return *channel_; }
  const RemoteDevice& device() const { return device_; }
  int peer_process() const { return peer_process_; }

 private:
  const std::shared_ptr<Channel> channel_;
  const RemoteDevice device_;
  const int peer_process_;
};

absl::StatusOr<std::unique_ptr<Connection>> Connection::Connect(const std::string& path,
                                                                ConnectionOptions options) {
  absl::StatusOr<FileDescriptor> socket = ConnectSocket(path);
  if (!socket.ok()) return socket.status();
  return Open(*std::move(socket), std::move(options));
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(FileDescriptor socket,
                                                             ConnectionOptions options) {
  ucred peer = {};
  socklen_t size = sizeof(peer);
  const bool is_known = getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  absl::StatusOr<std::shared_ptr<Channel>> channel =
      Channel::Open(std::move(socket), nullptr, std::move(options.on_lost));
  if (!channel.ok()) return channel.status();
  (*channel)->SetCallTimeout(options.call_timeout);
  absl::StatusOr<RemoteDevice> device = Greet(*channel);
  if (!device.ok()) {
    (*channel)->Lose(device.status());
    (*channel)->WaitForThreads();
    return device.status();
  }
  return std::unique_ptr<Connection>(new Connection(
      std::make_unique<Impl>(*std::move(channel), *std::move(device), is_known ? peer.pid : 0)));
}

Connection::Connection(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Connection::~Connection() = default;

const std::shared_ptr<V1_0::IDevice>& Connection::device() const { return impl_->device().device; }

HalVersion Connection::version() const { return impl_->device().version; }

int Connection::peer_process() const { return impl_->peer_process(); }

absl::Status Connection::status() const { return impl_->channel().status(); }

std::vector<std::string> Connection::calls_under_way() const {
  return impl_->channel().calls_under_way();
}

void Connection::SetCallTimeout(absl::Duration timeout) {
  impl_->channel().SetCallTimeout(timeout);
}

void Connection::Close(const absl::Status& reason) { impl_->channel().Lose(reason); }

}  // namespace nncert::hal::transport
