"""A small TeX: a token machine for math mode, TeX's typesetting rules, Computer Modern measures. No pages, no files.

Sources: D. Knuth, The TeXbook (chapters 17, 18, 26, appendix G) and "TeX: The Program" (section numbers as § in
the modules); LaTeX's and amsmath's documented definitions for the commands above TeX.
"""
