"""The ledger as a service: accept commands over HTTP, a Unix socket or Kafka; answer in order.

A connection to the socket works like a pipe to ``gameledger record``: it takes the same lines and
returns one answer for each line, in the order of the lines, each sent when its decision is durable;
so does a request of many lines over HTTP. Any number of clients may connect; the ledger decides
their lines in the order of arrival. Only the leader listens at its socket, and a standby answers
over HTTP that it does not lead, so a client finds the leader by trying the addresses.

Guaranteed: a line that was answered with a receipt is in the log. A line without an answer may be
sent again, to this process or its successor, and is decided only once if it has a ``command_id``.
Rejected: clients that are not listed, commands that no role of the client allows, clients or lines
in flight above the limits, and idle connections. A fenced or damaged ledger ends the service.

``leader`` waits for the leadership and leads; ``server`` accepts connections (``socket_file``
creates a Unix socket); ``session`` serves one connection over a ``wire``; ``connection_limiter``
keeps connections within ``limits``; ``authentication`` identifies clients (``tls``, ``roles``);
``command_intake`` passes commands of every listener to the ledger; ``lines`` parses commands and
formats answers; ``http`` and ``kafka`` are the other listeners; ``command_reference`` describes
commands; ``client`` is the client side (``http_writer``, ``answers``).
"""
