// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <iostream>
#include <memory>

#include "hal/driver_base.h"
#include "hal/transport/server.h"

namespace {

using namespace nncert::hal;  // NOLINT(google-build-using-namespace)

// A driver that supports nothing yet.
class MinimalDriver : public SimpleDriver {
  absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) override {
    return std::vector<bool>(model.operations.size(), false);
  }

  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepare(
      const V1_2::Model&, V1_2::ExecutionPreference) override {
    return absl::UnimplementedError("nothing is supported");
  }

 public:
  MinimalDriver() : SimpleDriver("minimal service 1") {}
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: minimal_service SOCKET\n";
    return 2;
  }
  const auto server = transport::Server::Listen(std::make_shared<MinimalDriver>(), argv[1]);
  const absl::Status status = server.ok() ? (*server)->Run() : server.status();
  if (!status.ok()) std::cerr << "minimal_service: " << status << "\n";
  return status.ok() ? 0 : 1;
}
