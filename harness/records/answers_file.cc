// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/answers_file.h"

#include <capnp/message.h>
#include <fcntl.h>

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "harness/records/answers.capnp.h"

namespace nncert {
namespace {

using hal::V1_2::OutputShape;

// The version of the format.
constexpr uint32_t kFormat = 1;

// What errors call the file.
constexpr char kWhat[] = "file of answers";

kj::StringPtr View(const std::string& text) { return {text.data(), text.size()}; }

std::string Copy(capnp::Text::Reader text) { return std::string(text.begin(), text.end()); }

std::string RecordOf(uint64_t case_count) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::AnswersRecord>().initRun();
  builder.setFormat(kFormat);
  builder.setCaseCount(case_count);
  return FramedMessage(message);
}

void Write(const RecordedProblem& problem, schema::AnswersProblem::Builder builder) {
  builder.setVerdict(View(std::string(toString(problem.verdict))));
  builder.setText(View(problem.text));
  builder.setIsRefusal(problem.is_refusal);
}

void Write(const RecordedStep& step, schema::AnswersStep::Builder builder) {
  switch (step.kind) {
    case RecordedStep::Kind::kPreparation:
      builder.setPreparation(step.is_fully_supported);
      break;
    case RecordedStep::Kind::kExecution:
      builder.setExecution(step.execution);
      break;
    case RecordedStep::Kind::kRelease:
      builder.setRelease();
      break;
  }
  if (step.problem.has_value()) Write(*step.problem, builder.initProblem());
}

void Write(const RecordedExecution& execution, schema::AnswersExecution::Builder builder) {
  if (execution.problem.has_value()) Write(*execution.problem, builder.initProblem());
  builder.setStatus(static_cast<int32_t>(execution.status));
  auto shapes = builder.initShapes(static_cast<unsigned>(execution.shapes.size()));
  for (unsigned i = 0; i < shapes.size(); ++i) {
    const OutputShape& shape = execution.shapes[i];
    auto dimensions = shapes[i].initDimensions(static_cast<unsigned>(shape.dimensions.size()));
    for (unsigned k = 0; k < dimensions.size(); ++k) dimensions.set(k, shape.dimensions[k]);
    shapes[i].setIsSufficient(shape.isSufficient);
  }
  if (execution.timing.has_value()) {
    auto timing = builder.initTiming();
    timing.setOnDevice(execution.timing->timeOnDevice);
    timing.setInDriver(execution.timing->timeInDriver);
  }
  if (!execution.memory.empty()) builder.setMemory(View(execution.memory));
  auto outputs = builder.initOutputs(static_cast<unsigned>(execution.outputs.size()));
  for (unsigned i = 0; i < outputs.size(); ++i) {
    outputs.set(i, execution.outputs[i].has_value() ? *execution.outputs[i] + 1 : 0);
  }
}

std::string RecordOf(size_t index, const CaseAnswers& answers) {
  capnp::MallocMessageBuilder message;
  auto builder = message.initRoot<schema::AnswersRecord>().initAnswers();
  builder.setIndex(index);
  auto steps = builder.initSteps(static_cast<unsigned>(answers.steps.size()));
  for (unsigned i = 0; i < steps.size(); ++i) Write(answers.steps[i], steps[i]);
  auto executions = builder.initExecutions(static_cast<unsigned>(answers.executions.size()));
  for (unsigned i = 0; i < executions.size(); ++i) Write(answers.executions[i], executions[i]);
  auto buffers = builder.initBuffers(static_cast<unsigned>(answers.buffers.size()));
  for (unsigned i = 0; i < buffers.size(); ++i) {
    buffers.set(i, capnp::Data::Reader(answers.buffers[i].data(), answers.buffers[i].size()));
  }
  return FramedMessage(message);
}

absl::StatusOr<RecordedProblem> ReadProblem(schema::AnswersProblem::Reader reader) {
  const std::string name = Copy(reader.getVerdict());
  const std::optional<Verdict> verdict = verdictFromString(name);
  if (!verdict.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat("there is no verdict '", name, "'"));
  }
  return RecordedProblem{*verdict, Copy(reader.getText()), reader.getIsRefusal()};
}

