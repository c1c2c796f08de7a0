// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_loader.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <exception>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/driver_entry.h"

namespace nncert::hal {
namespace {

// A loaded shared object. It is unloaded at the end of its life, unless it is kept.
class Library {
 public:
  explicit Library(const std::string& file)
      : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }

  void* handle() const { return handle_; }

  // From here on code of the object may be running, so it stays until the process ends.
  void Keep() { handle_ = nullptr; }

 private:
  void* handle_;
};

std::string LastLinkerError() {
  const char* const error = dlerror();
  return error == nullptr ? "no reason is given" : error;
}

absl::Status CheckFile(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot load the driver ", path));
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot load the driver ", path, ": not a file; expected a shared object"));
  }
  return absl::OkStatus();
}

// A function that the object exports by this name.
template <typename Function>
absl::StatusOr<Function> FindFunction(void* library, const std::string& path, const char* name) {
  void* const symbol = dlsym(library, name);
  if (symbol == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot load the driver ", path, ": it exports no ", name,
                     "; expected NNCERT_REGISTER_DRIVER in one of its source files"));
  }
  return reinterpret_cast<Function>(symbol);
}

absl::Status CreateDevice(decltype(&nncert_create_device) create, DriverSlot& slot) {
  // The driver is somebody else's code, so an exception of it must not end the program.
  try {
    create(&slot);
    return absl::OkStatus();
  } catch (const std::exception& exception) {
    return absl::InternalError(absl::StrCat("it threw an exception: ", exception.what()));
  } catch (...) {
    return absl::InternalError("it threw an exception");
  }
}

}  // namespace

absl::StatusOr<std::shared_ptr<V1_0::IDevice>> LoadDriver(const std::string& path,
                                                          const std::string& option) {
  if (absl::Status status = CheckFile(path); !status.ok()) return status;
  // A name without a slash would be searched for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  Library library(file);
  if (library.handle() == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot load the driver ", path, ": ", LastLinkerError()));
  }

  const auto abi =
      FindFunction<decltype(&nncert_driver_abi)>(library.handle(), path, "nncert_driver_abi");
  if (!abi.ok()) return abi.status();
  const auto create =
      FindFunction<decltype(&nncert_create_device)>(library.handle(), path, "nncert_create_device");
  if (!create.ok()) return create.status();
  const char* const stamp = (*abi)();
  const std::string expected = driverAbiStamp();
  if (stamp == nullptr || expected != stamp) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot load the driver ", path, ": it was compiled for another ABI: \"",
                     stamp == nullptr ? "" : stamp, "\"; expected \"", expected,
                     "\": compile it with the compiler and the hal/ of this program"));
  }

  DriverSlot slot;
  slot.option = option;
  library.Keep();
  if (absl::Status status = CreateDevice(*create, slot); !status.ok()) {
    return absl::Status(
        status.code(),
        absl::StrCat("the driver ", path, " cannot create its device: ", status.message()));
  }
  if (slot.device == nullptr) {
    return absl::InternalError(
        absl::StrCat("the driver ", path, " cannot create its device: ",
                     slot.error.empty() ? "it gave null and no reason" : slot.error));
  }
  return std::move(slot.device);
}

}  // namespace nncert::hal
