// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <list>
#include <utility>

#include "absl/strings/str_cat.h"
#include "glog/logging.h"
#include "hal/deadline.h"
#include "hal/transport/channel.h"
#include "hal/transport/server_objects.h"
#include "hal/transport/socket.h"

namespace nncert::hal::transport {
namespace {

// A client being served.
absl::StatusOr<std::shared_ptr<Channel>> ServeChannel(
    const absl::StatusOr<std::shared_ptr<V1_0::IDevice>>& device, FileDescriptor socket) {
  return Channel::Open(
      std::move(socket),
      [&](Channel& channel) -> capnp::Capability::Client { return MakeService(channel, device); },
      nullptr);
}

// What became of a client that is gone.
absl::Status EndOf(Channel& channel, absl::Duration grace) {
  if (!channel.WaitForThreads(Deadline(grace))) {
    return absl::DeadlineExceededError(absl::StrCat(
        "calls of the client still run ", absl::FormatDuration(grace), " after it has gone"));
  }
  const absl::Status status = channel.status();
  return absl::IsUnavailable(status) ? absl::OkStatus() : status;
}

absl::Status ServeOne(const absl::StatusOr<std::shared_ptr<V1_0::IDevice>>& device,
                      const FileDescriptor& socket, absl::Duration grace) {
  // Either side's end of the connection hangs the socket up, whatever calls may still run.
  pollfd hangup = {.fd = socket.get(), .events = 0, .revents = 0};
  auto channel = ServeChannel(device, socket);
  if (!channel.ok()) return channel.status();
  while (poll(&hangup, 1, -1) < 0 && errno == EINTR) continue;
  (*channel)->Lose(absl::UnavailableError("the client hung up"));
  return EndOf(**channel, grace);
}

}  // namespace

absl::Status Serve(const std::shared_ptr<V1_0::IDevice>& device, const FileDescriptor& socket,
                   absl::Duration grace) {
  if (device == nullptr) return absl::InvalidArgumentError("there is no device to be served");
  return ServeOne(device, socket, grace);
}

absl::Status ServeFailure(const absl::Status& reason, const FileDescriptor& socket) {
  if (reason.ok()) return absl::InvalidArgumentError("the reason of the failure is OK");
  return ServeOne(reason, socket, absl::InfiniteDuration());
}

class Server::Impl {
 public:
  Impl(std::shared_ptr<V1_0::IDevice> device, std::string path, ListenOptions options,
       FileDescriptor socket, FileDescriptor stop, const struct stat& file)
      : device_(std::move(device)),
        path_(std::move(path)),
        options_(options),
        socket_(std::move(socket)),
        stop_(std::move(stop)),
        file_(file) {}

  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  ~Impl() {
    struct stat file;
    if (lstat(path_.c_str(), &file) == 0 && file.st_dev == file_.st_dev &&
        file.st_ino == file_.st_ino) {
      unlink(path_.c_str());
    }
  }

  absl::Status Run() {
    absl::Status status;
    while (status.ok() && !IsStopped()) {
      const int client = accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC);
      if (client >= 0) {
        Welcome(FileDescriptor::Adopt(client));
      } else if (errno != EINTR && errno != EAGAIN && errno != ECONNABORTED) {
        status = absl::ErrnoToStatus(errno, absl::StrCat(path_, ": cannot accept a client"));
      }
    }
    const absl::Status end = SayGoodbye();
    return status.ok() ? end : status;
  }

  void Stop() {
    const int error = errno;
    const uint64_t one = 1;
    const ssize_t ignored = write(stop_.get(), &one, sizeof(one));
    static_cast<void>(ignored);
    errno = error;
  }

 private:
  // Waits for a client. Whether the server is to stop instead.
  bool IsStopped() {
    std::array<pollfd, 2> events = {pollfd{.fd = stop_.get(), .events = POLLIN, .revents = 0},
                                    pollfd{.fd = socket_.get(), .events = POLLIN, .revents = 0}};
    while (true) {
      const int count = poll(events.data(), events.size(), -1);
      if (count > 0) return events[0].revents != 0;
    }
  }

  void Welcome(FileDescriptor socket) {
    clients_.remove_if([](const std::shared_ptr<Channel>& client) {
      return client->WaitForThreads(Deadline(absl::ZeroDuration()));
    });
    auto client = ServeChannel(device_, std::move(socket));
    if (client.ok()) {
      clients_.push_back(*std::move(client));
    } else {
      LOG(WARNING) << "cannot serve a client: " << client.status();
    }
  }

  absl::Status SayGoodbye() {
    for (const auto& client : clients_) {
      client->Lose(absl::CancelledError("the server stopped"));
    }
    const Deadline deadline(options_.grace);
    size_t left_behind = 0;
    for (const auto& client : clients_) {
      if (!client->WaitForThreads(deadline)) ++left_behind;
    }
    clients_.clear();
    if (left_behind == 0) return absl::OkStatus();
    return absl::DeadlineExceededError(absl::StrCat("calls of ", left_behind, " clients still run ",
                                                    absl::FormatDuration(options_.grace),
                                                    " after the server was stopped"));
  }

  const std::shared_ptr<V1_0::IDevice> device_;
  const std::string path_;
  const ListenOptions options_;
  const FileDescriptor socket_;
  const FileDescriptor stop_;
  // The socket's file, as Listen made it.
  const struct stat file_;
  std::list<std::shared_ptr<Channel>> clients_;
};

absl::StatusOr<std::unique_ptr<Server>> Server::Listen(std::shared_ptr<V1_0::IDevice> device,
                                                       const std::string& path,
                                                       ListenOptions options) {
  if (device == nullptr) return absl::InvalidArgumentError("there is no device to be served");
  FileDescriptor stop = FileDescriptor::Adopt(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!stop.valid()) return absl::ErrnoToStatus(errno, "cannot wait for clients");
  absl::StatusOr<FileDescriptor> socket = ListenAt(path, options.permissions);
  if (!socket.ok()) return socket.status();
  struct stat file = {};
  if (lstat(path.c_str(), &file) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": the socket has gone"));
  }
  return std::unique_ptr<Server>(new Server(std::make_unique<Impl>(
      std::move(device), path, options, *std::move(socket), std::move(stop), file)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

absl::Status Server::Run() { return impl_->Run(); }

void Server::Stop() { impl_->Stop(); }

}  // namespace nncert::hal::transport
