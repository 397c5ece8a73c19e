"""Tools: the command line, the services, the simulator, what developers run."""

from ledger.core.texts import register as _register

_register("tools")
