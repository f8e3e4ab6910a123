"""The commands that ask a site: `cleverdon login`, `runs`, `get`, `campaigns`, `watch`, `api`."""
