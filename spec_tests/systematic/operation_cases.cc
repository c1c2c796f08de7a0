// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "spec_tests/systematic/operation_cases.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "cases/coverage/coverage_counter.h"
#include "cases/coverage/coverage_items.h"
#include "generators/graphs/graph_maker.h"
#include "hal/version.h"
#include "random/split_mix.h"
#include "reference/calls/operation_call.h"
#include "reference/catalogue.h"
#include "reference/extension.h"
#include "reference/operand_types.h"
#include "spec_tests/systematic/case_changes.h"
#include "spec_tests/systematic/certain_case.h"
#include "spec_tests/systematic/feature.h"
#include "spec_tests/systematic/reach.h"

namespace nncert {
namespace {

// How many cases a combination of version and types has at the most, candidates that each of them
// is the best of, and candidates that are tried for a condition, and for a coverage item.
constexpr size_t kMostCases = 24;
constexpr size_t kCandidates = 8;
constexpr size_t kMostTriesOfCondition = 4000;
constexpr size_t kMostTriesOfItem = 1000;
// Candidates that a case for a condition is the best of.
constexpr size_t kCandidatesOfCondition = 6;

// How many cases of a type are to meet a condition, and how many may while they have levels that no
// case has under it.
struct CasesOfCondition {
  size_t wanted;
  size_t most;
};

constexpr CasesOfCondition kCasesOfCondition = {3, 7};
// Where that takes long tensors.
constexpr CasesOfCondition kCasesOfLength = {2, 6};
constexpr CasesOfCondition kCasesOfManyElements = {1, 4};

// The most bytes that a case may have, and one with a long tensor.
constexpr size_t kMostBytes = size_t{16} << 10;
constexpr size_t kMostBytesOfLength = size_t{128} << 10;
// What must do where no smaller case has been found.
constexpr size_t kMostBytesAtLast = size_t{1} << 20;

constexpr uint64_t kMostSmall = 160;

// What a single level that is new counts for, beside a pair; and under a condition, where cases are
// few: more than all pairs.
constexpr size_t kWeightOfLevel = 64;
constexpr size_t kWeightUnderCondition = size_t{1} << 20;

// Factors of a case beside those of its operation.
enum class CaseFactor : uint32_t { kElements, kMagnitude, kScales, kPool, kUnspecified, kEmpty };

// A level of a factor in one number: those of operations are Feature::key.
uint32_t LevelOf(CaseFactor factor, int level) {
  return uint32_t{1} << 24 | static_cast<uint32_t>(factor) << 8 | static_cast<uint32_t>(level);
}

// The most values of a scalar that are levels of their own.
constexpr double kMostValues = 6;
// Otherwise those above are one.
constexpr int8_t kGreatestValue = 3;

// The level of a feature: scalars that may be anything have few of them.
uint32_t LevelOf(const OperationDefinition& definition, Feature feature) {
  if (feature.kind == Feature::Kind::kValue) {
    const ValueHint& hint = definition.signature.inputs[feature.index].values();
    if (hint.kind != ValueHint::Kind::kUniform || hint.highest - hint.lowest > kMostValues) {
      feature.level = std::min(feature.level, kGreatestValue);
    }
  }
  return feature.key();
}

constexpr std::string_view kManyElements = "elements>4096";

// Lengths of a dimension that a condition takes; nothing for other conditions.
struct Lengths {
  uint32_t lowest;
  uint32_t highest;
};

std::optional<Lengths> LengthsFor(std::string_view condition) {
  if (condition == "dimension>16" || condition == "inner>16@inner%8") return Lengths{17, 40};
  if (condition == "dimension>64") return Lengths{65, 130};
  if (condition == "dimension>512") return Lengths{513, 600};
  if (condition == kManyElements) return Lengths{4097, 4200};
  return std::nullopt;
}

// The bytes of the elements of a case.
size_t SizeOf(const TestCase& test_case) {
  size_t bytes = test_case.model.operandValues.size();
  for (const Example& example : test_case.examples) bytes += BytesOfArguments(example);
  return bytes;
}

// What models a candidate may have.
enum class Company {
  kAny,
  kInputs,
  kFirstConstant,
  kAlike,
  kLedTo,
  kTwo,
  kRepeated,
  kEmpty,
  kPlain,
};

// The ones that each candidate has one of.
constexpr std::array kCompanies = {Company::kInputs, Company::kFirstConstant, Company::kAlike,
                                   Company::kAlike,  Company::kLedTo,         Company::kTwo,
                                   Company::kTwo,    Company::kRepeated,      Company::kEmpty,
                                   Company::kPlain,  Company::kPlain,         Company::kPlain};

// The one in which a condition is soon met.
Company CompanyFor(std::string_view condition) {
  if (condition == "same_operand") return Company::kAlike;
  if (condition == "internal") return Company::kLedTo;
  if (condition == "consumers>1" || condition == "operations>1") return Company::kTwo;
  if (condition == "first_constant") return Company::kFirstConstant;
  if (condition == "variable") return Company::kInputs;
  return LengthsFor(condition).has_value() ? Company::kPlain : Company::kAny;
}

// Types of operands at a version.
struct Combination {
  HalVersion version;
  OperandTypes types;
};

// What tells kinds of an operation apart: the types of the tensors that it computes with.
using TensorTypes = std::vector<OperandType>;

TensorTypes TensorTypesOf(const OperationDefinition& definition, const OperandTypes& types) {
  TensorTypes tensors;
  for (size_t slot = 0; slot < types.inputs.size(); ++slot) {
    const OperandRule& rule = definition.signature.inputs[slot];
    if (rule.is_tensor() && !rule.is_parameter()) tensors.push_back(types.inputs[slot]);
  }
  tensors.insert(tensors.end(), types.outputs.begin(), types.outputs.end());
  return tensors;
}

// A case that may be chosen, and what is so of it.
struct Candidate {
  TestCase test_case;
  const Combination* combination;
  std::vector<uint32_t> levels;  // sorted
  std::vector<size_t> conditions;
};

// Levels and pairs of levels.
struct Levels {
  absl::flat_hash_set<uint32_t> singles;
  absl::flat_hash_set<uint64_t> pairs;
};

// The cases of a type that meet a condition.
struct MetCondition {
  size_t cases = 0;
  Levels levels;
};

template <class Visitor>
void ForPairs(const std::vector<uint32_t>& levels, Visitor visit) {
  for (size_t i = 0; i < levels.size(); ++i) {
    for (size_t k = 0; k < i; ++k) visit(uint64_t{levels[k]} << 32 | levels[i]);
  }
}

class Maker {
 public:
  explicit Maker(const OperationDefinition& definition)
      : definition_(definition),
        random_(static_cast<uint64_t>(definition.type) << 32),
        maker_(random_) {}

