"""Keys and certificates for practice; they are trusted nowhere else."""
