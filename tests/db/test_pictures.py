"""The numbers of an evaluation's pictures, and who sees them."""

from collections import Counter

import numpy as np
import pytest
import pytrec_eval
from django.test import Client

from campaigns.models.people import Role, Team
from evaluation.figures import RECALLS, BoardFigures, curves, relevant_by_judgment, unique_relevant
from evaluation.models.scores import Evaluation
from pooling.models import PoolEntry
from tests import make
from tests.db.scoring import score
from tests.releasing import ALL, TEAMS, show_to
from tests.worlds import once

TOPICS = ("1", "2", "3", "4", "5", "6", "7")
DOCNOS = [f"d{n}" for n in range(12)]
CUT = (1, 2, 3, 5, 10)


@pytest.fixture
@once
def several(olga, ada, pat, quinn, campaign):
    """Five random runs of three teams, pooled at depth 3, with most of the pool judged."""
    random = np.random.default_rng(5)
    for number in TOPICS[2:]:
        campaign.topic_set.create(number=number, title=f"topic {number}", description="It.")
    make.documents(
        campaign, set(DOCNOS) - set(campaign.document_set.values_list("docno", flat=True))
    )
    rob, bow = make.user("rob"), Team.objects.create(campaign=campaign, name="Bow")
    campaign.membership_set.create(user=rob, role=Role.PARTICIPANT, team=bow)
    runs = [
        make.run(
            campaign,
            person,
            {t: " ".join(random.permutation(DOCNOS)[:9]) for t in random.permutation(TOPICS)[:6]},
            tag,
        )
        for tag, person in zip("abcde", (pat, pat, quinn, rob, rob), strict=True)
    ]
    pool = make.frozen_pool(campaign, runs, depth=3)
    for topic in campaign.topic_set.order_by("-number"):
        assignment = make.assignment(topic, ada)
        entries = PoolEntry.objects.filter(pool=pool, topic=topic).order_by("pk")
        for docno in entries.values_list("item__key", flat=True)[:6]:
            make.judgment(assignment, docno, int(random.integers(0, 3)))
    return campaign


@pytest.fixture
def evaluation(olga, several, sent) -> Evaluation:
    made = score(olga, several, sent)
    make.worked("place_runs", made.pk)
    return made


def official(evaluation) -> dict[str, dict[str, int]]:
    return evaluation.qrels.pairs().by_topic()


def test_curves_are_those_of_trec_eval(evaluation):
    runs = list(evaluation.runs.order_by("tag"))
    found = curves(evaluation, runs)
    qrels = official(evaluation)
    names = {"iprec_at_recall", "P", "recall"}
    for n, run in enumerate(runs):
        lines = [line.split() for line in run.file.open("r")]
        given: dict[str, dict[str, float]] = {}
        for topic, _, docno, _, value, _ in lines:
            given.setdefault(topic, {})[docno] = float(value)
        theirs = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(given)

        def mean(name: str) -> float:
            return sum(each[name] for each in theirs.values()) / len(qrels)  # noqa: B023

        expected = [mean(f"iprec_at_recall_{recall:.2f}") for recall in RECALLS]
        assert found.interpolated[n] == pytest.approx(expected, abs=1e-12)
        for at, cutoff in ((3, 5), (4, 10), (7, 30)):
            assert found.precision[n, at] == pytest.approx(mean(f"P_{cutoff}"), abs=1e-12)
            assert found.recall[n, at] == pytest.approx(mean(f"recall_{cutoff}"), abs=1e-12)


def test_unique_relevant_documents_are_counted_by_team(evaluation):
    qrels, team_of = official(evaluation), dict(evaluation.runs.values_list("pk", "team__name"))
    expected: Counter[str] = Counter(dict.fromkeys(team_of.values(), 0))
    for entry in PoolEntry.objects.select_related("topic", "item"):
        teams = {team_of[run] for run in entry.run_ids}
        if qrels[entry.topic.number].get(entry.docno, 0) >= 1 and len(teams) == 1:
            expected[teams.pop()] += 1
    found = unique_relevant(evaluation.qrels)
    assert found == expected
    assert found.total() > 3


def test_relevant_documents_are_counted_in_the_order_of_judging(evaluation):
    grades = [  # the topics were judged from the last to the first
        grade
        for topic in sorted(official(evaluation), reverse=True)
        for entry in PoolEntry.objects.filter(topic__number=topic).order_by("pk")
        if (grade := official(evaluation)[topic].get(entry.item.key)) is not None
    ]
    found = relevant_by_judgment(evaluation.qrels)
    assert found.tolist() == np.cumsum([grade >= 1 for grade in grades]).tolist()


def address(evaluation) -> str:
    return (
        f"/campaigns/{evaluation.campaign.slug}/leaderboard/evaluations/{evaluation.pk}/pictures/"
    )


def test_every_picture_is_drawn_and_is_a_file_with_its_caption(client, evaluation, olga):
    client.force_login(olga)
    page = client.get(address(evaluation), {"by": "AP", "other": "P@10"})
    pictures = page.context["pictures"]
    names = "intervals topics measures interpolated ranks map unique gain"
    assert list(pictures) == names.split()
    caption = (
        "Test campaign: AP of 5 runs on 7 topics, qrels v1, draft, preliminary, relevant from "
        "grade 1; trec_eval-9, means over all judged topics; a missing topic counts 0."
    )
    for name, picture in pictures.items():
        for kind, start in (("svg", b"<svg "), ("pdf", b"%PDF"), ("csv", b"")):
            asked = {"by": "AP", "other": "P@10", "picture": f"{name}.{kind}"}
            content = client.get(address(evaluation), asked).content
            assert content.startswith(start)
            if kind != "pdf":
                text = " ".join(content.decode().replace("</text>", " ").split())
                said = " ".join(
                    part.split(">")[-1] for part in text.split("<") if kind == "csv" or ">" in part
                )
                assert "".join(caption.split()) in "".join(said.replace('"', "").split()), name
        assert picture.sentence in page.content.decode() or name == "map"


def test_the_runs_of_curves_can_be_chosen(client, evaluation, olga):
    client.force_login(olga)
    figures = BoardFigures.of(evaluation, "AP")
    asked = [figures.scores[4].pk, figures.scores[1].pk]
    page = client.get(address(evaluation), {"by": "AP", "run": asked})
    assert page.context["gallery"].chosen == [figures.scores[1], figures.scores[4]]
    usual = client.get(address(evaluation), {"by": "AP", "run": "none"})
    assert usual.context["gallery"].chosen == list(figures.scores[:3])


def test_who_sees_all_runs_sees_the_pictures_and_organizers_alone_the_judging(
    client, evaluation, pat
):
    campaign = evaluation.campaign
    show_to(campaign, TEAMS)
    client.force_login(pat)
    assert client.get(address(evaluation)).status_code == 404
    show_to(campaign, ALL)
    for each in (client, Client()):
        page = each.get(address(evaluation))
        if page.status_code == 200:
            assert "gain" not in page.context["pictures"]
            assert "unique" in page.context["pictures"]
    assert client.get(address(evaluation)).status_code == 200
    own = client.get(address(evaluation)).context["gallery"]
    assert {own.figures.tags[n] for n in own.mine} == {"a", "b"}
