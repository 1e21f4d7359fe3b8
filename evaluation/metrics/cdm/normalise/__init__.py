"""From a formula's source to CDM tokens: a permissive grammar, a printer, rewriting rules, and token colouring."""
