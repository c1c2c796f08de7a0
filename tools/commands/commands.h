// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The commands of nncert.

#ifndef NNCERT_TOOLS_COMMANDS_COMMANDS_H_
#define NNCERT_TOOLS_COMMANDS_COMMANDS_H_

#include "tools/command_line.h"

namespace nncert {

/// Runs the bundled suites and writes reports.
Command CertifyCommand();

/// Runs spec files and case files.
Command RunCommand();

/// Runs random graphs.
Command FuzzCommand();

/// Makes a failing case small.
Command ReduceCommand();

/// Writes cases in another form.
Command ConvertCommand();

/// Makes a case of a network.
Command ImportCommand();

/// Measures drivers on real networks.
Command MltsCommand();

/// Says what cases ask of operations.
Command CoverageCommand();

/// Names the likely cause of failures.
Command DiagnoseCommand();

/// Measures which faults suites find.
Command KillRatesCommand();

/// Makes one certification of the shards of one.
Command MergeCommand();

/// Packs a certification.
Command SubmitCommand();

/// Verifies a package of one.
Command VerifySubmissionCommand();

/// Writes the list of what a complete certification consists of.
Command MustPassCommand();

/// Says what has changed from one certification to another.
Command CompareCommand();

/// Measures the reference's enclosures.
Command EnclosuresCommand();

/// nncert with all of its commands.
Program NncertProgram();

}  // namespace nncert

#endif  // NNCERT_TOOLS_COMMANDS_COMMANDS_H_
