// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_loader.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/driver_entry.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/testing/status_is.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal {
namespace {

// Shared objects stand beside the test.
std::string Library(const std::string& name) { return "hal/lib" + name + ".so"; }

void ExpectError(const absl::Status& status, absl::StatusCode code, const std::string& path,
                 const std::string& message) {
  EXPECT_THAT(status, testing::StatusIs(code, ::testing::AllOf(::testing::HasSubstr(path),
                                                               ::testing::HasSubstr(message))));
}

TEST(DriverLoaderTest, a_driver_is_loaded_and_runs) {
  absl::StatusOr<std::shared_ptr<V1_0::IDevice>> device = LoadDriver(Library("loadable_driver"));
  ASSERT_TRUE(device.ok()) << device.status();
  const auto device_1_2 = std::dynamic_pointer_cast<V1_2::IDevice>(*device);
  ASSERT_NE(device_1_2, nullptr);
  EXPECT_EQ(device_1_2->getVersionString().version, "toy 1.0");

  const auto callback = std::make_shared<testing::PreparedModelCallback>();
  ASSERT_EQ(
      device_1_2->prepareModel_1_2(testing::TwoAdditions(), V1_2::ExecutionPreference::LOW_POWER,
                                   {}, {}, {}, callback),
      V1_2::ErrorStatus::NONE);
  callback->calls.Wait();
  ASSERT_NE(callback->prepared, nullptr);
  EXPECT_EQ(callback->prepared
                ->executeSynchronously(testing::TwoAdditionsRequest(), V1_2::MeasureTiming::NO)
                .status,
            V1_2::ErrorStatus::NONE);
}

TEST(DriverLoaderTest, a_prepared_model_outlives_its_device) {
  const auto callback = std::make_shared<testing::PreparedModelCallback>();
  {
    auto device = LoadDriver(Library("loadable_driver"));
    ASSERT_TRUE(device.ok());
    std::dynamic_pointer_cast<V1_2::IDevice>(*device)->prepareModel_1_2(
        testing::TwoAdditions(), V1_2::ExecutionPreference::LOW_POWER, {}, {}, {}, callback);
    callback->calls.Wait();
  }
  EXPECT_EQ(callback->prepared
                ->executeSynchronously(testing::TwoAdditionsRequest(), V1_2::MeasureTiming::NO)
                .status,
            V1_2::ErrorStatus::NONE);
}

TEST(DriverLoaderTest, a_missing_file_is_named) {
  ExpectError(LoadDriver("hal/no_such_driver.so").status(), absl::StatusCode::kNotFound,
              "hal/no_such_driver.so", "No such file");
}

TEST(DriverLoaderTest, a_folder_or_a_text_is_no_shared_object) {
  ExpectError(LoadDriver("hal").status(), absl::StatusCode::kInvalidArgument, "hal",
              "expected a shared object");
  const std::string path = ::testing::TempDir() + "/text.so";
  std::ofstream(path)
      << "This is no shared object, but a text that says so, and goes on for a bit.";
  ExpectError(LoadDriver(path).status(), absl::StatusCode::kInvalidArgument, path, "ELF");
}

TEST(DriverLoaderTest, a_shared_object_that_exports_no_driver_is_refused) {
  ExpectError(LoadDriver(Library("no_driver")).status(), absl::StatusCode::kInvalidArgument,
              Library("no_driver"), "it exports no nncert_driver_abi");
}

TEST(DriverLoaderTest, a_shared_object_that_lacks_a_symbol_is_refused_with_its_name) {
  ExpectError(LoadDriver(Library("missing_symbol_driver")).status(),
              absl::StatusCode::kInvalidArgument, Library("missing_symbol_driver"),
              "nncert_test_function_that_nobody_has");
}

TEST(DriverLoaderTest, another_abi_is_refused_and_what_differs_is_said) {
  const absl::Status status = LoadDriver(Library("other_abi_driver")).status();
  ExpectError(status, absl::StatusCode::kFailedPrecondition, Library("other_abi_driver"),
              "it follows \"nncert-driver-0 of another compiler\", and this program "
              "\"nncert-driver-1\"");
  ExpectError(status, absl::StatusCode::kFailedPrecondition, Library("other_abi_driver"),
              "sizeof(void*) is not defined in the driver and 8 in this program");
}

TEST(DriverLoaderTest, the_difference_of_stamps_is_what_matters_in_words) {
  const std::string ours = "nncert-driver-1 libstdc++11=1 pointer=8 string=32 V1_2::Model=208";
  EXPECT_EQ(describeAbiDifference(ours, ours), "");
  // A Clang that shares GCC's standard library: stamps of earlier drivers told them apart.
  EXPECT_EQ(describeAbiDifference("nncert-driver-1 c++abi=1002 libstdc++11=1 pointer=8 string=32 "
                                  "V1_2::Model=208",
                                  ours),
            "");
  EXPECT_EQ(describeAbiDifference(
                "nncert-driver-1 libstdc++11=0 pointer=8 string=8 V1_2::Model=208", ours),
            "_GLIBCXX_USE_CXX11_ABI is 0 in the driver and 1 in this program; sizeof(std::string) "
            "is 8 in the driver and 32 in this program");
  EXPECT_EQ(describeAbiDifference(
                "nncert-driver-1 libc++=1 libstdc++11=1 pointer=8 string=32 V1_2::Model=200", ours),
            "sizeof(V1_2::Model) is 200 in the driver and 208 in this program; "
            "_LIBCPP_ABI_VERSION is 1 in the driver and not defined in this program");
}

TEST(DriverAbiStampTest, the_compiler_itself_is_no_part_of_it) {
  EXPECT_EQ(driverAbiStamp().find("c++abi"), std::string::npos);
}

TEST(DriverLoaderTest, a_driver_that_creates_no_device_says_why) {
  const std::string path = Library("loadable_driver");
  ExpectError(LoadDriver(path, "fail").status(), absl::StatusCode::kInternal, path,
              "the device is not plugged in");
  ExpectError(LoadDriver(path, "null").status(), absl::StatusCode::kInternal, path,
              "it gave null and no reason");
  ExpectError(LoadDriver(path, "throw").status(), absl::StatusCode::kInternal, path,
              "an exception of the driver");
}

TEST(DriverLoaderTest, a_driver_without_options_refuses_one) {
  const std::string path = Library("optionless_driver");
  EXPECT_TRUE(LoadDriver(path).ok());
  ExpectError(LoadDriver(path, "fast").status(), absl::StatusCode::kInternal, path,
              "this driver has no options; it was given \"fast\"");
}

TEST(DriverAbiStampTest, the_stamp_says_the_revision_and_the_layout) {
  const std::string stamp = driverAbiStamp();
  EXPECT_EQ(stamp.find("nncert-driver-1 "), 0);
  EXPECT_NE(stamp.find(" pointer=" + std::to_string(sizeof(void*))), std::string::npos);
  EXPECT_NE(stamp.find(" V1_2::Model=" + std::to_string(sizeof(V1_2::Model))), std::string::npos);
}

}  // namespace
}  // namespace nncert::hal
