"""A campaign made as its file says, or changed to be so: what is as it should be is left alone."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from cleverdon.client.campaign_file import CampaignFile, invited, same
from cleverdon.client.campaign_texts import confirmed, texts
from cleverdon.client.errors import NOT_FOUND, ClientError, Problem, about

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cleverdon.client.campaign_texts import Shown
    from cleverdon.client.connection import Record
    from cleverdon.client.site import Campaign, Client

UNCHANGED = "Nothing is to be changed."
ADD_SLUG = 'Add the line slug = "{}" to the file: then the campaign may get another name.'
ANOTHER = "withdraw it, and give it another name in the file for another link."
LOST = f"it was told in an answer that was lost: {ANOTHER}"
WITHDRAWN = (
    "it was withdrawn, and is not made again: take it out of the file, or give it another name."
)


def made(
    client: Client,
    wanted: CampaignFile,
    *,
    accepts: bool = False,
    with_pool: bool = False,
    shown: Shown = lambda _: nullcontext(),
) -> Iterator[str]:
    """Make or change a campaign; yield a sentence for each thing that is done.

    What has a consequence that the site names is done only with `accepts`. A batch of the pool is
    built only `with_pool`, for there are runs first once teams have sent some. `shown` has for the
    name of a file what is told how much of it was sent.
    """
    found = _found(client, wanted)
    if found is None:
        named = {"slug": wanted.slug} if wanted.slug else {}
        record = client.campaigns.new(**named, **wanted.settings())
        yield f"Campaign {record['name']} was created: {record['slug']}"
        if not wanted.slug:
            yield ADD_SLUG.format(record["slug"])
        found = str(record["slug"])
    campaign = client.campaign(found)
    steps = [_settings(client, campaign, wanted, accepts=accepts), _teams(campaign, wanted)]
    steps += [texts(campaign, wanted, shown, accepts=accepts), _invitations(campaign, wanted)]
    steps += [_pool(campaign, wanted)] if with_pool else []
    for step in steps:
        yield from step


def _found(client: Client, wanted: CampaignFile) -> str | None:
    """Return the slug of the campaign that a file is about; ClientError if it may be several."""
    if wanted.slug:
        return _by_slug(client, wanted.slug)
    there = client.campaigns.list(fields=["slug", "name", "archived_at"])
    named = [
        str(each["slug"])
        for each in there
        if each["name"] == wanted.name and not each["archived_at"]
    ]
    if len(named) > 1:
        which = ", ".join(named)
        raise ClientError(f"Several campaigns are called {wanted.name}: add slug, one of {which}.")
    return named[0] if named else None


def _by_slug(client: Client, slug: str) -> str | None:
    try:
        return str(client.campaign(slug).get()["slug"])
    except Problem as problem:
        if problem.status != NOT_FOUND:
            raise
        return None


def _settings(
    client: Client, campaign: Campaign, wanted: CampaignFile, *, accepts: bool
) -> Iterator[str]:
    there = campaign.settings.get()
    changes = {
        name: value
        for name, value in wanted.settings().items()
        if name not in there or not same(there[name], value)
    }
    if changes:
        act = client.campaigns.act
        confirmed(act, "change", campaign.slug, seen=there, accepts=accepts, **changes)
        named = (_named(name, there.get(name), value) for name, value in changes.items())
        yield f"Changed: {', '.join(named)}."


def _named(name: str, there: Any, wanted: Any) -> str:
    """Return the name of a setting; of the criteria which ones are new, changed or removed."""
    if name != "criteria":
        return name
    before, after = ({(e["kind"], e.get("name")): e for e in each} for each in (there, wanted))
    told = [
        f"{key[1]} {'changed' if key in before else 'is new'}"
        for key, each in after.items()
        if not same(before.get(key), each)
    ]
    told += [f"{key[1]} removed" for key in before if key not in after]
    return f"criteria ({', '.join(told) or 'their order'})"


def _teams(campaign: Campaign, wanted: CampaignFile) -> Iterator[str]:
    there = {each["name"].lower() for each in campaign.teams.each()}
    named = there | {each["name"].lower() for each in wanted.part("teams")}
    # A file without teams leaves it to the invitations to make them.
    for each in wanted.part("invitations") if wanted.part("teams") else ():
        if each.get("team", "").lower() not in named | {""}:
            raise ClientError(f"There is no team {each['team']} to invite to: add it as [[teams]].")
    for team in wanted.part("teams"):
        if team["name"].lower() not in there:
            with about(f"[[teams]] {team['name']}"):
                campaign.teams.new(name=team["name"])
            yield f"Team {team['name']} was added."


def _invitations(campaign: Campaign, wanted: CampaignFile) -> Iterator[str]:
    """Make the links that there are not yet: the site tells each only once."""
    there = sorted(campaign.invitations.each(), key=lambda each: each["state"] == "withdrawn")
    for n, invitation in enumerate(wanted.part("invitations"), 1):
        who = ", ".join(invitation[n] for n in ("name", "role", "team") if invitation.get(n))
        link = next((each for each in there if _who(each) == _who(invitation)), None)
        if link is not None:
            there.remove(link)
            if differs := _differs(link, invitation):
                yield f"Link for {who}: {differs}"
            continue
        with about(f"[[invitations]] {n}"):
            made = campaign.invitations.new(**invitation)
        yield f"Link for {who}: {made.get('link', LOST)}"


def _differs(link: Mapping[str, Any], invitation: Mapping[str, Any]) -> str:
    """Return what a link is not that the file says, which nothing changes; "" if it is so."""
    if link["state"] == "withdrawn":
        return WITHDRAWN
    its = invited(link)
    told = [
        f"{name} is {its[name]}, not {invitation[name]}"
        for name in ("max_uses", "days")
        if invitation.get(name, its[name]) != its[name]
    ]
    return f"{' and '.join(told)}: {ANOTHER}" if told else ""


def _who(invitation: Mapping[str, Any]) -> tuple[str, str, str]:
    return (
        invitation.get("name") or "",
        invitation.get("role") or "",
        (invitation.get("team") or "").lower(),
    )


def _pool(campaign: Campaign, wanted: CampaignFile) -> Iterator[str]:
    recipe = wanted.part("pool")
    last = next(iter(reversed(campaign.batches.list())), None)
    if not recipe or (last and last["state"] != "failed" and _is_of(last, recipe)):
        return
    batch = campaign.batches.new(**recipe)
    batch = campaign.settled("batches", batch["id"], "building")
    if batch["state"] == "failed":
        raise ClientError("The batch could not be built: cleverdon get jobs says why.")
    documents = f"{batch['documents']:,} documents"
    yield f"A batch was built by {batch['strategy']}: {documents}, to be frozen: {batch['id']}"


def _is_of(batch: Record | dict[str, Any], recipe: Mapping[str, Any]) -> bool:
    """Tell whether a batch was made as a recipe says, of which runs are no part."""
    parts = {name: value for name, value in recipe.items() if name != "runs"}
    parameters = parts.pop("parameters", {})
    return all(batch[name] == value for name, value in parts.items()) and all(
        batch["parameters"].get(name) == value for name, value in parameters.items()
    )
