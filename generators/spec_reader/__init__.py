# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The reader of Android's NN test specifications (`.mod.py` files).

A specification is a Python program that declares operands, models and examples with a small set of
constructors. This package runs such a program in a namespace of its own, multiplies its examples by
their variations, names the resulting tests as Android does, and writes them as case files
(cases/test_case.capnp). docs/spec_language.md describes the language.

    spec.py          what one specification has declared so far
    hal.py           the HAL's names and numbers
    storage.py       numbers and the bytes of operands
    operands.py      operand constructors
    model.py         Model and its operations
    bound.py         a model together with the values of its requests: what variations work on
    quantization.py  conversion of values between operand types
    variations.py    the variations
    example.py       Example and its helpers
    expansion.py     examples times variations: the cases and their names
    emit.py          cases as JSON and as case files
    language.py      the names that a specification has in scope
    evaluate.py      reading one specification
    runner.py        reading many, each in a process of its own
    reads.py         which files a reading depends on
    main.py          the command line
"""
