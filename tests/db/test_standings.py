"""Runs are compared with each other once they are scored, by a job of its own."""

import numpy as np
import pytest

from campaigns.models.campaign import Campaign
from evaluation import tasks
from evaluation.core.standing import CONDITION, standings
from evaluation.models.scores import Evaluation, Score
from jobs.models import Job
from tests import make, records
from tests.db.scoring import scored_apart
from tests.releasing import TEAMS, show_to
from tests.web.html import words

N_TOPICS = 11  # of which one does not count


@pytest.fixture
def evaluation(olga, campaign, judged, sent) -> Evaluation:
    return scored_apart(olga, campaign, sent, N_TOPICS)


def test_runs_are_compared_after_they_are_scored_and_once(campaign, evaluation):
    asked = Job.objects.filter(kind="place_runs", campaign=campaign)
    assert [each.subject_id for each in asked] == [evaluation.pk]
    tasks.score_runs(Job.objects.get(kind="score_runs").pk)
    assert asked.count() == 1
    assert [each.standings for each in evaluation.scores.all()] == [[], []]
    job = make.worked("place_runs", evaluation.pk)
    assert job.outcome == "2 runs compared with each other on qrels v1."
    scores = list(evaluation.scores.order_by("run__tag"))
    values = np.stack([each.by_topic() for each in scores])
    counted = np.ones((2, N_TOPICS), dtype=bool)
    counted[:, 3] = False
    expected = standings(values, counted, evaluation.parsed)
    assert [each.standings for each in scores] == [
        [own and list(own) for own in row] for row in expected
    ]
    at = evaluation.measures.index("AP")
    board = evaluation.leaderboard(at, {each.run_id for each in scores})
    assert [each.standings[at].letter for each in board] == ["A", "B"]
    assert [each.standings for each in board] == expected


def test_the_board_shows_intervals_places_and_classes(client, evaluation, olga):
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/"
    client.force_login(olga)
    before = client.get(address).content.decode()
    assert "class-line" not in before
    make.worked("place_runs", evaluation.pk)
    page = client.get(address, {"by": "AP"})
    assert [row.standing.letter for row in page.context["rows"]] == ["A", "B"]
    assert [row.places for row in page.context["rows"]] == ["1", "2"]
    assert [each.line.letter for each in page.context["sections"]] == ["A", "B"]
    text = page.content.decode()
    assert "B 1 run two" in words(page)
    evaluation = Evaluation.objects.get(pk=evaluation.pk)
    at = evaluation.measures.index("AP")
    for score in evaluation.scores.all():
        low, high = (f"{end:.3f}" for end in score.standings[at][:2])
        assert f"From {low} to {high}." in text
    assert page.context["heading"] == "one leads with AP 0.667; no other may be the best"
    alike = client.get(address, {"by": "RR"})
    assert [row.places for row in alike.context["rows"]] == ["1\N{EN DASH}2"] * 2
    assert alike.context["heading"].endswith("; the other cannot be told from it")
    shares = client.get(address, {"by": "Judged@10"}).content.decode()
    assert "class-line" not in shares
    assert "95&nbsp;% interval" in shares


def test_files_have_intervals_and_places_for_who_sees_all_runs(client, evaluation, olga, pat):
    make.worked("place_runs", evaluation.pk)
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/leaderboard"
    client.force_login(olga)
    first, second = records.read(client.get(f"{address}.csv").content.decode())
    board = client.get(f"{address}.json").json()
    standing = Score.objects.get(run__tag=first["run"]).standings[evaluation.measures.index("AP")]
    assert [float(first["AP low"]), float(first["AP high"])] == standing[:2]
    assert {first["AP why no interval"], board["rows"][0]["why no interval"]["AP"]} == {"", None}
    assert (first["AP first place"], first["AP last place"], first["AP class"]) == ("1", "1", "A")
    assert (second["AP class"], second["Judged@10 class"]) == ("B", "")
    assert board["rows"][0]["low"]["AP"] == standing[0]
    assert board["rows"][1]["class"]["AP"] == "B"
    assert "class" not in client.get(f"{address}.txt").content.decode()
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    own = records.read(client.get(f"{address}.csv").content.decode())
    assert own
    assert "AP low" in own[0]
    assert not [name for name in own[0] if "place" in name or "class" in name]


def file_of(client, address, **asked):
    return b"".join(client.get(address, asked)).decode()


