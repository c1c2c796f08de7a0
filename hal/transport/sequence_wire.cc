// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/sequence_wire.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace nncert::hal::transport {
namespace {

using replay::ExecutionMethod;
using replay::SequencedAnswers;
using replay::SequencedExecution;
using replay::SequencedModel;

wire::ExecutionMethod ToWire(ExecutionMethod method) {
  switch (method) {
    case ExecutionMethod::kAsynchronous:
      return wire::ExecutionMethod::ASYNCHRONOUS;
    case ExecutionMethod::kSynchronous:
      return wire::ExecutionMethod::SYNCHRONOUS;
    case ExecutionMethod::kBurst:
      return wire::ExecutionMethod::BURST;
    case ExecutionMethod::kAsynchronous1_0:
      return wire::ExecutionMethod::ASYNCHRONOUS_V10;
  }
  return wire::ExecutionMethod::ASYNCHRONOUS;
}

absl::StatusOr<ExecutionMethod> ReadMethod(wire::ExecutionMethod method) {
  for (const ExecutionMethod known : {ExecutionMethod::kAsynchronous, ExecutionMethod::kSynchronous,
                                      ExecutionMethod::kBurst, ExecutionMethod::kAsynchronous1_0}) {
    if (ToWire(known) == method) return known;
  }
  return absl::InvalidArgumentError(absl::StrCat("an execution is to be called by method ",
                                                 static_cast<int>(method), ", which there is not"));
}

absl::StatusOr<SequencedModel> ReadModel(wire::SequencedModel::Reader reader, PoolReader& pools) {
  absl::StatusOr<V1_2::Model> model = Read(reader.getModel());
  if (!model.ok()) return model.status();
  const absl::StatusOr<HalVersion> version = ReadVersion(reader.getVersion());
  if (!version.ok()) return version.status();
  SequencedModel read = {
      .model = std::make_shared<const V1_2::Model>(*std::move(model)),
      .is_asked = reader.getIsAsked(),
      .executions = {},
      .version = *version,
      .preference = static_cast<V1_2::ExecutionPreference>(reader.getPreference()),
      .is_invalid = reader.getIsInvalid()};
  const auto executions = reader.getExecutions();
  if (absl::Status count = CheckCount("executions", executions); !count.ok()) return count;
  for (const auto execution : executions) {
    absl::StatusOr<V1_2::Request> request = pools.Read(execution.getRequest());
    if (!request.ok()) return request.status();
    const absl::StatusOr<ExecutionMethod> method = ReadMethod(execution.getMethod());
    if (!method.ok()) return method.status();
    read.executions.push_back(
        {.request = *std::move(request),
         .method = *method,
         .measure = static_cast<V1_2::MeasureTiming>(execution.getMeasure())});
  }
  return read;
}

absl::StatusOr<SequencedAnswers> ReadAnswersOf(wire::SequencedAnswers::Reader reader,
                                               const SequencedModel& model) {
  SequencedAnswers answers;
  const auto supported = reader.getSupported();
  const size_t asked = model.is_asked && !model.is_invalid ? model.model->operations.size() : 0;
  if (supported.size() != asked) {
    return absl::InvalidArgumentError(absl::StrCat("there are ", supported.size(),
                                                   " answers about operations; expected ", asked));
  }
  for (const bool is_supported : supported) answers.supported.push_back(is_supported);
  const absl::StatusOr<V1_0::ErrorStatus> prepared = ReadErrorStatus(reader.getPrepared());
  if (!prepared.ok()) return prepared.status();
  answers.prepared = *prepared;
  const auto results = reader.getResults();
  const size_t executed = *prepared == V1_0::ErrorStatus::NONE ? model.executions.size() : 0;
  if (results.size() != executed) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", results.size(), " results of executions; expected ", executed));
  }
  for (const auto from : results) {
    const absl::StatusOr<V1_0::ErrorStatus> launched = ReadErrorStatus(from.getLaunched());
    if (!launched.ok()) return launched.status();
    absl::StatusOr<V1_2::ExecuteSynchronouslyResult> result = Read(from.getResult());
    if (!result.ok()) return result.status();
    answers.results.push_back({.launched = *launched, .result = *std::move(result)});
  }
  return answers;
}

}  // namespace

