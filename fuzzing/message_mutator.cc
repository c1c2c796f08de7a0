// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "fuzzing/message_mutator.h"

#include <capnp/message.h>
#include <capnp/rpc.capnp.h>
#include <capnp/schema.h>
#include <capnp/serialize.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "fuzzing/message_records.h"
#include "fuzzing/message_tree.h"
#include "fuzzing/tree_mutator.h"
#include "hal/transport/driver.capnp.h"

namespace nncert {
namespace {

using capnp::rpc::Message;
using Kind = MessageNode::Kind;
using Records = std::vector<MessageRecord>;

constexpr size_t kWord = sizeof(uint64_t);
// Questions, exports and the like are numbered from zero.
constexpr uint32_t kSmallNumbers = 8;

// --- Messages of the RPC system ---

// Where a schema puts a field.
capnp::schema::Field::Slot::Reader SlotOf(capnp::StructSchema schema, const char* name) {
  return schema.getFieldByName(name).getProto().getSlot();
}

size_t WidthOf(capnp::schema::Type::Reader type) {
  switch (type.which()) {
    case capnp::schema::Type::UINT64:
      return 8;
    case capnp::schema::Type::UINT32:
      return 4;
    case capnp::schema::Type::UINT16:
      return 2;
    default:
      return 1;
  }
}

// A struct of a known type within a tree.
class TypedNode {
 public:
  TypedNode(MessageNode& node, capnp::StructSchema schema) : node_(&node), schema_(schema) {}

  // A number; 0 where the struct is too small.
  uint64_t Get(const char* name) const {
    const auto slot = SlotOf(schema_, name);
    return Load(slot.getOffset(), WidthOf(slot.getType()));
  }
  void Set(const char* name, uint64_t value) {
    const auto slot = SlotOf(schema_, name);
    Store(slot.getOffset(), WidthOf(slot.getType()), value);
  }
  // Which field of the struct's union is set.
  uint64_t which() const { return Load(Discriminant(), sizeof(uint16_t)); }
  void set_which(uint64_t value) { Store(Discriminant(), sizeof(uint16_t), value); }

  // What a pointer of the struct points to, which becomes a struct when it is none.
  TypedNode Struct(const char* name) {
    const auto field = schema_.getFieldByName(name);
    MessageNode& node = Pointer(field.getProto().getSlot().getOffset());
    if (node.kind != Kind::kStruct) node = {.kind = Kind::kStruct};
    return {node, field.getType().asStruct()};
  }
  // The same, for a list of structs.
  MessageNode& List(const char* name) {
    MessageNode& node = Pointer(SlotOf(schema_, name).getOffset());
    if (node.kind != Kind::kStructList) node = {.kind = Kind::kStructList};
    return node;
  }

 private:
  uint32_t Discriminant() const { return schema_.getProto().getStruct().getDiscriminantOffset(); }
  uint64_t Load(size_t index, size_t width) const {
    uint64_t value = 0;
    if ((index + 1) * width <= node_->data.size()) {
      std::memcpy(&value, node_->data.data() + index * width, width);
    }
    return value;
  }
  void Store(size_t index, size_t width, uint64_t value) {
    const size_t end = (index + 1) * width;
    if (end > node_->data.size()) node_->data.resize((end + kWord - 1) / kWord * kWord);
    std::memcpy(node_->data.data() + index * width, &value, width);
  }
  MessageNode& Pointer(size_t index) {
    if (index >= node_->children.size()) node_->children.resize(index + 1);
    return node_->children[index];
  }

