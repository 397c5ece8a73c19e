"""The authorities' packages, a country a folder."""
