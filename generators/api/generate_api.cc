// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes files that follow from the operation catalogue:
//
//   generate_api --kind=hal_1.2 --specification=FILE --template=FILE --out=FILE
//   generate_api --handbook=FOLDER
//   generate_api --handbook=FOLDER --check
//   generate_api --extension=com.example.sequences --out=FILE
//
// The first renders a template, the second writes the operation handbook, the third fails when the
// handbook in FOLDER is not what the second would write. The fourth writes the page of an extension
// that is linked in, by --//:extensions.

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/parse.h"
#include "absl/flags/usage.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "generators/api/catalogue_directives.h"
#include "generators/api/handbook.h"
#include "generators/api/template_language.h"
#include "reference/extension.h"

ABSL_FLAG(std::string, kind, "", "the kind of file: hal_1.0, hal_1.1, hal_1.2 or nn_api");
ABSL_FLAG(std::string, specification, "", "the specification that sections come from");
ABSL_FLAG(std::string, template, "", "the template to be rendered");
ABSL_FLAG(std::string, out, "", "the file to be written; standard output when empty");
ABSL_FLAG(std::string, handbook, "", "the folder of the operation handbook");
ABSL_FLAG(std::string, extension, "", "the extension whose page is to be written");
ABSL_FLAG(bool, check, false, "only look whether the handbook is as it would be written");

namespace nncert {
namespace {

namespace fs = std::filesystem;

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return absl::NotFoundError(absl::StrCat("cannot read ", path));
  return text;
}

absl::Status WriteFile(const fs::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) return absl::UnavailableError(absl::StrCat("cannot write ", path.string()));
  return absl::OkStatus();
}

// Writes to the file of --out, or to standard output.
absl::Status WriteOut(const std::string& text) {
  const std::string out = absl::GetFlag(FLAGS_out);
  if (!out.empty()) return WriteFile(out, text);
  std::cout << text;
  return absl::OkStatus();
}

absl::Status RenderTemplate() {
  const std::string specification_path = absl::GetFlag(FLAGS_specification);
  const std::string template_path = absl::GetFlag(FLAGS_template);
  const absl::StatusOr<std::string> specification_text = ReadFile(specification_path);
  if (!specification_text.ok()) return specification_text.status();
  const absl::StatusOr<std::string> template_text = ReadFile(template_path);
  if (!template_text.ok()) return template_text.status();
  const absl::StatusOr<Specification> specification = Specification::Parse(
      specification_path, *specification_text, absl::GetFlag(FLAGS_kind), CatalogueDirectives());
  if (!specification.ok()) return specification.status();
  const absl::StatusOr<std::string> rendered = specification->Render(template_path, *template_text);
  if (!rendered.ok()) return rendered.status();
  return WriteOut(*rendered);
}

absl::Status WriteExtensionPage(const std::string& name) {
  if (const ExtensionDefinition* extension = FindExtension(name)) {
    return WriteOut(ExtensionPage(*extension));
  }
  std::vector<std::string> known;
  for (const ExtensionDefinition* extension : AllExtensions()) known.emplace_back(extension->name);
  return absl::NotFoundError(absl::StrCat(
      "there is no extension ", name,
      "; linked in: ", known.empty() ? "none (see --//:extensions)" : absl::StrJoin(known, ", ")));
}

// The Markdown files in a folder; none when there is no folder.
std::set<std::string> PagesIn(const fs::path& folder) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".md") names.insert(entry->path().filename().string());
  }
  return names;
}

absl::Status CheckHandbook(const fs::path& folder) {
  std::string wrong;
  std::set<std::string> present = PagesIn(folder);
  for (const auto& [name, text] : Handbook()) {
    const absl::StatusOr<std::string> written = ReadFile((folder / name).string());
    if (!written.ok() || *written != text) absl::StrAppend(&wrong, " ", name);
    present.erase(name);
  }
  for (const std::string& name : present) absl::StrAppend(&wrong, " ", name);
  if (wrong.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("the handbook is not what the catalogue says; run ./bazelw run "
                   "//generators/api:update_handbook. Missing, changed or left over:",
                   wrong));
}

absl::Status WriteHandbook(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  std::set<std::string> present = PagesIn(folder);
  for (const auto& [name, text] : Handbook()) {
    if (absl::Status status = WriteFile(folder / name, text); !status.ok()) return status;
    present.erase(name);
  }
  for (const std::string& name : present) fs::remove(folder / name, error);
  return absl::OkStatus();
}

absl::Status Run() {
  const std::string extension = absl::GetFlag(FLAGS_extension);
  if (!extension.empty()) return WriteExtensionPage(extension);
  const std::string handbook = absl::GetFlag(FLAGS_handbook);
  if (handbook.empty()) return RenderTemplate();
  return absl::GetFlag(FLAGS_check) ? CheckHandbook(handbook) : WriteHandbook(handbook);
}

}  // namespace
}  // namespace nncert

int main(int argc, char** argv) {
  absl::SetProgramUsageMessage("writes files that follow from the operation catalogue");
  absl::ParseCommandLine(argc, argv);
  const absl::Status status = nncert::Run();
  if (!status.ok()) std::cerr << "generate_api: " << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