absl::StatusOr<RecordedStep> ReadStep(schema::AnswersStep::Reader reader, size_t executions) {
  RecordedStep step;
  if (reader.isExecution()) {
    step.kind = RecordedStep::Kind::kExecution;
    step.execution = reader.getExecution();
    if (step.execution >= executions) {
      return absl::InvalidArgumentError(
          absl::StrCat("a step is execution ", step.execution, " of ", executions));
    }
  } else if (reader.isRelease()) {
    step.kind = RecordedStep::Kind::kRelease;
  } else if (reader.isPreparation()) {
    step.is_fully_supported = reader.getPreparation();
  } else {
    return absl::InvalidArgumentError("a step is of no known kind");
  }
  if (reader.hasProblem()) {
    absl::StatusOr<RecordedProblem> problem = ReadProblem(reader.getProblem());
    if (!problem.ok()) return problem.status();
    step.problem = *std::move(problem);
  }
  return step;
}

absl::StatusOr<RecordedExecution> ReadExecution(schema::AnswersExecution::Reader reader,
                                                size_t buffers) {
  RecordedExecution execution;
  if (reader.hasProblem()) {
    absl::StatusOr<RecordedProblem> problem = ReadProblem(reader.getProblem());
    if (!problem.ok()) return problem.status();
    execution.problem = *std::move(problem);
  }
  execution.status = static_cast<hal::V1_0::ErrorStatus>(reader.getStatus());
  for (const auto shape : reader.getShapes()) {
    OutputShape& read = execution.shapes.emplace_back();
    for (const uint32_t dimension : shape.getDimensions()) read.dimensions.push_back(dimension);
    read.isSufficient = shape.getIsSufficient();
  }
  if (reader.hasTiming()) {
    execution.timing = {reader.getTiming().getOnDevice(), reader.getTiming().getInDriver()};
  }
  execution.memory = Copy(reader.getMemory());
  for (const uint32_t output : reader.getOutputs()) {
    if (output > buffers) {
      return absl::InvalidArgumentError(
          absl::StrCat("an output is buffer ", output - 1, " of ", buffers));
    }
    execution.outputs.push_back(output == 0 ? std::nullopt : std::optional<uint32_t>(output - 1));
  }
  return execution;
}

// Whether what is there once comes in the order in which it is used, all of it.
bool IsInOrder(const CaseAnswers& answers) {
  uint32_t next = 0;
  for (const RecordedStep& step : answers.steps) {
    if (step.kind != RecordedStep::Kind::kExecution) continue;
    if (step.execution > next) return false;
    next += step.execution == next ? 1 : 0;
  }
  if (next != answers.executions.size()) return false;
  next = 0;
  for (const RecordedExecution& execution : answers.executions) {
    for (const std::optional<uint32_t>& output : execution.outputs) {
      if (!output.has_value()) continue;
      if (*output > next) return false;
      next += *output == next ? 1 : 0;
    }
  }
  return next == answers.buffers.size();
}

absl::StatusOr<CaseAnswers> ReadAnswers(schema::AnswersOfCase::Reader reader) {
  CaseAnswers answers;
  // Got once: whenever a list is got, all of it counts towards what may be read out of a message.
  const auto executions = reader.getExecutions();
  const auto buffers = reader.getBuffers();
  for (const auto of_step : reader.getSteps()) {
    absl::StatusOr<RecordedStep> step = ReadStep(of_step, executions.size());
    if (!step.ok()) return step.status();
    answers.steps.push_back(*std::move(step));
  }
  for (const auto of_execution : executions) {
    absl::StatusOr<RecordedExecution> execution = ReadExecution(of_execution, buffers.size());
    if (!execution.ok()) return execution.status();
    answers.executions.push_back(*std::move(execution));
  }
  for (const capnp::Data::Reader buffer : buffers) {
    answers.buffers.emplace_back(buffer.begin(), buffer.end());
  }
  return answers;
}

