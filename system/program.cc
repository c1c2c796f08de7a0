// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/program.h"

#include <filesystem>
#include <system_error>

namespace nncert {
namespace {

std::string& Word() {
  static auto& word = *new std::string(kUnnamedProgram);
  return word;
}

bool IsPlain(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9') ||
         std::string_view("/._-+=:,@%").find(character) != std::string_view::npos;
}

}  // namespace

std::string QuoteForShell(std::string_view text) {
  bool is_plain = !text.empty();
  std::string quoted = "'";
  for (const char character : text) {
    is_plain &= IsPlain(character);
    if (character == '\'') {
      quoted += "'\\''";
    } else {
      quoted += character;
    }
  }
  return is_plain ? std::string(text) : quoted + "'";
}

void SetProgram(std::string_view called) {
  if (called.empty()) return;
  if (called.find('/') == std::string_view::npos) {
    Word() = QuoteForShell(called);
    return;
  }
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(called, error);
  Word() =
      QuoteForShell((error ? std::filesystem::path(called) : path.lexically_normal()).native());
}

const std::string& ProgramWord() { return Word(); }

}  // namespace nncert
