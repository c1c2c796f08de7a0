#!/bin/sh
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# ar, which loads every plugin that it finds for objects of compilers' own formats, LLVM's with all of LLVM: nine tenths of the
# time that an archive takes. We have no such objects, and one plugin that is named is instead of all.
exec /usr/bin/ar "$@" --plugin=/usr/lib/bfd-plugins/liblto_plugin.so
