"""The live watch: what is wrong or worth telling, found as its facts arrive, and told."""
