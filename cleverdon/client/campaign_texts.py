"""Topics and documents imported as a campaign's file says, unless they stand as its files are."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from hashlib import file_digest
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from cleverdon.client.errors import ClientError, Problem, about

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from cleverdon.client.campaign_file import CampaignFile
    from cleverdon.client.connection import Progress
    from cleverdon.client.site import Campaign

Act = Callable[..., Any]
Shown = Callable[[str], AbstractContextManager[Any]]
# Of an import that was left alone before its end.
ON_ITS_WAY = {"reading", "ready", "importing", "interrupted"}
WHOLE, PART = "The documents are the whole collection.", "The documents are a part of the whole."
FIXED = (
    "{}: {:,} of the {} are pooled or judged and would get another text. "
    "If you want that, say it again with --accept."
)


class Text(NamedTuple):
    """A file of topics or documents, and how it is to be imported."""

    kind: str
    path: Path
    sha256: str
    how: dict[str, Any]


def confirmed(act: Act, *arguments: Any, accepts: bool, **values: Any) -> Any:
    """Do an act; once more with the consequence that the site names, if that is accepted."""
    try:
        return act(*arguments, **values)
    except Problem as problem:
        if problem.kind != "unconfirmed" or not accepts:
            raise
        return act(*arguments, **values, accepts=problem.detail)


def texts(
    campaign: Campaign, wanted: CampaignFile, shown: Shown, *, accepts: bool
) -> Iterator[str]:
    """Import what does not stand as the files are; yield a sentence for each that was."""
    files = _files(wanted)
    for kind in dict.fromkeys(each.kind for each in files):
        of_kind = [each for each in files if each.kind == kind]
        standing = _standing(campaign, kind, {each.sha256 for each in of_kind})
        for each in of_kind:
            if each.sha256 not in standing:
                with shown(each.path.name) as tell:
                    outcome = _imported(campaign, each, accepts=accepts, on_progress=tell)
                yield f"{each.path.name}: {outcome}"
    is_whole = wanted.part("documents").get("completes_collection")
    if is_whole not in {None, campaign.settings.get()["has_whole_collection"]}:
        confirmed(campaign.documents.declare_whole, accepts=accepts, is_whole=is_whole)
        yield WHOLE if is_whole else PART


def _files(wanted: CampaignFile) -> list[Text]:
    topics, documents = wanted.part("topics"), dict(wanted.part("documents"))
    names = [("topics", topics["file"], dict[str, Any]())] if topics else []
    names += [("documents", name, documents) for name in documents.pop("files", [])]
    found = []
    for kind, name, how in names:
        path = wanted.path(name)
        with path.open("rb") as file:
            found.append(Text(kind, path, file_digest(file, "sha256").hexdigest(), how))
    return found


def _standing(campaign: Campaign, kind: str, wanted: Collection[str]) -> set[str]:
    """Return which of the wanted files nothing else came after, neither import nor deletion."""
    rows = [each for each in campaign.imports.each(kind=kind) if each["state"] == "imported"]
    if not rows:
        return set()
    deleted = f"deleted {kind}"
    told = campaign.events.each(q=deleted, fields=["at", "event"])
    since = max((_moment(each["at"]) for each in told if each["event"] == deleted), default=None)
    rows.sort(key=lambda each: _moment(each["imported_at"]), reverse=True)
    last = takewhile(
        lambda each: (
            each["sha256"] in wanted and (since is None or _moment(each["imported_at"]) > since)
        ),
        rows,
    )
    return {str(each["sha256"]) for each in last}


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _imported(
    campaign: Campaign, text: Text, *, accepts: bool, on_progress: Progress | None
) -> str:
    """Import a file, or go on with it where a command stopped; return what came of it.

    With `accepts` new texts of what is pooled or judged are taken as new versions.
    """
    row = _on_its_way(campaign, text)
    if row is None:
        act = campaign.noun(text.kind).act
        with about(text.path.name):
            row = act("import", file=text.path, on_progress=on_progress, **text.how)
        row = campaign.settled("imports", row["id"], "reading")
    if row["state"] in {"ready", "interrupted"}:
        try:
            campaign.imports.confirm(row["id"], takes_versions=accepts)
        except Problem as problem:
            campaign.imports.discard(row["id"])
            if not accepts and (n_fixed := row["preview"].get("n_fixed")):
                raise ClientError(FIXED.format(text.path.name, n_fixed, text.kind)) from problem
            raise
        row = campaign.settled("imports", row["id"], "importing")
    if row["state"] != "imported":
        raise ClientError(f"{text.path.name}: {row['outcome']}")
    return str(row["outcome"])


def _on_its_way(campaign: Campaign, text: Text) -> Any:
    """Return the import of this file that nobody brought to its end, None without; it is read."""
    n_bytes = text.path.stat().st_size
    for each in campaign.imports.list(kind=text.kind):
        if each["state"] in ON_ITS_WAY and each["bytes"] == n_bytes:
            row = campaign.settled("imports", each["id"], "reading", "importing")
            if row["sha256"] == text.sha256 and row["state"] in {*ON_ITS_WAY, "imported"}:
                return row
    return None
