"""The door for programs: nouns read and acts done by HTTP, with tokens."""
