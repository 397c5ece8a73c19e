"""Commands over HTTP: the second listener of a writer, with the same command intake as the socket.

``app`` answers requests (``stream`` those with many commands), ``serving`` runs the port in a
thread, ``description`` generates the OpenAPI description.
"""
