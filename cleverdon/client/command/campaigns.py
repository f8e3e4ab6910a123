"""Campaigns made as a file says, and written into one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from cleverdon.client.campaign_file import UNCHANGED, CampaignFile, exported, made
from cleverdon.client.command.output import progress
from cleverdon.client.errors import ClientError
from cleverdon.client.site import Client

if TYPE_CHECKING:
    from argparse import Namespace


def create(options: Namespace) -> int:
    """Print each thing once it is done, so that what was interrupted is known, and its links."""
    wanted, is_changed = CampaignFile.read(options.file), False
    how = {"accepts": options.accept, "with_pool": options.pool}
    for sentence in made(Client(), wanted, shown=progress, **how):
        sys.stdout.write(f"{sentence}\n")
        sys.stdout.flush()
        is_changed = True
    if not is_changed:
        sys.stdout.write(f"{UNCHANGED}\n")
    return 0


def export(options: Namespace) -> int:
    """Print the file, or write it with those that it names, each of them whole or not at all."""
    campaign, file = Client().campaign(options.slug), options.to
    if file is None:
        sys.stdout.write(exported(campaign))
        return 0
    try:
        file.write_text(exported(campaign, file.parent), encoding="utf-8")
    except OSError as error:
        raise ClientError(f"{file} cannot be written: {error.strerror}.") from error
    return 0