  MessageNode* node_;
  capnp::StructSchema schema_;
};

TypedNode AsMessage(MessageNode& root) {
  if (root.kind != Kind::kStruct) root = {.kind = Kind::kStruct};
  return {root, capnp::Schema::from<Message>()};
}

// The name of a message's number in the table of questions, and of the pointer to what has it.
struct QuestionField {
  const char* message;
  const char* field;
  // Whether the message asks.
  bool is_new;
};

std::optional<QuestionField> QuestionOf(const TypedNode& message) {
  switch (static_cast<Message::Which>(message.which())) {
    case Message::BOOTSTRAP:
      return QuestionField{"bootstrap", "questionId", true};
    case Message::CALL:
      return QuestionField{"call", "questionId", true};
    case Message::FINISH:
      return QuestionField{"finish", "questionId", false};
    case Message::RETURN:
      return QuestionField{"return", "answerId", false};
    default:
      return std::nullopt;
  }
}

std::optional<uint64_t> NewQuestion(MessageNode& root) {
  if (root.kind != Kind::kStruct) return std::nullopt;
  TypedNode message = AsMessage(root);
  const auto field = QuestionOf(message);
  if (!field.has_value() || !field->is_new) return std::nullopt;
  return message.Struct(field->message).Get(field->field);
}

// The numbers of the questions that are asked.
std::vector<uint64_t> QuestionsOf(const Records& records) {
  std::vector<uint64_t> questions;
  for (const MessageRecord& record : records) {
    std::optional<MessageNode> root = ReadMessageTree(record.bytes);
    if (!root.has_value()) continue;
    if (const auto question = NewQuestion(*root)) questions.push_back(*question);
  }
  return questions;
}

uint64_t UnusedQuestion(const Records& records) {
  const std::vector<uint64_t> used = QuestionsOf(records);
  uint64_t number = 0;
  while (std::find(used.begin(), used.end(), number) != used.end()) ++number;
  return number;
}

// A question that has been asked, or any number.
uint64_t AnyQuestion(const Records& records, SplitMix64& random) {
  const std::vector<uint64_t> questions = QuestionsOf(records);
  return questions.empty() || random.OneIn(8) ? random.Below(kSmallNumbers)
                                              : random.OneOf(questions);
}

// Gives a copy of a question a number of its own.
void Renumber(MessageRecord& record, const Records& records) {
  std::optional<MessageNode> root = ReadMessageTree(record.bytes);
  if (!root.has_value() || !NewQuestion(*root).has_value()) return;
  TypedNode message = AsMessage(*root);
  const auto field = QuestionOf(message);
  message.Struct(field->message).Set(field->field, UnusedQuestion(records));
  if (auto bytes = WriteMessageTree(*root)) record.bytes = *std::move(bytes);
}

struct Method {
  uint64_t interface_id;
  uint16_t method_id;
};

const std::vector<Method>& Methods() {
  static const auto* const methods = [] {
    auto* all = new std::vector<Method>;
    const auto add = [all](capnp::InterfaceSchema schema) {
      const auto id = schema.getProto().getId();
      for (uint16_t i = 0; i < schema.getMethods().size(); ++i) all->push_back({id, i});
    };
    add(capnp::Schema::from<wire::Service>());
    add(capnp::Schema::from<wire::Device>());
    add(capnp::Schema::from<wire::PreparedModel>());
    add(capnp::Schema::from<wire::BurstContext>());
    add(capnp::Schema::from<wire::PreparedModelCallback>());
    add(capnp::Schema::from<wire::ExecutionCallback>());
    add(capnp::Schema::from<wire::BurstCallback>());
    return all;
  }();
  return *methods;
}

void ChooseMethod(TypedNode call, SplitMix64& random) {
  const Method method = random.OneOf(Methods());
  // Most often another method of the same interface.
  if (call.Get("interfaceId") == method.interface_id || random.OneIn(4)) {
    call.Set("interfaceId", method.interface_id);
    call.Set("methodId", method.method_id);
  } else {
    call.Set("methodId", random.Below(kSmallNumbers * 2));
  }
}

void ChooseTarget(TypedNode target, const Records& records, SplitMix64& random) {
  using Target = capnp::rpc::MessageTarget;
  if (random.OneIn(2)) {
    target.set_which(Target::IMPORTED_CAP);
    target.Set("importedCap", random.Below(kSmallNumbers));
  } else {
    target.set_which(Target::PROMISED_ANSWER);
    target.Struct("promisedAnswer").Set("questionId", AnyQuestion(records, random));
  }
}

void ChooseCapability(TypedNode payload, SplitMix64& random) {
  MessageNode& table = payload.List("capTable");
  if (table.children.empty() || random.OneIn(8)) table.children.push_back({.kind = Kind::kStruct});
  TypedNode entry(table.children[random.Below(table.children.size())],
                  capnp::Schema::from<capnp::rpc::CapDescriptor>());
  switch (random.Below(4)) {
    case 0:
      entry.set_which(random.Below(7));
      return;
    case 1:
      entry.Set("senderHosted", random.Below(kSmallNumbers));
      return;
    default:
      entry.Set("attachedFd", random.OneIn(4) ? 0xFF : random.Below(4));
      return;
  }
}

// Changes what the RPC system looks at.
void MutateRpc(MessageNode& root, const Records& records, SplitMix64& random) {
  TypedNode message = AsMessage(root);
  const auto field = QuestionOf(message);
  const bool is_call = message.which() == Message::CALL;
  const bool is_return = message.which() == Message::RETURN;
  switch (random.Below(is_call ? 6 : is_return ? 2 : 1)) {
    case 0:
      if (field.has_value()) {
        message.Struct(field->message)
            .Set(field->field, field->is_new && !random.OneIn(8) ? UnusedQuestion(records)
                                                                 : AnyQuestion(records, random));
      } else {
        message.set_which(random.Below(16));
      }
      return;
    case 1:
      if (is_return) {
        ChooseCapability(message.Struct("return").Struct("results"), random);
      } else {
        ChooseTarget(message.Struct("call").Struct("target"), records, random);
      }
      return;
    case 2:
    case 3:
      ChooseCapability(message.Struct("call").Struct("params"), random);
      return;
    default:
      ChooseMethod(message.Struct("call"), random);
      return;
  }
}

std::vector<uint8_t> Serialized(capnp::MessageBuilder& builder) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(builder);
  const auto bytes = words.asBytes();
  return {bytes.begin(), bytes.end()};
}

// A message of the RPC system's own, or a question without arguments.
MessageRecord MakeMessage(const Records& records, SplitMix64& random) {
  const auto small = [&] { return static_cast<uint32_t>(random.Below(kSmallNumbers)); };
  const auto asked = [&] { return static_cast<uint32_t>(AnyQuestion(records, random)); };
  const auto fresh = static_cast<uint32_t>(UnusedQuestion(records));
  capnp::MallocMessageBuilder builder;
  auto message = builder.initRoot<Message>();
  switch (random.Below(10)) {
    case 0:
      message.initBootstrap().setQuestionId(fresh);
      break;
    case 1:
    case 2: {
      auto call = message.initCall();
      const Method method = random.OneOf(Methods());
      call.setQuestionId(fresh);
      call.setInterfaceId(method.interface_id);
      call.setMethodId(method.method_id);
      call.initParams();
      if (random.OneIn(2)) {
        call.initTarget().setImportedCap(small());
      } else {
        auto promised = call.initTarget().initPromisedAnswer();
        promised.setQuestionId(asked());
        promised.initTransform(1)[0].setGetPointerField(static_cast<uint16_t>(small()));
      }
      break;
    }
    case 3: {
      auto finish = message.initFinish();
      finish.setQuestionId(asked());
      finish.setReleaseResultCaps(random.OneIn(2));
      break;
    }
    case 4: {
      auto release = message.initRelease();
      release.setId(small());
      release.setReferenceCount(1 + small() / 4);
      break;
    }
    case 5: {
      auto answer = message.initReturn();
      answer.setAnswerId(small());
      answer.setReleaseParamCaps(random.OneIn(2));
      if (random.OneIn(2)) {
        answer.initResults();
      } else {
        answer.initException().setReason("no");
      }
      break;
    }
    case 6: {
      auto resolve = message.initResolve();
      resolve.setPromiseId(small());
      resolve.initCap().setSenderHosted(small());
      break;
    }
    case 7: {
      auto disembargo = message.initDisembargo();
      disembargo.initTarget().setImportedCap(small());
      if (random.OneIn(2)) {
        disembargo.getContext().setSenderLoopback(small());
      } else {
        disembargo.getContext().setReceiverLoopback(small());
      }
      break;
    }
    case 8:
      message.initUnimplemented().initRelease().setId(small());
      break;
    default:
      message.initAbort().setReason("enough");
      break;
  }
  return {.bytes = Serialized(builder)};
}

// --- What is said ---

// Changes a record that is a message. Whether it is one.
bool MutateMessage(MessageRecord& record, const Records& records, SplitMix64& random,
                   const ByteMutation& mutate_bytes) {
  std::optional<MessageNode> root = ReadMessageTree(record.bytes);
  if (!root.has_value()) return false;
  if (random.OneIn(3)) {
    MutateRpc(*root, records, random);
  } else {
    MutateTree(*root, random, mutate_bytes);
  }
  auto bytes = WriteMessageTree(*root);
  if (bytes.has_value() && bytes->size() <= MessageRecord::kMaxBytes) {
    record.bytes = *std::move(bytes);
  }
  return true;
}

void MutateDescriptors(MessageRecord& record, SplitMix64& random) {
  if (random.OneIn(3)) {
    record.replies = static_cast<uint8_t>(random.Below(uint64_t{MessageRecord::kMaxReplies} + 1));
  } else if (random.OneIn(2)) {
    record.descriptors =
        static_cast<uint8_t>(random.Below(uint64_t{MessageRecord::kMaxDescriptors} + 1));
  } else {
    record.descriptor_kind = static_cast<uint8_t>(random.Below(MessageRecord::kDescriptorKinds));
  }
}

// Changes what is said as a whole, or one record.
void MutateRecords(Records& records, SplitMix64& random, const ByteMutation& mutate_bytes) {
  const size_t place = random.Below(records.size());
  const auto at = [&](size_t index) { return records.begin() + static_cast<ptrdiff_t>(index); };
  if (records.empty()) {
    records.push_back(MakeMessage(records, random));
    return;
  }
  switch (random.Below(24)) {
    case 0:
      records.erase(at(place));
      return;
    case 1:
      std::swap(records[place], records[random.Below(records.size())]);
      return;
    case 2:
    case 3: {
      MessageRecord copy = records[place];
      if (!random.OneIn(8)) Renumber(copy, records);
      records.insert(at(random.Below(records.size() + 1)), std::move(copy));
      return;
    }
    case 4:
    case 5:
      records.insert(at(random.Below(records.size() + 1)), MakeMessage(records, random));
      return;
    case 6:
      MutateDescriptors(records[place], random);
      return;
    case 7:  // Two that arrive together.
      if (place + 1 < records.size()) {
        auto& bytes = records[place].bytes;
        bytes.insert(bytes.end(), records[place + 1].bytes.begin(), records[place + 1].bytes.end());
        if (bytes.size() > MessageRecord::kMaxBytes) bytes.resize(MessageRecord::kMaxBytes);
        records.erase(at(place + 1));
      }
      return;
    case 8: {  // One that arrives in two parts.
      auto& bytes = records[place].bytes;
      const size_t size = random.Below(bytes.size());
      MessageRecord rest;
      rest.bytes.assign(bytes.begin() + static_cast<ptrdiff_t>(size), bytes.end());
      bytes.resize(size);
      records.insert(at(place + 1), std::move(rest));
      return;
    }
    default:
      if (!MutateMessage(records[place], records, random, mutate_bytes)) {
        mutate_bytes(records[place].bytes);
      }
      return;
  }
}

// Gives each message a record of its own, as far as there are messages.
Records OneMessageEach(Records records) {
  Records all;
  for (MessageRecord& record : records) {
    absl::Span<const uint8_t> rest(record.bytes);
    std::optional<size_t> size = SizeOfMessage(rest);
    while (size.has_value() && *size < rest.size()) {
      all.push_back({.descriptors = std::exchange(record.descriptors, uint8_t{0}),
                     .descriptor_kind = record.descriptor_kind,
                     .bytes = {rest.begin(), rest.begin() + *size}});
      rest.remove_prefix(*size);
      size = SizeOfMessage(rest);
    }
    record.bytes = std::vector<uint8_t>(rest.begin(), rest.end());
    all.push_back(std::move(record));
  }
  return all;
}

// Drops records from the end, as many as make the rest fit.
std::vector<uint8_t> WriteWhatFits(Records records, size_t greatest_size) {
  std::vector<uint8_t> data = WriteRecords(records);
  while (data.size() > greatest_size && !records.empty()) {
    records.pop_back();
    data = WriteRecords(records);
  }
  return data;
}

}  // namespace

