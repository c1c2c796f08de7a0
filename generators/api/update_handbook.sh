#!/bin/bash
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Writes the operation handbook into the workspace.
set -euo pipefail
exec "$PWD/$1" --handbook="${BUILD_WORKSPACE_DIRECTORY:?use bazel run}/docs/operations"
