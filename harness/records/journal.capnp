# What a run has come to so far: a file of records, each of which is one message.
#
# A record is framed by eight bytes: the length of its message in bytes, and a checksum of it, both little-endian
# UInt32. See harness/records/journal.h.
@0xd5a1f6b07c3e9824;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("nncert::schema");

struct JournalRecord {
  union {
    run @0 :JournalRun;             # the first record, and no other
    result @1 :JournalResult;
    processes @2 :JournalProcesses; # what came to light between two cases
    span @3 :JournalSpan;           # results of cases that come one after the other
    test @4 :JournalTest;           # what a test of a suite of calls came to
  }
}

struct JournalRun {
  version @0 :Text;                 # of nncert
  driver @1 :Text;                  # as it was asked for
  driverVersion @2 :Text;           # what the driver says of its version
  driverDigest @3 :UInt64;          # of the driver's file; 0 when there is none
  selection @4 :Text;               # how the cases were chosen and are run
  caseCount @5 :UInt64;
  casesDigest @6 :UInt64;           # of every case and its mode, in their order
  format @7 :UInt32;                # of the journal, see kFormat in journal.cc; 0 for the first, which had no number
}

struct JournalResult {
  index @0 :UInt64;                 # of the case among those of the run
  name @1 :Text;
  isDynamic @2 :Bool;               # the mode
  operation @3 :Text;
  verdict @4 :Text;
  detail @5 :Text;
  dumpedFiles @6 :List(Text);
  nanoseconds @7 :Int64;
  deviation @8 :Text;
  executions @9 :Int32;
  comparedElements @10 :UInt64;
  processes @11 :JournalProcesses;  # since the record before of the same worker; null when nothing is to be told
  accuracy @12 :List(JournalAccuracy);
  undivided @13 :Text;
  type @14 :Text;
}

# What a span of cases came to, of which few have a result of their own.
struct JournalSpan {
  first @0 :UInt64;                 # the first case among those of the run
  count @1 :UInt64;
  counts @2 :List(JournalCount);    # of all of them
  hostileCounts @3 :List(JournalCount);
  results @4 :List(JournalResult);
  accuracy @5 :List(JournalAccuracy);
  processes @6 :JournalProcesses;
}

# What a test came to that is no case; see harness/records/journal.h.
struct JournalTest {
  index @0 :UInt64;                 # of the test among those of the run
  checks @1 :List(JournalCheck);
  failures @2 :List(JournalFailure);
  leftOut @3 :UInt64;
  processes @4 :JournalProcesses;
}

struct JournalCheck {
  name @0 :Text;
  passed @1 :UInt64;
  failed @2 :UInt64;
  skipped @3 :UInt64;
  unsupported @4 :UInt64;
}

struct JournalFailure {
  check @0 :Text;
  verdict @1 :Text;
  detail @2 :Text;
}

struct JournalCount {
  verdict @0 :Text;
  count @1 :UInt64;
}

# What the elements of results are like; see harness/records/accuracy.h.
struct JournalAccuracy {
  operation @0 :Text;
  type @1 :Text;
  elements @2 :UInt64;
  suspect @3 :UInt64;
  firstSuspect @4 :Text;
  keys @5 :List(UInt64);            # of errors
  errors @6 :List(Float32);         # as many
}

# What the driver's processes went through since the last record of it.
struct JournalProcesses {
  restarts @0 :UInt32;
  cpuNanoseconds @1 :Int64;
  peakMemory @2 :UInt64;            # in bytes, of all processes so far
  findings @3 :List(Text);
}
