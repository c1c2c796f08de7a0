// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/journal.h"

#include <capnp/message.h>
#include <fcntl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "harness/records/journal.capnp.h"

namespace nncert {
namespace {

// The version of the format. A journal of another one is not gone on with: what one of the first
// (0) did not keep, the findings between the cases, would be missing from the report; and of
// later ones, what elements are like (2), and the types of operations (3). Spans came with 5.
constexpr uint32_t kFormat = 5;

// What errors call the file.
constexpr char kWhat[] = "journal";

kj::StringPtr View(const std::string& text) { return {text.data(), text.size()}; }

std::string Copy(capnp::Text::Reader text) { return std::string(text.begin(), text.end()); }

std::string RecordOf(const RunIdentity& run) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::JournalRecord>().initRun();
  builder.setVersion(View(run.version));
  builder.setDriver(View(run.driver));
  builder.setDriverVersion(View(run.driver_version));
  builder.setDriverDigest(run.driver_digest);
  builder.setSelection(View(run.selection));
  builder.setCaseCount(run.case_count);
  builder.setCasesDigest(run.cases_digest);
  builder.setFormat(kFormat);
  return FramedMessage(message);
}

bool IsEmpty(const WorkerReport& processes) {
  return processes.restarts == 0 && processes.cpu_time == absl::ZeroDuration() &&
         processes.peak_memory == 0 && processes.findings.empty();
}

void Write(const WorkerReport& processes, schema::JournalProcesses::Builder builder) {
  builder.setRestarts(static_cast<uint32_t>(processes.restarts));
  builder.setCpuNanoseconds(absl::ToInt64Nanoseconds(processes.cpu_time));
  builder.setPeakMemory(processes.peak_memory);
  auto findings = builder.initFindings(static_cast<unsigned>(processes.findings.size()));
  for (unsigned i = 0; i < findings.size(); ++i) findings.set(i, View(processes.findings[i]));
}

std::string RecordOf(const WorkerReport& processes) {
  capnp::MallocMessageBuilder message;
  Write(processes, message.initRoot<schema::JournalRecord>().initProcesses());
  return FramedMessage(message);
}

void Write(const OperationAccuracy& accuracy, schema::JournalAccuracy::Builder builder) {
  builder.setOperation(View(accuracy.operation));
  builder.setType(View(accuracy.type));
  builder.setElements(accuracy.elements);
  builder.setSuspect(accuracy.suspect);
  builder.setFirstSuspect(View(accuracy.first_suspect));
  const auto count = static_cast<unsigned>(accuracy.errors.size());
  auto keys = builder.initKeys(count);
  auto errors = builder.initErrors(count);
  for (unsigned i = 0; i < count; ++i) {
    keys.set(i, accuracy.errors[i].key);
    errors.set(i, accuracy.errors[i].error);
  }
}

void Write(size_t index, const CaseResult& result, schema::JournalResult::Builder builder) {
  builder.setIndex(index);
  builder.setName(View(result.name));
  builder.setIsDynamic(result.mode == TestMode::kDynamic);
  builder.setOperation(View(result.operation));
  builder.setType(View(result.type));
  builder.setVerdict(View(std::string(toString(result.verdict))));
  builder.setDetail(View(result.detail));
  auto files = builder.initDumpedFiles(static_cast<unsigned>(result.dumped_files.size()));
  for (unsigned i = 0; i < files.size(); ++i) files.set(i, View(result.dumped_files[i]));
  builder.setNanoseconds(absl::ToInt64Nanoseconds(result.duration));
  builder.setDeviation(View(result.deviation));
  builder.setExecutions(result.executions);
  builder.setComparedElements(result.compared_elements);
  builder.setUndivided(View(result.undivided));
  auto accuracy = builder.initAccuracy(static_cast<unsigned>(result.accuracy.size()));
  for (unsigned i = 0; i < accuracy.size(); ++i) Write(result.accuracy[i], accuracy[i]);
}

std::string RecordOf(size_t index, const CaseResult& result, const WorkerReport& processes) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::JournalRecord>().initResult();
  Write(index, result, builder);
  if (!IsEmpty(processes)) Write(processes, builder.initProcesses());
  return FramedMessage(message);
}

