# The NN HAL's interfaces on the wire: what a client and a process that serves a driver say to each other over a Unix
# stream socket, by Cap'n Proto's two-party RPC.
#
# Names and meanings are those of the HAL. Enumerations of the HAL are plain numbers, because clients may ask drivers what
# no version of the HAL allows. A capability that is null stands for a null pointer.
@0xa5d3cd017cc5ba48;

using Cxx = import "/capnp/c++.capnp";
using Schema = import "../schema/model.capnp";
$Cxx.namespace("nncert::wire");

const protocolVersion :UInt32 = 2;
# To be raised whenever something below changes in a way that older programs would misunderstand.

interface Service {
  # What the server offers first.

  greet @0 (protocolVersion :UInt32) -> (protocolVersion :UInt32, device :ServedDevice);
  # Both sides say which protocol they speak; the client goes away when it is another one.
}

struct ServedDevice {
  union {
    failure :group {                # there is no device
      code @0 :Int32;               # absl::StatusCode, never OK
      message @1 :Text;
    }
    served :group {
      device @2 :Device;            # never null
      version @3 :HalVersion;       # of the device, and so of the methods that may be called
      makesCalls @4 :Bool;          # whether Device.makeCalls may be called, which is of no version of the HAL
      takesInvalidModels @5 :Bool;  # whether models of makeCalls may be invalid, and of any version
    }
  }
}

enum HalVersion {
  v10 @0;
  v11 @1;
  v12 @2;
}

interface File {
  # A file descriptor, which travels beside the message that this capability is in. No methods.
}

struct Memory {
  # A pool of shared memory.
  file @0 :File;                    # null when there is no descriptor behind the pool; the rest is then zero
  name @1 :Text;
  size @2 :UInt64;                  # bytes
  offset @3 :UInt64;                # where in the file the pool begins
  isWritable @4 :Bool;              # whether it may be mapped for writing
}

struct Handle {
  descriptors @0 :List(File);
  integers @1 :List(Int32);
}

struct Channel {
  # A message queue of a burst.
  memory @0 :Memory;
  elementSize @1 :UInt32;           # bytes
  elementCount @2 :UInt32;
  flags @3 :UInt32;
}

struct Model {
  model @0 :Schema.Model;           # without pools
  pools @1 :List(Memory);
  lifetimes @2 :List(Int32);
  # The lifetime of each operand, when one of them has no place in the schema's enumeration; else empty.
}

struct Request {
  inputs @0 :List(Schema.RequestArgument);
  outputs @1 :List(Schema.RequestArgument);
  pools @2 :List(Memory);
}

struct OutputShape {
  dimensions @0 :List(UInt32);
  isSufficient @1 :Bool;
}

struct Timing {
  # Microseconds; the greatest number where a time is not known.
  timeOnDevice @0 :UInt64;
  timeInDriver @1 :UInt64;
}

struct ExecutionResult {
  status @0 :Int32;
  outputShapes @1 :List(OutputShape);
  timing @2 :Timing;
}

struct PerformanceInfo {
  execTime @0 :Float32;
  powerUsage @1 :Float32;
}

struct OperandPerformance {
  type @0 :Int32;
  info @1 :PerformanceInfo;
}

struct OperandTypeInformation {
  type @0 :UInt16;
  isTensor @1 :Bool;
  byteSize @2 :UInt32;
}

struct Extension {
  name @0 :Text;
  operandTypes @1 :List(OperandTypeInformation);
}

struct PreparedModelCallbackPointer {
  # A callback of either version; a driver sees a callback of the same version.
  callback @0 :PreparedModelCallback;
  isV12 @1 :Bool;
}

struct ExecutionCallbackPointer {
  callback @0 :ExecutionCallback;
  isV12 @1 :Bool;
}

struct PreparedModelPointer {
  preparedModel @0 :PreparedModel;
  isV12 @1 :Bool;
}

enum ExecutionMethod {
  asynchronous @0;                  # by execute_1_2
  synchronous @1;                   # by executeSynchronously
  burst @2;                         # by the burst of the model, which is opened before the first of these
  asynchronousV10 @3;               # by execute, where invalid models are taken as well
}

struct SequencedExecution {
  request @0 :Request;
  method @1 :ExecutionMethod;
  measure @2 :Int32;
}

