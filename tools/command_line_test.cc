// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/command_line.h"

#include <sstream>
#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/flags/reflection.h"
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_FLAG(std::string, colour, "red", "the colour of it");
ABSL_FLAG(uint64_t, count, 3, "how many");
ABSL_FLAG(bool, quiet, false, "say nothing");
ABSL_FLAG(bool, second_coat, false, "paint once more");
ABSL_FLAG(int, unrelated, 0, "a flag that the command does not take");

namespace nncert {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

absl::StatusOr<ExitStatus> Paint(absl::Span<const std::string> arguments) {
  if (arguments[0] == "wall") return ExitStatus::kFailure;
  if (arguments[0] == "rain") return absl::CancelledError("it rains");
  if (arguments[0] == "sky") return absl::NotFoundError("there is\nno ladder");
  return ExitStatus::kSuccess;
}

const Command& PaintCommand() {
  static const Command* const command = new Command{
      .name = "paint",
      .arguments = "THING...",
      .minimum_arguments = 1,
      .summary = "paints things",
      .description =
          "Paints every THING that it is given, in the order in which they are given, "
          "and says of each\nhow long the colour takes to dry.",
      .flags = {{"colour", "COLOUR"}, {"count", "N"}, {"quiet", ""}, {"second_coat", ""}},
      .run = &Paint,
  };
  return *command;
}

Program Painter() { return {"painter", "1.5", "painter paints.", {PaintCommand()}}; }

class CommandLineTest : public ::testing::Test {
 protected:
  ExitStatus Run(const std::vector<std::string>& arguments) {
    return RunProgram(Painter(), arguments, output_, errors_);
  }

