"""HTML documents: read in linear time, sanitized, kept as blocks that can be cut and shown."""