void Write(const std::map<Verdict, uint64_t>& counts,
           capnp::List<schema::JournalCount>::Builder builder) {
  unsigned i = 0;
  for (const auto& [verdict, count] : counts) {
    builder[i].setVerdict(View(std::string(toString(verdict))));
    builder[i++].setCount(count);
  }
}

std::string RecordOf(const CaseSpan& span, const WorkerReport& processes) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::JournalRecord>().initSpan();
  builder.setFirst(span.first);
  builder.setCount(span.count);
  Write(span.counts, builder.initCounts(static_cast<unsigned>(span.counts.size())));
  Write(span.hostile_counts,
        builder.initHostileCounts(static_cast<unsigned>(span.hostile_counts.size())));
  auto results = builder.initResults(static_cast<unsigned>(span.results.size()));
  for (unsigned i = 0; i < results.size(); ++i) {
    Write(span.results[i].index, span.results[i].result, results[i]);
  }
  auto accuracy = builder.initAccuracy(static_cast<unsigned>(span.accuracy.size()));
  for (unsigned i = 0; i < accuracy.size(); ++i) Write(span.accuracy[i], accuracy[i]);
  if (!IsEmpty(processes)) Write(processes, builder.initProcesses());
  return FramedMessage(message);
}

std::string RecordOf(const JournalTest& test, const WorkerReport& processes) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::JournalRecord>().initTest();
  builder.setIndex(test.index);
  auto checks = builder.initChecks(static_cast<unsigned>(test.checks.size()));
  for (unsigned i = 0; i < checks.size(); ++i) {
    checks[i].setName(View(test.checks[i].name));
    checks[i].setPassed(test.checks[i].passed);
    checks[i].setFailed(test.checks[i].failed);
    checks[i].setSkipped(test.checks[i].skipped);
    checks[i].setUnsupported(test.checks[i].unsupported);
  }
  auto failures = builder.initFailures(static_cast<unsigned>(test.failures.size()));
  for (unsigned i = 0; i < failures.size(); ++i) {
    failures[i].setCheck(View(test.failures[i].check));
    failures[i].setVerdict(View(std::string(toString(test.failures[i].verdict))));
    failures[i].setDetail(View(test.failures[i].detail));
  }
  builder.setLeftOut(test.left_out);
  if (!IsEmpty(processes)) Write(processes, builder.initProcesses());
  return FramedMessage(message);
}

RunIdentity ReadRun(schema::JournalRun::Reader reader) {
  RunIdentity run;
  run.version = Copy(reader.getVersion());
  run.driver = Copy(reader.getDriver());
  run.driver_version = Copy(reader.getDriverVersion());
  run.driver_digest = reader.getDriverDigest();
  run.selection = Copy(reader.getSelection());
  run.case_count = reader.getCaseCount();
  run.cases_digest = reader.getCasesDigest();
  return run;
}

// As many errors as keys are there.
OperationAccuracy ReadAccuracy(schema::JournalAccuracy::Reader reader) {
  OperationAccuracy accuracy;
  accuracy.operation = Copy(reader.getOperation());
  accuracy.type = Copy(reader.getType());
  accuracy.elements = reader.getElements();
  accuracy.suspect = reader.getSuspect();
  accuracy.first_suspect = Copy(reader.getFirstSuspect());
  // Got once: whenever a list is got, all of it counts towards what may be read out of a message.
  const auto keys = reader.getKeys();
  const auto errors_of_keys = reader.getErrors();
  std::vector<ElementError> errors;
  for (unsigned i = 0; i < keys.size(); ++i) errors.push_back({keys[i], errors_of_keys[i]});
  AddErrors(errors, accuracy);
  return accuracy;
}

absl::StatusOr<Verdict> ReadVerdict(capnp::Text::Reader reader) {
  const std::string name = Copy(reader);
  const std::optional<Verdict> verdict = verdictFromString(name);
  if (verdict.has_value()) return *verdict;
  return absl::InvalidArgumentError(absl::StrCat("there is no verdict '", name, "'"));
}

