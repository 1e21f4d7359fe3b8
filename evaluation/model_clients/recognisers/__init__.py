"""Recognisers: they turn a page image into a transcription that is suggested to annotators.

`base` is the interface, `registry` lists the recognisers that need no network, `endpoint` is a model behind an
OpenAI-compatible address. How to add one: docs/guides/adding-a-recogniser.md.
"""
