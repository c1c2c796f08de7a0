// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/json_cursor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "nlohmann/json.hpp"
#include "system/file_content.h"

namespace nncert {

JsonCursor::JsonCursor(std::shared_ptr<const nlohmann::json> document, const nlohmann::json* value,
                       std::string where, std::shared_ptr<absl::Status> status)
    : document_(std::move(document)),
      value_(value),
      where_(std::move(where)),
      status_(std::move(status)) {}

absl::StatusOr<JsonCursor> JsonCursor::Open(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(path);
  if (!bytes.ok()) return bytes.status();
  try {
    const auto document =
        std::make_shared<const nlohmann::json>(nlohmann::json::parse(bytes->begin(), bytes->end()));
    return JsonCursor(document, document.get(), absl::StrCat(path, ": "),
                      std::make_shared<absl::Status>());
  } catch (const nlohmann::json::exception& error) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is no JSON: ", error.what()));
  }
}

JsonCursor JsonCursor::WithOwnErrors() const {
  return JsonCursor(document_, value_, where_, std::make_shared<absl::Status>());
}

void JsonCursor::Fail(const std::string& text) const {
  const bool is_document = where_.back() == ' ';
  if (status_->ok()) {
    *status_ = absl::InvalidArgumentError(absl::StrCat(where_, is_document ? "" : " ", text));
  }
}

JsonCursor JsonCursor::operator[](const std::string& name) const {
  const bool is_document = where_.back() == ' ';
  JsonCursor member(document_, nullptr, absl::StrCat(where_, is_document ? "" : ".", name),
                    status_);
  if (!Has(name)) {
    if (value_ != nullptr) member.Fail("is missing");
    return member;
  }
  member.value_ = &*value_->find(name);
  return member;
}

bool JsonCursor::Has(const std::string& name) const {
  if (value_ == nullptr) return false;
  if (!value_->is_object()) {
    Fail(absl::StrCat("is ", value_->type_name(), ", not an object"));
    return false;
  }
  return value_->contains(name);
}

std::vector<std::string> JsonCursor::Names() const {
  std::vector<std::string> names;
  if (value_ == nullptr) return names;
  if (!value_->is_object()) {
    Fail(absl::StrCat("is ", value_->type_name(), ", not an object"));
    return names;
  }
  for (const auto& item : value_->items()) names.push_back(item.key());
  return names;
}

void JsonCursor::AllowOnly(const std::vector<std::string>& names) const {
  for (const std::string& name : Names()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      Fail(absl::StrCat("has the unknown member \"", name, "\"; there are ",
                        absl::StrJoin(names, ", ")));
    }
  }
}

std::vector<JsonCursor> JsonCursor::Elements() const {
  std::vector<JsonCursor> elements;
  if (value_ == nullptr) return elements;
  if (!value_->is_array()) {
    Fail(absl::StrCat("is ", value_->type_name(), ", not a list"));
    return elements;
  }
  for (size_t i = 0; i < value_->size(); ++i) {
    elements.push_back(
        JsonCursor(document_, &(*value_)[i], absl::StrCat(where_, "[", i, "]"), status_));
  }
  return elements;
}

std::string JsonCursor::String() const {
  if (value_ == nullptr) return "";
  if (!value_->is_string()) {
    Fail(absl::StrCat("is ", value_->type_name(), ", not a text"));
    return "";
  }
  std::string text = value_->get<std::string>();
  if (text.empty()) Fail("is empty");
  return text;
}

bool JsonCursor::IsString() const { return value_ != nullptr && value_->is_string(); }

double JsonCursor::Number() const {
  if (value_ == nullptr) return 0;
  if (!value_->is_number()) {
    Fail(absl::StrCat("is ", value_->type_name(), ", not a number"));
    return 0;
  }
  return value_->get<double>();
}

uint32_t JsonCursor::Integer(uint32_t least) const {
  const double number = Number();
  if (value_ == nullptr || !value_->is_number()) return least;
  if (number != std::floor(number) || number < least ||
      number > std::numeric_limits<uint32_t>::max()) {
    Fail(absl::StrCat("is ", value_->dump(), ", not a whole number from ", least));
    return least;
  }
  return static_cast<uint32_t>(number);
}

}  // namespace nncert
