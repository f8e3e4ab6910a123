"""What a worker computes once of an evaluation, and pages that only read it."""

import json

import numpy as np
import pytest

from cleverdon.significance.pairs import all_pairs
from evaluation.core import standing
from evaluation.figures.board import BoardFigures
from evaluation.figures.pictured import Pictured, curves, relevant_by_judgment, unique_relevant
from evaluation.models.pairs import Pairs
from evaluation.models.scores import Evaluation
from evaluation.web import by_topic
from jobs.models import Job
from tests import make
from tests.db.scoring import score
from tests.web.growth import again


@pytest.fixture
def address(compared) -> str:
    return f"/campaigns/{compared.campaign.slug}/leaderboard"


@pytest.fixture
def no_pairs(monkeypatch):
    """No page compares all pairs."""

    def refuse(*_):
        raise AssertionError("All pairs are compared in the request.")

    standing._pairs.cache_clear()  # noqa: SLF001
    monkeypatch.setattr(standing, "all_pairs", refuse)


def test_all_pairs_are_stored_for_each_measure_that_has_places(compared):
    figures = BoardFigures.of(compared, "AP")
    expected = all_pairs(figures.values)
    found = compared.pairs.get(measure="AP").among([each.pk for each in figures.scores])
    assert (found.p == expected.p).all()
    assert found.limit == expected.limit
    part = compared.pairs.get(measure="AP").among([figures.scores[n].pk for n in (3, 1)])
    assert part.p[0, 1] == expected.p[3, 1]
    with_places = [
        name
        for n, name in enumerate(compared.measures)
        if any(each.standing(n) and each.standing(n).number for each in figures.scores)
    ]
    assert sorted(compared.pairs.values_list("measure", flat=True)) == sorted(with_places)


def test_what_pictures_show_is_stored_as_it_is_found(compared):
    stored = Evaluation.objects.get(pk=compared.pk).pictured
    assert stored == json.loads(json.dumps(Pictured.found(compared).to_json()))
    figures = BoardFigures.of(compared, "AP")
    assert dict(stored["alone"]) == unique_relevant(figures)
    found = relevant_by_judgment(figures)
    assert stored["gain"]["found"] == found.tolist()
    assert stored["gain"]["judged"] == list(range(1, len(found) + 1))
    own = curves(compared, [figures.scores[2].run])[0]
    assert stored["curves"][str(figures.scores[2].pk)] == pytest.approx(own)


def test_comparing_again_replaces_what_was_stored(compared):
    before = list(Pairs.objects.order_by("measure").values_list("measure", "content"))
    job = Job.objects.get(kind="place_runs", subject_id=compared.pk)
    again(job, state="waiting")
    make.worked("place_runs", compared.pk)
    after = list(Pairs.objects.order_by("measure").values_list("measure", "content"))
    assert [(name, bytes(each)) for name, each in after] == [
        (name, bytes(each)) for name, each in before
    ]


def test_pages_of_pairs_and_pictures_read_what_the_worker_stored(
    client, compared, olga, address, no_pairs
):
    client.force_login(olga)
    first, other = compared.scores.order_by("pk")[:2]
    page = client.get(f"{address}/scores/{first.pk}/compare/", {"with": other.pk, "by": "AP"})
    stored = compared.pairs.get(measure="AP").among([first.pk, other.pk])
    assert page.context["pair"].tested.among.p == stored.p[0, 1]
    pictures = client.get(f"{address}/evaluations/{compared.pk}/pictures/").context["pictures"]
    assert "pairs" in pictures
    file = client.get(f"{address}/evaluations/{compared.pk}/pairs.csv", {"by": "AP"})
    assert len(b"".join(file).splitlines()) == 1 + 10


def test_pictures_wait_for_the_worker(client, olga, several, sent):
    made = score(olga, several, sent)
    client.force_login(olga)
    address = f"/campaigns/{several.slug}/leaderboard/evaluations/{made.pk}/pictures/"
    page = client.get(address)
    assert "The runs are being compared" in page.content.decode()
    job = Job.objects.get(kind="place_runs")
    assert f"/jobs/{job.pk}/" in page.content.decode(), "which is asked, and not the page"
    make.worked("place_runs", made.pk)
    assert "being compared" not in client.get(address).content.decode()


def test_so_many_runs_that_a_page_would_wait_are_compared_by_the_worker_alone(
    client, compared, olga, address, no_pairs, monkeypatch
):
    monkeypatch.setattr(by_topic, "MOST_AT_ONCE", 4)
    client.force_login(olga)
    first = compared.scores.earliest("pk")
    compared.pairs.all().delete()
    compared.scores.update(standings=[])
    page = client.get(f"{address}/scores/{first.pk}/compare/", {"by": "AP"})
    assert "The runs are being compared" in page.content.decode()
    file = client.get(f"{address}/evaluations/{compared.pk}/pairs.csv", {"by": "AP"})
    assert file.status_code == 404
    by_score = client.get(f"{address}/scores/{first.pk}/", {"by": "AP"})
    assert by_score.status_code == 200


def test_the_board_says_while_runs_are_compared(client, olga, several, sent):
    made = score(olga, several, sent)
    client.force_login(olga)
    board = f"/campaigns/{several.slug}/leaderboard/"
    assert "Compare the runs" in client.get(board).content.decode()
    make.worked("place_runs", made.pk)
    assert "Compare the runs" not in client.get(board).content.decode()


def test_pairs_of_500_runs_take_a_megabyte(compared):
    n, generator = 500, np.random.default_rng(1)
    first = compared.scores.earliest("pk")
    ids = [first.pk + each for each in range(n)]
    p = generator.integers(1, 5001, (n, n)) / 5000
    p = np.triu(p, 1) + np.triu(p, 1).T + np.eye(n)
    row = Pairs.of(compared, "P@10", ids, all_pairs(np.eye(3))._replace(p=p))
    row.measure = "P@99"
    row.save()
    stored = Pairs.objects.get(measure="P@99")
    assert len(stored.content) == 8 * n * (n - 1) // 2
    assert (stored.among(ids[::-1]).p == p[::-1, ::-1]).all()
