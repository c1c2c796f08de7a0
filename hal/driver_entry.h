// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How a driver in a shared object is found: two C functions that the object exports.
//
//   const char* nncert_driver_abi();                             checked first
//   void nncert_create_device(nncert::hal::DriverSlot* slot);    creates the device
//
// A driver author writes one line, outside every namespace, in one source file:
//
//   NNCERT_REGISTER_DRIVER([] { return std::make_shared<MyDriver>(); })
//
// The device crosses the boundary as a C++ object, so both sides must agree on how C++ objects lie
// in memory: the stamp says so in words, and nothing is called when it differs. The device may be
// of any HAL version; the client asks it by std::dynamic_pointer_cast.

#ifndef NNCERT_HAL_DRIVER_ENTRY_H_
#define NNCERT_HAL_DRIVER_ENTRY_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "absl/status/statusor.h"
#include "hal/handle.h"
#include "hal/memory.h"
#include "hal/v1_0/interfaces.h"
#include "hal/v1_0/types.h"
#include "hal/v1_1/types.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// What nncert_create_device is given and gives back.
struct DriverSlot {
  /// In: a word for drivers that come in several kinds; mostly empty.
  std::string option;
  /// Out: the device, or null when it cannot be created.
  std::shared_ptr<V1_0::IDevice> device;
  /// Out: why it cannot be created.
  std::string error;
};

/// Says how the compiler that reads this header lays C++ objects out: the revision of this
/// contract, the ABI of the standard library, and the sizes of what crosses the boundary, as words
/// NAME=NUMBER. A driver can be loaded when its stamp says the same as that of the program. Defined
/// here, not in a source file, so that each side's own compiler makes it.
///
/// Which compiler it is does not matter, as long as it follows the Itanium C++ ABI, as GCC and
/// Clang do: __GXX_ABI_VERSION, which counts GCC's mends of rare cases and stands still at 1002 in
/// Clang, is no part of it.
inline std::string driverAbiStamp() {
  // To be raised whenever an interface or the inside of a class that crosses the boundary changes.
  std::string stamp = "nncert-driver-1";
  const auto append = [&stamp](const char* name, size_t value) {
    stamp += std::string(" ") + name + "=" + std::to_string(value);
  };
#if defined(_GLIBCXX_USE_CXX11_ABI)
  append("libstdc++11", _GLIBCXX_USE_CXX11_ABI);
#endif
#if defined(_GLIBCXX_DEBUG)
  append("libstdc++debug", 1);
#endif
#if defined(_LIBCPP_ABI_VERSION)
  append("libc++", _LIBCPP_ABI_VERSION);
#endif
  append("pointer", sizeof(void*));
  append("string", sizeof(std::string));
  append("bits", sizeof(std::vector<bool>));
  append("Memory", sizeof(Memory));
  append("Handle", sizeof(Handle));
  append("V1_0::Operand", sizeof(V1_0::Operand));
  append("V1_0::Model", sizeof(V1_0::Model));
  append("V1_0::Request", sizeof(V1_0::Request));
  append("V1_1::Model", sizeof(V1_1::Model));
  append("V1_2::Operand", sizeof(V1_2::Operand));
  append("V1_2::Model", sizeof(V1_2::Model));
  append("V1_2::Capabilities", sizeof(V1_2::Capabilities));
  append("V1_2::Extension", sizeof(V1_2::Extension));
  append("V1_2::OutputShape", sizeof(V1_2::OutputShape));
  append("channel", sizeof(MQDescriptorSync<V1_2::FmqRequestDatum>));
  return stamp;
}

namespace internal {

template <typename Device>
void PutDevice(std::shared_ptr<Device> device, DriverSlot& slot) {
  slot.device = std::move(device);
}

template <typename Device>
void PutDevice(absl::StatusOr<std::shared_ptr<Device>> device, DriverSlot& slot) {
  if (device.ok()) {
    slot.device = *std::move(device);
  } else {
    slot.error = device.status().ToString();
  }
}

// Calls a factory that takes the option, or one that takes nothing and so accepts none.
template <typename Factory>
void CreateDevice(const Factory& factory, DriverSlot& slot) {
  if constexpr (std::is_invocable_v<Factory, std::string_view>) {
    PutDevice(factory(std::string_view(slot.option)), slot);
  } else if (slot.option.empty()) {
    PutDevice(factory(), slot);
  } else {
    slot.error = "this driver has no options; it was given \"" + slot.option + "\"";
  }
}

}  // namespace internal
}  // namespace nncert::hal

extern "C" {

/// The stamp of the compiler that compiled the driver; exported by drivers.
__attribute__((visibility("default"))) const char* nncert_driver_abi();

/// Creates the driver's device; exported by drivers.
__attribute__((visibility("default"))) void nncert_create_device(nncert::hal::DriverSlot* slot);

}  // extern "C"

/// Makes a shared object a driver. The argument is something to be called without arguments, or
/// with the option (a std::string_view), that returns a std::shared_ptr to the device or an
/// absl::StatusOr of one.
#define NNCERT_REGISTER_DRIVER(...)                                       \
  extern "C" const char* nncert_driver_abi() {                            \
    static const std::string stamp = ::nncert::hal::driverAbiStamp();     \
    return stamp.c_str();                                                 \
  }                                                                       \
  extern "C" void nncert_create_device(::nncert::hal::DriverSlot* slot) { \
    ::nncert::hal::internal::CreateDevice(__VA_ARGS__, *slot);            \
  }                                                                       \
  static_assert(true, "so that a semicolon may follow")

#endif  // NNCERT_HAL_DRIVER_ENTRY_H_
