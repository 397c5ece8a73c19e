"""The version of this program, as recorded by ``WriterStarted``."""

__all__ = ["VERSION"]

VERSION = "0.1.0"
