"""Benchmarks and verification programs; the site does not use them."""
