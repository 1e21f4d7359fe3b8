"""Checking incoming files: limits, archives, and why a file is refused. Pure."""
