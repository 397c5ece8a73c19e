"""The checks, one file each: its header (:mod:`projections.findings.headers`), then its code."""
