"""Recognisers: a page image in, a transcription to suggest out.

`base` holds the interface, `registry` the ones that need no network, `endpoint` the ones behind an address
that speaks the OpenAI protocol.
"""