def page_of_two(client, evaluation, **asked):
    one, two = evaluation.scores.order_by("run__tag")
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/scores/{one.pk}/compare/"
    return client.get(address, {"with": two.pk, **asked})


def test_the_page_of_two_runs_has_one_verdict_and_each_interval_beside_its_p(
    client, evaluation, olga
):
    client.force_login(olga)
    page = page_of_two(client, evaluation, by="AP")
    tested = page.context["pair"].tested
    assert (tested.alone.p, tested.among.p, tested.alone.n_topics) == (2 / 2**10, 2 / 2**10, 10)
    text = words(page)
    assert "one is better than two by AP" in text
    assert "p = 0.002 as the only pair, p = 0.002 this pair alone." in text
    assert "flipped by topic, all 1,024 ways" in text
    alike = page_of_two(client, evaluation, by="RR")
    assert not alike.context["pair"].tested.is_told
    assert "one and two cannot be told apart by RR" in words(alike)


def test_where_there_is_no_interval_pages_and_files_say_why(client, olga, campaign, judged, sent):
    few = scored_apart(olga, campaign, sent, 5)
    make.worked("place_runs", few.pk)
    client.force_login(olga)
    base = f"/campaigns/{campaign.slug}/leaderboard/"
    why = "An interval takes 10 topics."
    assert why in words(client.get(base))
    rows = records.read(client.get(f"{base}leaderboard.csv").content.decode())
    assert {row["AP why no interval"] for row in rows} == {why}
    assert not [row for row in rows if row["AP low"]]
    said = "no interval where all differences are the same, or on fewer than 6 topics."
    assert said in words(page_of_two(client, few, by="AP"))


def test_two_runs_are_compared_among_those_that_the_reader_sees(client, evaluation, pat):
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    page = page_of_two(client, evaluation, by="AP")
    own = list(page.context["run"].scores)
    assert {each.run.team.name for each in own} == {"Aldgate"}
    assert (page.status_code, len(own)) == (200, 2)
    assert "as the only pair" in words(page)


def test_a_run_alone_has_nothing_to_compare_with(client, evaluation, olga):
    first = evaluation.scores.order_by("run__tag")[0]
    evaluation.scores.exclude(pk=first.pk).delete()
    client.force_login(olga)
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/scores/{first.pk}/"
    assert "There is no other run to compare one with" in words(client.get(f"{address}compare/"))
    assert "Compare with" not in words(client.get(address))


def test_all_pairs_come_as_a_file_by_any_measure(client, evaluation, olga):
    client.force_login(olga)
    slug, pk = evaluation.campaign.slug, evaluation.pk
    address = f"/campaigns/{slug}/leaderboard/evaluations/{pk}/pairs.csv"
    tested = page_of_two(client, evaluation, by="AP").context["pair"].tested
    [row] = records.read(file_of(client, address, by="AP"))
    assert (row["run"], row["other"], row["measure"], row["topics"]) == ("one", "two", "AP", "10")
    assert float(row["p"]) == tested.alone.p
    assert float(row["p_corrected"]) == tested.among.p
    [row] = records.read(file_of(client, address, by="P@10"))
    assert row["measure"] == "P@10"
    assert f'{address}?by=AP"' in page_of_two(client, evaluation, by="AP").text
    evaluation.scores.order_by("run__tag").last().delete()
    assert not records.read(file_of(client, address))


def test_the_page_of_a_run_says_how_it_stands(client, evaluation, olga, pat):
    one, _ = evaluation.scores.order_by("run__tag")
    client.force_login(olga)
    address = f"/campaigns/{evaluation.campaign.slug}/leaderboard/scores/{one.pk}/"
    assert "95&nbsp;% interval" not in client.get(address, {"by": "AP"}).content.decode()
    make.worked("place_runs", evaluation.pk)
    text = " ".join(client.get(address, {"by": "AP"}).content.decode().split())
    assert "its place is 1, and its class A: it may be the best, " in text
    assert f"{CONDITION}. For this run alone: 1." in text
    text = " ".join(client.get(address, {"by": "RR"}).content.decode().split())
    assert "For this run alone: from 1 to 2." in text
    assert "For this run alone" not in client.get(address, {"by": "Judged@10"}).content.decode()
    show_to(evaluation.campaign, TEAMS)
    client.force_login(pat)  # who does not see all runs
    text = client.get(address, {"by": "AP"}).content.decode()
    assert ("95&nbsp;% interval" in text, "For this run alone" in text) == (True, False)
