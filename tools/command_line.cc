// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command_line.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "system/escape.h"
#include "system/nearest_name.h"

namespace nncert {
namespace {

// Where the explanations of flags and commands end.
constexpr size_t kHelpWidth = 80;

// The message, and where more is said.
absl::Status SeeHelp(absl::string_view message, const std::string& program,
                     const std::string& command = "") {
  return absl::InvalidArgumentError(
      absl::StrCat(message, absl::EndsWith(message, "?") ? " See '" : ". See '", program, " help",
                   command.empty() ? "" : " ", command, "'."));
}

// What a flag is expected to be whose type has nothing to say when it cannot be read.
absl::string_view ExpectedBy(const absl::CommandLineFlag& flag) {
  if (flag.IsOfType<bool>()) return "expected true or false";
  if (flag.IsOfType<uint64_t>()) return "expected a whole number that is not negative";
  if (flag.IsOfType<absl::Duration>()) return "expected a time such as 500ms, 30s or 1h";
  return "expected what its explanation says";
}

bool IsHelpFlag(const std::string& argument) {
  return argument == "--help" || argument == "-help" || argument == "-h";
}

// "  --name=VALUE", and its explanation in lines that begin where the first one does.
void PrintEntry(std::ostream& output, const std::string& head, size_t head_width,
                const std::string& explanation) {
  std::string line = absl::StrCat("  ", head);
  line.resize(std::max(line.size(), head_width + 2), ' ');
  bool is_empty = true;
  for (const absl::string_view word : absl::StrSplit(explanation, ' ', absl::SkipEmpty())) {
    if (!is_empty && line.size() + 1 + word.size() > kHelpWidth) {
      output << line << '\n';
      line = std::string(head_width + 2, ' ');
    }
    absl::StrAppend(&line,
                    is_empty                                   ? "  "
                    : line.find_first_not_of(' ') == line.npos ? "  "
                                                               : " ",
                    word);
    is_empty = false;
  }
  output << line << '\n';
}

// Text in lines that are no wider than help is, whatever lines it came in.
std::string Wrapped(const std::string& text) {
  std::string wrapped;
  size_t width = 0;
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" \n"), absl::SkipEmpty())) {
    if (width > 0 && width + 1 + word.size() > kHelpWidth) {
      wrapped += '\n';
      width = 0;
    }
    absl::StrAppend(&wrapped, width > 0 ? " " : "", word);
    width += word.size() + (width > 0 ? 1 : 0);
  }
  return absl::StrCat(wrapped, "\n");
}

std::string FlagHead(const CommandFlag& flag) {
  return flag.value_name.empty() ? absl::StrCat("--", flag.name)
                                 : absl::StrCat("--", flag.name, "=", flag.value_name);
}

void PrintCommandHelp(const Program& program, const Command& command, std::ostream& output) {
  output << "Usage: " << program.name << ' ' << command.name;
  if (!command.flags.empty()) output << " [flags]";
  if (!command.arguments.empty()) output << ' ' << command.arguments;
  output << "\n\n" << Wrapped(command.description);
  if (command.flags.empty()) return;
  output << "\nFlags:\n";
  size_t width = 0;
  for (const CommandFlag& flag : command.flags) width = std::max(width, FlagHead(flag).size());
  for (const CommandFlag& flag : command.flags) {
    const absl::CommandLineFlag* definition = absl::FindCommandLineFlag(flag.name);
    std::string explanation = definition->Help();
    const std::string standard = definition->DefaultValue();
    if (!definition->IsOfType<bool>() && !standard.empty()) {
      absl::StrAppend(&explanation, " (default: ", standard, ")");
    }
    PrintEntry(output, FlagHead(flag), width, explanation);
  }
}

void PrintProgramHelp(const Program& program, std::ostream& output) {
  output << program.description << "\n\nUsage: " << program.name
         << " COMMAND [flags] [arguments]\n\nCommands:\n";
  size_t width = 4;
  for (const Command& command : program.commands) width = std::max(width, command.name.size());
  for (const Command& command : program.commands) {
    PrintEntry(output, command.name, width, command.summary);
  }
  PrintEntry(output, "help", width, "explains a command");
  output << "\nSee '" << program.name << " help COMMAND' for the flags of a command.\n";
}

