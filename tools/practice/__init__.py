"""Keys and certificates to practise with; nobody else trusts them."""
