// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/socket.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace nncert::hal::transport {
namespace {

absl::StatusOr<sockaddr_un> AddressOf(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path) ||
      path.find('\0') != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", path, "\" cannot be the path of a socket: ", "it must have 1 to ",
                     sizeof(address.sun_path) - 1, " bytes"));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

absl::StatusOr<FileDescriptor> NewSocket() {
  FileDescriptor result = FileDescriptor::Adopt(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!result.valid()) return absl::ErrnoToStatus(errno, "cannot create a socket");
  return result;
}

absl::Status Failure(const std::string& path, const char* what) {
  return absl::ErrnoToStatus(errno, absl::StrCat(path, ": ", what));
}

const sockaddr* Generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// OK when nothing is in the way of a new socket at a path.
absl::Status CheckIsFree(const std::string& path) {
  struct stat file;
  if (lstat(path.c_str(), &file) != 0) {
    return errno == ENOENT ? absl::OkStatus() : Failure(path, "cannot look at the file");
  }
  if (!S_ISSOCK(file.st_mode)) {
    return absl::AlreadyExistsError(absl::StrCat(path, ": the file exists and is no socket"));
  }
  const absl::StatusOr<FileDescriptor> connected = ConnectSocket(path);
  if (connected.ok()) {
    return absl::AlreadyExistsError(absl::StrCat(path, ": another server listens there"));
  }
  // Only what certainly nobody listens at may be replaced.
  return absl::IsUnavailable(connected.status()) || absl::IsNotFound(connected.status())
             ? absl::OkStatus()
             : absl::AlreadyExistsError(connected.status().message());
}

}  // namespace

absl::StatusOr<std::pair<FileDescriptor, FileDescriptor>> ConnectedSockets() {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return absl::ErrnoToStatus(errno, "socketpair");
  }
  return std::pair(FileDescriptor::Adopt(ends[0]), FileDescriptor::Adopt(ends[1]));
}

absl::StatusOr<FileDescriptor> ConnectSocket(const std::string& path) {
  const absl::StatusOr<sockaddr_un> address = AddressOf(path);
  if (!address.ok()) return address.status();
  absl::StatusOr<FileDescriptor> result = NewSocket();
  if (!result.ok()) return result;
  int failed = -1;
  do {
    failed = connect(result->get(), Generic(*address), sizeof(*address));
  } while (failed != 0 && errno == EINTR);
  if (failed == 0) return result;
  if (errno == ECONNREFUSED) {
    return absl::UnavailableError(absl::StrCat(path, ": nobody listens there"));
  }
  return Failure(path, "cannot connect to the socket");
}

absl::StatusOr<FileDescriptor> ListenAt(const std::string& path, mode_t permissions) {
  const absl::StatusOr<sockaddr_un> address = AddressOf(path);
  if (!address.ok()) return address.status();
  const size_t slash = path.rfind('/');
  const std::string folder_path =
      slash == std::string::npos ? "." : path.substr(0, std::max<size_t>(slash, 1));
  const FileDescriptor folder =
      FileDescriptor::Adopt(open(folder_path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return Failure(path, "cannot open the folder of the socket");
  // The socket gets its permissions under another name, which then becomes its own at once. That
  // name goes by the folder's descriptor, for it may be longer than an address can be.
  const std::string temporary =
      absl::StrCat("/proc/self/fd/", folder.get(), "/.nncert-", getpid(), ".partial");
  const absl::StatusOr<sockaddr_un> temporary_address = AddressOf(temporary);
  if (!temporary_address.ok()) return temporary_address.status();
  absl::Status is_free = CheckIsFree(path);
  if (!is_free.ok()) return is_free;

  absl::StatusOr<FileDescriptor> result = NewSocket();
  if (!result.ok()) return result;
  // A client that has gone before it is accepted is not waited for.
  if (fcntl(result->get(), F_SETFL, O_NONBLOCK) != 0) {
    return Failure(path, "cannot set up the socket");
  }
  unlink(temporary.c_str());
  if (bind(result->get(), Generic(*temporary_address), sizeof(*temporary_address)) != 0) {
    return Failure(path, "cannot create the socket");
  }
  absl::Cleanup remove = [&] { unlink(temporary.c_str()); };
  if (chmod(temporary.c_str(), permissions) != 0) {
    return Failure(path, "cannot set the permissions of the socket");
  }
  if (listen(result->get(), SOMAXCONN) != 0) return Failure(path, "cannot listen at the socket");
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    return Failure(path, "cannot create the socket");
  }
  std::move(remove).Cancel();
  return result;
}

}  // namespace nncert::hal::transport
