// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_loader.h"

#include <dlfcn.h>
#include <sys/stat.h>

#include <cerrno>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
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

// A stamp taken apart.
struct Stamp {
  std::string revision;
  std::map<std::string, std::string> values;
};

Stamp StampOf(const std::string& text) {
  Stamp stamp;
  for (const absl::string_view word : absl::StrSplit(text, ' ', absl::SkipEmpty())) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(word, absl::MaxSplits('=', 1));
    if (absl::StrContains(word, '=')) {
      stamp.values.insert(parts);
    } else {
      absl::StrAppend(&stamp.revision, stamp.revision.empty() ? "" : " ", word);
    }
  }
  return stamp;
}

// What stamps once had, and what no driver need agree on.
constexpr char kCompilerVersion[] = "c++abi";

// What a name in a stamp stands for.
std::string InWords(const std::string& name) {
  static const auto* const words = new std::map<std::string, std::string>{
      {"libstdc++11", "_GLIBCXX_USE_CXX11_ABI"}, {"libstdc++debug", "_GLIBCXX_DEBUG"},
      {"libc++", "_LIBCPP_ABI_VERSION"},         {"pointer", "sizeof(void*)"},
      {"string", "sizeof(std::string)"},         {"bits", "sizeof(std::vector<bool>)"},
      {"channel", "sizeof(MQDescriptorSync)"},
  };
  const auto found = words->find(name);
  return found == words->end() ? absl::StrCat("sizeof(", name, ")") : found->second;
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

std::string describeAbiDifference(const std::string& ofDriver, const std::string& ofProgram) {
  const Stamp driver = StampOf(ofDriver);
  const Stamp program = StampOf(ofProgram);
  std::vector<std::string> differences;
  if (driver.revision != program.revision) {
    differences.push_back(absl::StrCat("it follows \"", driver.revision, "\", and this program \"",
                                       program.revision, "\""));
  }
  std::map<std::string, std::string> names = driver.values;
  names.insert(program.values.begin(), program.values.end());
  for (const auto& [name, ignored] : names) {
    const auto of_driver = driver.values.find(name);
    const auto of_program = program.values.find(name);
    const std::string here =
        of_program == program.values.end() ? "not defined" : of_program->second;
    const std::string there = of_driver == driver.values.end() ? "not defined" : of_driver->second;
    if (here == there || name == kCompilerVersion) continue;
    differences.push_back(absl::StrCat(InWords(name), " is ", there, " in the driver and ", here,
                                       " in this program"));
  }
  return absl::StrJoin(differences, "; ");
}

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
  if (const std::string difference =
          describeAbiDifference(stamp == nullptr ? "" : stamp, driverAbiStamp());
      !difference.empty()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot load the driver ", path, ": it was compiled for another ABI: ", difference,
        ": compile it with the standard library and the hal/ of this "
        "program, or serve it from a process of its own"));
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
