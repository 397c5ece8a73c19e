"""The ledger as a service: commands over TCP, a Unix socket or HTTP, answers in order.

A connection is a pipe to ``gameledger record``: the same lines, the same answers, one for each
line in the order of the lines, each sent when its decision is durable. Any number of clients;
the ledger decides their lines in the order in which they come in. A process that does not lead
has no open port, so a client or a load balancer finds the leader by trying.

Promised: a line that was answered is in the log; a line that was not may be sent again, to this
process or to the next, and is decided once if it has a ``command_id``. Refused: who is not on the
list of clients, commands that are not a client's to send, more clients or lines on their way than
are bounded, and silence. A fenced or damaged ledger ends the service.

``leading`` stands by and leads, ``server`` takes connections (``socket_file`` makes a Unix
socket), ``session`` serves one over a ``wire``, ``room`` keeps places within ``limits``, ``door``
asks who it is (``tls``, ``roles``), ``way_in`` is what every door does with a command, ``lines``
are commands and answers, ``http`` is the door for HTTP, ``told`` tells of commands, ``client`` is
the other end (``over_http``, ``answers``).
"""
