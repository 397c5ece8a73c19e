"""Commands over HTTP: the second door of a writer, with the same way in as the socket.

``app`` answers requests (``stream`` those with many commands), ``serving`` gives it a port and a
thread, ``description`` says in OpenAPI what may be asked.
"""
