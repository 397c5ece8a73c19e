"""Benchmarks: each with a baseline in the same run, printed with machine, versions and seed.

Nothing here decides whether a figure is good; the targets stand in docs/performance.md.
"""
