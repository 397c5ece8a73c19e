"""Avro longs without a schema: zigzag, seven bits per byte, the lowest first.

With these functions the numbers of an envelope are checked in place, without decoding the message.
"""

from __future__ import annotations

from functools import lru_cache

__all__ = ["LENGTH_MAX", "encode_long", "read_long"]

LENGTH_MAX = 10
_SEVEN_BITS = 0x7F
_MORE = 0x80
_LOW_BITS = 13
_LOW_MASK = (1 << _LOW_BITS) - 1


def encode_long(number: int) -> bytes:
    """Encode a number; consecutive numbers are encoded quickly."""
    if number > _LOW_MASK:
        return _LOW[number & _LOW_MASK] + _groups(number >> _LOW_BITS)
    return _groups(number << 1 if number >= 0 else (~number << 1) | 1)


def read_long(data: bytes, at: int) -> tuple[int, int]:
    """Read a number at an offset; return it and the offset after it.

    Raises:
        IndexError: the data end within the number.
        ValueError: the number is longer than a long.

    """
    value, shift = data[at], 0
    if value <= _SEVEN_BITS:
        return (value >> 1) ^ -(value & 1), at + 1
    value &= _SEVEN_BITS
    for place in range(at + 1, at + LENGTH_MAX):
        shift += 7
        byte = data[place]
        value |= (byte & _SEVEN_BITS) << shift
        if byte <= _SEVEN_BITS:
            return (value >> 1) ^ -(value & 1), place + 1
    raise ValueError(f"the number at offset {at} is longer than {LENGTH_MAX} bytes")


@lru_cache(maxsize=1024)
def _groups(rest: int) -> bytes:
    out = bytearray()
    while rest > _SEVEN_BITS:
        out.append(rest & _SEVEN_BITS | _MORE)
        rest >>= 7
    out.append(rest)
    return bytes(out)


_LOW = [bytes((n << 1 & _SEVEN_BITS | _MORE, n >> 6 | _MORE)) for n in range(_LOW_MASK + 1)]
"""The first two bytes of every number that is longer than two."""