  OperationCases Make() {
    std::map<TensorTypes, std::vector<Combination>> by_type;
    for (const HalVersion version : hal::kHalVersions) {
      for (OperandTypes& types : TypeCombinations(definition_, version)) {
        const Combination combination = {version, std::move(types)};
        by_type[TensorTypesOf(definition_, combination.types)].push_back(combination);
        CoverPairs(combination);
      }
    }
    for (const auto& [tensors, combinations] : by_type) MeetConditions(tensors, combinations);
    MeetItems(by_type);
    return std::move(result_);
  }

 private:
  // What a candidate is to be like.
  struct Goal {
    std::optional<Lengths> lengths;
    Company company = Company::kAny;
    bool is_relaxed = false;
    // It is hard to reach.
    bool is_last = false;
  };

  static Goal GoalFor(std::string_view condition) {
    return {LengthsFor(condition), CompanyFor(condition), condition == "relaxed", false};
  }

  GraphWishes Draw(const Combination& combination, const Goal& goal) {
    GraphWishes wishes;
    wishes.version = combination.version;
    wishes.operation = &definition_;
    wishes.types = combination.types;
    wishes.operands.most_elements = kMostSmall;
    wishes.elements = random_.OneOf(std::array{ElementClass::kAny, ElementClass::kAny,
                                               ElementClass::kLattice, ElementClass::kExtreme});
    wishes.is_relaxed =
        combination.version >= HalVersion::V1_1 && (goal.is_relaxed || random_.OneIn(4));
    wishes.has_pool = random_.OneIn(4);
    const Company any = random_.OneOf(kCompanies);
    switch (goal.company == Company::kAny ? any : goal.company) {
      case Company::kInputs:
        wishes.are_all_inputs = true;
        break;
      case Company::kFirstConstant:
        wishes.is_first_constant = true;
        break;
      case Company::kAlike:
        wishes.operands.are_alike = true;
        // What another operation wrote may be in the ranges of all inputs.
        wishes.is_led_to = random_.OneIn(2);
        break;
      case Company::kLedTo:
        wishes.is_led_to = true;
        break;
      case Company::kTwo:
        wishes.operations = 2;
        break;
      case Company::kRepeated:
        wishes.is_repeated = true;
        break;
      case Company::kEmpty:
        wishes.is_empty = definition_.accepts_empty_tensors;
        break;
      case Company::kAny:
      case Company::kPlain:
        break;
    }
    if (goal.lengths.has_value()) {
      const Lengths& lengths = *goal.lengths;
      wishes.operands.dimension = random_.Between(lengths.lowest, lengths.highest);
      wishes.operands.most_elements =
          std::max<uint64_t>(kMostSmall, uint64_t{2} * wishes.operands.dimension);
    }
    return wishes;
  }