absl::Status ReadAccuracies(capnp::List<schema::JournalAccuracy>::Reader reader,
                            std::vector<OperationAccuracy>& accuracies) {
  for (const auto accuracy : reader) {
    if (accuracy.getKeys().size() != accuracy.getErrors().size()) {
      return absl::InvalidArgumentError("there are not as many errors as keys of them");
    }
    accuracies.push_back(ReadAccuracy(accuracy));
  }
  return absl::OkStatus();
}

absl::StatusOr<JournalEntry> ReadResult(schema::JournalResult::Reader reader) {
  JournalEntry entry;
  entry.index = reader.getIndex();
  CaseResult& result = entry.result;
  result.name = Copy(reader.getName());
  result.mode = reader.getIsDynamic() ? TestMode::kDynamic : TestMode::kStatic;
  result.operation = Copy(reader.getOperation());
  result.type = Copy(reader.getType());
  const absl::StatusOr<Verdict> verdict = ReadVerdict(reader.getVerdict());
  if (!verdict.ok()) return verdict.status();
  result.verdict = *verdict;
  result.detail = Copy(reader.getDetail());
  for (const capnp::Text::Reader file : reader.getDumpedFiles()) {
    result.dumped_files.push_back(Copy(file));
  }
  result.duration = absl::Nanoseconds(reader.getNanoseconds());
  result.deviation = Copy(reader.getDeviation());
  result.executions = reader.getExecutions();
  result.compared_elements = reader.getComparedElements();
  result.undivided = Copy(reader.getUndivided());
  if (absl::Status status = ReadAccuracies(reader.getAccuracy(), result.accuracy); !status.ok()) {
    return status;
  }
  return entry;
}

absl::Status ReadCounts(capnp::List<schema::JournalCount>::Reader reader,
                        std::map<Verdict, uint64_t>& counts) {
  for (const auto count : reader) {
    const absl::StatusOr<Verdict> verdict = ReadVerdict(count.getVerdict());
    if (!verdict.ok()) return verdict.status();
    counts[*verdict] += count.getCount();
  }
  return absl::OkStatus();
}

absl::StatusOr<CaseSpan> ReadSpan(schema::JournalSpan::Reader reader) {
  CaseSpan span;
  span.first = reader.getFirst();
  span.count = reader.getCount();
  absl::Status status = ReadCounts(reader.getCounts(), span.counts);
  status.Update(ReadCounts(reader.getHostileCounts(), span.hostile_counts));
  status.Update(ReadAccuracies(reader.getAccuracy(), span.accuracy));
  if (!status.ok()) return status;
  for (const auto result : reader.getResults()) {
    absl::StatusOr<JournalEntry> entry = ReadResult(result);
    if (!entry.ok()) return entry.status();
    if (entry->index < span.first || entry->index - span.first >= span.count) {
      return absl::InvalidArgumentError(absl::StrCat("a result of case ", entry->index,
                                                     " is in the span of ", span.count,
                                                     " cases from ", span.first, " on"));
    }
    span.results.push_back(*std::move(entry));
  }
  return span;
}

absl::StatusOr<JournalTest> ReadTest(schema::JournalTest::Reader reader) {
  JournalTest test = {.index = reader.getIndex(), .left_out = reader.getLeftOut()};
  for (const auto check : reader.getChecks()) {
    test.checks.push_back({Copy(check.getName()), check.getPassed(), check.getFailed(),
                           check.getSkipped(), check.getUnsupported()});
  }
  for (const auto failure : reader.getFailures()) {
    const absl::StatusOr<Verdict> verdict = ReadVerdict(failure.getVerdict());
    if (!verdict.ok()) return verdict.status();
    test.failures.push_back({Copy(failure.getCheck()), *verdict, Copy(failure.getDetail())});
  }
  return test;
}

