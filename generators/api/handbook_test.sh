#!/bin/bash
# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# Checks that the operation handbook is what the catalogue says.
set -euo pipefail
exec "$1" --handbook=docs/operations --check
