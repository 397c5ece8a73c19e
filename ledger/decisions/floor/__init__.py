"""The floor of a casino: operating days, sections, cash and chips."""
