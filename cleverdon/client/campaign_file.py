"""A campaign in one file, campaign.toml: read, made as it says, and written of a campaign."""

from __future__ import annotations

import tomllib
from contextlib import nullcontext
from datetime import date, datetime, time
from math import isfinite
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cleverdon.client import toml
from cleverdon.client.campaign_parts import PARTS, settings_of
from cleverdon.client.campaign_texts import Making
from cleverdon.client.errors import ClientError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

    from cleverdon.client.site import Campaign, Client

HEAD = ("name", "slug")
UNCHANGED = "Nothing is to be changed."
POOL_LATER = "[pool] was not looked at: add --pool once there are runs."
ADD_SLUG = 'Add the line slug = "{}" to the file: then the campaign may get another name.'


class CampaignFile:
    """What a campaign is to be, and the folder in which the files that it names are.

    What its values may be is the site's to say; ValueError for what is no part of a file.
    """

    def __init__(self, content: Mapping[str, Any], folder: Path) -> None:
        for name, value in content.items():
            _check(name, value)
        settings = content.get("settings", {})
        if above := [name for name in HEAD if name in settings]:
            raise ValueError(f"{above[0]} is no setting: it stands above the tables.")
        zone = _zone(str(settings.get("time_zone", "UTC")))
        self.content: dict[str, Any] = _plain(content, zone)
        self.folder = folder
        self.name, self.slug = (str(content.get(name, "")) for name in HEAD)

    @classmethod
    def read(cls, path: Path) -> CampaignFile:
        """Read a file; ClientError with a sentence for what cannot be in one."""
        try:
            text = path.read_text(encoding="utf-8-sig")
            return cls(tomllib.loads(text, parse_float=_number), path.parent)
        except OSError as error:
            raise ClientError(f"{path} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise ClientError(f"{path} is no text in UTF-8: save it as such.") from error
        except ValueError as error:
            raise ClientError(f"{path}: {error}") from error


def _check(name: str, value: Any) -> None:
    if name in HEAD:
        return
    if name not in PARTS:
        takes = ", ".join([*HEAD, *PARTS])
        raise ValueError(f"{name} is nothing of a campaign's file. It takes: {takes}.")
    rows, mark = (value, "[[{}]]") if PARTS[name].is_list else ([value], "[{}]")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{name} is written as {mark.format(name)}.")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ValueError(f"There is no time zone {name}.") from error


def _number(text: str) -> float | str:
    """Return a number; as a text what JSON has no word for, which the site refuses."""
    return number if isfinite(number := float(text)) else text


def _plain(value: Any, zone: ZoneInfo) -> Any:
    """Return what a file says as JSON has it; moments without a zone are by this clock."""
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=zone)).isoformat()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, list):
        return [_plain(each, zone) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each, zone) for name, each in value.items()}
    return value


def made(
    client: Client,
    wanted: CampaignFile,
    *,
    accepts: bool = False,
    with_pool: bool = False,
    shown: Callable[[str], AbstractContextManager[Any]] = lambda _: nullcontext(),
) -> Iterator[str]:
    """Make or change a campaign; yield a sentence for each thing that is done.

    What has a consequence that the site names is done only with `accepts`. A batch of the pool is
    built only `with_pool`, for there are runs first once teams have sent some. `shown` has for the
    name of a file what is told how much of it was sent.
    """
    slug = _found(client, wanted)
    if slug is None:
        named = {"slug": wanted.slug} if wanted.slug else {}
        record = client.campaigns.new(**named, **settings_of(wanted.content))
        slug = str(record["slug"])
        yield f"Campaign {record['name']} was created: {slug}"
        if not wanted.slug:
            yield ADD_SLUG.format(slug)
        if "pool" in wanted.content and not with_pool:
            yield POOL_LATER
    making = Making(client.campaign(slug), wanted.content, wanted.folder, accepts, shown)
    for name, part in PARTS.items():
        if with_pool or name != "pool":
            yield from part.make(making)


def _found(client: Client, wanted: CampaignFile) -> str | None:
    """Return the slug of the campaign that a file is about; ClientError if it may be several."""
    there = client.campaigns.list(fields="slug,name,archived_at")
    if wanted.slug:
        return next((wanted.slug for each in there if each["slug"] == wanted.slug), None)
    named = [each for each in there if (each["name"], each["archived_at"]) == (wanted.name, None)]
    slugs = [str(each["slug"]) for each in named]
    if len(slugs) > 1:
        which = ", ".join(slugs)
        raise ClientError(f"Several campaigns are called {wanted.name}: add slug, one of {which}.")
    return slugs[0] if slugs else None


def exported(campaign: Campaign, folder: Path | None = None) -> str:
    """Return a campaign as a file that makes it again, without its runs.

    Its topics and documents are written into files in the folder, and without one left out. Of the
    links those that are open are in it: no other lets anybody in.
    """
    there = campaign.settings.get()
    told = {name: part.told(campaign, there, folder) for name, part in PARTS.items()}
    parts = {name: its for name, its in told.items() if its}
    return toml.text({name: there[name] for name in HEAD} | parts)
