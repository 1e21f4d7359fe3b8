"""Clients for models: recognisers, which turn a page image into text. They run without Django."""
