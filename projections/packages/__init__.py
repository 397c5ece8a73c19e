"""The authorities' packages, one folder per country."""
