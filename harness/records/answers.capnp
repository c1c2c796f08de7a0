# What drivers answered to the cases of a run: a file of records, each of which is one message.
#
# A record is framed by eight bytes: the length of its message in bytes, and a checksum of it, both little-endian
# UInt32. See harness/records/answers_file.h.
@0xb3c1d5e98f2a6047;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("nncert::schema");

struct AnswersRecord {
  union {
    run @0 :AnswersRun;             # the first record, and no other
    answers @1 :AnswersOfCase;
  }
}

struct AnswersRun {
  format @0 :UInt32;                # see kFormat in answers_file.cc
  caseCount @1 :UInt64;
}

# What came again is there once, in the order in which it came first.
struct AnswersOfCase {
  index @0 :UInt64;                 # of the case among those of the run
  steps @1 :List(AnswersStep);
  executions @2 :List(AnswersExecution);
  buffers @3 :List(Data);           # the bytes of outputs
}

# What the driver was asked, in this order.
struct AnswersStep {
  union {
    preparation @0 :Bool;           # whether it claimed all operations
    execution @1 :UInt32;           # which of the executions
    release @2 :Void;
  }
  problem @3 :AnswersProblem;       # of a preparation or a release; null when there is none
}

struct AnswersProblem {
  verdict @0 :Text;
  text @1 :Text;
  isRefusal @2 :Bool;
}

struct AnswersExecution {
  problem @0 :AnswersProblem;       # null when there is none
  status @1 :Int32;
  shapes @2 :List(AnswersShape);
  timing @3 :AnswersTiming;         # null when there is nothing wrong with it
  memory @4 :Text;                  # what is wrong with the memory of the request
  outputs @5 :List(UInt32);         # of each output 1 and the number of its bytes; 0 where it was not written
}

struct AnswersShape {
  dimensions @0 :List(UInt32);
  isSufficient @1 :Bool;
}

struct AnswersTiming {
  onDevice @0 :UInt64;              # microseconds
  inDriver @1 :UInt64;
}
