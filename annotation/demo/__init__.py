"""The demo: drawn pages (`drawing`, pure) and the people and work that fill its projects (`seeding`)."""
