"""Speed of the metrics (`bench`), and agreement with the reference programs (`verify`)."""
