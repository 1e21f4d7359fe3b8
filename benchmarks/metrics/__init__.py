"""The metrics: speed (`bench`) and agreement with the reference programs (`verify`)."""
