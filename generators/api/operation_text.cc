// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/api/operation_text.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "hal/to_string.h"
#include "hal/version.h"
#include "reference/extension.h"

namespace nncert {
namespace {

std::string VersionText(HalVersion version) { return std::string(hal::toString(version)); }

// The scales that definitions fix are powers of two or nearly so: 1/256 reads better than
// 0.00390625.
std::string ScaleText(float scale) {
  const double inverse = 1.0 / static_cast<double>(scale);
  if (scale < 1 && inverse == std::floor(inverse) && inverse < 1e6) {
    return absl::StrCat("1/", static_cast<int>(inverse));
  }
  return absl::StrCat(scale);
}

// What is new at each version from `first` on, in words: `text_of(version)` lists what came with
// it.
template <class F>
std::string ByVersion(HalVersion first, F text_of) {
  std::string text;
  for (const HalVersion version : hal::kHalVersions) {
    const std::string added = version < first ? "" : text_of(version);
    if (added.empty()) continue;
    if (text.empty() && version == first) {
      text = added;
    } else {
      absl::StrAppend(&text, text.empty() ? "" : "; ", "since HAL ", VersionText(version), " ",
                      added);
    }
  }
  return text;
}

// Whether the input in `slot` may have `type` at all.
bool MayHaveType(const std::vector<OperandRule>& inputs, int slot, OperandType type) {
  const OperandRule& rule = inputs[static_cast<size_t>(slot)];
  if (rule.like_slot() >= 0) return MayHaveType(inputs, rule.like_slot(), type);
  return std::any_of(rule.types().begin(), rule.types().end(),
                     [&](const TypeAlternative& alternative) { return alternative.type == type; });
}

// The types that an operand may have since `version`, where there is none before `first`.
std::string TypesSince(HalVersion version, HalVersion first, const OperandRule& rule,
                       const std::vector<OperandRule>& inputs) {
  std::vector<std::string> types;
  const TypeAlternative* before = nullptr;
  for (const TypeAlternative& alternative : rule.types()) {
    const int slot = alternative.when_slot;
    if (std::max(alternative.since, first) != version) continue;
    if (slot >= 0 && !MayHaveType(inputs, slot, alternative.when_type)) continue;
    if (before != nullptr && slot >= 0 && before->type == alternative.type &&
        before->when_slot == slot) {
      absl::StrAppend(&types.back(), " or ", NameOf(alternative.when_type));
    } else {
      types.push_back(slot < 0 ? NameOf(alternative.type)
                               : absl::StrCat(NameOf(alternative.type), " when ",
                                              inputs[static_cast<size_t>(slot)].name(), " is ",
                                              NameOf(alternative.when_type)));
    }
    before = &alternative;
  }
  return absl::StrJoin(types, ", ");
}

std::string TypesText(HalVersion first, const OperandRule& rule,
                      const std::vector<OperandRule>& inputs) {
  if (rule.like_slot() >= 0) {
    return absl::StrCat("the type of ", inputs[static_cast<size_t>(rule.like_slot())].name());
  }
  return ByVersion(first,
                   [&](HalVersion version) { return TypesSince(version, first, rule, inputs); });
}

std::string RanksText(HalVersion first, const OperandRule& rule) {
  if (!rule.is_tensor()) return "";
  if (rule.ranks().empty()) return rule.RanksToString(first);
  return ByVersion(first, [&](HalVersion version) -> std::string {
    for (const RankAlternative& alternative : rule.ranks()) {
      if (std::max(alternative.since, first) == version) return rule.RanksToString(version);
    }
    return "";
  });
}

std::string QuantizationText(const OperandRule& rule, const std::vector<OperandRule>& inputs) {
  const auto name = [&](int slot) { return inputs[static_cast<size_t>(slot)].name(); };
  std::vector<std::string> texts;
  for (const QuantizationRule& quantization : rule.quantization()) {
    switch (quantization.kind) {
      case QuantizationRule::Kind::kFree:
        break;
      case QuantizationRule::Kind::kSameAs:
        texts.push_back(absl::StrCat("scale and zeroPoint of ", name(quantization.slot)));
        break;
      case QuantizationRule::Kind::kFixed:
        texts.push_back(absl::StrCat(
            "scale ", ScaleText(quantization.scale), " and zeroPoint ", quantization.zeroPoint,
            quantization.only_type.has_value()
                ? absl::StrCat(" for ", hal::toString(*quantization.only_type))
                : ""));
        break;
      case QuantizationRule::Kind::kBias:
        texts.push_back(
            absl::StrCat("as TENSOR_INT32, scale of ", name(quantization.slot), " * scale of ",
                         name(quantization.filter_slot),
                         " (0 for a filter with a scale for each channel) and zeroPoint 0"));
        break;
    }
  }
  return absl::StrJoin(texts, "; ");
}

std::string PresenceText(HalVersion operation_since, const OperandRule& rule) {
  std::vector<std::string> texts;
  if (rule.since() > operation_since) {
    texts.push_back(absl::StrCat("since HAL ", VersionText(rule.since())));
  }
  if (rule.is_variadic()) texts.push_back("n of them, one or more");
  if (rule.presence() == Presence::kTrailing) {
    texts.push_back(rule.trails_with_next() ? "may be left out together with the next"
                                            : "may be left out at the end");
  }
  if (rule.presence() == Presence::kOmittable) texts.push_back("may have no value");
  return absl::StrJoin(texts, ", ");
}

// "n - 1", "n", "n + 1".
std::string CountAnd(int more) {
  if (more == 0) return "n";
  return absl::StrCat("n ", more < 0 ? "-" : "+", " ", std::abs(more));
}

// What the definition says of the operands of `rules`, which stand in a row in the HAL.
std::vector<OperandText> TextsOf(const OperationDefinition& definition,
                                 const std::vector<const OperandRule*>& rules) {
  const std::vector<OperandRule>& inputs = definition.signature.inputs;
  std::vector<OperandText> texts;
  texts.reserve(rules.size());
  bool is_behind_many = false;
  for (const OperandRule* const rule : rules) {
    const int place = static_cast<int>(texts.size());
    const HalVersion first = std::max(definition.since(), rule->since());
    std::string number = is_behind_many ? CountAnd(place - 1) : absl::StrCat(place);
    if (rule->is_variadic()) {
      absl::StrAppend(&number, " to ", CountAnd(place - 1));
      is_behind_many = true;
    }
    texts.push_back({.number = std::move(number),
                     .name = rule->name(),
                     .meaning = rule->description(),
                     .types = TypesText(first, *rule, inputs),
                     .ranks = RanksText(first, *rule),
                     .quantization = QuantizationText(*rule, inputs),
                     .presence = PresenceText(definition.since(), *rule)});
  }
  return texts;
}

// "left, top and bottom".
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    const char* const separator = i == 0 ? "" : (i + 1 == names.size() ? " and " : ", ");
    absl::StrAppend(&text, separator, names[i]);
  }
  return text;
}

