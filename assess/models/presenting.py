"""How an item of each kind is shown on the judging page: its text, and what is wrong with it.

Nothing else asks for the kind of an item, in Python or in script.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Case, F, IntegerField, Value, When
from django.db.models.functions import Coalesce

from campaigns.core.criteria import DOCUMENT
from collection.models.parts import with_part
from collection.models.texts import Document

if TYPE_CHECKING:
    from collections.abc import Callable

    from collection.models.items import Item


class Reading(NamedTuple):
    """What an assessor reads: the version of the text, and why nobody can read it, if so.

    The text itself is there if passages of it are quoted.
    """

    version: int
    fault: str
    text: str | None = None


class Presenter(NamedTuple):
    """How items of a kind are shown.

    `find` returns the text of an item from a character on, as a document, stored or not; None if
    it is missing. `template` shows it below its head, as `document`. What an answer rests on is
    what `find` returns, unless the query of answers has read it already.

    `version` is the column of the version of what is shown now; it takes the path to the item.
    It is the same as that of what `find` returns: any whole number up to 2**31 - 1 that is another
    whenever any part is another, such as a hash of all parts, and 0 only if it is missing. A text
    without versions has 1.
    """

    template: str
    find: Callable[[Item, int], Document | None]
    version: Callable[[str], Any] = lambda _: Value(1)
    is_read_with_answers: bool = False

    def reading(self, item: Item, document: Reading | None) -> Reading | None:
        """Return what is read; `document` is the one of the item's docno, if there is any."""
        if self.is_read_with_answers:
            return document
        found = self.find(item, 0)
        return Reading(found.version, found.fault, found.text) if found else None


def _document(item: Item, start: int) -> Document | None:
    rows = Document.objects.filter(campaign=item.campaign_id, docno=item.key)
    return with_part(rows, start).first()


def _version(item: str) -> Coalesce:
    return Coalesce(F(f"{item}__document__version"), 0)


PRESENTERS = {
    DOCUMENT: Presenter("desk/_document.html", _document, _version, is_read_with_answers=True)
}


def present_version(item: str = "item") -> Case:
    """Return the column of the version of an item's present text; takes the path to the item."""
    kinds = (
        When(**{f"{item}__kind": kind, "then": presenter.version(item)})
        for kind, presenter in PRESENTERS.items()
    )
    return Case(*kinds, default=0, output_field=IntegerField())
