#!/bin/sh
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
echo "bazel coverage needs Bazel's Java coverage tools, which this offline workspace does not have" >&2
exit 1
