"""A witness of logs (C2SP tlog-witness), and clients of witnesses and time-stamp authorities."""
