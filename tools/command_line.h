// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A command-line tool with subcommands, each with flags of its own. The flags are Abseil's: a
// command names those that it takes, and what is said of them here is what ABSL_FLAG says.

#ifndef NNCERT_TOOLS_COMMAND_LINE_H_
#define NNCERT_TOOLS_COMMAND_LINE_H_

#include <ostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace nncert {

/// How a command ended, and the status that the process ends with.
enum class ExitStatus {
  kSuccess = 0,   ///< nothing failed
  kFailure = 1,   ///< it did its work, and something that it looked at failed
  kBadInput = 2,  ///< it was called in a wrong way, or something that it was given cannot be used
  kInterrupted = 3,  ///< it was told to end before it had done its work
};

/// A flag that a command takes.
struct CommandFlag {
  /// The name of an ABSL_FLAG that is linked in.
  std::string name = {};
  /// What the help calls its value, "FILE"; empty for Boolean flags.
  std::string value_name = {};
};

/// A subcommand.
struct Command {
  /// What it is called.
  std::string name = {};
  /// What follows the flags in the usage line, "PATH..."; empty for nothing, which then is all that
  /// is accepted.
  std::string arguments = {};
  /// How many arguments there must be at the least.
  size_t minimum_arguments = 0;
  /// One line for the list of commands, a verb first: "runs test cases on a driver".
  std::string summary = {};
  /// What its help says below the usage line: paragraphs without a trailing newline.
  std::string description = {};
  /// The flags that it takes, in the order in which the help lists them.
  std::vector<CommandFlag> flags = {};
  /// Does the work. The arguments are those that are no flags; the flags are set. An error is
  /// reported as "nncert: " and its message, and ends the process as kBadInput; Cancelled as
  /// kInterrupted.
  absl::StatusOr<ExitStatus> (*run)(absl::Span<const std::string> arguments) = nullptr;
};

/// A tool made of commands.
struct Program {
  /// What it is called: "nncert".
  std::string name = {};
  /// What --version prints behind the name.
  std::string version = {};
  /// What its help says first, without a trailing newline.
  std::string description = {};
  std::vector<Command> commands = {};
};

/// Runs the command that `arguments` (without the program's own name) ask for: a command's name,
/// its flags and its arguments in any order. Flags are given as --flag=value, --flag value,
/// --boolean or --noboolean; behind "--" nothing is a flag. "help", "help COMMAND", --help and -h
/// print help, --version the version. Help goes to `output`, errors go to `errors`, one line each.
/// When a command has written to `output` and that failed, it is an error, whatever the command
/// came to.
ExitStatus RunProgram(const Program& program, absl::Span<const std::string> arguments,
                      std::ostream& output, std::ostream& errors);

/// Sets the flags of a command from its arguments, and returns those that are no flags.
/// InvalidArgument for a flag that the command does not take (naming the nearest that it does), a
/// value that the flag does not accept, a missing value, and too few or too many arguments.
absl::StatusOr<std::vector<std::string>> ParseArguments(const Command& command,
                                                        absl::Span<const std::string> arguments);

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMAND_LINE_H_
