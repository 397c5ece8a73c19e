"""A witness of logs (C2SP tlog-witness), and how a log asks witnesses and stamp authorities."""
