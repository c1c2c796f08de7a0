// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the importer of TensorFlow Lite files: any bytes at all give a valid network or an error,
// and a network gives valid variants or errors.

#include "absl/types/span.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/variants.h"
#include "reference/execution/model_validation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<nncert::Network> network =
      nncert::ImportTflite(absl::MakeConstSpan(data, size), "network");
  if (!network.ok()) {
    CHECK(!network.status().message().empty());
    return 0;
  }
  const absl::Status status = nncert::ValidateModel(network->model);
  CHECK(status.ok()) << status;
  for (const nncert::NetworkVariant variant : nncert::AllNetworkVariants()) {
    const absl::StatusOr<nncert::Network> derived = nncert::DeriveVariant(*network, variant);
    if (!derived.ok()) continue;
    const absl::Status derived_status = nncert::ValidateModel(derived->model);
    CHECK(derived_status.ok()) << derived_status;
  }
  return 0;
}
