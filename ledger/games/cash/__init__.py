"""Games among players for money, and which kinds of hands there are."""
