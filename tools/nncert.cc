// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The nncert command.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "system/interruption.h"
#include "system/program.h"
#include "tools/command_line.h"
#include "tools/commands/commands.h"

namespace {

// Under `bazel run` the process starts among its runfiles; paths are meant relative to where the
// user is. That is where Bazel was called, or where bazelw was when it had to enter the workspace.
void EnterUsersFolder() {
  const char* folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr) return;
  if (const char* before = std::getenv("NNCERT_WORKING_DIRECTORY")) folder = before;
  std::error_code error;
  std::filesystem::current_path(folder, error);
  if (error) std::cerr << "nncert: cannot enter " << folder << ": " << error.message() << '\n';
}

}  // namespace

int main(int argument_count, char** arguments) {
  // Before another folder is entered, which a path may be relative to.
  if (argument_count > 0) nncert::SetProgram(arguments[0]);
  EnterUsersFolder();
  // From the beginning: there is always something to say of what was not done.
  const nncert::Interruption interruption;
  const std::vector<std::string> rest(arguments + (argument_count > 0 ? 1 : 0),
                                      arguments + argument_count);
  return static_cast<int>(nncert::RunProgram(nncert::NncertProgram(), rest, std::cout, std::cerr));
}
