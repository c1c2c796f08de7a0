#!/bin/sh
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# The compilers: Clang compiles what has one of our precompiled headers included, libraries and tests alike, for it takes two
# thirds of GCC's time: its precompiled header holds templates that are instantiated already. GCC compiles what is compiled with
# options of its own, such as the innermost loops of kernels, and links. Thus both show that what drivers include is good.
#
# A header that is compiled as no header, but as C++, is the functions of its precompiled form, which lies beside it: Clang has
# those that CLANG_OPTIONS makes it leave out wherever that is included (third_party/precompiled_header.bzl), and GCC none.
#
# With sanitizers Clang compiles everything, in a third of the time that GCC takes, which has to do without precompiled headers
# then: what instrumented code calls is the same in both, and the compiler that links brings it. Counters of coverage are that
# compiler's own, so that with them it compiles everything.

by_clang=
by_gcc=
compiles=
is_sanitized=
linker=
for argument in "$@"; do
  case "$argument" in
    */precompiled.h) by_clang=1 ;;
    -c) compiles=1 ;;
    -fsanitize=*) is_sanitized=1 ;;
    --coverage) by_gcc=1 ;;
    # The last one counts: drivers are linked by another.
    -fuse-ld=*) linker="$argument" ;;
  esac
done
if [ "$is_sanitized" ]; then by_clang="$compiles"; fi

# Compilers and lld touch new memory all the time, and a machine that is virtual pays dearly for each page: on such a one Clang takes
# a fifth less of the processor with huge pages, which mimalloc asks for, than with tcmalloc, and lld a third less than with glibc's.
export LD_PRELOAD=libmimalloc.so.2.0 MIMALLOC_LARGE_OS_PAGES=1

if [ -z "$by_clang" ] || [ "$by_gcc" ]; then
  # A program is linked in a fraction of a second, and others are at the same time: threads take more than they give.
  if [ "$linker" = -fuse-ld=lld ]; then set -- "$@" -Wl,--threads=1; fi
  exec /usr/bin/gcc "$@"
fi

# Makes GCC's options Clang's, in place: each is taken from the front and put at the end.
folders=
precompiled=
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
    -x) expected=language: && continue ;;
    # What is about sources then has no use.
    language:c++) precompiled=.gch && expected= && argument=-Wno-unused-command-line-argument ;;
    language:*) set -- "$@" -x && expected= ;;
    */precompiled.h) argument="$argument$precompiled" ;;
  esac
  set -- "$@" "$argument"
done
exec /usr/bin/clang++ -Wno-unknown-warning-option -Xclang -fno-pch-timestamp -fpch-instantiate-templates $CLANG_OPTIONS "$@"
