"""Images as bytes: decoding with limits, orientation, released forms, masks, fingerprints. No database."""
