"""What people read outside the command line, in Czech and in English."""
