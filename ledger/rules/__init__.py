"""What the law fixes for every operator, in one place and cited."""