  // A candidate; nothing when the operation came to be no part of it.
  std::optional<Candidate> MakeCandidate(const Combination& combination, const Goal& goal) {
    const GraphWishes wishes = Draw(combination, goal);
    Candidate candidate = {maker_.Make(wishes), &combination, {}, {}};
    if (SizeOf(candidate.test_case) > MostBytes(goal)) return std::nullopt;
    const hal::V1_2::Model& model = candidate.test_case.model;
    std::optional<size_t> place;
    for (size_t i = 0; i < model.operations.size(); ++i) {
      if (model.operations[i].type == definition_.type) place = i;
    }
    // Samples of something that is itself not certain say nothing of the operation in question.
    const auto has_other_samples = [&](const hal::V1_2::Operation& operation) {
      return operation.type != definition_.type &&
             FindOperation(operation.type)->outputs_are_random;
    };
    if (!place.has_value() ||
        std::any_of(model.operations.begin(), model.operations.end(), has_other_samples)) {
      return std::nullopt;
    }
    constexpr size_t kLargestScalar = 8;
    const absl::StatusOr<OperationCall> call = CallOf(model, *place, kLargestScalar);
    if (!call.ok()) return std::nullopt;
    candidate.conditions = ConditionsOf(*call);
    for (const Feature& feature : FeaturesOf(*call)) {
      candidate.levels.push_back(LevelOf(definition_, feature));
    }
    const bool is_empty =
        std::any_of(call->inputs.begin(), call->inputs.end(), [](const ValuedOperand& input) {
          return input.is_tensor() && !input.is_omitted &&
                 NumberOfElements(input.operand.dimensions) == 0;
        });
    const auto add = [&](CaseFactor factor, int level) {
      candidate.levels.push_back(LevelOf(factor, level));
    };
    add(CaseFactor::kElements, static_cast<int>(wishes.elements));
    // Samples tell little of logits of which one is by far the largest.
    const bool is_larger = !definition_.outputs_are_random && random_.OneIn(4) &&
                           Enlarge(model.operations[*place].inputs.front(), candidate.test_case);
    add(CaseFactor::kMagnitude, is_larger ? 1 : 0);
    add(CaseFactor::kScales, ChangeScales(combination.version, random_, candidate.test_case));
    add(CaseFactor::kPool, model.pools.empty() ? 0 : 1);
    add(CaseFactor::kEmpty, is_empty ? 1 : 0);
    const int left_open =
        random_.OneIn(4) ? LeaveOpen(combination.version, random_, candidate.test_case) : 0;
    add(CaseFactor::kUnspecified, left_open);
    if (left_open > 0) {
      // What is not known before an execution meets no condition.
      const absl::StatusOr<OperationCall> open_call = CallOf(model, *place, kLargestScalar);
      candidate.conditions.clear();
      if (open_call.ok()) candidate.conditions = ConditionsOf(*open_call);
    }
    std::sort(candidate.levels.begin(), candidate.levels.end());
    return candidate;
  }

  static size_t MostBytes(const Goal& goal) {
    if (goal.is_last) return kMostBytesAtLast;
    return goal.lengths.has_value() ? kMostBytesOfLength : kMostBytes;
  }

  // How much of a candidate no case has.
  static size_t ScoreOf(const Candidate& candidate, const Levels& met, size_t weight_of_level) {
    size_t score = 0;
    for (const uint32_t level : candidate.levels) {
      if (!met.singles.contains(level)) score += weight_of_level;
    }
    ForPairs(candidate.levels, [&](uint64_t pair) { score += met.pairs.contains(pair) ? 0 : 1; });
    return score;
  }

