"""Character detection matching (CDM) of formulas without TeX, a browser or pixels."""