std::vector<uint8_t> MutateMessages(absl::Span<const uint8_t> data, size_t greatest_size,
                                    SplitMix64& random, const ByteMutation& mutate_bytes) {
  if (random.OneIn(64)) {
    std::vector<uint8_t> mutated(data.begin(), data.end());
    mutate_bytes(mutated);
    if (mutated.size() > greatest_size) mutated.resize(greatest_size);
    return mutated;
  }
  Records records = OneMessageEach(ReadRecords(data));
  const uint64_t changes = 1 + random.Below(3);
  for (uint64_t i = 0; i < changes; ++i) MutateRecords(records, random, mutate_bytes);
  return WriteWhatFits(std::move(records), greatest_size);
}

std::vector<uint8_t> SpliceMessages(absl::Span<const uint8_t> data, absl::Span<const uint8_t> other,
                                    size_t greatest_size, SplitMix64& random) {
  Records records = OneMessageEach(ReadRecords(data));
  const Records others = OneMessageEach(ReadRecords(other));
  if (!records.empty()) records.resize(1 + random.Below(records.size()));
  if (!others.empty()) {
    const size_t begin = random.Below(others.size());
    const size_t end = begin + 1 + random.Below(others.size() - begin);
    records.insert(records.end(), others.begin() + static_cast<ptrdiff_t>(begin),
                   others.begin() + static_cast<ptrdiff_t>(end));
  }
  return WriteWhatFits(std::move(records), greatest_size);
}

}  // namespace nncert