WorkerReport ReadProcesses(schema::JournalProcesses::Reader reader) {
  WorkerReport processes;
  processes.restarts =
      static_cast<int>(std::min<uint32_t>(reader.getRestarts(), std::numeric_limits<int>::max()));
  processes.cpu_time = absl::Nanoseconds(reader.getCpuNanoseconds());
  processes.peak_memory = reader.getPeakMemory();
  for (const capnp::Text::Reader finding : reader.getFindings()) {
    processes.findings.push_back(Copy(finding));
  }
  return processes;
}

// What a journal holds, and where its last whole record ends.
struct Records {
  std::optional<RunIdentity> run;
  JournalContent content;
  uint64_t end = 0;
};

absl::Status CheckFormat(uint32_t format) {
  if (format == kFormat) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the journal was written by ", format < kFormat ? "an earlier" : "a later",
      " nncert, in version ", format, " of its format, and this one goes on with version ", kFormat,
      ": begin the run anew, without --resume"));
}

// Reads one message into `records`. Throws kj::Exception when the message is corrupt.
absl::Status ReadMessage(capnp::MessageReader& message, Records& records) {
  const auto record = message.getRoot<schema::JournalRecord>();
  if (record.isRun() == records.run.has_value()) {
    return absl::InvalidArgumentError(records.run.has_value()
                                          ? "two runs are in the same journal"
                                          : "a result comes before what it is of");
  }
  if (record.isRun()) {
    records.run = ReadRun(record.getRun());
    return CheckFormat(record.getRun().getFormat());
  }
  if (record.isProcesses()) {
    Add(ReadProcesses(record.getProcesses()), records.content.processes);
    return absl::OkStatus();
  }
  if (record.isSpan()) {
    absl::StatusOr<CaseSpan> span = ReadSpan(record.getSpan());
    if (!span.ok()) return span.status();
    const uint64_t cases = records.run->case_count;
    if (span->first > cases || span->count > cases - span->first) {
      return absl::InvalidArgumentError(absl::StrCat("a span is of ", span->count, " cases from ",
                                                     span->first, " on, of ", cases));
    }
    records.content.spans.push_back(*std::move(span));
    Add(ReadProcesses(record.getSpan().getProcesses()), records.content.processes);
    return absl::OkStatus();
  }
  if (record.isTest()) {
    absl::StatusOr<JournalTest> test = ReadTest(record.getTest());
    if (!test.ok()) return test.status();
    if (test->index >= records.run->case_count) {
      return absl::InvalidArgumentError(
          absl::StrCat("a result is of test ", test->index, " of ", records.run->case_count));
    }
    records.content.tests.push_back(*std::move(test));
    Add(ReadProcesses(record.getTest().getProcesses()), records.content.processes);
    return absl::OkStatus();
  }
  if (!record.isResult()) return absl::InvalidArgumentError("a record is of no known kind");
  absl::StatusOr<JournalEntry> entry = ReadResult(record.getResult());
  if (!entry.ok()) return entry.status();
  if (entry->index >= records.run->case_count) {
    return absl::InvalidArgumentError(
        absl::StrCat("a result is of case ", entry->index, " of ", records.run->case_count));
  }
  records.content.results.push_back(*std::move(entry));
  if (record.getResult().hasProcesses()) {
    Add(ReadProcesses(record.getResult().getProcesses()), records.content.processes);
  }
  return absl::OkStatus();
}

// Reads records up to the first that is not whole, which is where the run was interrupted.
absl::StatusOr<Records> ReadRecords(RecordFile& file) {
  Records records;
  const absl::StatusOr<uint64_t> end = file.ForEach([&records](std::string_view message) {
    return ReadCapnpMessage(
        message, [&records](capnp::MessageReader& reader) { return ReadMessage(reader, records); });
  });
  if (!end.ok()) return end.status();
  if (!records.run.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        file.path(), ": it is no journal of a run: begin the run anew, without --resume"));
  }
  records.end = *end;
  return records;
}

