"""Keys and certificates to practise with; they are trusted nowhere else."""
