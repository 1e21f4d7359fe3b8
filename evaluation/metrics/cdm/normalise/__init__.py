"""From a formula's source to CDM tokens: a permissive grammar, a printer, clean-up rules, and the token walk."""
