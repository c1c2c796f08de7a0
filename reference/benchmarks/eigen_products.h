// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_BENCHMARKS_EIGEN_PRODUCTS_H_
#define NNCERT_REFERENCE_BENCHMARKS_EIGEN_PRODUCTS_H_

#include <memory>

namespace nncert::benchmarks {

/// The matrix-vector products that LstmModel comes down to, by Eigen alone, compiled for AVX2.
class LstmProducts {
 public:
  LstmProducts();
  ~LstmProducts();

  /// Whether this machine has the instructions.
  static bool IsSupported();

  /// Computes all of them once.
  void Run();

 private:
  struct Matrices;
  std::unique_ptr<Matrices> matrices_;
};

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_EIGEN_PRODUCTS_H_
