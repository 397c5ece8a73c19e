"""Questions for lists and single objects, each declared once; see :mod:`.declaration`."""
