// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes random graphs: models of operations that feed each other, with inputs, valid by
// construction. docs/random_graphs.md tells how.

#ifndef NNCERT_GENERATORS_GRAPHS_GRAPH_MAKER_H_
#define NNCERT_GENERATORS_GRAPHS_GRAPH_MAKER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/node_hash_map.h"
#include "cases/test_case.h"
#include "generators/graphs/random_elements.h"
#include "hal/version.h"
#include "random/split_mix.h"
#include "reference/model_builder.h"
#include "reference/operand_chooser.h"

namespace nncert {

/// What a random graph is to be like.
struct GraphWishes {
  /// The version whose operations and operands the graph may have.
  hal::HalVersion version = hal::HalVersion::V1_2;
  /// How many operations; at least 1.
  size_t operations = 1;
  /// The first operation; null for any.
  const OperationDefinition* operation = nullptr;
  /// The types of that operation's operands, among its ChoosableTypes; any otherwise.
  std::optional<OperandTypes> types = std::nullopt;
  OperandWishes operands;
  ElementClass elements = ElementClass::kAny;
  /// Model::relaxComputationFloat32toFloat16.
  bool is_relaxed = false;
  /// How many examples of inputs; at least 1.
  size_t examples = 1;
  /// The first tensor of the first operation is a constant, and the other tensors are not.
  bool is_first_constant = false;
  /// About half of the constants are in a pool.
  bool has_pool = false;
  /// No tensor is a constant: not even axes, paddings and indexes.
  bool are_all_inputs = false;
  /// The first operation comes again, with the same operands but those that can be what it wrote:
  /// states of a recurrent network are fed back.
  bool is_repeated = false;
  /// The first operation reads a tensor without elements, which other operations lead to, where it
  /// may.
  bool is_empty = false;
  /// Another operation comes before the first, which reads what that one wrote, where one can be
  /// found.
  bool is_led_to = false;
};

/// What became of the attempts to have an operation read a value that was there.
struct ChoiceCount {
  size_t attempts = 0;
  size_t declined = 0;
};

/// Makes graphs. The same numbers make the same graph, with every compiler.
class GraphMaker {
 public:
  explicit GraphMaker(SplitMix64& random) : random_(random) {}

  /// A model with examples without expected outputs. Its operations are those of the catalogue that
  /// `wishes` allow. Every operation but the first reads what another one wrote, or at least
  /// what another one reads, wherever an operation can be found that does.
  TestCase Make(const GraphWishes& wishes);

  /// How often a value did not fit the operation that it was offered to, in all graphs so far.
  const ChoiceCount& choices() const { return choices_; }

  /// What the elements of operands of the last graph are in, where that was reckoned: those of
  /// inputs exactly, of what operations write roughly.
  std::map<uint32_t, ValueRange> Ranges() const;

 private:
  // A value that operations may read.
  struct Value {
    uint32_t operand;
    OperandInfo info;
    std::shared_ptr<const std::vector<uint8_t>> extension_params;  // see ChosenQuantization
    ValueRange range;
    bool is_written;
  };

  // The types that the operands of an operation may have.
  struct TypeChoices {
    // An input that may read a value of a type.
    struct Reader {
      OperandType type;
      uint32_t combination;
      uint32_t slot;
    };
    std::vector<OperandTypes> combinations;
    std::vector<Reader> readers;  // of all combinations, in their order
  };

  TypeChoices ChoicesAmong(const OperationDefinition& definition,
                           std::vector<OperandTypes> combinations) const;
  const TypeChoices& ChoicesOf(const OperationDefinition& definition);
  // Forgets what there is of the model.
  void Clear(const GraphWishes& wishes);
  void AddFirstOperation(const GraphWishes& wishes);
  bool AddAfterEmptyTensors(const GraphWishes& wishes, const OperationDefinition& definition,
                            const TypeChoices& type_choices);
  bool AddAfterAnother(const GraphWishes& wishes, const OperationDefinition& definition,
                       const TypeChoices& type_choices);
  using OperationFilter = bool(const OperationDefinition& definition);
  // With a filter, one of the operations that it says yes to.
  bool AddAnyOperation(const GraphWishes& wishes, bool must_read,
                       OperationFilter* will_do = nullptr);
  bool AddOperation(const GraphWishes& wishes, const OperationDefinition& definition,
                    const TypeChoices& type_choices, bool must_read);
  std::optional<OperandChooser> ChooseReading(const GraphWishes& wishes,
                                              const OperationDefinition& definition,
                                              const TypeChoices& type_choices, uint32_t& operand);
  bool IsModerate(const GraphWishes& wishes, const OperandChooser& choice) const;
  void Append(const GraphWishes& wishes, const OperandChooser& choice, uint32_t given);
  void Repeat(const GraphWishes& wishes, const OperandChooser& choice);
  void AddOutputs(const OperandChooser& choice, const std::vector<uint32_t>& inputs);
  uint32_t AddInput(const GraphWishes& wishes, const OperandRule& rule,
                    const ChosenOperand& operand, bool is_first_tensor);
  void UseExtension(std::string_view name);
  // Whether a tensor that an operation computes with is to be a constant.
  bool IsConstant(const GraphWishes& wishes, bool is_first_tensor);
  hal::V1_2::Model Finish();

  SplitMix64& random_;
  hal::HalVersion version_ = hal::HalVersion::V1_2;
  absl::node_hash_map<std::pair<const OperationDefinition*, hal::HalVersion>, TypeChoices>
      type_choices_;
  ModelBuilder model_;
  std::vector<Example> examples_;
  // Those that operations may read; while they have no elements, only such.
  std::vector<Value> values_;
  ChoiceCount choices_;
};

}  // namespace nncert

#endif  // NNCERT_GENERATORS_GRAPHS_GRAPH_MAKER_H_
