"""The numbers of an evaluation's pictures, and who sees them."""

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from django.test import Client
from scipy import stats

from cleverdon.pictures.numbers import written
from cleverdon.significance.pairs import all_pairs
from evaluation.figures.board import BoardFigures
from evaluation.figures.pictured import RECALLS, curves, relevant_by_judgment, unique_relevant
from evaluation.pictures import runs as run_pictures
from evaluation.web.drawing import topic_improvements
from pooling.models.entries import PoolEntry
from tests.db.scoring import trec_evals
from tests.releasing import ALL, TEAMS, show_to


def figures_of(compared) -> BoardFigures:
    return BoardFigures.of(compared, "AP")


def official(compared) -> dict[str, dict[str, int]]:
    return compared.qrels.pairs().by_topic()


def test_curves_are_those_of_trec_eval(compared):
    runs = list(compared.runs.order_by("tag"))
    found = curves(compared, runs)
    qrels = official(compared)
    for n, run in enumerate(runs):
        theirs = trec_evals(run, qrels, "iprec_at_recall")

        def mean(name: str) -> float:
            return sum(each[name] for each in theirs.values()) / len(qrels)  # noqa: B023

        expected = [mean(f"iprec_at_recall_{recall:.2f}") for recall in RECALLS]
        assert found[n] == pytest.approx(expected, abs=1e-12)


def alone(compared, topics) -> Counter[str]:
    """How many relevant documents of these topics each team contributed alone."""
    qrels, team_of = official(compared), dict(compared.runs.values_list("pk", "team__name"))
    found: Counter[str] = Counter(dict.fromkeys(team_of.values(), 0))
    for entry in PoolEntry.objects.filter(topic__number__in=topics).select_related("topic", "item"):
        teams = {team_of[run] for run in entry.run_ids}
        if qrels[entry.topic.number].get(entry.docno, 0) >= 1 and len(teams) == 1:
            found[teams.pop()] += 1
    return found


def test_unique_relevant_documents_are_counted_by_team(compared):
    found = unique_relevant(figures_of(compared))
    assert found == alone(compared, official(compared))
    assert found.total() > 3


def test_relevant_documents_are_counted_in_the_order_of_judging(compared):
    grades = [  # the topics were judged from the last to the first
        grade
        for topic in sorted(official(compared), reverse=True)
        for entry in PoolEntry.objects.filter(topic__number=topic).order_by("pk")
        if (grade := official(compared)[topic].get(entry.item.key)) is not None
    ]
    found = relevant_by_judgment(figures_of(compared))
    assert found.tolist() == np.cumsum([grade >= 1 for grade in grades]).tolist()


def address(compared) -> str:
    return f"/campaigns/{compared.campaign.slug}/leaderboard/evaluations/{compared.pk}/pictures/"


def test_every_picture_is_drawn_and_is_a_file_with_its_caption(client, compared, olga):
    client.force_login(olga)
    page = client.get(address(compared), {"by": "AP", "other": "P@10"})
    pictures = page.context["pictures"]
    names = "intervals topics measures interpolated map pairs unique gain"
    assert list(pictures) == names.split()
    of_measure = {"intervals", "topics", "measures", "map", "pairs"}
    caption = (
        "5 runs on 7 topics, qrels v1, draft, preliminary, relevant from "
        "grade 1; trec_eval-9, means over all judged topics; a missing topic counts 0."
    )
    for name, picture in pictures.items():
        start = "Test campaign: AP of 5 runs" if name in of_measure else "Test campaign: 5 runs"
        assert picture.caption.startswith(start)
        for kind, start in (("svg", b"<svg "), ("pdf", b"%PDF"), ("csv", b"")):
            asked = {"by": "AP", "other": "P@10", "picture": f"{name}.{kind}"}
            content = client.get(address(compared), asked).content
            assert content.startswith(start)
            if kind != "pdf":
                text = " ".join(content.decode().replace("</text>", " ").split())
                said = " ".join(
                    part.split(">")[-1] for part in text.split("<") if kind == "csv" or ">" in part
                )
                assert "".join(caption.split()) in "".join(said.replace('"', "").split()), name
        assert picture.sentence in page.content.decode() or name == "map"


def test_the_runs_of_curves_can_be_chosen(client, compared, olga):
    client.force_login(olga)
    figures = BoardFigures.of(compared, "AP")
    asked = [figures.scores[4].pk, figures.scores[1].pk]
    page = client.get(address(compared), {"by": "AP", "run": asked})
    assert page.context["gallery"].chosen == [figures.scores[1], figures.scores[4]]
    usual = client.get(address(compared), {"by": "AP", "run": "none"})
    assert usual.context["gallery"].chosen == list(figures.scores[:3])


