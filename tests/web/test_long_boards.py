"""Hundreds of runs and assessors: what is shown at first, what is opened, and what is found."""

import pytest
from django.http import QueryDict

from accounts.models import User
from assess.models.assigning import Assignment
from evaluation.models.scores import Score
from evaluation.web.classes import ALL, Asked, sections
from tests.web.growth import again
from tests.web.html import words
from tests.web.test_boards import class_rows


def test_a_part_opens_a_hundred_rows_at_a_time_and_whole_to_be_printed():
    rows = class_rows(*[1] * 250, own=(240,))

    def shown(query: str = "") -> list[int]:
        [section] = sections(rows, Asked(QueryDict(query)))
        return [len(section.rows), section.n_folded]

    assert shown() == [101, 149]
    assert shown("board-open=1") == [201, 49]
    assert shown("board-open=1,1") == shown(f"board-open={ALL}") == [250, 0]
    assert Asked(QueryDict("by=AP&board-find=x")).whole == f"?by=AP&board-open={ALL}"


@pytest.fixture
def large(played) -> str:
    """The address of a board of 500 runs in four classes."""
    first = Score.objects.get()
    first.standings = [[0.4, 0.6, 1, 20, 1]] * len(first.aggregates)
    first.save()
    for each in range(499):
        run = again(first.run, tag=f"more-{each:03d}")
        number = 1 if each < 20 else 2 + each // 200
        values = [0.4 - each / 2000] * len(first.aggregates)
        standing = [0.1, 0.5, max(1, each - 20), each + 40, number]
        again(first, run=run, aggregates=values, standings=[standing] * len(values))
    return f"/campaigns/{played.slug}/leaderboard/"


def test_a_board_of_500_runs_is_light_and_any_run_is_found(as_olga, large):
    page = as_olga.get(large)
    assert len(page.text) < 150_000
    assert page.text.count("data-kinds") < 100
    assert "more-477" not in page.text
    assert "B 180 runs led by more-020" in words(page)
    found = as_olga.get(large, {"board-find": "MORE-477"})
    assert "more-477" in found.text
    assert found.text.count("data-kinds") == 1
    assert "No run matches" in as_olga.get(large, {"board-find": "none of them"}).text
    in_a = as_olga.get(large, {"board-kind": "class A"})
    assert in_a.text.count("data-kinds") == 21  # the first one and twenty
    opened = page.context["sections"][1].opening
    assert as_olga.get(f"{large}{opened}").text.count("data-kinds") > 100
    assert as_olga.get(large, {"board-open": "all"}).text.count("data-kinds") == 500


def test_assessors_come_in_pages_and_anyone_is_found(as_olga, played):
    first = Assignment.objects.filter(kind="second").earliest("pk")
    for n in range(120):
        again(first, assessor=User.objects.create(username=f"person{n:03d}"))
    address = f"/campaigns/{played.slug}/judging/"

    def people(**asked: str) -> int:
        return as_olga.get(address, asked).text.count('#who-title">')

    assert people() == 50
    assert people(**{"people-page": "3"}) == 122 - 100
    assert people(**{"people-find": "PERSON119"}) == 1
    assert people(**{"people-find": "nobody of them"}) == 0
    part = as_olga.get(f"/campaigns/{played.slug}/pace/").text
    assert "All 122 assessors" in part
