"""What developers run: benchmarks, the test broker, generators, lint, image and release.

None of it is in the wheel, and nothing that is in the wheel imports it.
"""
