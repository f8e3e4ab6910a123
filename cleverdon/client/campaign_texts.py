"""Topics and documents of a campaign's file: imported unless they stand so, and written."""

from __future__ import annotations

from hashlib import file_digest
from shutil import copyfileobj
from typing import TYPE_CHECKING, Any, NamedTuple

from cleverdon.client.errors import UNCONFIRMED, ClientError, Problem, about, confirmed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from cleverdon.client.site import Campaign

# Of an import that was left alone before its end.
ON_ITS_WAY = {"reading", "ready", "importing", "interrupted"}


class Making(NamedTuple):
    """A campaign that is made as the content of a file says, which names others in its folder."""

    campaign: Campaign
    content: dict[str, Any]
    folder: Path
    accepts: bool
    shown: Callable[[str], AbstractContextManager[Any]]

    def rows(self, part: str) -> list[dict[str, Any]]:
        return list(self.content.get(part, []))


class Text(NamedTuple):
    """A file of topics or documents, and how it is to be imported."""

    path: Path
    sha256: str
    how: dict[str, Any]

    def is_of(self, row: dict[str, Any]) -> bool:
        """Tell whether an import was of this file, read in this way."""
        return (row["sha256"], row["is_html"]) == (self.sha256, self.how.get("is_html", False))


def imported(making: Making, kind: str) -> Iterator[str]:
    """Import what does not stand as the files are; yield a sentence for each that was."""
    campaign, accepts = making.campaign, making.accepts
    how = dict(making.content.get(kind, {}))
    texts = [*_texts(making.folder, kind, how)]
    standing = [*_standing(campaign, kind, texts)] if texts else []
    for text in texts:
        if not any(map(text.is_of, standing)):
            yield f"{text.path.name}: {_imported(making, kind, text)}"
    is_whole = how.get("completes_collection")
    if is_whole not in {None, campaign.settings.get()["has_whole_collection"]}:
        confirmed(campaign.documents.declare_whole, accepts=accepts, is_whole=is_whole)
        yield f"The documents are {'the whole collection' if is_whole else 'a part of the whole'}."


def _texts(folder: Path, kind: str, how: dict[str, Any]) -> Iterator[Text]:
    """Yield the files that a part names, which leaves in it how they are imported."""
    names = [how.pop("file")] if "file" in how else how.pop("files", [])
    if how.keys() - {"completes_collection"} and not names:
        raise ClientError(f"[{kind}] names no file.")
    for name in [names] if isinstance(names, str) else names:
        path = folder / str(name)
        if not path.is_file():
            raise ClientError(f"There is no file {path}.")
        with path.open("rb") as file:
            yield Text(path, file_digest(file, "sha256").hexdigest(), how)


def _standing(campaign: Campaign, kind: str, texts: list[Text]) -> Iterator[dict[str, Any]]:
    """Yield the last imports as long as they are of these files, and nothing was deleted since."""
    rows = [each for each in campaign.imports.each(kind=kind) if each["state"] == "imported"]
    deleted = f"deleted {kind}"
    told = campaign.events.each(q=deleted, fields="at,event")
    since = max((each["at"] for each in told if each["event"] == deleted), default="")
    for row in sorted(rows, key=lambda row: str(row["imported_at"]), reverse=True):
        if row["imported_at"] <= since or not any(text.is_of(row) for text in texts):
            return
        yield row


def _imported(making: Making, kind: str, text: Text) -> str:
    """Import a file, or go on with it where a command stopped; return what came of it.

    Only if that is accepted, new texts of what is pooled or judged are taken as new versions.
    """
    campaign, imports = making.campaign, making.campaign.imports
    with about(text.path.name):
        row = _on_its_way(campaign, kind, text)
        if row is None:
            with making.shown(text.path.name) as tell:
                act = campaign.noun(kind).act
                row = act("import", file=text.path, on_progress=tell, **text.how)
            row = imports.settled(row["id"], "reading")
        if row["state"] in {"ready", "interrupted"}:
            try:
                imports.confirm(row["id"], takes_versions=making.accepts)
            except Problem as problem:
                imports.discard(row["id"])
                problem.kind = UNCONFIRMED if row["preview"].get("n_fixed") else problem.kind
                raise
            row = imports.settled(row["id"], "importing")
    if row["state"] != "imported":
        raise ClientError(f"{text.path.name}: {row['outcome']}")
    return str(row["outcome"])


def _on_its_way(campaign: Campaign, kind: str, text: Text) -> Any:
    """Return the import of this file that nobody brought to its end, None without; it is read."""
    for each in campaign.imports.list(kind=kind):
        if each["state"] in ON_ITS_WAY and each["bytes"] == text.path.stat().st_size:
            row = campaign.imports.settled(each["id"], "reading", "importing")
            if text.is_of(row):
                return row
    return None


def written(campaign: Campaign, kind: str, folder: Path | None) -> dict[str, Any]:
    """Write all topics or documents into a file, and return what names it; {} if there are none."""
    if folder is None:
        return {}
    with campaign.noun(kind).received(f"{kind}.jsonl") as content:
        if not content.read(1):
            return {}
        content.seek(0)
        path = folder / f"{campaign.slug}-{kind}.jsonl"
        with path.open("wb") as file:
            copyfileobj(content, file)
    return {"file": path.name}