// A case that comes twice was run twice; the first result is the one that was reported.
JournalContent WithoutRepeated(JournalContent content) {
  std::set<size_t> seen;
  std::vector<JournalEntry> results;
  for (JournalEntry& entry : content.results) {
    if (seen.insert(entry.index).second) results.push_back(std::move(entry));
  }
  content.results = std::move(results);
  seen.clear();
  std::erase_if(content.tests,
                [&seen](const JournalTest& test) { return !seen.insert(test.index).second; });
  return content;
}

}  // namespace

std::string DifferenceOf(const RunIdentity& of_journal, const RunIdentity& of_this) {
  const auto differ = [](absl::string_view what, const std::string& there,
                         const std::string& here) {
    return absl::StrCat("it is of ", what, there.empty() ? "(none)" : there, ", and this is of ",
                        here.empty() ? "(none)" : here);
  };
  if (of_journal.driver != of_this.driver) {
    return differ("driver ", of_journal.driver, of_this.driver);
  }
  if (of_journal.driver_version != of_this.driver_version) {
    return differ("the driver's version ", of_journal.driver_version, of_this.driver_version);
  }
  if (of_journal.driver_digest != of_this.driver_digest) {
    return "the driver's file has changed since";
  }
  if (of_journal.selection != of_this.selection) {
    return differ("the selection ", of_journal.selection, of_this.selection);
  }
  if (of_journal.case_count != of_this.case_count) {
    return absl::StrCat("it is of ", of_journal.case_count, " cases, and this is of ",
                        of_this.case_count);
  }
  if (of_journal.cases_digest != of_this.cases_digest) return "the cases have changed since";
  if (of_journal.version != of_this.version) {
    return differ("nncert ", of_journal.version, of_this.version);
  }
  return "";
}

absl::StatusOr<std::unique_ptr<Journal>> Journal::Create(const std::string& path,
                                                         const RunIdentity& run) {
  absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::Open(path, O_CREAT, kWhat);
  if (!file.ok()) return file.status();
  if (absl::Status status = (*file)->Truncate(0); !status.ok()) return status;
  if (absl::Status status = (*file)->Append(RecordOf(run)); !status.ok()) return status;
  return std::unique_ptr<Journal>(new Journal(*std::move(file), run));
}

absl::StatusOr<std::unique_ptr<Journal>> Journal::Resume(const std::string& path,
                                                         const RunIdentity& run,
                                                         JournalContent& content) {
  absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::Open(path, 0, kWhat);
  if (absl::IsNotFound(file.status())) {
    return absl::NotFoundError(
        absl::StrCat(file.status().message(), "; there is no run to go on with"));
  }
  if (!file.ok()) return file.status();
  absl::StatusOr<Records> records = ReadRecords(**file);
  if (!records.ok()) return records.status();
  if (const std::string difference = DifferenceOf(*records->run, run); !difference.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": the journal is of another run: ", difference));
  }
  if (absl::Status status = (*file)->Truncate(records->end); !status.ok()) return status;
  content = WithoutRepeated(std::move(records->content));
  return std::unique_ptr<Journal>(new Journal(*std::move(file), run));
}

absl::StatusOr<JournalContent> Journal::Read(const std::string& path) {
  RunIdentity ignored;
  return Read(path, ignored);
}

absl::StatusOr<JournalContent> Journal::Read(const std::string& path, RunIdentity& run) {
  const absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::OpenToRead(path);
  if (!file.ok()) return file.status();
  absl::StatusOr<Records> records = ReadRecords(**file);
  if (!records.ok()) return records.status();
  run = *std::move(records->run);
  return WithoutRepeated(std::move(records->content));
}

absl::Status Journal::Append(size_t index, const CaseResult& result,
                             const WorkerReport& processes) {
  return file_->Append(RecordOf(index, result, processes));
}

absl::Status Journal::Append(const CaseSpan& span, const WorkerReport& processes) {
  return file_->Append(RecordOf(span, processes));
}

absl::Status Journal::Append(const JournalTest& test, const WorkerReport& processes) {
  return file_->Append(RecordOf(test, processes));
}

absl::Status Journal::Append(const WorkerReport& processes) {
  return IsEmpty(processes) ? absl::OkStatus() : file_->Append(RecordOf(processes));
}

}  // namespace nncert
