"""The client of a site's API: commands, and `Client` for programs. It needs httpx and rich."""
