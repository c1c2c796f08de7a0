// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// write_sample_results FOLDER: writes the files of made-up results into FOLDER/sample and
// FOLDER/hostile, to be looked at by people and tests.

#include <iostream>
#include <string>

#include "absl/status/status.h"
#include "mlts/page/write_results.h"
#include "mlts/results/testing/sample_results.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_sample_results FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  absl::Status status = nncert::WriteResults(nncert::SampleResults(), folder + "/sample");
  status.Update(nncert::WriteResults(nncert::HostileResults(), folder + "/hostile"));
  if (!status.ok()) {
    std::cerr << status.message() << "\n";
    return 2;
  }
  return 0;
}
