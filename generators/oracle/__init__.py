# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The independent oracle: every operation of the HAL once more, in Python, from its documentation.

It shares no code with reference/, so that the two check each other; see docs/oracle.md.
"""
