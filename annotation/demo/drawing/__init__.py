"""Draws the pages of the demo project: handwriting by fonts, on paper, before a camera. No site needed."""