  absl::FlagSaver saver_;
  std::ostringstream output_;
  std::ostringstream errors_;
};

TEST_F(CommandLineTest, FlagsAndArgumentsComeInAnyOrder) {
  const auto rest =
      ParseArguments(PaintCommand(), {"door", "--colour=blue", "roof", "--count", "7"});
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_THAT(*rest, ElementsAre("door", "roof"));
  EXPECT_EQ(absl::GetFlag(FLAGS_colour), "blue");
  EXPECT_EQ(absl::GetFlag(FLAGS_count), 7u);
}

TEST_F(CommandLineTest, BooleanFlagsTakeNoFollowingValueAndCanBeNegated) {
  auto rest = ParseArguments(PaintCommand(), {"--quiet", "door"});
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_THAT(*rest, ElementsAre("door"));
  EXPECT_TRUE(absl::GetFlag(FLAGS_quiet));
  ASSERT_TRUE(ParseArguments(PaintCommand(), {"--noquiet", "door"}).ok());
  EXPECT_FALSE(absl::GetFlag(FLAGS_quiet));
  ASSERT_TRUE(ParseArguments(PaintCommand(), {"--quiet=true", "door"}).ok());
  EXPECT_TRUE(absl::GetFlag(FLAGS_quiet));
}

TEST_F(CommandLineTest, NothingIsAFlagBehindTwoDashes) {
  const auto rest = ParseArguments(PaintCommand(), {"--", "--colour=blue", "-", "--"});
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_THAT(*rest, ElementsAre("--colour=blue", "-", "--"));
  EXPECT_EQ(absl::GetFlag(FLAGS_colour), "red");
}

TEST_F(CommandLineTest, ValuesMayBeEmptyAndHoldEqualsSigns) {
  ASSERT_TRUE(ParseArguments(PaintCommand(), {"--colour=a=b", "door"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_colour), "a=b");
  ASSERT_TRUE(ParseArguments(PaintCommand(), {"--colour=", "door"}).ok());
  EXPECT_EQ(absl::GetFlag(FLAGS_colour), "");
}

TEST_F(CommandLineTest, AnUnknownFlagNamesTheNearest) {
  const absl::Status status = ParseArguments(PaintCommand(), {"--color=blue", "door"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "'paint' has no flag --color; did you mean --colour?");
  EXPECT_EQ(ParseArguments(PaintCommand(), {"--zzzzzz", "door"}).status().message(),
            "'paint' has no flag --zzzzzz");
  // Linked in, but not this command's.
  EXPECT_EQ(ParseArguments(PaintCommand(), {"--unrelated=1", "door"}).status().message(),
            "'paint' has no flag --unrelated");
  EXPECT_EQ(ParseArguments(PaintCommand(), {"--nocolour", "door"}).status().message(),
            "'paint' has no flag --nocolour; did you mean --colour?");
}

TEST_F(CommandLineTest, WrongValuesAreNamed) {
  EXPECT_EQ(ParseArguments(PaintCommand(), {"--count=many", "door"}).status().message(),
            "--count cannot be 'many': expected a whole number that is not negative");
  EXPECT_EQ(ParseArguments(PaintCommand(), {"door", "--count"}).status().message(),
            "--count needs a value");
}

TEST_F(CommandLineTest, TheNumberOfArgumentsIsChecked) {
  EXPECT_EQ(ParseArguments(PaintCommand(), {"--quiet"}).status().message(),
            "'paint' needs THING...");
  Command command = PaintCommand();
  command.arguments = "";
  command.minimum_arguments = 0;
  EXPECT_TRUE(ParseArguments(command, {}).ok());
  EXPECT_THAT(std::string(ParseArguments(command, {"door"}).status().message()),
              HasSubstr("found 'door'"));
}

TEST_F(CommandLineTest, TheResultOfTheCommandIsTheExitStatus) {
  EXPECT_EQ(Run({"paint", "door"}), ExitStatus::kSuccess);
  EXPECT_EQ(Run({"paint", "wall"}), ExitStatus::kFailure);
  EXPECT_EQ(errors_.str(), "");
}

TEST_F(CommandLineTest, AnErrorIsOneLine) {
  EXPECT_EQ(Run({"paint", "sky"}), ExitStatus::kBadInput);
  EXPECT_EQ(errors_.str(), "painter: there is no ladder\n");
}

TEST_F(CommandLineTest, WhatIsCancelledWasInterrupted) {
  EXPECT_EQ(Run({"paint", "rain"}), ExitStatus::kInterrupted);
  EXPECT_EQ(errors_.str(), "painter: it rains\n");
}

TEST_F(CommandLineTest, OutputThatCannotBeWrittenIsAnError) {
  output_.setstate(std::ios::badbit);
  EXPECT_EQ(Run({"paint", "door"}), ExitStatus::kBadInput);
  EXPECT_EQ(errors_.str(), "painter: not all output could be written\n");
}

TEST_F(CommandLineTest, WrongUseIsOneLineThatPointsToTheHelp) {
  EXPECT_EQ(Run({"paint", "--quite", "door"}), ExitStatus::kBadInput);
  EXPECT_EQ(errors_.str(),
            "painter: 'paint' has no flag --quite; did you mean --quiet? See 'painter help "
            "paint'.\n");
}

TEST_F(CommandLineTest, AnUnknownCommandNamesTheNearest) {
  EXPECT_EQ(Run({"piant", "door"}), ExitStatus::kBadInput);
  EXPECT_EQ(errors_.str(),
            "painter: there is no command 'piant'; did you mean paint? See 'painter help'.\n");
}

TEST_F(CommandLineTest, FlagsBeforeTheCommandAreAnError) {
  EXPECT_EQ(Run({"--count=3", "paint", "door"}), ExitStatus::kBadInput);
  EXPECT_THAT(errors_.str(), HasSubstr("the command comes before its flags"));
}

TEST_F(CommandLineTest, WithoutACommandTheHelpIsAnError) {
  EXPECT_EQ(Run({}), ExitStatus::kBadInput);
  EXPECT_EQ(output_.str(), "");
  EXPECT_THAT(errors_.str(), HasSubstr("Usage: painter COMMAND"));
}

TEST_F(CommandLineTest, HelpListsTheCommands) {
  EXPECT_EQ(Run({"help"}), ExitStatus::kSuccess);
  EXPECT_THAT(output_.str(), HasSubstr("  paint  paints things\n"));
  const std::string help = output_.str();
  output_.str("");
  EXPECT_EQ(Run({"--help"}), ExitStatus::kSuccess);
  EXPECT_EQ(output_.str(), help);
}

TEST_F(CommandLineTest, HelpOfACommandListsItsFlagsAndDefaults) {
  EXPECT_EQ(Run({"help", "paint"}), ExitStatus::kSuccess);
  const std::string help = output_.str();
  EXPECT_THAT(help, HasSubstr("Usage: painter paint [flags] THING...\n"));
  EXPECT_THAT(help, HasSubstr("  --colour=COLOUR  the colour of it (default: red)\n"));
  EXPECT_THAT(help, HasSubstr("  --quiet          say nothing\n"));
  output_.str("");
  EXPECT_EQ(Run({"paint", "door", "--help"}), ExitStatus::kSuccess);
  EXPECT_EQ(output_.str(), help);
  EXPECT_EQ(Run({"help", "pain"}), ExitStatus::kBadInput);
}

TEST_F(CommandLineTest, HelpIsNoWiderThanATerminal) {
  EXPECT_EQ(Run({"help", "paint"}), ExitStatus::kSuccess);
  EXPECT_THAT(output_.str(), HasSubstr("\n\nPaints every THING that it is given, in the order in "
                                       "which they are given, and\nsays of each how long"));
}

TEST_F(CommandLineTest, FlagsMayBeWrittenWithHyphens) {
  const auto rest = ParseArguments(PaintCommand(), {"--second-coat", "door"});
  ASSERT_TRUE(rest.ok()) << rest.status();
  EXPECT_TRUE(absl::GetFlag(FLAGS_second_coat));
}

TEST_F(CommandLineTest, VersionIsOneLine) {
  for (const char* const flag : {"--version", "-v"}) {
    EXPECT_EQ(Run({flag}), ExitStatus::kSuccess);
    EXPECT_EQ(output_.str(), "painter 1.5\n");
    output_.str("");
  }
}

}  // namespace
}  // namespace nncert