const Command* FindCommand(const Program& program, const std::string& name) {
  const auto found = std::find_if(program.commands.begin(), program.commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == program.commands.end() ? nullptr : &*found;
}

absl::Status UnknownCommand(const Program& program, const std::string& name) {
  std::vector<std::string> names = {"help"};
  for (const Command& command : program.commands) names.push_back(command.name);
  return SeeHelp(absl::StrCat("there is no command '", name, "'", DidYouMean(name, names)),
                 program.name);
}

// Sets one flag of the command from `arguments`, beginning with the one at `position`, which is
// left at the last that was used.
absl::Status ParseFlag(const Command& command, absl::Span<const std::string> arguments,
                       size_t& position) {
  const std::string& argument = arguments[position];
  const std::string typed = argument.substr(absl::StartsWith(argument, "--") ? 2 : 1);
  const size_t equals = typed.find('=');
  std::string name = typed.substr(0, equals);
  // Flags are called with underscores, and may be written with hyphens.
  std::replace(name.begin(), name.end(), '-', '_');
  std::optional<std::string> value;
  if (equals != std::string::npos) value = typed.substr(equals + 1);

  std::vector<std::string> names;
  for (const CommandFlag& flag : command.flags) names.push_back(flag.name);
  const auto takes = [&](const std::string& candidate) {
    return std::find(names.begin(), names.end(), candidate) != names.end();
  };
  const auto is_boolean = [](const std::string& candidate) {
    return absl::FindCommandLineFlag(candidate)->IsOfType<bool>();
  };
  if (!takes(name)) {
    const bool is_negated = absl::StartsWith(name, "no") && takes(name.substr(2)) &&
                            is_boolean(name.substr(2)) && !value.has_value();
    if (!is_negated) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", command.name, "' has no flag --", name, DidYouMean(name, names, "--")));
    }
    name = name.substr(2);
    value = "false";
  }
  if (!value.has_value()) {
    if (is_boolean(name)) {
      value = "true";
    } else if (position + 1 < arguments.size()) {
      value = arguments[++position];
    } else {
      return absl::InvalidArgumentError(absl::StrCat("--", name, " needs a value"));
    }
  }
  std::string error;
  absl::CommandLineFlag& flag = *absl::FindCommandLineFlag(name);
  if (!flag.ParseFrom(*value, &error)) {
    // Abseil says the name and the value first, then what the flag's type has to say.
    const std::string beginning =
        absl::StrCat("Illegal value '", *value, "' specified for flag '", name, "'");
    absl::string_view detail = error;
    absl::ConsumePrefix(&detail, beginning);
    absl::ConsumePrefix(&detail, "; ");
    return absl::InvalidArgumentError(absl::StrCat(
        "--", name, " cannot be '", *value, "': ", detail.empty() ? ExpectedBy(flag) : detail));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<std::string>> ParseArguments(const Command& command,
                                                        absl::Span<const std::string> arguments) {
  std::vector<std::string> rest;
  bool may_be_flag = true;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (may_be_flag && argument == "--") {
      may_be_flag = false;
    } else if (may_be_flag && argument.size() > 1 && argument[0] == '-') {
      if (absl::Status status = ParseFlag(command, arguments, i); !status.ok()) return status;
    } else {
      rest.push_back(argument);
    }
  }
  if (command.arguments.empty() && !rest.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", command.name, "' takes no arguments but flags; found '", rest[0], "'"));
  }
  if (rest.size() < command.minimum_arguments) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", command.name, "' needs ", command.arguments));
  }
  return rest;
}

ExitStatus RunProgram(const Program& program, absl::Span<const std::string> arguments,
                      std::ostream& output, std::ostream& errors) {
  const auto fail = [&](const absl::Status& status) {
    // One line, whatever the message came from.
    std::string message(status.message());
    std::replace(message.begin(), message.end(), '\n', ' ');
    errors << program.name << ": " << EscapeForTerminal(message) << '\n';
    return absl::IsCancelled(status) ? ExitStatus::kInterrupted : ExitStatus::kBadInput;
  };
  if (arguments.empty()) {
    PrintProgramHelp(program, errors);
    return ExitStatus::kBadInput;
  }
  const std::string& name = arguments[0];
  const absl::Span<const std::string> rest = arguments.subspan(1);
  if (name == "--version" || name == "-version" || name == "-v") {
    output << program.name << ' ' << program.version << '\n';
    return ExitStatus::kSuccess;
  }
  if (name == "help" || IsHelpFlag(name)) {
    if (rest.empty() || IsHelpFlag(rest[0])) {
      PrintProgramHelp(program, output);
      return ExitStatus::kSuccess;
    }
    const Command* command = FindCommand(program, rest[0]);
    if (command == nullptr) return fail(UnknownCommand(program, rest[0]));
    PrintCommandHelp(program, *command, output);
    return ExitStatus::kSuccess;
  }
  if (name.size() > 1 && name[0] == '-') {
    return fail(
        SeeHelp(absl::StrCat("the command comes before its flags; found ", name), program.name));
  }
  const Command* command = FindCommand(program, name);
  if (command == nullptr) return fail(UnknownCommand(program, name));
  const auto end_of_flags = std::find(rest.begin(), rest.end(), "--");
  if (std::find_if(rest.begin(), end_of_flags, IsHelpFlag) != end_of_flags) {
    PrintCommandHelp(program, *command, output);
    return ExitStatus::kSuccess;
  }
  absl::StatusOr<std::vector<std::string>> operands = ParseArguments(*command, rest);
  if (!operands.ok()) {
    return fail(SeeHelp(operands.status().message(), program.name, command->name));
  }
  const absl::StatusOr<ExitStatus> result = command->run(*operands);
  if (!result.ok()) return fail(result.status());
  // What nobody could read was not said.
  output.flush();
  if (!output) return fail(absl::DataLossError("not all output could be written"));
  return *result;
}

}  // namespace nncert
