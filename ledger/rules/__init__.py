"""What the law fixes for every operator, and what each operator's rules fix; cited."""
