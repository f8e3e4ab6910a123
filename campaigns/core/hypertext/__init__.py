"""HTML documents: read in linear time whatever they hold, sanitized, and kept as blocks that can be cut and shown."""

from campaigns.core.hypertext.page import Page, read_page
from campaigns.core.hypertext.showing import addresses, shown, words_only

__all__ = ["Page", "addresses", "read_page", "shown", "words_only"]