def test_who_sees_all_runs_sees_the_pictures_and_organizers_alone_the_judging(
    client, compared, pat
):
    campaign = compared.campaign
    show_to(campaign, TEAMS)
    client.force_login(pat)
    assert client.get(address(compared)).status_code == 404
    show_to(campaign, ALL)
    for each in (client, Client()):
        page = each.get(address(compared))
        if page.status_code == 200:
            assert "gain" not in page.context["pictures"]
            assert "unique" in page.context["pictures"]
    assert client.get(address(compared)).status_code == 200
    own = client.get(address(compared)).context["gallery"]
    assert {own.figures.tags[n] for n in own.mine} == {"a", "b"}


def test_pairs_have_the_p_values_of_all_pairs_at_once(client, compared, olga):
    client.force_login(olga)
    picture = client.get(address(compared), {"by": "AP"}).context["pictures"]["pairs"]
    figures = BoardFigures.of(compared, "AP")
    p = all_pairs(figures.values).p
    at = {tag: n for n, tag in enumerate(figures.tags)}
    assert len(picture.rows) == 10
    for one, other, text in picture.rows:
        assert text == f"{p[at[one], at[other]]:.3f}"
    assert picture.caption.endswith(
        "signs of differences flipped on the 7 topics that count for every run, all 128 ways; "
        "max-T with step-down."
    )


def test_pictures_tell_nothing_of_topics_that_are_not_scored(compared):
    """Hidden topics are in the qrels, and not among the topics of a public evaluation."""
    whole = figures_of(compared)
    before, n_judged = unique_relevant(whole), len(relevant_by_judgment(whole))
    qrels, kept = official(compared), ["1", "4"]
    compared.topics = kept
    compared.save()
    part = figures_of(compared)
    assert unique_relevant(part) == alone(compared, kept) != before
    assert len(relevant_by_judgment(part)) == sum(len(qrels[each]) for each in kept) < n_judged


def test_a_change_is_in_the_bin_that_it_ends_and_equal_runs_are_in_none():
    run = SimpleNamespace(run=SimpleNamespace(tag="a"))
    changes = [-75.0, -25.0, 25.0, 33.3, 100.0, 200.0]
    pair = SimpleNamespace(
        improvements=changes, column=SimpleNamespace(name="P@10"), mine=run, other=run
    )
    rows = {name: n for name, n in topic_improvements(pair).rows if n != "0"}
    bins = ["-75 to -50", "-25 to 0", "0 to 25", "25 to 50", "75 to 100", "over 100"]
    assert rows == {name.replace("-", "\N{MINUS SIGN}"): "1" for name in bins}


def test_measures_tie_as_on_the_board(client, compared, olga):
    """Aggregates that differ in their last digits are one value."""
    first, other = compared.scores.order_by("pk")[:2]
    at, beside = compared.measures.index("AP"), compared.measures.index("P@10")
    other.aggregates[at] = first.aggregates[at] + 1e-15
    other.save()
    client.force_login(olga)
    picture = client.get(address(compared), {"by": "AP", "other": "P@10"}).context["pictures"]
    values = np.round([each.aggregates for each in compared.scores.all()], 4)
    tau = stats.kendalltau(values[:, at], values[:, beside]).statistic
    assert picture["measures"].sentence.endswith(f"tau-b {written(tau, 2)}.")


def test_of_many_runs_a_page_draws_the_first_and_its_reader_s_own_and_files_all(
    client, compared, olga, monkeypatch
):
    monkeypatch.setattr(run_pictures, "MOST_DRAWN", 2)
    monkeypatch.setattr("cleverdon.pictures.picture.MOST_ROWS", 1)
    client.force_login(olga)
    tags = figures_of(compared).tags
    page = client.get(address(compared), {"by": "AP"})
    drawn = page.context["pictures"]["intervals"]
    assert [row[0] for row in drawn.rows] == tags[:2]
    assert "2 are drawn; files have all." in drawn.sentence
    assert "1 more in the CSV" in page.content.decode()
    own = compared.runs.get(tag=tags[-1]).team_id
    gallery = replace(page.context["gallery"], own=frozenset({own}))
    named = [row[0] for row in run_pictures.intervals(gallery).rows]
    assert named == tags[:2] + [
        each for each in tags[2:] if compared.runs.get(tag=each).team_id == own
    ]
    file = client.get(address(compared), {"by": "AP", "picture": "intervals.csv"})
    assert [line.split(",")[0] for line in file.content.decode().splitlines()[1:6]] == tags
