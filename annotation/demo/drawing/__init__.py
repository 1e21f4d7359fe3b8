"""Draws the pages of the demo project: handwriting in fonts on paper, as a photo or scan. Needs no site."""
