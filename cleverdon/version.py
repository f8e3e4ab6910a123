"""Which version of Cleverdon this is; `pyproject.toml` and `CHANGELOG.md` name the same."""

VERSION = "0.1.1.dev0"
