"""Images as bytes: read with limits, set upright, made smaller, recognised again. Knows no database."""
