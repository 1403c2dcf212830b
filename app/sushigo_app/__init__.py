"""Where people meet it: the command `sushigo`."""
