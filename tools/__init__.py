"""Tools: the command line, the simulator, benchmarks, generators."""
