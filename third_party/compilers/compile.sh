#!/bin/sh
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# The compiler: GCC, which links all, and compiles all but tests. A test is compiled for longer than it runs, and Clang takes
# half of GCC's time for it: a precompiled header of Clang holds templates that are instantiated already. A test is what has
# GoogleTest's precompiled header included (.bazelrc). Thus tests show, too, that what drivers include is good for both.
#
# Sanitizers, and counters of coverage, come with the compiler that links: with them GCC compiles tests, too.

by_clang=
for argument in "$@"; do
  case "$argument" in
    *com_google_googletest/precompiled.h) by_clang=1 ;;
    -fsanitize=* | --coverage) by_clang= && break ;;
  esac
done
if [ -z "$by_clang" ]; then exec /usr/bin/gcc "$@"; fi

# Makes GCC's options Clang's, in place: each is taken from the front and put at the end.
folders=
expected=
count=$#
while [ "$count" -gt 0 ]; do
  argument="$1"
  shift
  count=$((count - 1))
  case "$expected$argument" in
    -fno-canonical-system-headers | --param=*) continue ;;
    # The precompiled header lies in one of the folders that come before. GCC looks there by itself.
    -include) expected=header: && continue ;;
    header:*)
      include=-include
      for folder in $folders; do
        if [ -e "$folder/$argument.gch" ]; then
          include=-include-pch
          argument="$folder/$argument.gch"
          break
        fi
      done
      expected=
      set -- "$@" "$include"
      ;;
    -iquote) expected=folder: ;;
    folder:*) folders="$folders $argument" && expected= ;;
  esac
  set -- "$@" "$argument"
done
exec /usr/bin/clang++ -Wno-unknown-warning-option -Xclang -fno-pch-timestamp -fpch-instantiate-templates "$@"
