// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Cap'n Proto messages that are the whole of something, a file for example, of unknown origin.

#ifndef NNCERT_HAL_FLAT_MESSAGE_H_
#define NNCERT_HAL_FLAT_MESSAGE_H_

#include <capnp/serialize.h>

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace nncert::hal {

/// Calls `read` with the message that `bytes` are, at any alignment, and with its words; gives what
/// that returns. InvalidArgument when the bytes are not one message and nothing else, which is said
/// of `what`, "the file" for example, and when `read` comes upon something corrupt. No more than 1
/// MiB or four times their number is ever read out of the bytes, however the parts of the message
/// refer to each other.
absl::Status ReadFlatMessage(absl::Span<const uint8_t> bytes, const std::string& what,
                             absl::FunctionRef<absl::Status(capnp::MessageReader& message,
                                                            kj::ArrayPtr<const capnp::word> words)>
                                 read);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_FLAT_MESSAGE_H_
