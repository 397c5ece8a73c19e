"""The ledger as a service: commands over TCP, a Unix socket or HTTP, answers in order.

A connection is a pipe to ``gameledger record``: the same lines, the same answers, one for each
line in the order of the lines, each sent when its decision is durable. Any number of clients may
connect; the ledger decides their lines in the order in which they arrive. A process that does not
lead has no open port, so a client or a load balancer finds the leader by trying.

Guaranteed: a line that was answered is in the log; a line that was not may be sent again, to this
process or to the next, and is decided once if it has a ``command_id``. Rejected: clients that are
not on the list, commands that no role of a client allows, more clients or lines in flight than the
bounds, and silent connections. A fenced or damaged ledger ends the service.

``leader`` stands by and leads, ``server`` accepts connections (``socket_file`` creates a Unix
socket), ``session`` serves one over a ``wire``, ``connection_limiter`` keeps connections within
``limits``, ``authentication`` identifies clients (``tls``, ``roles``), ``command_intake`` is what
every listener does with a command, ``lines`` are commands and answers, ``http`` and ``kafka`` are
the other listeners, ``command_reference`` describes commands, ``client`` is the other end
(``over_http``, ``answers``).
"""
