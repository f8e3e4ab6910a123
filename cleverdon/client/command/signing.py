"""Signing in and out."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cleverdon.client import tokens
from cleverdon.client.connection import checked
from cleverdon.client.errors import ClientError
from cleverdon.client.site import Client
from cleverdon.trec.words import counted

if TYPE_CHECKING:
    from argparse import Namespace

NEAR = {"localhost", "127.0.0.1", "::1"}
IN_CLEAR = "Warning: without https others on the way can read the token.\n"


def login(options: Namespace) -> int:
    """Keep a token, if the site takes it."""
    url = checked(options.url)
    if urlsplit(url).scheme == "http" and urlsplit(url).hostname not in NEAR:
        sys.stderr.write(IN_CLEAR)
    token = (sys.stdin.readline() if options.token_stdin else _asked(url)).strip()
    if not token:
        raise ClientError("No token was given.")
    client = Client(url, token, pauses=())
    campaigns = counted(len(client.campaigns.list(fields="slug")), "campaign")
    file = tokens.keep(url, token)
    sys.stdout.write(f"You are signed in to {url}, with {campaigns}. The token is in {file}.\n")
    return 0


def _asked(url: str) -> str:
    if not sys.stdin.isatty():
        raise ClientError("There is no terminal to type a token at: give it by --token-stdin.")
    sys.stderr.write(f"Make a token at {url}/account/tokens/\n")
    return getpass("Token (not shown): ")


def logout(options: Namespace) -> int:
    sys.stdout.write(f"The token of {tokens.forget(options.url)} is forgotten here.\n")
    return 0
