"""HTML documents: read in linear time, sanitized, and kept as blocks that can be cut and shown."""

from collection.core.hypertext.page import Page, read_page
from collection.core.hypertext.showing import addresses, shown, words_only

__all__ = ["Page", "addresses", "read_page", "shown", "words_only"]
