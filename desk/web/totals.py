"""The table of everybody's work: a page of the people, found by name and sorted."""

from collections.abc import Sequence
from typing import NamedTuple

from django.http import HttpRequest

from campaigns.sorting import Cell, Figure, Sorting
from campaigns.web.frame import listed
from campaigns.web.listing import ListPage
from cleverdon.trec.streams import storable
from desk.web.workload import AssessorWork

PEOPLE_PER_PAGE = 50
PEOPLE = Sorting(
    "people",
    assessor=Cell(lambda each: each.user),
    topics=Figure(lambda each: each.total["n_topics"]),
    judged=Cell(lambda each: each.part_done),
    later=Figure(lambda each: each.total["n_put_off"]),
    reopened=Figure(lambda each: each.total["n_reopened"]),
    median_time=Figure(
        lambda each: each.pace.dwell.median,
        title="The median of the active times of the documents that they decided; n of them "
        "were timed",
    ),
    per_hour=Figure(
        lambda each: each.pace.dwell.an_hour,
        title="So many documents fit into an active hour, by the median",
    ),
    last_seen=Cell(lambda each: each.pace.last_at),
    done_by=Cell(lambda each: each.likely and each.likely.done),
)


class Totals(NamedTuple):
    """How many people there are, and a page of those whose names have the words asked for."""

    n: int
    words: str
    rows: ListPage


def totals_of(request: HttpRequest, people: Sequence[AssessorWork]) -> Totals:
    words = storable(request.GET.get("people-find", "")).strip()
    found = [
        each for each in people if words.lower() in f"{each.user} {each.user.username}".lower()
    ]
    rows = listed(request, found, PEOPLE, per_page=PEOPLE_PER_PAGE, name="people-page")
    return Totals(len(people), words, rows)
