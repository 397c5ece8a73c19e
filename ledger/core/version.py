"""The version of this program, as ``WriterStarted`` records it."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
