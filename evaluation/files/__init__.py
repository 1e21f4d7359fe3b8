"""Files as they come in: what they may ask of this machine, and why one is refused. Pure."""
