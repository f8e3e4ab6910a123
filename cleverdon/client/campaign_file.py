"""A campaign in one file, campaign.toml: what is in it, and a campaign written into one."""

from __future__ import annotations

import tomllib
from datetime import datetime, timedelta
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cleverdon.client import toml
from cleverdon.client.campaign_check import ARRAYS, FOLLOWING, check
from cleverdon.client.errors import ClientError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cleverdon.client.site import Campaign


class CampaignFile:
    """What a campaign is to be, and the folder in which the files that it names are."""

    def __init__(self, content: Mapping[str, Any], folder: Path) -> None:
        self.content, self.folder = content, folder
        self.name, self.slug = str(content["name"]), str(content.get("slug", ""))

    @classmethod
    def read(cls, path: Path) -> CampaignFile:
        """Read a file; ClientError with a sentence for what cannot be in one."""
        try:
            content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
            check(content)
        except OSError as error:
            raise ClientError(f"{path} cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError as error:
            raise ClientError(f"{path} is no text in UTF-8: save it as such.") from error
        except ValueError as error:
            raise ClientError(f"{path}: {error}") from error
        return cls(content, path.parent)

    def settings(self) -> dict[str, Any]:
        """Return what is set, as the site has it."""
        own: Mapping[str, Any] = self.content.get("settings", {})
        dates = self.content.get("dates", {})
        criteria = [{"kind": "document", **each} for each in self.part("criteria")]
        zone = _zone(str(own.get("time_zone", "UTC")))
        moments = {name: _moment(name, value, zone) for name, value in dates.items()}
        asked = {"criteria": criteria} if criteria else {}
        return {"name": self.name, **own, **moments, **asked}

    def part(self, name: str) -> Any:
        """Return a part, empty if the file has none."""
        return self.content.get(name, [] if name in ARRAYS else {})

    def path(self, name: object) -> Path:
        """Return a file that is named in this one; ClientError if there is none."""
        path = self.folder / str(name)
        if not path.is_file():
            raise ClientError(f"There is no file {path}.")
        return path


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as error:
        raise ClientError(f"There is no time zone {name}.") from error


def _moment(name: str, value: Any, zone: ZoneInfo) -> str:
    """Return a date and time as the site has it; without a zone it is by the campaign's clock."""
    if not isinstance(value, datetime):
        raise ClientError(f"{name} is a date and a time, such as 2027-05-01T12:00:00.")
    return (value if value.tzinfo else value.replace(tzinfo=zone)).isoformat()


def same(there: Any, wanted: Any) -> bool:
    """Tell whether a setting is as wanted; moments are the same in any zone.

    Blanks around a text are not kept there, and a number may be written as a text.
    """
    if there == wanted:
        return True
    if isinstance(wanted, str) and type(there) in {str, int} and _text(there) == _text(wanted):
        return True
    if isinstance(there, list) and isinstance(wanted, list):
        pairs = zip(there, wanted, strict=False)
        return len(there) == len(wanted) and all(same(*pair) for pair in pairs)
    if isinstance(there, dict) and isinstance(wanted, dict):
        # What is left out of a criterion or an answer is as usual there: empty.
        return all(
            same(there.get(each) or None, wanted.get(each) or None) for each in {**there, **wanted}
        )
    try:
        return datetime.fromisoformat(there) == datetime.fromisoformat(wanted)
    except (TypeError, ValueError):
        return False


def _text(value: object) -> str:
    return "\n".join(str(value).strip().splitlines())


def exported(campaign: Campaign, folder: Path | None = None) -> str:
    """Return a campaign as a file that makes it again, without its runs.

    Its topics and documents are written into files in the folder, and without one left out. Of the
    links those that are open are in it: no other lets anybody in.
    """
    there = campaign.settings.get()
    kept = {name: value for name, value in there.items() if name not in FOLLOWING}
    name, criteria = kept.pop("name"), kept.pop("criteria")
    dates = {n: datetime.fromisoformat(v) for n, v in kept.items() if n.endswith("_at") and v}
    settings = {n: value for n, value in kept.items() if not n.endswith("_at")}
    table = {
        "name": name,
        "slug": there["slug"],
        "settings": settings,
        "dates": dates,
        "criteria": [_said(each) for each in criteria],
        **(_texts(campaign, folder, is_whole=there["has_whole_collection"]) if folder else {}),
        "teams": [
            {"name": team["name"]} for team in campaign.teams.each() if not team["is_baseline"]
        ],
        "invitations": [
            invited(each) for each in campaign.invitations.each() if each["state"] == "open"
        ],
        "pool": _recipe(campaign),
    }
    return toml.text({name: part for name, part in table.items() if part not in ({}, [])})


def _texts(campaign: Campaign, folder: Path, *, is_whole: bool) -> dict[str, Any]:
    """Write topics and documents, if there are any; return what the file says of them."""
    found = {}
    for kind in ("topics", "documents"):
        with campaign.noun(kind).received(f"{kind}.jsonl") as content:
            if not content.read(1):
                continue
            content.seek(0)
            path = folder / f"{campaign.slug}-{kind}.jsonl"
            with path.open("wb") as file:
                copyfileobj(content, file)
        found[kind] = path.name
    whole = {"completes_collection": True} if is_whole else {}
    return {
        "topics": {"file": found["topics"]} if "topics" in found else {},
        "documents": {"files": [found["documents"]], **whole} if "documents" in found else {},
    }


def _said(criterion: Mapping[str, Any]) -> dict[str, Any]:
    """Return a criterion without what is left empty."""
    answers = [{n: v for n, v in each.items() if v != ""} for each in criterion["answers"]]
    rest = {n: v for n, v in criterion.items() if n != "answers" and v not in (None, False)}
    return {**rest, "answers": answers}


def invited(link: Mapping[str, Any]) -> dict[str, Any]:
    """Return a link as a file has it."""
    said = {name: link[name] for name in ("name", "role", "team") if link[name]}
    ends, begun = (datetime.fromisoformat(link[at]) for at in ("expires_at", "created_at"))
    days = round((ends - begun) / timedelta(days=1))
    return {**said, "max_uses": link["max_uses"], "days": days}


def _recipe(campaign: Campaign) -> dict[str, Any]:
    """Return the recipe of the newest batch, empty if there is none."""
    batches = campaign.batches.list()
    if not batches:
        return {}
    last = batches[-1]
    recipe = {name: last[name] for name in ("strategy", "parameters", "order_rule")}
    return recipe | ({"topics": last["topics"]} if last["topics"] else {})