capnp::MessageSize SizeHint(const replay::CallSequence& sequence) {
  capnp::MessageSize size = kSmallMessage;
  const auto add = [&size](const capnp::MessageSize& part) {
    size.wordCount += part.wordCount;
    size.capCount += part.capCount;
  };
  for (const SequencedModel& model : sequence.models) {
    add(SizeHint(*model.model));
    for (const SequencedExecution& execution : model.executions) add(SizeHint(execution.request));
  }
  return size;
}

void Write(const replay::CallSequence& sequence, Writer& writer,
           wire::Device::MakeCallsParams::Builder builder) {
  builder.setDeadline(absl::ToInt64Nanoseconds(sequence.deadline));
  builder.setPatience(absl::ToInt64Nanoseconds(sequence.patience));
  auto models = builder.initModels(static_cast<unsigned>(sequence.models.size()));
  for (unsigned i = 0; i < models.size(); ++i) {
    const SequencedModel& model = sequence.models[i];
    writer.Write(*model.model, models[i].initModel());
    models[i].setIsAsked(model.is_asked);
    models[i].setVersion(ToWire(model.version));
    models[i].setPreference(static_cast<int32_t>(model.preference));
    models[i].setIsInvalid(model.is_invalid);
    auto executions = models[i].initExecutions(static_cast<unsigned>(model.executions.size()));
    for (unsigned j = 0; j < executions.size(); ++j) {
      const SequencedExecution& execution = model.executions[j];
      writer.Write(execution.request, executions[j].initRequest());
      executions[j].setMethod(ToWire(execution.method));
      executions[j].setMeasure(static_cast<int32_t>(execution.measure));
    }
  }
}

absl::StatusOr<replay::CallSequence> ReadSequence(wire::Device::MakeCallsParams::Reader reader,
                                                  PoolReader& pools) {
  replay::CallSequence sequence;
  sequence.deadline = absl::Nanoseconds(reader.getDeadline());
  sequence.patience = absl::Nanoseconds(reader.getPatience());
  const auto models = reader.getModels();
  if (absl::Status count = CheckCount("models", models); !count.ok()) return count;
  for (const auto from : models) {
    absl::StatusOr<SequencedModel> model = ReadModel(from, pools);
    if (!model.ok()) return model.status();
    sequence.models.push_back(*std::move(model));
  }
  return sequence;
}

void Write(const replay::SequenceAnswers& answers,
           wire::Device::MakeCallsResults::Builder builder) {
  builder.setViolation(ToWire(answers.violation));
  builder.setKeepsCallbacks(answers.keeps_callbacks);
  auto models = builder.initModels(static_cast<unsigned>(answers.models.size()));
  for (unsigned i = 0; i < models.size(); ++i) {
    const SequencedAnswers& model = answers.models[i];
    auto supported = models[i].initSupported(static_cast<unsigned>(model.supported.size()));
    for (unsigned j = 0; j < supported.size(); ++j) supported.set(j, model.supported[j]);
    models[i].setPrepared(static_cast<int32_t>(model.prepared));
    auto results = models[i].initResults(static_cast<unsigned>(model.results.size()));
    for (unsigned j = 0; j < results.size(); ++j) {
      results[j].setLaunched(static_cast<int32_t>(model.results[j].launched));
      Write(model.results[j].result, results[j].initResult());
    }
  }
}

absl::StatusOr<replay::SequenceAnswers> ReadAnswers(wire::Device::MakeCallsResults::Reader reader,
                                                    const replay::CallSequence& sequence) {
  replay::SequenceAnswers answers;
  answers.violation = Read(reader.getViolation());
  answers.keeps_callbacks = reader.getKeepsCallbacks();
  const auto models = reader.getModels();
  const size_t count = models.size();
  if (count != 0 && count != sequence.models.size()) {
    return absl::InvalidArgumentError(absl::StrCat("there are answers for ", count,
                                                   " models; expected ", sequence.models.size()));
  }
  for (size_t i = 0; i < count; ++i) {
    absl::StatusOr<SequencedAnswers> of_model =
        ReadAnswersOf(models[static_cast<unsigned>(i)], sequence.models[i]);
    if (!of_model.ok()) return of_model.status();
    answers.models.push_back(*std::move(of_model));
  }
  return answers;
}

}  // namespace nncert::hal::transport
