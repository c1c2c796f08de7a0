# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Which compiler compiles what, and that a precompiled header is taken."""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

_COMPILE = str(pathlib.Path("third_party/compilers/compile.sh").resolve())
_FIXED_ADDRESSES = str(pathlib.Path("third_party/compilers/fixed_addresses.sh").resolve())

_HEADER = "third_party/googletest/precompiled.h"
# Those of libraries lie beside what they are built upon.
_HEADERS = (_HEADER, "harness/precompiled.h", "third_party/abseil/precompiled.h")

# What Bazel passes that is GCC's own.
_OPTIONS_OF_GCC = (
    "-fno-canonical-system-headers",
    "--param=ggc-min-heapsize=1000000",
    "-Wno-free-nonheap-object",
    "-Werror",
)

_HEADER_TEXT = "constexpr int kAnswer = 42;\n"

# Fails to compile unless the compiler is the expected one.
_IS_CLANG = """
#if kIsClang != defined(__clang__)
#error another compiler
#endif
"""
# And has been given the header.
_SOURCE = _IS_CLANG + "static_assert(kAnswer == 42);\n"

# What a program does that a sanitizer finds, what that says, and the library of GCC's that it is; Clang's are in the program.
_FAULTS = {
    "address": (
        "int* one = new int(count); delete one; return *one;",
        "heap-use-after-free",
        "libasan",
    ),
    "undefined": ("return (2147483647 + count) != 0;", "signed integer overflow", "libubsan"),
    "thread": (
        "std::thread other([&] { ++count; }); ++count; other.join(); return 0;",
        "data race",
        "libtsan",
    ),
}

# What sanitizers say for ever, or end with, where addresses are randomized by more bits than they know.
_LOST_ADDRESSES = ("DEADLYSIGNAL", "unexpected memory mapping")
_MOST_OF_A_REPORT = 1 << 16

# ADDR_NO_RANDOMIZE of Linux.
_FIXED = 0x0040000


class CompileTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.header = self.folder / "out" / _HEADER
        self.header.parent.mkdir(parents=True)
        self.header.write_text(_HEADER_TEXT)
        (self.folder / "a.cc").write_text(_SOURCE)

    def compile(self, *arguments: str) -> str:
        """Runs the compiler as Bazel does; returns what it complains of."""
        result = subprocess.run(
            [
                _COMPILE,
                *_OPTIONS_OF_GCC,
                "-std=c++20",
                "-iquote",
                ".",
                "-iquote",
                "out",
                *arguments,
            ],
            cwd=self.folder,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(result.returncode != 0, result.stderr != "", result.stderr)
        return result.stderr

    def compile_source(self, is_clang: int, *options: str, header: str = _HEADER) -> str:
        return self.compile(
            f"-DkIsClang={is_clang}", *options, "-include", header, "-c", "a.cc", "-o", "a.o"
        )

    def precompile(self, *options: str) -> None:
        """Precompiles the header, and leaves of it what nobody can include."""
        output = f"out/{_HEADER}.gch"
        made = self.compile(*options, "-x", "c++-header", "-c", f"out/{_HEADER}", "-o", output)
        self.assertEqual(made, "")
        self.header.write_text("#error not precompiled\n")

    def write_function(self) -> None:
        """Writes a header with a function, and a source that calls it."""
        self.header.write_text("inline int Answer() { return 42; }\n")
        (self.folder / "a.cc").write_text("int main() { return Answer(); }\n")

    def compile_functions(self, *options: str) -> None:
        """Compiles what is left out wherever the header is included."""
        made = self.compile(*options, "-x", "c++", "-c", f"out/{_HEADER}", "-o", "functions.o")
        self.assertEqual(made, "")

    def told_by(self, *command: str) -> str:
        told = subprocess.run(
            command, cwd=self.folder, check=True, stdout=subprocess.PIPE, text=True
        )
        return told.stdout

    def report_of(self, program: str) -> str:
        """What a program says of its fault, or the beginning where it does not stop."""
        with subprocess.Popen(
            [_FIXED_ADDRESSES, str(self.folder / program)], stderr=subprocess.PIPE, text=True
        ) as run:
            assert run.stderr is not None
            said = run.stderr.read(_MOST_OF_A_REPORT)
            run.kill()
        return said

    def addresses_are_fixed(self) -> bool:
        """Whether the system lets fixed_addresses.sh do what it is for."""
        personality = self.told_by(_FIXED_ADDRESSES, "cat", "/proc/self/personality")
        return int(personality, 16) & _FIXED != 0

    def symbols_of(self, file: str) -> str:
        return self.told_by("nm", file)

    def read_elf(self, what: str, file: str) -> str:
        return self.told_by("readelf", what, file)

    def test_clang_compiles_what_has_a_precompiled_header(self) -> None:
        for header in _HEADERS:
            with self.subTest(header):
                place = self.folder / "out" / header
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(self.header.read_text())
                self.assertEqual(self.compile_source(1, header=header), "")
                self.assertIn("another compiler", self.compile_source(0, header=header))

    def test_clang_takes_the_precompiled_header(self) -> None:
        for options in ((), ("-fsanitize=address",)):
            with self.subTest(options):
                self.header.write_text(_HEADER_TEXT)
                self.precompile(*options)
                # Clang sees that the header it was made of has become another.
                self.assertRegex(
                    self.compile_source(1, *options), "precompiled.h' has been modified"
                )
                self.header.write_text(_HEADER_TEXT)
                self.assertEqual(self.compile_source(1, *options), "")

    def test_functions_of_a_precompiled_header_are_apart(self) -> None:
        self.write_function()
        with unittest.mock.patch.dict(os.environ, CLANG_OPTIONS="-fpch-codegen"):
            self.precompile()
            self.write_function()
            self.compile_functions()
        self.assertEqual(self.compile_source(1), "")
        self.assertIn(" U _Z6Answerv", self.symbols_of("a.o"))
        self.assertIn(" W _Z6Answerv", self.symbols_of("functions.o"))

    def test_gcc_needs_no_functions_apart(self) -> None:
        self.write_function()
        with unittest.mock.patch.dict(os.environ, CLANG_OPTIONS="-fpch-codegen"):
            self.compile_functions("--coverage")
            self.assertEqual(self.compile_source(0, "--coverage"), "")
        self.assertIn(" W _Z6Answerv", self.symbols_of("a.o"))
        self.assertNotIn("_Z6Answerv", self.symbols_of("functions.o"))

    def test_gcc_compiles_all_else(self) -> None:
        (self.folder / "library.cc").write_text(_SOURCE.replace("kAnswer", "42"))
        library = ("-c", "library.cc", "-o", "library.o")
        self.assertEqual(self.compile("-DkIsClang=0", *library), "")
        self.assertIn("another compiler", self.compile("-DkIsClang=1", *library))

    def test_clang_compiles_what_a_sanitizer_of_the_linking_compiler_watches(self) -> None:
        for sanitizer, (body, report, library) in _FAULTS.items():
            with self.subTest(sanitizer):
                option = f"-fsanitize={sanitizer}"
                source = (
                    _IS_CLANG + f"#include <thread>\nint main(int count, char**) {{ {body} }}\n"
                )
                (self.folder / "fault.cc").write_text(source)
                compiled = self.compile("-DkIsClang=1", option, "-c", "fault.cc", "-o", "fault.o")
                self.assertEqual(compiled, "")
                self.assertEqual(self.compile(option, "fault.o", "-o", "fault", "-lstdc++"), "")
                self.assertIn(library, self.read_elf("--dynamic", "fault"))
                said = self.report_of("fault")
                if any(lost in said for lost in _LOST_ADDRESSES) and not self.addresses_are_fixed():
                    self.skipTest("the sanitizer cannot run here: see fixed_addresses.sh")
                self.assertIn(report, said)

    def test_another_linker_is_not_told_of_threads_that_it_does_not_know(self) -> None:
        (self.folder / "a.cc").write_text("int main() {}\n")
        for linkers, is_lld in ((("lld",), 1), (("lld", "bfd"), 0)):
            with self.subTest(linkers):
                options = [f"-fuse-ld={linker}" for linker in linkers]
                self.assertEqual(self.compile("a.cc", "-o", "a", *options), "")
                comment = self.read_elf("--string-dump=.comment", "a")
                self.assertEqual(comment.count("LLD"), is_lld)

    def test_gcc_compiles_what_counts_coverage(self) -> None:
        self.assertEqual(self.compile_source(0, "--coverage"), "")
        self.precompile("--coverage")
        self.assertEqual(self.compile_source(0, "--coverage"), "")


if __name__ == "__main__":
    unittest.main()
