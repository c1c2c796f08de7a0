// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/page/failure_parts.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "certifying/outcome/failure_kind.h"
#include "certifying/page/model_drawing.h"
#include "pages/charts.h"
#include "pages/markup.h"
#include "pages/numbers.h"
#include "pages/page.h"

namespace nncert {
namespace {

// How many kinds have a drawing, so that a driver that fails everywhere has a page, too.
constexpr size_t kMostDrawings = 100;

// The most that is shown of what a driver, or a case, makes as long as it likes.
constexpr size_t kLongestText = 600;

std::string AnchorOf(size_t kind) { return absl::StrCat("failure-", kind + 1); }

// A bound of an enclosure is not shown where it is infinite.
Markup EnclosureCell(const WrongElement& element) {
  if (!element.lowest.has_value() || !element.highest.has_value()) return Text("not known");
  return Text("[") + Figure(*element.lowest) + Text(", ") + Figure(*element.highest) + Text("]");
}

Markup ElementsPart(const WrongElements& elements) {
  Table table({{"element", Table::Kind::TEXT},
               {"output"},
               {"example"},
               {"expected"},
               {"actual"},
               {"off by × the threshold"},
               {"an honest driver gives", Table::Kind::TEXT}});
  for (const WrongElement& element : elements.worst) {
    table.AddRow(
        {Text(element.place), Figure(element.output), Figure(element.example),
         Figure(element.expected), Figure(element.actual),
         element.thresholds.has_value() ? Figure(*element.thresholds) : Text("none allowed"),
         EnclosureCell(element)});
  }
  return Element("p",
                 Figure(elements.wrong) + Text(" of ") + Figure(elements.compared) +
                     Text(elements.compared == 1 ? " element" : " elements") +
                     Text(elements.wrong == 1 ? " is wrong" : " are wrong") +
                     Text(absl::StrCat(
                         ", held to ", elements.criterion,
                         elements.wrong > elements.worst.size() ? "; the worst of them:" : ":"))) +
         table.Build();
}

Markup ReproducerPart(const Reproducer& reproducer, const Markup& drawing) {
  Markup part = Element("h4", Text(reproducer.is_smallest ? "The smallest case that shows it"
                                                          : "A case that shows it"));
  part += reproducer.elements.has_value()
              ? ElementsPart(*reproducer.elements)
              : Element("p", Isolated(Shortened(reproducer.detail, kLongestText)));
  part += Element("p", Text("To run it again, a model of ") + Figure(reproducer.operations) +
                           Text(reproducer.operations == 1 ? " operation:" : " operations:"));
  part += Element("pre", {}, reproducer.command);
  part += Element("p", {{"class", "note"}},
                  Text("The case is ") + Isolated(reproducer.file) +
                      Text(", with a spec, a GoogleTest source and a drawing beside it."));
  part = Element("div", part);
  if (!drawing.empty()) {
    part += Element("figure", Element("div", {{"class", "model"}}, drawing));
  }
  return Element("div", {{"class", "reproducer"}}, part);
}

Markup CausesPart(const FailureKind& kind) {
  if (kind.causes.empty()) {
    return Element("h4", Text("Likely cause")) +
           Element("p", Text("None known: ") + Isolated(kind.obstacle.empty()
                                                            ? "nobody has looked for it"
                                                            : kind.obstacle));
  }
  Markup causes;
  for (const Cause& cause : kind.causes) {
    Markup operations;
    for (const std::string& operation : cause.operations) {
      if (!operations.empty()) operations += Text(", ");
      operations += Text(operation);
    }
    causes += Element("li", Element("b", Text(absl::StrCat("As if ", cause.rule))) + Text(": ") +
                                Figure(cause.explained) + Text(" of ") + Figure(cause.of) +
                                Text(" wrong elements agree, in ") + Figure(cause.failures) +
                                Text(cause.failures == 1 ? " failure of " : " failures of ") +
                                operations + Text("; ") + Figure(cause.rivals) +
                                Text(cause.rivals == 1 ? " rival" : " rivals") + Text(". ") +
                                Element("span", {{"class", "soft"}}, cause.cause));
  }
  return Element("h4", Text(kind.causes.size() == 1 ? "Likely cause"
                                                    : "Likely causes, the likeliest first")) +
         Element("ul", {{"class", "causes"}}, causes);
}

Markup KindPart(const FailureKind& kind, size_t place, const Markup& drawing) {
  const std::string name =
      absl::StrCat(kind.operation.empty() ? std::string("No operation") : kind.operation,
                   kind.type.empty() ? "" : " ", kind.type);
  Markup facts;
  Markup count = Figure(kind.failed);
  if (kind.of.has_value()) count += Text(" of ") + Figure(*kind.of);
  count += Text(kind.failed == 1 ? " fails so, of the suite " : " fail so, of the suite ") +
           Text(kind.suite);
  facts += Fact("Cases", count);
  facts += Fact("First", Isolated(NameOfFirst(kind)));
  if (!kind.operation.empty()) {
    facts += Fact("First operation that errs", Text(kind.operation));
  }
  facts += Fact("What is wrong", Isolated(Shortened(FirstLine(kind.first.detail), kLongestText)));
  return Element(
      "article", {{"class", "part"}, {"id", AnchorOf(place)}},
      Element("h3", Text(absl::StrCat(name, ": ", std::string(toString(kind.verdict))))) +
          CausesPart(kind) + Element("dl", {{"class", "facts"}}, facts) +
          (kind.reproducer.has_value() ? ReproducerPart(*kind.reproducer, drawing) : Markup()));
}

}  // namespace

std::string AnchorOfFailure(const RunReport& report, const std::string& operation) {
  for (size_t i = 0; i < report.failures.size(); ++i) {
    if (report.failures[i].operation == operation) return AnchorOf(i);
  }
  return "";
}

Markup FailuresInBrief(const RunReport& report) {
  Table table({{"operation", Table::Kind::TEXT},
               {"type", Table::Kind::TEXT},
               {"verdict", Table::Kind::TEXT},
               {"suite", Table::Kind::TEXT},
               {"failed"},
               {"of"},
               {"likely cause", Table::Kind::TEXT}},
              report.failures.size() > 12 ? "sortable filtered" : "sortable");
  for (size_t i = 0; i < report.failures.size(); ++i) {
    const FailureKind& kind = report.failures[i];
    table.AddRow({Element("a", {{"href", absl::StrCat("#", AnchorOf(i))}},
                          Text(kind.operation.empty() ? "(none)" : kind.operation)),
                  Text(kind.type), Text(std::string(toString(kind.verdict))), Text(kind.suite),
                  Figure(kind.failed), kind.of.has_value() ? Figure(*kind.of) : Markup(),
                  kind.causes.empty() ? Markup() : Text(kind.causes.front().rule)},
                 "wrong");
  }
  const Markup built = table.Build();
  if (built.empty()) return Markup();
  return Element("section", {{"id", "failing"}}, Element("h2", Text("What fails")) + built);
}

Markup FailureParts(const RunReport& report) {
  if (report.failures.empty()) return Markup();
  std::vector<std::string> files;
  for (const FailureKind& kind : report.failures) {
    files.push_back(kind.reproducer.has_value() && files.size() < kMostDrawings
                        ? kind.reproducer->drawing
                        : "");
  }
  const absl::StatusOr<std::vector<Markup>> drawings = DrawModels(files);
  Markup parts;
  for (size_t i = 0; i < report.failures.size(); ++i) {
    parts += KindPart(report.failures[i], i, drawings.ok() ? (*drawings)[i] : Markup());
  }
  Markup section = Element("h2", Text("Failures"));
  if (!drawings.ok()) {
    section +=
        Element("p", {{"class", "note"}}, Isolated(std::string(drawings.status().message())));
  }
  return Element("section", {{"id", "failures"}},
                 section + Element("div", {{"class", "parts"}}, parts));
}

}  // namespace nncert