// Checks that the first record is of a run of so many cases.
absl::Status CheckRun(std::string_view message, uint64_t case_count) {
  return ReadCapnpMessage(message, [&](capnp::MessageReader& reader) -> absl::Status {
    const auto record = reader.getRoot<schema::AnswersRecord>();
    if (!record.isRun()) {
      return absl::InvalidArgumentError("answers come before what they are of");
    }
    if (record.getRun().getFormat() != kFormat) {
      return absl::FailedPreconditionError(absl::StrCat("the answers are in version ",
                                                        record.getRun().getFormat(),
                                                        " of their format; expected ", kFormat));
    }
    if (record.getRun().getCaseCount() == case_count) return absl::OkStatus();
    return absl::FailedPreconditionError(absl::StrCat("the answers are those of a run of ",
                                                      record.getRun().getCaseCount(),
                                                      " cases; expected ", case_count));
  });
}

// The place of the case that a record is of.
absl::StatusOr<size_t> ReadIndex(std::string_view message, uint64_t case_count) {
  size_t index = 0;
  const absl::Status status =
      ReadCapnpMessage(message, [&](capnp::MessageReader& reader) -> absl::Status {
        const auto record = reader.getRoot<schema::AnswersRecord>();
        if (!record.isAnswers()) {
          return absl::InvalidArgumentError("a record has no answers; expected those to a case");
        }
        index = record.getAnswers().getIndex();
        if (index < case_count) return absl::OkStatus();
        return absl::InvalidArgumentError(
            absl::StrCat("answers are to case ", index, " of ", case_count));
      });
  if (!status.ok()) return status;
  return index;
}

// The frame of a message, and it.
std::string_view WithFrame(std::string_view message) {
  return {message.data() - kFrameBytes, message.size() + kFrameBytes};
}

}  // namespace

absl::StatusOr<std::unique_ptr<AnswersFile>> AnswersFile::Create(const std::string& path,
                                                                 uint64_t case_count) {
  absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::Open(path, O_CREAT, kWhat);
  if (!file.ok()) return file.status();
  absl::Status status = (*file)->Truncate(0);
  status.Update((*file)->Append(RecordOf(case_count)));
  if (!status.ok()) return status;
  return std::unique_ptr<AnswersFile>(new AnswersFile(*std::move(file)));
}

absl::StatusOr<std::unique_ptr<AnswersFile>> AnswersFile::Resume(const std::string& path,
                                                                 uint64_t case_count) {
  absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::Open(path, O_CREAT, kWhat);
  if (!file.ok()) return file.status();
  bool is_first = true;
  const absl::StatusOr<uint64_t> end =
      (*file)->ForEach([&](std::string_view message) -> absl::Status {
        return std::exchange(is_first, false) ? CheckRun(message, case_count) : absl::OkStatus();
      });
  if (is_first || !end.ok()) {
    file->reset();
    return Create(path, case_count);
  }
  if (absl::Status status = (*file)->Truncate(*end); !status.ok()) return status;
  return std::unique_ptr<AnswersFile>(new AnswersFile(*std::move(file)));
}

absl::Status AnswersFile::Append(size_t index, const CaseAnswers& answers) {
  return file_->Append(RecordOf(index, answers));
}

absl::Status AnswersFile::AppendRecord(std::string_view message) {
  return file_->Append(std::string(WithFrame(message)));
}

absl::Status ForEachAnswers(
    const std::string& path, uint64_t case_count,
    absl::FunctionRef<absl::Status(size_t index, std::string_view message)> visit) {
  const absl::StatusOr<std::unique_ptr<RecordFile>> file = RecordFile::OpenToRead(path);
  if (!file.ok()) return file.status();
  bool is_first = true;
  const absl::StatusOr<uint64_t> end =
      (*file)->ForEach([&](std::string_view message) -> absl::Status {
        if (is_first) {
          is_first = false;
          return CheckRun(message, case_count);
        }
        const absl::StatusOr<size_t> index = ReadIndex(message, case_count);
        if (!index.ok()) return index.status();
        return visit(*index, message);
      });
  if (!end.ok()) return end.status();
  if (!is_first) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": it has no answers of a run"));
}

