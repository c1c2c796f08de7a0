# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

"""The external repositories of the workspace, apart from Bazel's own rules."""

load("//third_party:system_libraries.bzl", "system_library")
load("//third_party/abseil:abseil.bzl", "abseil_library")

def nncert_dependencies():
    """Declares a repository for each library; all have upstream's labels."""
    abseil_library(
        name = "com_google_absl",
        debian_package = "libabsl-dev",
        headers = ["absl"],
    )
    system_library(
        name = "com_google_googletest",
        build_file = str(Label("//third_party:googletest.BUILD")),
        debian_package = "libgmock-dev",
        headers = [
            "gmock",
            "gtest",
        ],
        static_libraries = [
            "libgmock.a",
            "libgtest.a",
            "libgmock_main.a",
        ],
    )
    system_library(
        name = "com_github_google_benchmark",
        build_file = str(Label("//third_party:benchmark.BUILD")),
        debian_package = "libbenchmark-dev",
        headers = ["benchmark"],
        shared_libraries = ["libbenchmark.so"],
        static_libraries = ["libbenchmark_main.a"],
    )

    # Reads waivers.
    system_library(
        name = "tomlplusplus",
        build_file = str(Label("//third_party:tomlplusplus.BUILD")),
        debian_package = "libtomlplusplus-dev",
        headers = ["toml++"],
    )

    # Matches what people filter by.
    system_library(
        name = "com_googlesource_code_re2",
        build_file = str(Label("//third_party:re2.BUILD")),
        debian_package = "libre2-dev",
        headers = ["re2"],
        shared_libraries = ["libre2.so"],
    )

    # Wrapped as a driver, and what benchmarks are held against.
    system_library(
        name = "xnnpack",
        build_file = str(Label("//third_party:xnnpack.BUILD")),
        debian_package = "libxnnpack-dev",
        headers = [
            "pthreadpool.h",
            "xnnpack.h",
        ],
        shared_libraries = ["libXNNPACK.so"],
    )
    system_library(
        name = "eigen",
        build_file = str(Label("//third_party:eigen.BUILD")),
        debian_package = "libeigen3-dev",
        headers = ["eigen3"],
        include_prefixes = {"eigen3": "include"},
    )
    system_library(
        name = "farmhash",
        build_file = str(Label("//third_party:farmhash.BUILD")),
        debian_package = "libfarmhash-dev",
        headers = ["farmhash.h"],
        shared_libraries = ["libfarmhash.so"],
    )
    system_library(
        name = "flatbuffers",
        build_file = str(Label("//third_party:flatbuffers.BUILD")),
        debian_package = "libflatbuffers-dev",
        headers = ["flatbuffers"],
    )
    system_library(
        name = "flatbuffers_compiler",
        build_file = str(Label("//third_party:flatbuffers_compiler.BUILD")),
        debian_package = "flatbuffers-compiler",
        programs = ["flatc"],
    )
    system_library(
        name = "libjpeg",
        build_file = str(Label("//third_party:libjpeg.BUILD")),
        debian_package = "libjpeg62-turbo-dev",
        headers = [
            "jerror.h",
            "jmorecfg.h",
            "jpeglib.h",
            "x86_64-linux-gnu/jconfig.h",
        ],
        include_prefixes = {"x86_64-linux-gnu/jconfig.h": "include/jconfig.h"},
        shared_libraries = ["libjpeg.so"],
    )
    system_library(
        name = "libpng",
        build_file = str(Label("//third_party:libpng.BUILD")),
        debian_package = "libpng-dev",
        headers = [
            "png.h",
            "pngconf.h",
            "pnglibconf.h",
        ],
        shared_libraries = ["libpng.so"],
    )
    system_library(
        name = "libzip",
        build_file = str(Label("//third_party:libzip.BUILD")),
        debian_package = "libzip-dev",
        headers = [
            "zip.h",
            "zipconf.h",
        ],
        shared_libraries = ["libzip.so"],
    )
    system_library(
        name = "nlohmann_json",
        build_file = str(Label("//third_party:nlohmann_json.BUILD")),
        debian_package = "nlohmann-json3-dev",
        headers = ["nlohmann"],
    )
    system_library(
        name = "rapidcheck",
        build_file = str(Label("//third_party:rapidcheck.BUILD")),
        debian_package = "librapidcheck-dev",
        headers = [
            "rapidcheck",
            "rapidcheck.h",
        ],
        static_libraries = ["librapidcheck.a"],
    )

    # What nncert allocates memory with.
    system_library(
        name = "tcmalloc",
        build_file = str(Label("//third_party:tcmalloc.BUILD")),
        debian_package = "libtcmalloc-minimal4",
        shared_libraries = ["libtcmalloc_minimal.so.4"],
    )
    system_library(
        name = "zlib",
        build_file = str(Label("//third_party:zlib.BUILD")),
        debian_package = "zlib1g-dev",
        headers = ["zlib.h"],
        shared_libraries = ["libz.so"],
    )
    system_library(
        name = "nettle",
        build_file = str(Label("//third_party:nettle.BUILD")),
        debian_package = "nettle-dev",
        headers = ["nettle"],
        shared_libraries = ["libnettle.so"],
    )
    system_library(
        name = "glog",
        build_file = str(Label("//third_party:glog.BUILD")),
        debian_package = "libgoogle-glog-dev",
        headers = [
            "gflags",
            "glog",
        ],
        shared_libraries = [
            "libgflags.so",
            "libglog.so",
        ],
    )
    system_library(
        name = "capnproto",
        build_file = str(Label("//third_party/capnproto:capnproto.BUILD")),
        debian_package = "libcapnp-dev",
        headers = [
            "capnp",
            "kj",
        ],
        shared_libraries = [
            "libcapnp.so",
            "libcapnp-json.so",
            "libcapnp-rpc.so",
            "libkj.so",
            "libkj-async.so",
        ],
    )
    system_library(
        name = "capnproto_compiler",
        build_file = str(Label("//third_party/capnproto:capnproto_compiler.BUILD")),
        debian_package = "capnproto",
        programs = [
            "capnp",
            "capnpc-c++",
        ],
    )
