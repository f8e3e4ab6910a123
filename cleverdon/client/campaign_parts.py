"""The parts of a campaign's file: how each is made, and how it is written of a campaign."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from cleverdon.client.campaign_texts import imported, written
from cleverdon.client.errors import ClientError, about, confirmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from cleverdon.client.campaign_texts import Making
    from cleverdon.client.site import Campaign

Table = dict[str, Any]
# Of all settings those that no file sets, for they follow from what is done, or stand elsewhere.
FOLLOWING = {"slug", "round", "created_at", "archived_at", "has_whole_collection"}
FOLLOWING |= {"has_fixed_scale", "name", "criteria"}
ANOTHER = "for another link give it another name in the file."
LOST = f"it was told in an answer that was lost: {ANOTHER}"


def settings_of(content: Table) -> Table:
    """Return what a file sets, as the site has it."""
    above = {name: content[name] for name in ("name", "criteria") if name in content}
    return {**content.get("settings", {}), **content.get("dates", {}), **above}


def _settings(making: Making) -> Iterator[str]:
    """Change settings, dates and criteria; what is so already the site leaves alone."""
    there, wanted = making.campaign.settings.get(), settings_of(making.content)
    act = making.campaign.act
    now = confirmed(act, "change", seen=there, accepts=making.accepts, **wanted)
    if changed := [name for name in wanted if now[name] != there[name]]:
        named = ", ".join(_named(name, there[name], now[name]) for name in changed)
        yield f"Changed: {named}."


def _named(name: str, there: Any, now: Any) -> str:
    """Return the name of a setting; of the criteria also of those that came, changed or went."""
    if name != "criteria":
        return name
    criteria = [each["name"] for each in there if each not in now]
    criteria += [each["name"] for each in now if each not in there]
    return f"criteria ({', '.join(dict.fromkeys(criteria)) or 'their order'})"


def _teams(making: Making) -> Iterator[str]:
    """Add teams; where the file has any, invitations are to these or those of the site."""
    wanted = making.rows("teams")
    there = {_folded(each, "name") for each in making.campaign.teams.each()}
    known = {"", *there, *(_folded(each, "name") for each in wanted)}
    for each in making.rows("invitations") if wanted else ():
        if _folded(each, "team") not in known:
            raise ClientError(f"There is no team {each['team']} to invite to: add it as [[teams]].")
    for each in wanted:
        if _folded(each, "name") not in there:
            with about("[[teams]]"):
                team = making.campaign.teams.new(**each)
            yield f"Team {team['name']} was added."


def _folded(row: Table, name: str) -> str:
    return str(row.get(name) or "").lower()


def _invitations(making: Making) -> Iterator[str]:
    """Make the links that there are not yet: the site tells each only once."""
    links = making.campaign.invitations
    there = sorted(links.each(), key=lambda link: link["state"] == "withdrawn")
    for row in making.rows("invitations"):
        who = ", ".join(str(row[name]) for name in WHO if row.get(name))
        link = next((each for each in there if _who(each) == _who(row)), None)
        if link:
            there.remove(link)
            if said := _differs(link, row):
                yield f"Link for {who}: {said}: {ANOTHER}"
        else:
            with about(f"[[invitations]] {who}"):
                made = links.new(**row)
            yield f"Link for {who}: {made.get('link', LOST)}"


WHO = ("name", "role", "team")


def _who(row: Table) -> list[str]:
    return [_folded(row, name) for name in WHO]


def _differs(link: Table, row: Table) -> str:
    """Return what a link is not that the file says, which nothing changes."""
    if link["state"] == "withdrawn":
        return "it was withdrawn"
    its = _invited(link)
    differs = [name for name in its if name not in WHO and row.get(name, its[name]) != its[name]]
    return " and ".join(f"{name} is {its[name]}, not {row[name]}" for name in differs)


def _invited(link: Table) -> Table:
    """Return a link as a file has it."""
    ends, begun = (datetime.fromisoformat(link[at]) for at in ("expires_at", "created_at"))
    days = round((ends - begun) / timedelta(days=1))
    said = {name: link[name] for name in WHO if link[name]}
    return {**said, "max_uses": link["max_uses"], "days": days}


def _pool(making: Making) -> Iterator[str]:
    """Build a batch by the recipe, of which runs are no part, unless the last one was so."""
    recipe, batches = making.content.get("pool", {}), making.campaign.batches
    last = (batches.list() or [{"state": "failed"}])[-1]
    asked = {name: value for name, value in recipe.items() if name != "runs"}
    if not recipe or (last["state"] != "failed" and _has(last, asked)):
        return
    batch = batches.settled(batches.new(**recipe)["id"], "building")
    if batch["state"] == "failed":
        raise ClientError("The batch could not be built: cleverdon get jobs says why.")
    built = f"A batch was built by {batch['strategy']}: {batch['documents']:,} documents"
    yield f"{built}, to be frozen: {batch['id']}"


def _has(there: Any, wanted: Any) -> bool:
    """Tell whether what is there has what is wanted, and may be more."""
    if isinstance(wanted, dict):
        return all(_has(there.get(name), its) for name, its in wanted.items())
    return bool(there == wanted)


def _recipe(campaign: Campaign, *_: Any) -> Table:
    """Return the recipe of the newest batch, empty if there is none."""
    last = (campaign.batches.list() or [{}])[-1]
    names = ("strategy", "parameters", "order_rule", "topics")
    return {name: last[name] for name in names if last.get(name)}


def _set(its: Table, *, is_date: bool) -> Table:
    return {
        name: datetime.fromisoformat(value) if is_date and value else value
        for name, value in its.items()
        if name not in FOLLOWING and name.endswith("_at") == is_date
    }


def _documents(campaign: Campaign, its: Table, folder: Path | None) -> Table:
    named = written(campaign, "documents", folder)
    is_whole = named and its["has_whole_collection"]
    return {**named, "completes_collection": True} if is_whole else named


class Part(NamedTuple):
    """A part of a file: `told` is what it says of a campaign, with its settings and a folder.

    `make` does what it says, and yields a sentence for each thing that is done; what has none is
    made by that of another part. A part `is_list` of tables, or one table.
    """

    told: Callable[[Campaign, Table, Path | None], Any]
    make: Callable[[Making], Iterator[str]] = lambda _: iter(())
    is_list: bool = False


# In the order in which they are written, and made.
PARTS: Mapping[str, Part] = {
    "settings": Part(lambda _, its, __: _set(its, is_date=False), _settings),
    "dates": Part(lambda _, its, __: _set(its, is_date=True)),
    "criteria": Part(lambda _, its, __: its["criteria"], is_list=True),
    "teams": Part(
        lambda campaign, *_: [
            {"name": team["name"]} for team in campaign.teams.each() if not team["is_baseline"]
        ],
        _teams,
        is_list=True,
    ),
    "topics": Part(
        lambda campaign, _, folder: written(campaign, "topics", folder),
        lambda making: imported(making, "topics"),
    ),
    "documents": Part(_documents, lambda making: imported(making, "documents")),
    "invitations": Part(
        lambda campaign, *_: [
            _invited(link) for link in campaign.invitations.each() if link["state"] == "open"
        ],
        _invitations,
        is_list=True,
    ),
    "pool": Part(_recipe, _pool),
}
