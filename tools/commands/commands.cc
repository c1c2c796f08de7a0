// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/commands.h"

#include "certifying/version.h"

namespace nncert {

Program NncertProgram() {
  return {
      .name = "nncert",
      .version = kVersion,
      .description =
          "nncert certifies drivers for the Android Neural Networks HAL 1.0, 1.1 and 1.2.",
      .commands = {CertifyCommand(), RunCommand(), FuzzCommand(), ReduceCommand(), ConvertCommand(),
                   ImportCommand(), MltsCommand(), CoverageCommand(), DiagnoseCommand(),
                   CompareCommand(), MergeCommand(), SubmitCommand(), VerifySubmissionCommand(),
                   MustPassCommand(), KillRatesCommand(), EnclosuresCommand()},
  };
}

}  // namespace nncert
