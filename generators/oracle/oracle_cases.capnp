# Test cases with the answers of the independent oracle as real numbers; see docs/oracle.md.
@0xd3c1f8a96b0e47b2;

using Cxx = import "/capnp/c++.capnp";
using Json = import "/capnp/compat/json.capnp";
using TestCase = import "../../cases/test_case.capnp".TestCase;
$Cxx.namespace("nncert::schema");

struct OracleFile {
  cases @0 :List(OracleCase);
}

struct OracleCase {
  testCase @0 :TestCase;
  # A model of one operation with one example. Its expected outputs are the answers rounded to the operands' types, so
  # that it is a test case like any other.

  answers @1 :List(Answer);         # one for each of Model.outputIndexes
  comparison @2 :Comparison;
}

struct Answer {
  values @0 :Data $Json.base64;
  # Row-major, little-endian binary64: the real numbers that the elements should stand for, before they are rounded to the
  # output's type; the integers of INT32, 0 or 1 of BOOL8.

  magnitudes @1 :Data $Json.base64;
  # As `values`: the magnitudes of the terms that each element is the sum of, which rounding errors are proportional to.
  # Empty: the magnitudes of the values. Infinity: the documentation leaves the element open.
}

enum Comparison {
  elements @0;                      # one by one
  groupedRows @1;
  # All outputs have a row for each box, the last output says of which batch. Boxes of one batch stand together, and
  # their order is open.
  distribution @2;
  # The values are probabilities, one for each class, in a row for each row of samples.
}
