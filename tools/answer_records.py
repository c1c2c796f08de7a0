# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""The records of what drivers answered, for tests; see harness/records/answers_file.h."""

from __future__ import annotations

import struct


def checksum(message: bytes) -> int:
    """The checksum in the frame of a record, see system/digest.h."""
    value = 0xCBF29CE484222325
    for byte in struct.pack("<Q", len(message)) + message:
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return (value ^ value >> 32) % 2**32


def records_of(answers: bytes) -> list[bytes]:
    """The messages of a file of records."""
    records = []
    place = 0
    while place < len(answers):
        size, _ = struct.unpack_from("<II", answers, place)
        records.append(answers[place + 8 : place + 8 + size])
        place += 8 + size
    return records


def answers_of(records: list[bytes]) -> bytes:
    """The file of these messages."""
    frames = [struct.pack("<II", len(record), checksum(record)) + record for record in records]
    return b"".join(frames)
