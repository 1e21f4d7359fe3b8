"""Programs that measure and verify; nothing here runs in the site."""
