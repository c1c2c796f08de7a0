# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operations by hashes and by random numbers."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any, Final, Optional

import numpy as np

from .operands import Array, Operand
from .registry import Comparison, Result, formula


@formula("RANDOM_MULTINOMIAL", comparison=Comparison.DISTRIBUTION)
def _multinomial(logits: Array, samples: int, seeds: Array) -> Array:
    # The unnormalized log-probabilities, normalized.
    exponentials = np.exp(logits - logits.max(1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(1, keepdims=True))


_MASK: Final = 2**64 - 1
_K0, _K1, _K2 = 0xC3A5C85C97CB3127, 0xB492B66FBE98F273, 0x9AE16A3B2F90404F


def _rotate(value: int, shift: int) -> int:
    return (value >> shift | value << (64 - shift)) & _MASK


def _mix(value: int) -> int:
    return value ^ value >> 47


def _hash_pair(u: int, v: int, multiplier: int) -> int:
    a = _mix((u ^ v) * multiplier & _MASK)
    b = _mix((v ^ a) * multiplier & _MASK)
    return b * multiplier & _MASK


def fingerprint(key: bytes) -> int:
    """The 64-bit fingerprint of FarmHash (G. Pike, farmhash.cc, 2014: Fingerprint64) of 4 or more
    bytes."""

    def word(place: int, size: int = 8) -> int:
        return int.from_bytes(key[place : place + size], "little")

    length = len(key)
    multiplier = _K2 + 2 * length & _MASK
    if 4 <= length < 8:
        return _hash_pair(length + (word(0, 4) << 3), word(length - 4, 4), multiplier)
    if 8 <= length <= 16:
        a, b = word(0) + _K2 & _MASK, word(length - 8)
        c = _rotate(b, 37) * multiplier + a & _MASK
        d = (_rotate(a, 25) + b) * multiplier & _MASK
        return _hash_pair(c, d, multiplier)
    if 17 <= length <= 32:
        a, b = word(0) * _K1 & _MASK, word(8)
        c, d = word(length - 8) * multiplier & _MASK, word(length - 16) * _K2 & _MASK
        first = _rotate(a + b & _MASK, 43) + _rotate(c, 30) + d & _MASK
        second = a + _rotate(b + _K2 & _MASK, 18) + c & _MASK
        return _hash_pair(first, second, multiplier)
    if 33 <= length <= 64:
        a, b = word(0) * _K2 & _MASK, word(8)
        c, d = word(length - 8) * multiplier & _MASK, word(length - 16) * _K2 & _MASK
        y = _rotate(a + b & _MASK, 43) + _rotate(c, 30) + d & _MASK
        z = _hash_pair(y, a + _rotate(b + _K2 & _MASK, 18) + c & _MASK, multiplier)
        e, f = word(16) * multiplier & _MASK, word(24)
        g = (y + word(length - 32)) * multiplier & _MASK
        h = (z + word(length - 24)) * multiplier & _MASK
        first = _rotate(e + f & _MASK, 43) + _rotate(g, 30) + h & _MASK
        second = e + _rotate(f + a & _MASK, 18) + g & _MASK
        return _hash_pair(first, second, multiplier)
    if length > 64:
        return _fingerprint_of_blocks(key)
    raise ValueError(f"a key of {length} bytes; expected 4 or more")


@dataclass
class _BlockState:
    """What the fingerprint of a long key has come to so far."""

    x: int
    y: int
    z: int
    v: tuple[int, int]
    w: tuple[int, int]

    def take(self, block: bytes, multiplier: int, is_last: bool) -> None:
        """Takes in 64 bytes."""

        def word(place: int) -> int:
            return int.from_bytes(block[place : place + 8], "little")

        x = _rotate(self.x + self.y + self.v[0] + word(8) & _MASK, 37) * multiplier & _MASK
        y = _rotate(self.y + self.v[1] + word(48) & _MASK, 42) * multiplier & _MASK
        x ^= self.w[1] * (9 if is_last else 1) & _MASK
        y = y + self.v[0] * (9 if is_last else 1) + word(40) & _MASK
        z = _rotate(self.z + self.w[0] & _MASK, 33) * multiplier & _MASK
        self.v = _weak_hash(block[:32], self.v[1] * multiplier, x + self.w[0])
        self.w = _weak_hash(block[32:], z + self.w[1], y + word(16))
        self.x, self.y, self.z = z, y, x


def _weak_hash(half_block: bytes, a: int, b: int) -> tuple[int, int]:
    first, second, third, fourth = struct.unpack("<4Q", half_block)
    a = a + first & _MASK
    b = _rotate(b + a + fourth & _MASK, 21)
    c = a
    a = a + second + third & _MASK
    b = b + _rotate(a, 44) & _MASK
    return a + fourth & _MASK, b + c & _MASK


def _fingerprint_of_blocks(key: bytes) -> int:
    seed = 81
    y = seed * _K1 + 113 & _MASK
    z = _mix(y * _K2 + 113 & _MASK) * _K2 & _MASK
    x = seed * _K2 + int.from_bytes(key[:8], "little") & _MASK
    state = _BlockState(x, y, z, (0, 0), (0, 0))
    # Whole blocks of 64 bytes, but at least one byte is left; then the last 64 bytes.
    whole = (len(key) - 1) // 64
    for number in range(whole):
        state.take(key[64 * number : 64 * number + 64], _K1, is_last=False)
    multiplier = _K1 + ((state.z & 0xFF) << 1) & _MASK
    rest = len(key) - 1 & 63
    state.w = (state.w[0] + rest & _MASK, state.w[1])
    state.v = (state.v[0] + state.w[0] & _MASK, state.v[1])
    state.w = (state.w[0] + state.v[0] & _MASK, state.w[1])
    state.take(key[-64:], multiplier, is_last=True)
    first = _hash_pair(state.v[0], state.w[0], multiplier)
    second = _hash_pair(state.v[1], state.w[1], multiplier)
    first = first + _mix(state.y) * _K0 + state.z & _MASK
    return _hash_pair(first, second + state.x & _MASK, multiplier)


def lsh_projection(functions: Array, items: Operand, weights: Optional[Array], type_: int) -> Array:
    """LSH_PROJECTION of `items`, whose bytes count.

    The documentation leaves open which hashes are computed. In Android's implementation, and in
    TensorFlow Lite, the key of an item is the hash function as binary32 followed by the bytes of
    the item, its hash FarmHash's fingerprint as a signed number, and the bit says whether the sum
    of the hashes, each times the item's weight, is above zero.
    """
    count = len(items.stored)
    rows = [items.stored[index].tobytes() for index in range(count)]

    def bit(seed: float) -> int:
        score = 0.0
        for index, row in enumerate(rows):
            value = fingerprint(struct.pack("<f", seed) + row)
            signed = value - 2**64 if value >= 2**63 else value
            score += float(signed) * (1.0 if weights is None else float(weights[index]))
        return 1 if score > 0 else 0

    bits = [[bit(seed) for seed in function] for function in functions]
    if type_ == 2:
        return np.array(bits, np.float64).ravel()
    signatures = []
    for number, own in enumerate(bits):
        signature = 0
        for each in own:
            signature = signature << 1 | each
        # Since 1.2 signatures of different functions differ: type 3, and not 1.
        signatures.append(signature + (number << len(own) if type_ == 3 else 0))
    return np.array(signatures, np.float64)


@formula("LSH_PROJECTION")
def _lsh_projection(*operands: Any) -> Result:
    signatures = lsh_projection(*operands)
    # 32 bits are a negative number where the first is set.
    return Result(np.where(signatures >= 2.0**31, signatures - 2.0**32, signatures))