struct SequencedModel {
  model @0 :Model;
  isAsked @1 :Bool;                 # whether its operations are asked for before it is prepared
  executions @2 :List(SequencedExecution);
  version @3 :HalVersion = v12;     # the version whose methods are called
  preference @4 :Int32 = 1;         # FAST_SINGLE_ANSWER, unless it is said
  isInvalid @5 :Bool;               # every call about it is to end with INVALID_ARGUMENT
}

struct SequencedResult {
  launched @0 :Int32;               # what the method returned
  result @1 :ExecutionResult;       # what it gave, by itself or by its callback
}

struct SequencedAnswers {
  supported @0 :List(Bool);         # empty when it was not asked, or the model is invalid
  prepared @1 :Int32;               # what the preparation ended with; without NONE there are no results
  results @2 :List(SequencedResult);
}

interface Device {
  # Of HAL 1.0
  getCapabilities @0 () -> (status :Int32, float32 :PerformanceInfo, quantized8 :PerformanceInfo);
  getSupportedOperations @1 (model :Model) -> (status :Int32, supportedOperations :List(Bool));
  prepareModel @2 (model :Model, callback :PreparedModelCallbackPointer) -> (status :Int32);
  getStatus @3 () -> (status :Int32);
  # Answered when everything that the client has released before has been destroyed.

  # Of HAL 1.1
  getCapabilitiesV11 @4 () -> (
      status :Int32, float32 :PerformanceInfo, quantized8 :PerformanceInfo, relaxedFloat32toFloat16 :PerformanceInfo);
  getSupportedOperationsV11 @5 (model :Model) -> (status :Int32, supportedOperations :List(Bool));
  prepareModelV11 @6 (model :Model, preference :Int32, callback :PreparedModelCallbackPointer) -> (status :Int32);

  # Of HAL 1.2
  getVersionString @7 () -> (status :Int32, version :Text);
  getType @8 () -> (status :Int32, type :Int32);
  getCapabilitiesV12 @9 () -> (
      status :Int32,
      relaxedFloat32toFloat16Scalar :PerformanceInfo,
      relaxedFloat32toFloat16Tensor :PerformanceInfo,
      operandPerformance :List(OperandPerformance));
  getSupportedExtensions @10 () -> (status :Int32, extensions :List(Extension));
  getSupportedOperationsV12 @11 (model :Model) -> (status :Int32, supportedOperations :List(Bool));
  getNumberOfCacheFilesNeeded @12 () -> (status :Int32, numModelCache :UInt32, numDataCache :UInt32);
  prepareModelV12 @13 (
      model :Model, preference :Int32, modelCache :List(Handle), dataCache :List(Handle), token :Data,
      callback :PreparedModelCallbackPointer) -> (status :Int32);
  prepareModelFromCache @14 (
      modelCache :List(Handle), dataCache :List(Handle), token :Data, callback :PreparedModelCallbackPointer)
      -> (status :Int32);

  # Of no HAL
  makeCalls @15 (models :List(SequencedModel), deadline :Int64, patience :Int64)
      -> (models :List(SequencedAnswers), violation :Text, keepsCallbacks :Bool);
  # Has the server make all calls that a client makes of models, which saves a message and an answer for each:
  # hal/replay/call_sequence.h. Times are in nanoseconds. A server need not have this (makesCalls).
}

interface PreparedModelCallback {
  notify @0 (status :Int32, preparedModel :PreparedModelPointer) -> ();
  notifyV12 @1 (status :Int32, preparedModel :PreparedModelPointer) -> ();
}

interface PreparedModel {
  # Of HAL 1.0
  execute @0 (request :Request, callback :ExecutionCallbackPointer) -> (status :Int32);

  # Of HAL 1.2
  executeV12 @1 (request :Request, measure :Int32, callback :ExecutionCallbackPointer) -> (status :Int32);
  executeSynchronously @2 (request :Request, measure :Int32) -> (result :ExecutionResult);
  configureExecutionBurst @3 (callback :BurstCallback, requestChannel :Channel, resultChannel :Channel)
      -> (status :Int32, context :BurstContext);
}

interface ExecutionCallback {
  notify @0 (status :Int32) -> ();
  notifyV12 @1 (result :ExecutionResult) -> ();
}

interface BurstCallback {
  getMemories @0 (slots :List(Int32)) -> (status :Int32, buffers :List(Memory));
}

interface BurstContext {
  freeMemory @0 (slot :Int32) -> ();
}
