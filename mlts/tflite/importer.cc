// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/importer.h"

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlts/tflite/network_draft.h"
#include "mlts/tflite/operator_mapper.h"
#include "mlts/tflite/operator_mappings.h"
#include "mlts/tflite/tflite_file.h"
#include "system/file_content.h"

namespace nncert {
namespace {

constexpr char kSuffix[] = ".tflite";

// What keeps operators from being mapped: an operator's name with the reason, and the numbers of
// the operators.
class Obstacles {
 public:
  void Add(size_t op, const std::string& name, absl::string_view reason) {
    const std::string what = absl::StrCat(name, ": ", reason);
    const auto [found, is_new] = index_.try_emplace(what, obstacles_.size());
    if (is_new) obstacles_.emplace_back(what, std::vector<size_t>());
    obstacles_[found->second].second.push_back(op);
    ++count_;
  }

  absl::Status ToStatus(size_t operators) const {
    if (count_ == 0) return absl::OkStatus();
    std::vector<std::string> lines;
    for (const auto& [what, ops] : obstacles_) {
      lines.push_back(absl::StrCat(ops.size() == 1 ? "operator " : "operators ",
                                   absl::StrJoin(ops, ", "), ", ", what));
    }
    return absl::InvalidArgumentError(
        absl::StrCat(count_, " of its ", operators, " operator", operators == 1 ? "" : "s",
                     " cannot be mapped to operations of HAL 1.2: ", absl::StrJoin(lines, "; ")));
  }

 private:
  // In the order in which they came up.
  std::vector<std::pair<std::string, std::vector<size_t>>> obstacles_;
  std::map<std::string, size_t> index_;
  size_t count_ = 0;
};

// Maps an operator: OK, why it cannot be mapped, or Unavailable where that cannot be said.
absl::Status MapOperator(NetworkDraft& draft, const TfliteOperator& op) {
  const MappingFunction map = FindMapping(op.code);
  if (map == nullptr) {
    return absl::InvalidArgumentError(op.code == tflite::BuiltinOperator::CUSTOM
                                          ? "what a custom operator computes is not known"
                                          : "HAL 1.2 has nothing that it can be made of");
  }
  OperatorMapper mapper(draft, op);
  map(mapper);
  return mapper.status();
}

}  // namespace

MappingFunction FindMapping(tflite::BuiltinOperator code) {
  static const auto* const all = [] {
    auto* mappings = new std::map<tflite::BuiltinOperator, MappingFunction>();
    for (const auto& family :
         {LayerMappings(), ElementwiseMappings(), RearrangingMappings(), RecurrentMappings()}) {
      for (const OperatorMapping& mapping : family) mappings->emplace(mapping.code, mapping.map);
    }
    return mappings;
  }();
  const auto found = all->find(code);
  return found == all->end() ? nullptr : found->second;
}

absl::StatusOr<Network> ImportTflite(absl::Span<const uint8_t> bytes, std::string_view name) {
  const absl::StatusOr<std::unique_ptr<const TfliteFile>> file = TfliteFile::Parse(bytes);
  if (!file.ok()) return file.status();
  NetworkDraft draft(**file);
  if (absl::Status status = draft.AddInputs(); !status.ok()) return status;
  const std::vector<TfliteOperator>& operators = (*file)->operators();
  Obstacles obstacles;
  for (size_t i = 0; i < operators.size(); ++i) {
    const absl::Status status = MapOperator(draft, operators[i]);
    if (status.ok()) continue;
    // More of the same file would take as much again.
    if (absl::IsResourceExhausted(status)) return status;
    for (const int32_t output : operators[i].outputs) draft.GiveUp(output);
    if (absl::IsUnavailable(status)) continue;
    obstacles.Add(i, NameOf(operators[i]), status.message());
  }
  if (absl::Status status = obstacles.ToStatus(operators.size()); !status.ok()) return status;
  return draft.Finish(name);
}

absl::StatusOr<Network> ImportTfliteFile(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> content = ReadFileBytes(path);
  if (!content.ok()) return content.status();
  std::string name = path.substr(path.rfind('/') + 1);
  if (absl::EndsWith(name, kSuffix)) name.resize(name.size() - std::strlen(kSuffix));
  absl::StatusOr<Network> network = ImportTflite(*content, name);
  if (network.ok()) return network;
  return absl::Status(network.status().code(),
                      absl::StrCat(path, ": ", network.status().message()));
}

}  // namespace nncert