  static void AddTo(const Candidate& candidate, Levels& levels) {
    levels.singles.insert(candidate.levels.begin(), candidate.levels.end());
    ForPairs(candidate.levels, [&](uint64_t pair) { levels.pairs.insert(pair); });
  }

  // Makes a candidate a case, if its results are certain.
  bool Accept(Candidate& candidate, const Goal& goal, Certainty certainty) {
    TestCase& test_case = candidate.test_case;
    if (!CompleteIfCertain(test_case, certainty).ok() || SizeOf(test_case) > MostBytes(goal)) {
      ++result_.uncertain;
      return false;
    }
    const OperandType first = FirstType(test_case.model);
    const std::string type_name(NameOf(first));
    test_case.name = absl::StrFormat(
        "systematic_%s_%s_%s_%d", absl::AsciiStrToLower(definition_.name()),
        absl::AsciiStrToLower(std::string(hal::namespaceName(candidate.combination->version))),
        absl::AsciiStrToLower(absl::StripPrefix(type_name, "TENSOR_")),
        ++numbers_[{candidate.combination->version, first}]);
    test_case.dynamicOutputShapeName = absl::StrCat(test_case.name, "_dynamic_output_shape");
    test_case.minimumVersion = candidate.combination->version;
    test_case.specVersion = candidate.combination->version;
    const TensorTypes tensors = TensorTypesOf(definition_, candidate.combination->types);
    for (const size_t condition : candidate.conditions) {
      MetCondition& met = conditions_[{tensors, condition}];
      ++met.cases;
      AddTo(candidate, met.levels);
    }
    result_.cases.push_back(std::move(test_case));
    return true;
  }

  // Makes the candidate with the highest score a case, of those whose results are as certain as
  // `certainty` says for so many that were refused. Null when there is none.
  template <class CertaintyAfter>
  const Candidate* AcceptBest(std::vector<std::pair<size_t, Candidate>>& candidates,
                              const Goal& goal, CertaintyAfter certainty) {
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    size_t refused = 0;
    for (auto& [score, candidate] : candidates) {
      if (Accept(candidate, goal, certainty(refused++))) return &candidate;
    }
    return nullptr;
  }

  // The type of the first input of the operation.
  OperandType FirstType(const hal::V1_2::Model& model) const {
    OperandType type = OperandType::OEM;
    for (const hal::V1_2::Operation& operation : model.operations) {
      if (operation.type == definition_.type) type = model.operands[operation.inputs[0]].type;
    }
    return type;
  }

  // Chooses cases until they have all pairs of levels that candidates show, or are many.
  void CoverPairs(const Combination& combination) {
    Levels seen;
    Levels met;
    for (size_t i = 0; i < kMostCases; ++i) {
      std::vector<std::pair<size_t, Candidate>> candidates;
      for (size_t k = 0; k < kCandidates; ++k) {
        std::optional<Candidate> candidate = MakeCandidate(combination, Goal());
        if (!candidate.has_value()) continue;
        AddTo(*candidate, seen);
        const size_t score = ScoreOf(*candidate, met, kWeightOfLevel);
        if (score > 0) candidates.emplace_back(score, *std::move(candidate));
      }
      // The best that is certain; when several are not, one whose results can be explained.
      const Candidate* const best = AcceptBest(candidates, Goal(), [](size_t refused) {
        return refused < kCandidates / 2 ? Certainty::kPasses : Certainty::kIsExplained;
      });
      if (best != nullptr) AddTo(*best, met);
    }
    result_.pairs_seen += seen.pairs.size();
    result_.pairs_met += met.pairs.size();
  }

  // Adds cases of a type until they meet each condition that they can, and have the levels that
  // candidates show under it, or are many.
  void MeetConditions(const TensorTypes& tensors, const std::vector<Combination>& combinations) {
    const OperandType type = combinations.front().types.inputs.front();
    const absl::Span<const CoverageCondition> conditions = CoverageConditions();
    for (size_t i = conditions.size(); i-- > 0;) {
      const std::string_view name = conditions[i].text;
      if (!CanBeMadeToMeet(definition_, type, name)) continue;
      const MetCondition& met = conditions_[{tensors, i}];
      size_t tries = 0;
      while (met.cases < CasesOf(name).most && tries < kMostTriesOfCondition) {
        if (!MeetOnce(i, combinations, met, tries)) break;
      }
      if (met.cases == 0) {
        result_.gaps.push_back(absl::StrCat(definition_.name(), " ", std::string(NameOf(type)), " ",
                                            std::string(name)));
      }
    }
  }

