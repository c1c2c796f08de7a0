// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a vendor submits: one archive, every bit of which is accounted for.

#ifndef NNCERT_CERTIFYING_SUBMISSION_PACKAGE_H_
#define NNCERT_CERTIFYING_SUBMISSION_PACKAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace nncert {

/// A file of a package.
struct PackagedFile {
  /// Where it is: "report.json", "failures/add.case".
  std::string name;
  std::string content;

  bool operator==(const PackagedFile&) const = default;
};

/// How much a package may hold: the bytes of all files, how many files there are, and the bytes of
/// a name.
inline constexpr uint64_t kMostPackagedBytes = uint64_t{256} << 20;
inline constexpr uint64_t kMostPackagedFiles = 20'000;
inline constexpr size_t kLongestPackagedName = 99;

/// Packs files as a .tar.gz that any tar unpacks: the same bytes for the same files and the same
/// zlib. The tar is a USTAR archive (POSIX.1-1988) of regular files alone, without owners, dates or
/// modes of their own; before the files comes "manifest.txt" with a line "SHA256 SIZE NAME" for
/// each. The comment in the head of the gzip (RFC 1952) is the SHA-256 of all that comes behind the
/// head. InvalidArgument for what ReadPackage would refuse.
absl::StatusOr<std::string> WritePackage(const std::vector<PackagedFile>& files);

/// Reads what WritePackage writes, and nothing else: every bit of the archive is compared with the
/// one that is expected there, and all lengths are checked before anything is unpacked. Nothing is
/// written to any file, whatever the names say. InvalidArgument says what is wrong.
absl::StatusOr<std::vector<PackagedFile>> ReadPackage(std::string_view package);

/// The two halves of it: a tar in a gzip with the hash, and out of it. What the tar has is not
/// looked at. Fails as the above.
absl::StatusOr<std::string> PackTar(std::string_view tar);
absl::StatusOr<std::string> UnpackTar(std::string_view package);

/// Whether a name may be one of a packaged file: letters, digits, '-', '_', '+' and '.', in parts
/// that '/' divides, none of which is empty or begins with '.'.
bool IsPackagedName(std::string_view name);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_SUBMISSION_PACKAGE_H_
