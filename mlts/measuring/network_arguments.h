// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A network's model as drivers are given it, and what its inputs and outputs are for.

#ifndef NNCERT_MLTS_MEASURING_NETWORK_ARGUMENTS_H_
#define NNCERT_MLTS_MEASURING_NETWORK_ARGUMENTS_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/network.h"
#include "mlts/tensor_format.h"

namespace nncert {

/// The values of all inputs and outputs of a network's model in one inference, states and unused
/// outputs among them.
struct Inference {
  std::vector<TensorBytes> inputs;
  std::vector<TensorBytes> outputs;
};

/// The inputs and outputs of a network's model. To be shared by any number of threads.
class NetworkArguments {
 public:
  /// InvalidArgument when the network's indexes are outside of its model, or the size of an input
  /// or an output is not known.
  static absl::StatusOr<NetworkArguments> Of(const Network& network);

  /// The model, which all who prepare it share.
  const std::shared_ptr<const hal::V1_2::Model>& model() const { return model_; }

  /// The outputs that the network has for its users.
  const std::vector<TensorFormat>& users_outputs() const { return users_outputs_; }

  /// The states at the start of a sequence, in the order of Network::states.
  std::vector<TensorBytes> InitialStates() const;

  /// The model's inputs: `users` in their order, with the states where they belong.
  /// InvalidArgument when they are not as many, or not as long, as the model's.
  absl::StatusOr<std::vector<TensorBytes>> Inputs(const std::vector<TensorBytes>& users,
                                                  const std::vector<TensorBytes>& states) const;

  /// Of the model's outputs, the states for the next inference; those that users get.
  std::vector<TensorBytes> States(const std::vector<TensorBytes>& outputs) const;
  std::vector<TensorBytes> UsersOutputs(const std::vector<TensorBytes>& outputs) const;

  /// Whether somebody reads the model's output number `output`: its users, or the next inference.
  bool IsRead(size_t output) const { return is_read_[output]; }

  /// Whether it is one that users get.
  bool IsUsers(size_t output) const { return is_users_output_[output]; }

  /// An example of the model with these inputs. Without outputs, those that are expected are zeros.
  Example ExampleOf(const Inference& inference) const;

 private:
  NetworkArguments() = default;

  std::shared_ptr<const hal::V1_2::Model> model_;
  std::vector<NetworkState> states_;
  std::vector<TensorFormat> users_outputs_;
  // Of all inputs and outputs of the model.
  std::vector<size_t> input_sizes_;
  std::vector<size_t> output_sizes_;
  std::vector<bool> is_state_input_;
  std::vector<bool> is_users_output_;
  std::vector<bool> is_read_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_NETWORK_ARGUMENTS_H_