// See FormText::title.
std::string TitleOf(const std::vector<int>& form, const Signature& signature) {
  const auto has = [](const std::vector<int>& slots, int slot) {
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
  };
  std::vector<std::string> own;
  std::vector<std::string> missing;
  for (int slot = 0; slot < static_cast<int>(signature.inputs.size()); ++slot) {
    const std::string& name = signature.inputs[static_cast<size_t>(slot)].name();
    if (!has(form, slot)) {
      missing.push_back(name);
    } else if (!std::all_of(signature.forms.begin(), signature.forms.end(),
                            [&](const std::vector<int>& other) { return has(other, slot); })) {
      own.push_back(name);
    }
  }
  if (!own.empty()) return absl::StrCat("with ", Listed(own));
  return missing.empty() ? "" : absl::StrCat("without ", Listed(missing));
}

}  // namespace

std::vector<FormText> FormTexts(const OperationDefinition& definition) {
  const Signature& signature = definition.signature;
  std::vector<FormText> texts;
  for (const std::vector<int>& form : signature.AllForms()) {
    std::vector<const OperandRule*> rules;
    rules.reserve(form.size());
    for (const int slot : form) rules.push_back(&signature.inputs[static_cast<size_t>(slot)]);
    texts.push_back({.title = TitleOf(form, signature), .inputs = TextsOf(definition, rules)});
  }
  return texts;
}

std::vector<OperandText> OutputTexts(const OperationDefinition& definition) {
  std::vector<const OperandRule*> rules;
  for (const OperandRule& rule : definition.signature.outputs) rules.push_back(&rule);
  return TextsOf(definition, rules);
}

std::string SentenceOf(const OperandText& operand) {
  std::string text = absl::StrCat(operand.number, ": ", operand.name, ". ", operand.meaning);
  const auto add = [&text](absl::string_view title, const std::string& what) {
    if (!what.empty()) absl::StrAppend(&text, " ", title, what, ".");
  };
  add("Type: ", operand.types);
  add("Rank: ", operand.ranks);
  add("Quantization: ", operand.quantization);
  add("Presence: ", operand.presence);
  return text;
}

std::vector<std::string> Wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (const absl::string_view word :
       absl::StrSplit(absl::string_view(text.data(), text.size()), ' ', absl::SkipEmpty())) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(word);
    } else {
      absl::StrAppend(&lines.back(), " ", word);
    }
  }
  return lines;
}

}  // namespace nncert
