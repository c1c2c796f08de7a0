// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Sequences of calls, and what came of them, to and from messages; see wire.h.

#ifndef NNCERT_HAL_TRANSPORT_SEQUENCE_WIRE_H_
#define NNCERT_HAL_TRANSPORT_SEQUENCE_WIRE_H_

#include "absl/status/statusor.h"
#include "hal/replay/call_sequence.h"
#include "hal/transport/driver.capnp.h"
#include "hal/transport/wire.h"

namespace nncert::hal::transport {

/// How large the message will be, roughly.
capnp::MessageSize SizeHint(const replay::CallSequence& sequence);

/// Writes a sequence. Throws when a model is larger than a message can be.
void Write(const replay::CallSequence& sequence, Writer& writer,
           wire::Device::MakeCallsParams::Builder builder);

/// Reads a sequence; memory as PoolReader does.
absl::StatusOr<replay::CallSequence> ReadSequence(wire::Device::MakeCallsParams::Reader reader,
                                                  PoolReader& pools);

/// Writes what came of a sequence.
void Write(const replay::SequenceAnswers& answers, wire::Device::MakeCallsResults::Builder builder);

/// Reads what came of a sequence: answers to all of its calls, or to none.
absl::StatusOr<replay::SequenceAnswers> ReadAnswers(wire::Device::MakeCallsResults::Reader reader,
                                                    const replay::CallSequence& sequence);

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_SEQUENCE_WIRE_H_
