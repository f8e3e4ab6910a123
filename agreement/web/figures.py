"""The figures of agreement as the page has them, each with the address of its documents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar
from urllib.parse import urlencode

import numpy as np
from django.urls import reverse

from accounts.models import User
from agreement.core.differences import Side, by_steps
from agreement.core.kept import monday_of
from agreement.nouns import Asked
from campaigns.models.moments import named_day
from campaigns.sorting import Cell, Figure, Sorting
from cleverdon.agreement.coefficients import On
from cleverdon.agreement.measured import Figure as Measured
from cleverdon.agreement.measured import Groups, in_order
from cleverdon.agreement.ratings import same_rows
from cleverdon.trec.ordering import natural_key

APART = ("same grade", "one apart", "two apart", "three apart", "four apart")
Each = TypeVar("Each")


class Links(NamedTuple):
    """The address of the documents behind a figure; "" for those who do not see documents."""

    slug: str
    asked: Mapping[str, object]
    are_shown: bool

    def to(self, **chosen: object) -> str:
        if not self.are_shown:
            return ""
        query = {
            name: each for name, each in {**self.asked, **chosen}.items() if each not in ("", None)
        }
        return f"{reverse('agreement:disagreements', args=[self.slug])}?{urlencode(query)}"


class Headline(NamedTuple):
    """What stands first: of two people Cohen's kappas, of several Krippendorff's alphas."""

    relevance: str
    grades: str
    name: str

    @classmethod
    def of(cls, asked: Asked) -> "Headline":
        if asked.of_several:
            return cls("alpha", "alpha-ordinal", "Alpha")
        return cls("cohen", "kappa-quadratic", "Kappa")


class Card(NamedTuple):
    """A coefficient, and the counts that it is computed from, by name, with their addresses."""

    figure: Measured
    raw: Measured
    counts: list[tuple[str, int, str]]

    @property
    def most(self) -> int:
        return max((n for _, n, _ in self.counts), default=0)


def relevance_card(asked: Asked, groups: Groups, headline: Headline, links: Links) -> Card:
    is_relevant = np.array([grade >= (asked.level or 0) for grade in asked.ratings.grades])
    sides = np.stack([~is_relevant, is_relevant]).astype(np.int64)
    (neither, one), (other, both) = (sides @ in_order(asked.ratings) @ sides.T).tolist()
    counts = [
        ("both not relevant", neither, links.to(relevant="neither")),
        ("they differ", one + other, links.to(relevant="one")),
        ("both relevant", both, links.to(relevant="both")),
    ]
    return _card(groups, headline.relevance, "relevance", counts)


def grades_card(asked: Asked, groups: Groups, headline: Headline, links: Links) -> Card:
    counts = [
        (APART[step] if step < len(APART) else f"{step} apart", n, links.to(steps=step))
        for step, n in enumerate(by_steps(in_order(asked.ratings)))
    ]
    return _card(groups, headline.grades, "grades", counts)


def _card(groups: Groups, key: str, on: On, counts: list[tuple[str, int, str]]) -> Card:
    [figure], [raw] = groups.figures(key, on), groups.figures("raw", on)
    return Card(figure, raw, counts)


class Row(NamedTuple):
    """A topic, by number and title, a pair, by their names, or a week, by its first day.

    `figure` is drawn; `raw` and `graded` stand beside it.
    """

    name: str
    title: str
    href: str
    figure: Measured
    raw: Measured
    graded: Measured | None

    @property
    def key(self) -> tuple[bool, bool, float]:
        """What rows are sorted by, the lowest first and those of few documents last."""
        value = self.figure.value
        return not self.figure.is_enough, value is None, value or 0


class Rows(NamedTuple):
    """Rows, and what their pictures share: the axis begins at `low`, the most items of a row."""

    rows: list[Row]
    low: float
    most: int
    overall: float | None

    @classmethod
    def of(cls, rows: Iterable[Row], overall: float | None) -> "Rows":
        found = list(rows)
        known = [row.figure.value for row in found if row.figure.is_enough and row.figure.value]
        lowest = min([overall or 0.0, *known])
        low = lowest - 0.05 if lowest < 0 else 0.0  # room for a square at the end
        return cls(found, low, max((row.figure.n for row in found), default=1), overall)


def _rows(
    groups: Groups, names: Sequence[tuple[str, str, str]], keys: tuple[str, str], asked: Asked
) -> list[Row]:
    """Return the groups that have items; keys are of the coefficients, on relevance and grades."""
    if asked.level is None:
        columns = [groups.figures(key, "grades") for key in (keys[0], "raw")]
        columns.append([None] * groups.n_groups)  # type: ignore[list-item]
    else:
        columns = [groups.figures(key, "relevance") for key in (keys[0], "raw")]
        columns.append(groups.figures(keys[1], "grades"))
    rows = zip(names, *columns, strict=True)
    return [Row(*name, *figures) for name, *figures in rows if figures[0].n]


def topics(asked: Asked, titles: Mapping[str, str], headline: Headline, links: Links) -> list[Row]:
    """Return the topics, the lowest value first."""
    names = [(each, titles.get(each, ""), links.to(topic=each)) for each in asked.ratings.topics]
    keys = (headline.relevance, headline.grades)
    return sorted(_rows(asked.by_topic(), names, keys, asked), key=lambda row: row.key)


def pairs(asked: Asked, names: Mapping[str, str], links: Links) -> dict[tuple[str, str], Row]:
    """Return each two assessors, the lowest kappa first."""
    both, groups = asked.by_pair()
    named = [
        (" and ".join(names[each] for each in pair), "", links.to(assessor=pair[0], other=pair[1]))
        for pair in both
    ]
    rows = dict(zip(both, _rows(groups, named, ("cohen", "kappa-quadratic"), asked), strict=True))
    return dict(sorted(rows.items(), key=lambda row: (row[1].key, natural_key(row[1].name))))


def weeks(asked: Asked, headline: Headline) -> list[Row]:
    """Return the weeks in which the last grade of an item was given, in order."""
    group, first = same_rows(asked.ratings.week)
    days = [monday_of(each) for each in asked.ratings.week[first].tolist()]
    groups = Groups(asked.ratings, asked.level or 0, group, len(days))
    names = [(named_day(day), "", "") for day in days]
    return _rows(groups, names, (headline.relevance, headline.grades), asked)


PAIRS = Sorting(
    "pairs",
    pair=Cell(lambda row: row.name),
    both=Figure(lambda row: row.figure.n),
    kappa=Figure(lambda row: row.figure.value),
    same=Figure(lambda row: row.raw.value),
    graded=Figure(lambda row: row.graded and row.graded.value, name="Graded"),
)


def topics_by(name: str) -> Sorting:
    """Return what topics are sorted by, under the name of the coefficient."""
    return Sorting(
        "topics",
        topic=Cell(lambda row: row.name),
        n=Figure(lambda row: row.figure.n, name="Both"),
        kappa=Figure(lambda row: row.figure.value, name=name),
        same=Figure(lambda row: row.raw.value),
        graded=Figure(lambda row: row.graded and row.graded.value),
    )


SIDES = Sorting(
    "sides",
    assessor=Cell(lambda row: row[0].name),
    n=Figure(lambda row: row[0].n, name="Both"),
    kappa=Figure(lambda row: row[0].figure.value, name="With others"),
    both=Figure(lambda row: row[0].both, name="Both relevant"),
    own=Figure(lambda row: row[0].own, name="Only own"),
    others=Figure(lambda row: row[0].others, name="Only others"),
)


def both_ends(rows: Sequence[Each], at_most: int | None) -> list[Each]:
    """Return the first and the last rows, `at_most` in all; None for all of them."""
    if at_most is None or len(rows) <= at_most:
        return list(rows)
    return [*rows[: at_most // 2], *rows[-(at_most // 2) :]]


def short_names(usernames: Iterable[str]) -> dict[str, str]:
    """Return full names by username; a name that two people share gets the username too."""
    people = list(User.objects.filter(username__in=usernames))
    names = [str(each) for each in people]
    return {
        each.username: str(each) if names.count(str(each)) == 1 else each.label for each in people
    }


def called(sides: Sequence[Side], names: Mapping[str, str], links: Links) -> list[tuple[Side, str]]:
    """Return assessors under the names of people, with the address of their documents."""
    return [(each._replace(name=names[each.name]), links.to(assessor=each.name)) for each in sides]