  static const CasesOfCondition& CasesOf(std::string_view condition) {
    if (condition == kManyElements) return kCasesOfManyElements;
    return LengthsFor(condition).has_value() ? kCasesOfLength : kCasesOfCondition;
  }

  // Makes some candidates that meet a condition, and that one of them a case which has the most
  // levels that no case has under it. `tries` counts all candidates. False when there are as many
  // cases as are wanted, and no candidate has such a level.
  bool MeetOnce(size_t condition, const std::vector<Combination>& combinations,
                const MetCondition& met, size_t& tries) {
    const std::string_view name = CoverageConditions()[condition].text;
    const bool is_enough = met.cases >= CasesOf(name).wanted;
    Goal goal = GoalFor(name);
    // One that is hard to come by is not to be outdone.
    const size_t last_try = std::min(tries + kMostTriesOfCondition / 16, kMostTriesOfCondition);
    std::vector<std::pair<size_t, Candidate>> candidates;
    while (candidates.size() < kCandidatesOfCondition && tries < last_try) {
      // Those of the latest version come first: they have all types and operands.
      const Combination& combination =
          combinations[combinations.size() - 1 - tries++ % combinations.size()];
      goal.is_last = met.cases == 0 && tries > kMostTriesOfCondition / 8;
      if (goal.is_last && goal.lengths.has_value()) goal.company = Company::kAny;
      std::optional<Candidate> candidate = MakeCandidate(combination, goal);
      if (!candidate.has_value()) continue;
      const std::vector<size_t>& conditions = candidate->conditions;
      if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end()) continue;
      const size_t score = ScoreOf(*candidate, met.levels, kWeightUnderCondition);
      if (!is_enough || score >= kWeightUnderCondition) {
        candidates.emplace_back(score, *std::move(candidate));
      }
    }
    if (is_enough && candidates.empty()) return false;
    const Certainty certainty =
        tries < kMostTriesOfCondition / 32 ? Certainty::kPasses : Certainty::kIsExplained;
    AcceptBest(candidates, goal, [certainty](size_t) { return certainty; });
    return true;
  }

  // Adds a case for each coverage item that no case has met.
  void MeetItems(const std::map<TensorTypes, std::vector<Combination>>& by_type) {
    CoverageCounter counter;
    for (const TestCase& test_case : result_.cases) counter.Add(test_case);
    const Coverage coverage = counter.Result();
    for (const OperandType type : FirstTypesOf(definition_)) {
      std::vector<const Combination*> combinations;
      for (const auto& [tensors, of_tensors] : by_type) {
        for (const Combination& combination : of_tensors) {
          if (combination.types.inputs.front() == type) combinations.push_back(&combination);
        }
      }
      for (const CoverageItem& item : CoverageItemsOf(definition_, type)) {
        if (CountOf(item, type, coverage) == 0) MeetItem(item, type, combinations);
      }
    }
  }

  uint64_t CountOf(const CoverageItem& item, OperandType type, const Coverage& coverage) const {
    const auto found = coverage.operations.find({definition_.name(), std::string(NameOf(type))});
    return found == coverage.operations.end() ? 0 : item.CountIn(found->second);
  }

  void MeetItem(const CoverageItem& item, OperandType type,
                const std::vector<const Combination*>& combinations) {
    for (size_t k = 0; k < kMostTriesOfItem; ++k) {
      const Combination& combination = *combinations[k % combinations.size()];
      std::optional<Candidate> candidate = MakeCandidate(combination, Goal());
      if (!candidate.has_value()) continue;
      CoverageCounter counter;
      candidate->test_case.minimumVersion = combination.version;
      counter.Add(candidate->test_case);
      if (CountOf(item, type, counter.Result()) == 0) continue;
      if (Accept(*candidate, Goal(), Certainty::kIsExplained)) return;
    }
  }

  const OperationDefinition& definition_;
  SplitMix64 random_;
  GraphMaker maker_;
  OperationCases result_;
  std::map<std::pair<HalVersion, OperandType>, int> numbers_;
  std::map<std::pair<TensorTypes, size_t>, MetCondition> conditions_;
};

}  // namespace

OperationCases MakeOperationCases(const OperationDefinition& definition) {
  return Maker(definition).Make();
}

}  // namespace nncert
