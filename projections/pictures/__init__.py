"""Draw rounds, hands and tournaments on the table, and charts, as SVG.

Pure functions from typed values to text. :func:`projections.pictures.round.draw_round` draws a
replayed round of any game.
"""
