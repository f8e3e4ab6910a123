"""Measures: their families, what they read, and the command that prints them."""
