# The NN HAL's models and requests as data: for case files and for the wire.
#
# Field names and meanings are those of HAL 1.2 (types.hal); a 1.0 or 1.1 model is the 1.2 model it converts to.
@0x891e28ede5f54a42;

using Cxx = import "/capnp/c++.capnp";
using Json = import "/capnp/compat/json.capnp";
$Cxx.namespace("nncert::schema");

enum OperandLifeTime {
  # In the order of the HAL's values.
  temporaryVariable @0;
  modelInput @1;
  modelOutput @2;
  constantCopy @3;
  constantReference @4;
  noValue @5;
}

struct DataLocation {
  poolIndex @0 :UInt32;
  offset @1 :UInt32;   # bytes
  length @2 :UInt32;   # bytes
}

struct SymmPerChannelQuantParams {
  scales @0 :List(Float32);
  channelDim @1 :UInt32;
}

struct Operand {
  type @0 :UInt32;                  # the HAL's OperandType value, extension types included
  dimensions @1 :List(UInt32);      # 0 is an unknown dimension; an empty list an unknown rank (or a scalar)
  numberOfConsumers @2 :UInt32;
  scale @3 :Float32;
  zeroPoint @4 :Int32;
  lifetime @5 :OperandLifeTime;
  location @6 :DataLocation;
  extraParams :union {
    none @7 :Void;
    channelQuant @8 :SymmPerChannelQuantParams;
    extension @9 :Data $Json.base64;
  }
}

struct Operation {
  type @0 :UInt32;                  # the HAL's OperationType value, extension types included
  inputs @1 :List(UInt32);          # indexes into Model.operands
  outputs @2 :List(UInt32);
}

struct MemoryPool {
  # A pool of shared memory, by value.
  name @0 :Text;                    # "ashmem", "mmap_fd" or "hardware_buffer_blob"; empty is "ashmem"
  content @1 :Data $Json.base64;
}

struct ExtensionNameAndPrefix {
  name @0 :Text;
  prefix @1 :UInt16;
}

struct Model {
  operands @0 :List(Operand);
  operations @1 :List(Operation);   # in execution order
  inputIndexes @2 :List(UInt32);
  outputIndexes @3 :List(UInt32);
  operandValues @4 :Data $Json.base64;
  pools @5 :List(MemoryPool);
  relaxComputationFloat32toFloat16 @6 :Bool;
  extensionNameToPrefix @7 :List(ExtensionNameAndPrefix);
}

struct RequestArgument {
  hasNoValue @0 :Bool;
  location @1 :DataLocation;
  dimensions @2 :List(UInt32);
}

struct Request {
  inputs @0 :List(RequestArgument);
  outputs @1 :List(RequestArgument);
  pools @2 :List(MemoryPool);
}
