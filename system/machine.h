// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The machine that this runs on.

#ifndef NNCERT_SYSTEM_MACHINE_H_
#define NNCERT_SYSTEM_MACHINE_H_

#include <string>

namespace nncert {

/// The processor, how many of them, memory and kernel: "Acme AP7 @ 2.4 GHz, 8 processors, 7.6 GiB,
/// Linux 6.1.0". What the system does not tell is left out; the machine's name is no part of it.
std::string DescribeMachine();

}  // namespace nncert

#endif  // NNCERT_SYSTEM_MACHINE_H_
