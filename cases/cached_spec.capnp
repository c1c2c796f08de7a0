# What a spec was read as, and what that depends on: an entry of SpecCache.
@0xd1a4c7e0b35f9286;

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("nncert::schema");

struct CachedSpec {
  key @0 :UInt64;                   # of the spec and of how it was read: SpecReading::key
  path @1 :Text;                    # absolute
  reads @2 :List(Read);             # what the spec reader says that it has read, itself included
  caseFile @3 :Data;                # a CaseFile, as the spec reader wrote it
}

struct Read {
  path @0 :Text;                    # absolute
  isFolder @1 :Bool;
  digest @2 :UInt64;                # of the file's content, or of the names in the folder
}
