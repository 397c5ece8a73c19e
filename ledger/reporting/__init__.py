"""The regulator's packages as facts: built, published, confirmed, to be corrected."""
