// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/digest.h"

#include <nettle/sha2.h>

#include <array>
#include <vector>

#include "absl/strings/escaping.h"
#include "system/file_content.h"

namespace nncert {

void Digest::Add(absl::Span<const uint8_t> bytes) {
  const uint64_t size = bytes.size();
  for (int shift = 0; shift < 64; shift += 8) AddByte(static_cast<uint8_t>(size >> shift));
  for (const uint8_t byte : bytes) AddByte(byte);
}

void Digest::Add(std::string_view text) {
  Add(absl::MakeSpan(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

absl::StatusOr<uint64_t> DigestFile(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> content = ReadFileBytes(path);
  if (!content.ok()) return content.status();
  Digest digest;
  digest.Add(*content);
  return digest.value();
}

std::string Sha256(std::string_view text) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, text.size(), reinterpret_cast<const uint8_t*>(text.data()));
  std::array<uint8_t, SHA256_DIGEST_SIZE> digest;
  sha256_digest(&context, digest.size(), digest.data());
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace nncert
