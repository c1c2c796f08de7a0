// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "mlts/network_case.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/variants.h"
#include "tools/commands/case_forms.h"
#include "tools/commands/commands.h"
#include "tools/flags.h"

ABSL_DECLARE_FLAG(uint64_t, seed);
ABSL_FLAG(std::string, variant, "",
          "what to make of the network: float32, float16, relaxed or per_channel; as the file has "
          "it when empty");

namespace nncert {
namespace {

// What --variant says; nothing when it is empty.
absl::StatusOr<std::optional<NetworkVariant>> VariantFlag() {
  const std::string name = absl::GetFlag(FLAGS_variant);
  if (name.empty()) return std::nullopt;
  const std::optional<NetworkVariant> variant = NetworkVariantOf(name);
  if (variant.has_value()) return variant;
  std::vector<std::string> names;
  for (const NetworkVariant known : AllNetworkVariants()) names.emplace_back(toString(known));
  return absl::InvalidArgumentError(absl::StrCat("--variant: there is no variant ", name,
                                                 "; expected ", absl::StrJoin(names, ", ")));
}

absl::StatusOr<ExitStatus> Import(absl::Span<const std::string> paths) {
  const std::optional<std::string> out = absl::GetFlag(FLAGS_out).path;
  if (!out.has_value()) {
    return absl::InvalidArgumentError("say where to write the case: --out=FILE");
  }
  if (paths.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", paths.size(), " files; import takes one"));
  }
  if (absl::Status status = CheckCaseForm(*out, 1); !status.ok()) return status;
  const absl::StatusOr<std::optional<NetworkVariant>> variant = VariantFlag();
  if (!variant.ok()) return variant.status();
  absl::StatusOr<Network> network = ImportTfliteFile(paths[0]);
  if (!network.ok()) return network.status();
  const std::vector<InputRange> ranges = InputRangesOf(*network);
  if (variant->has_value()) network = DeriveVariant(*network, **variant);
  if (!network.ok()) return network.status();
  const absl::StatusOr<TestCase> test_case = CaseOf(*network, ranges, absl::GetFlag(FLAGS_seed));
  if (!test_case.ok()) return test_case.status();
  if (absl::Status status = WriteCases(*out, "nncert import", {*test_case}); !status.ok()) {
    return status;
  }
  std::cout << test_case->name << ": " << network->model.operations.size() << " operations, "
            << network->model.inputIndexes.size() << " inputs and "
            << network->model.outputIndexes.size() << " outputs, of them " << network->states.size()
            << " states" << std::endl;
  return ExitStatus::kSuccess;
}

}  // namespace

Command ImportCommand() {
  return {
      .name = "import",
      .arguments = "MODEL.tflite",
      .minimum_arguments = 1,
      .summary = "makes a case of a TensorFlow Lite network",
      .description =
          "Writes a network as a case with random inputs, and the outputs that the reference "
          "gives, "
          "in the form\nthat the name of the file says (see convert). States of recurrent networks "
          "are inputs and outputs.\nWhat HAL 1.2 has nothing for is listed, every operator of it; "
          "the exit status is then 2.",
      .flags = {{"out", "FILE"}, {"variant", "VARIANT"}, {"seed", "S"}},
      .run = &Import,
  };
}

}  // namespace nncert
