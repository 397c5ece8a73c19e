"""Rules that the law fixes for every operator, and rules of each operator, with citations."""