absl::StatusOr<std::string> CompleteAnswers(const std::string& path, uint64_t case_count,
                                            uint64_t most) {
  // The last to each case.
  std::vector<std::string> records;
  uint64_t bytes = 0;
  const absl::Status read =
      ForEachAnswers(path, case_count, [&](size_t index, std::string_view message) -> absl::Status {
        if (index >= records.size()) records.resize(index + 1);
        bytes -= records[index].size();
        records[index] = std::string(WithFrame(message));
        bytes += records[index].size();
        if (bytes <= most) return absl::OkStatus();
        return absl::FailedPreconditionError(
            absl::StrCat("the answers have more than ", most, " bytes, which a package may have"));
      });
  if (!read.ok()) return read;
  records.resize(case_count);
  std::string complete = RecordOf(case_count);
  complete.reserve(complete.size() + bytes);
  for (size_t i = 0; i < records.size(); ++i) {
    if (records[i].empty()) {
      return absl::FailedPreconditionError(
          absl::StrCat(path, ": there are no answers to case ", i, " of ", case_count,
                       ", as in a run that was begun by an earlier nncert, or whose machine "
                       "failed; expected those to all: certify anew, without --resume"));
    }
    complete += std::exchange(records[i], std::string());
  }
  return complete;
}

absl::StatusOr<std::vector<std::string_view>> SplitAnswers(std::string_view bytes,
                                                           uint64_t case_count) {
  std::vector<std::string_view> messages;
  uint64_t place = 0;
  const auto next = [&]() -> absl::StatusOr<std::string_view> {
    const std::optional<std::string_view> message = FirstMessage(bytes.substr(place));
    if (!message.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no whole record at byte ", place, " of ", bytes.size()));
    }
    place += kFrameBytes + message->size();
    return *message;
  };
  const absl::StatusOr<std::string_view> run = next();
  if (!run.ok()) return run.status();
  if (bytes.substr(0, place) != RecordOf(case_count)) {
    return absl::InvalidArgumentError(absl::StrCat("the first record does not say that answers to ",
                                                   case_count, " cases follow"));
  }
  while (messages.size() < case_count) {
    const absl::StatusOr<std::string_view> message = next();
    if (!message.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("answers to ", messages.size(), " of ",
                                                     case_count, " cases are there, and then ",
                                                     message.status().message()));
    }
    const absl::StatusOr<size_t> index = ReadIndex(*message, case_count);
    if (!index.ok()) return index.status();
    if (*index != messages.size()) {
      return absl::InvalidArgumentError(absl::StrCat("answers to case ", *index,
                                                     " come where those to case ", messages.size(),
                                                     " are expected"));
    }
    messages.push_back(*message);
  }
  if (place == bytes.size()) return messages;
  return absl::InvalidArgumentError(
      absl::StrCat("there is more behind the answers to all ", case_count, " cases"));
}

absl::StatusOr<CaseAnswers> ParseAnswers(std::string_view message, size_t index) {
  CaseAnswers answers;
  const absl::Status status =
      ReadCapnpMessage(message, [&](capnp::MessageReader& reader) -> absl::Status {
        const auto record = reader.getRoot<schema::AnswersRecord>();
        if (!record.isAnswers()) return absl::InvalidArgumentError("a record has no answers");
        absl::StatusOr<CaseAnswers> read = ReadAnswers(record.getAnswers());
        if (!read.ok()) return read.status();
        answers = *std::move(read);
        return absl::OkStatus();
      });
  if (!status.ok()) return status;
  // What is written otherwise might hide something.
  if (!IsInOrder(answers) || RecordOf(index, answers).substr(kFrameBytes) != message) {
    return absl::InvalidArgumentError("the record is not as nncert writes it");
  }
  return answers;
}

}  // namespace nncert
