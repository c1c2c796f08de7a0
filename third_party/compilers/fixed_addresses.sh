#!/bin/sh
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Runs a command with the addresses of its memory not randomized, where the system allows that. Where it randomizes them by more
# bits than the 28 of Debian 12's kernel (vm.mmap_rnd_bits; 32 elsewhere), ThreadSanitizer does not start, and one program in
# five with AddressSanitizer says "DEADLYSIGNAL" for ever.

if setarch --addr-no-randomize true 2> /dev/null; then
  exec setarch --addr-no-randomize "$@"
fi
exec "$@"
