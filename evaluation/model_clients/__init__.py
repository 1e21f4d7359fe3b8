"""Clients for models outside our own code: recognisers (image to text). They run without a site."""
