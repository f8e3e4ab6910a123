"""The access tokens that are kept on this machine, one for each site, in a file of their owner."""

import json
import os
import stat
from pathlib import Path
from tempfile import NamedTemporaryFile

from cleverdon.client.errors import ClientError

URL, TOKEN = "CLEVERDON_URL", "CLEVERDON_TOKEN"
NO_SITE = f"Sign in first: cleverdon login https://… (or set {URL} and {TOKEN})."


def folder(variable: str, usual: str) -> Path:
    """Return a folder of ours among those of the person: as the system says, or as usual."""
    named = os.environ.get(variable) or os.environ.get("APPDATA")
    return (Path(named) if named else Path.home() / usual) / "cleverdon"


def _file() -> Path:
    return folder("XDG_CONFIG_HOME", ".config") / "tokens.json"


def found(url: str = "", token: str = "") -> tuple[str, str]:
    """Return the site and the token to use: those given, those of the variables, those kept.

    ClientError if there are none. The token of a variable is for the site of the other one, or, if
    there is none, for the site signed in to last.
    """
    its_url = url or os.environ.get(URL, "")
    secret = token or (os.environ.get(TOKEN, "") if url in {"", os.environ.get(URL, url)} else "")
    if its_url and secret:
        return its_url, secret
    kept = _kept()
    its_url = (its_url or _last(kept)).rstrip("/")
    if not its_url:
        raise ClientError(NO_SITE)
    if not (secret := secret or kept.get(its_url, "")):
        raise ClientError(f"You are not signed in to {its_url}: cleverdon login {its_url}")
    return its_url, secret


def _last(kept: dict[str, str]) -> str:
    return next(reversed(kept), "")


def keep(url: str, token: str) -> Path:
    """Keep a token, readable by nobody else; return the file that has it."""
    kept = _kept()
    kept.pop(url, None)
    return _write({**kept, url: token})


def forget(url: str = "") -> str:
    """Forget the token of a site, the last one unless it is named; return the site."""
    kept = _kept()
    url = (url or _last(kept)).rstrip("/")
    if kept.pop(url, None) is None:
        raise ClientError(f"You are not signed in{f' to {url}' if url else ''}.")
    _write(kept)
    return url


def _kept() -> dict[str, str]:
    """Read what is kept, by site, the last one signed in to last; ClientError if others can too."""
    file = _file()
    if not file.exists():
        return {}
    if os.name == "posix" and stat.S_IMODE(file.stat().st_mode) & 0o077:
        raise ClientError(f"Others can read your tokens in {file}: chmod 600 {file}")
    try:
        return dict[str, str](**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ClientError(f"{file} cannot be read: sign in again once it is removed.") from error


def _write(kept: dict[str, str]) -> Path:
    """Write the file beside the old one first: whoever is interrupted loses no token."""
    return written(_file(), json.dumps(kept, indent=1) + "\n")


def written(file: Path, text: str) -> Path:
    """Write a whole file that only its owner can read."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as new:
        new.write(text)
    Path(new.name).replace(file)
    return file
