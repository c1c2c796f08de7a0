// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How this program is called, for commands that people copy.

#ifndef NNCERT_SYSTEM_PROGRAM_H_
#define NNCERT_SYSTEM_PROGRAM_H_

#include <string>
#include <string_view>

namespace nncert {

/// What ProgramWord is in a program that has not called SetProgram.
inline constexpr char kUnnamedProgram[] = "nncert";

/// `text` as one word of a shell's command line.
std::string QuoteForShell(std::string_view text);

/// Says how the process was called (argv[0]): a name that was looked for in PATH stays one, a path
/// becomes absolute. To be called before there are other threads and before the process enters
/// another folder.
void SetProgram(std::string_view called);

/// What calls this program again, as a word of a shell's command line; "nncert" before SetProgram.
const std::string& ProgramWord();

}  // namespace nncert

#endif  // NNCERT_SYSTEM_PROGRAM_H_
