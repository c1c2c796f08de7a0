// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/eigen_products.h"

// Eigen's functions that are compiled here for AVX2 must not be taken for those of other files.
#define Eigen EigenOfBenchmarks
#include <Eigen/Core>

namespace nncert::benchmarks {

namespace {

constexpr int kInputs = 40;
constexpr int kUnits = 1024;
constexpr int kOutputs = 512;
constexpr int kGates = 4;

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

struct LstmProducts::Matrices {
  Matrix input_weights[kGates];
  Matrix recurrent_weights[kGates];
  Matrix projection_weights = Matrix::Constant(kOutputs, kUnits, 0.01f);
  Eigen::VectorXf input = Eigen::VectorXf::Constant(kInputs, 1);
  Eigen::VectorXf state = Eigen::VectorXf::Constant(kOutputs, 1);
  Eigen::VectorXf gates[kGates];
  Eigen::VectorXf output = Eigen::VectorXf::Zero(kOutputs);
};

LstmProducts::LstmProducts() : matrices_(std::make_unique<Matrices>()) {
  for (int gate = 0; gate < kGates; ++gate) {
    matrices_->input_weights[gate] = Matrix::Constant(kUnits, kInputs, 0.01f);
    matrices_->recurrent_weights[gate] = Matrix::Constant(kUnits, kOutputs, 0.01f);
    matrices_->gates[gate] = Eigen::VectorXf::Zero(kUnits);
  }
}

LstmProducts::~LstmProducts() = default;

bool LstmProducts::IsSupported() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

void LstmProducts::Run() {
  Matrices& m = *matrices_;
  for (int gate = 0; gate < kGates; ++gate) {
    m.gates[gate].noalias() = m.input_weights[gate] * m.input;
    m.gates[gate].noalias() += m.recurrent_weights[gate] * m.state;
  }
  m.output.noalias() = m.projection_weights * m.gates[kGates - 1];
}

}  // namespace nncert::benchmarks
