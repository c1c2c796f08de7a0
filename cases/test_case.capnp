# A test case is data: a model, what is fed to it and what is expected of it.
#
# Spec files, random graphs, shrunk failures and vendor regressions are all kept as a CaseFile: one message in a file
# whose name ends in ".case".
@0xc0b994f5f878f524;

using Cxx = import "/capnp/c++.capnp";
using Json = import "/capnp/compat/json.capnp";
using Model = import "../hal/schema/model.capnp".Model;
$Cxx.namespace("nncert::schema");

struct CaseFile {
  origin @0 :Text;                  # the file the cases were read from (a base name), or the program that made them
  cases @1 :List(TestCase);

  checksum @2 :UInt32;
  # The CRC-32 (ISO 3309, as in gzip) of the file with these four bytes 0. 0 in a file that was written by hand or by
  # `capnp convert`, which nothing then protects.
}

enum HalVersion {
  unspecified @0;                   # the lowest version is not stated (relaxed variations of a spec, random graphs)
  v10 @1;
  v11 @2;
  v12 @3;
}

struct TestCase {
  name @0 :Text;
  # The case's name in Android's naming, without the fixture: the test is GeneratedTests.<name>.

  dynamicOutputShapeName @1 :Text;
  # Its name when every output's dimensions are unspecified: DynamicOutputShapeTest.<dynamicOutputShapeName>.
  # Empty when the case must not be run that way.

  minimumVersion @2 :HalVersion;    # the lowest HAL version that the specification says can run the model
  specVersion @3 :HalVersion;       # the version folder that the specification stands in; unspecified outside such a folder
  model @4 :Model;
  examples @5 :List(Example);       # one request each

  multinomialDistributionTolerance @6 :Float32;
  # Above 0: the outputs are samples, and their frequencies are compared with softmax of the input within this.

  quantizedTolerance @7 :UInt32 = 1;
  # Steps by which a quantized output may be off.

  deviation @8 :Text;
  # Not empty: expected outputs are known to contradict the documentation. The name of the deviation in
  # docs/deviations.md; the outputs are then judged by what the documentation says.

  expectFailure @9 :Bool;
  # The documentation forbids what the case asks for: the driver must refuse the model, or every execution must fail.
  # Expected outputs say no more than how large buffers are.

  line @10 :UInt32;
  # The line of the specification that the example stands in; 0 when it is not known.
}

struct Example {
  inputs @0 :List(InputValue);      # one for each of Model.inputIndexes
  outputs @1 :List(ExpectedOutput); # one for each of Model.outputIndexes
}

struct InputValue {
  hasNoValue @0 :Bool;              # an omitted optional operand
  dimensions @1 :List(UInt32);
  data @2 :Data $Json.base64;       # row-major, little-endian, in the operand's own storage; BOOL8 one byte an element
}

struct ExpectedOutput {
  ignored @0 :Bool;                 # neither values nor dimensions are compared
  dimensions @1 :List(UInt32);
  data @2 :Data $Json.base64;
}
