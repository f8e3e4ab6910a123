"""Pages of one topic: rankings and the scores of all runs, and what each reader finds there."""

import re
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role, Team
from evaluation import services as scoring
from evaluation import tasks
from evaluation.models.scores import Evaluation, Score
from jobs.models import Job
from qrels.models import Qrels
from questions.models import TopicNote
from runs.models import Run
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import words
from tests.web.test_releases import close_judging
from tests.worlds import once

BASE = "/campaigns/test-campaign/leaderboard"
GRADES = ("highly relevant", "not relevant", "unjudged")


@pytest.fixture
@once
def rivals(played, pat, olga):
    """Three runs on topic 1, whose d1 is relevant, d2 is not and d3, d5, d6 are unjudged: Pat's
    secret-run (d1 d2 d3) and second (d5 d1 d3), and Quinn's rival (d2 d6); scored by AP and P@5.
    """
    quinn, team = make.user("quinn"), Team.objects.create(campaign=played, name="Bow")
    played.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    played.document_set.update(title="")
    make.run(played, pat, {"1": "d5 d1 d3"}, "second")
    make.run(played, quinn, {"1": "d2 d6"}, "rival")
    score(olga, "AP", "P@5")
    show_to(played, TEAMS)
    return played


def score(olga, *measures: str) -> Evaluation:
    qrels = Qrels.objects.get()
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels), measures=measures)
    tasks.score_runs(Job.objects.get(kind="score_runs", subject_id=evaluation.pk).pk)
    return evaluation


def of(tag: str) -> Score:
    return Score.objects.filter(run__tag=tag).latest("pk")


def ranking_of(tag: str) -> str:
    return f"{BASE}/scores/{of(tag).pk}/topics/1/"


def all_runs() -> str:
    return f"{BASE}/evaluations/{Evaluation.objects.latest('pk').pk}/topics/1/"


def documents(response) -> list[list[str]]:
    """The cells of each row, of all tables of the page."""
    rows = re.findall(r"<tr>(.*?)</tr>", response.text, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [[" ".join(re.sub("<[^>]+>", " ", cell).split()) for cell in row] for row in cells]


def test_a_ranking_is_in_the_scorers_order_with_grades(as_olga, rivals):
    page = as_olga.get(ranking_of("second"))
    assert documents(page) == [
        ["Rank", "Document", "Score", "Grade"],
        ["1", "d5", "99", "unjudged"],
        ["2", "d1", "98", "2 relevant"],
        ["3", "d3", "97", "unjudged"],
    ]
    said = words(page)
    assert "second on topic 1: AP 0.500" in said
    assert "best 1.000 , median 0.500 , worst 0.000" in said
    assert "3 retrieved, 1 of 1 relevant found, 2 of the first ten unjudged." in said
    assert "1 relevant, 2 unjudged of 3." in page.text
    assert "/documents/d1/" in page.text
    for address in (ranking_of("second"), all_runs()):
        assert as_olga.get(address.replace("topics/1/", "topics/2/")).status_code == 404


def test_a_document_has_its_title_for_whoever_may_see_the_topics(client, rivals, pat, olga):
    rivals.document_set.filter(docno="d1").update(title="A <tree>")
    client.force_login(pat)
    for tag in ("secret-run", "second"):
        rows = {row[1] for row in documents(client.get(ranking_of(tag)))}
        assert "d1 A &lt;tree&gt;" in rows
    rivals.topics_open_at = timezone.now() + timedelta(days=1)
    rivals.save()
    assert "&lt;tree&gt;" not in client.get(ranking_of("second")).text
    client.force_login(olga)
    assert "A &lt;tree&gt;" in client.get(all_runs()).text


def test_two_rankings_stand_beside_each_other(as_olga, rivals):
    page = as_olga.get(ranking_of("secret-run"), {"with": of("second").pk})
    assert [row[1:2] + row[-1:] for row in documents(page)] == [
        ["Document", "Rank in the other"],
        ["d1", "2"],
        ["d2", "only here"],
        ["d3", "3"],
        ["Document", "Rank in the other"],
        ["d5", "only here"],
        ["d1", "1"],
        ["d3", "3"],
    ]
    assert "AP 1.000 and 0.500" in words(page)
    assert "1 only here, 0 of them relevant." in words(page)


def test_a_long_ranking_has_pages(as_olga, rivals, monkeypatch):
    monkeypatch.setattr("campaigns.web.frame.PER_PAGE", 2)
    page = as_olga.get(ranking_of("second"), {"page": 2, "with": of("rival").pk})
    assert [row[:2] for row in documents(page)[1:2]] == [["3", "d3"]]
    assert "Page 2 of 2" in words(page)


def test_a_team_sees_its_own_rankings_alone_and_no_grades(client, rivals, pat):
    client.force_login(pat)
    page = client.get(ranking_of("secret-run"), {"with": of("rival").pk})
    said = page.text
    assert [row[:2] for row in documents(page)[1:]] == [["1", "d1"], ["2", "d2"], ["3", "d3"]]
    hidden = (*GRADES, "rival", "median", "relevant found", "/documents/", all_runs())
    assert not [each for each in hidden if each in said]
    assert "only here" in words(client.get(ranking_of("secret-run"), {"with": of("second").pk}))
    assert client.get(ranking_of("rival")).status_code == 404
    assert client.get(all_runs()).status_code == 404
    assert all_runs() not in client.get(f"{BASE}/").text


def test_released_qrels_show_a_team_the_grades_of_its_documents(client, rivals, pat):
    client.force_login(pat)
    show_to(rivals, TEAMS, what="qrels")
    page = client.get(ranking_of("secret-run"))
    assert [row[-1] for row in documents(page)[1:]] == ["2 relevant", "0 not relevant", "unjudged"]
    assert "1 of 1 relevant found, 1 of the first ten unjudged" in words(page)
    assert "/documents/" not in page.text
    assert "1 of 1 1" in words(client.get(f"{BASE}/scores/{of('secret-run').pk}/"))


@pytest.mark.parametrize(
    ("measures", "found", "unjudged"),
    [
        (("AP", "Judged@10"), False, True),
        (("AP", "NumRel", "NumRelRet"), True, False),
        (("AP", "NumRelRet"), False, False),
    ],
)
def test_counts_that_a_board_shows_are_public(client, rivals, pat, olga, measures, found, unjudged):
    show_to(rivals, TEAMS, subject=score(olga, *measures).pk)
    client.force_login(pat)
    said = words(client.get(ranking_of("secret-run")))
    assert ("1 of 1 relevant found" in said, "of the first ten unjudged" in said) == (
        found,
        unjudged,
    )
    said = words(client.get(f"{BASE}/scores/{of('secret-run').pk}/"))
    assert ("Relevant found" in said, "First ten unjudged" in said) == (found, unjudged)


def test_topics_that_are_not_shown_yet_have_no_page(client, rivals, pat):
    show_to(rivals, ALL)
    Campaign.objects.update(topics_open_at=timezone.now() + timedelta(days=1))
    client.force_login(pat)
    addresses = [ranking_of("secret-run"), all_runs()]
    assert [client.get(each).status_code for each in addresses] == [403, 403]


def test_public_scores_show_all_runs_but_no_rankings(client, rivals, pat, ada):
    show_to(rivals, ALL)
    close_judging()
    Judgment.objects.update(comment="doubtful")
    for person in (None, ada, pat):
        client.force_login(person) if person else client.logout()
        page = client.get(all_runs())
        said = words(page)
        assert "Topic 1 is the 1st hardest of 1 topic by median AP, 0.500" in said
        assert [row[:2] for row in documents(page)[1:]][-1] == ["3", "rival"]
        for secret in ('id="found"', "Judgments by grade", "doubtful", ranking_of("rival")):
            assert secret not in page.text, secret
        assert client.get(ranking_of("rival")).status_code in {302, 404}
    # Of her own runs a participant sees the ranking from there, and beside it no other team's.
    assert ranking_of("second") in page.text
    page = client.get(f"{BASE}/scores/{of('rival').pk}/")
    assert ranking_of("rival") not in page.text
    asked = {"with": of("rival").pk}
    assert "only here" not in words(client.get(ranking_of("second"), asked))
    page = client.get(f"{BASE}/scores/{of('second').pk}/", asked)
    assert "Topics to look at" not in words(page)


def test_who_found_what_needs_grades_and_released_runs(client, rivals):
    """A withdrawn run is not named: it is released to nobody."""
    show_to(rivals, ALL)
    close_judging()
    show_to(rivals, ALL, what="runs")
    assert 'id="found"' not in client.get(all_runs()).text
    show_to(rivals, what="runs")
    show_to(rivals, ALL, what="qrels")
    page = client.get(all_runs())
    unjudged = "1 document is in the pool and not judged."
    assert unjudged in words(page)
    assert [row[-1] for row in documents(page)[-2:]] == ["1", "1"]  # of grade 2, and of grade 0
    assert 'id="found"' not in page.text
    show_to(rivals, ALL, what="runs")
    page = client.get(all_runs())
    assert documents(page)[-1] == ["d1", "2 relevant", "2", "1", "team Aldgate"]
    assert "0 found by one run alone, 0 by none of 3 valid runs" in words(page)
    Run.objects.filter(tag="second").update(state="withdrawn")
    page = client.get(all_runs())
    assert documents(page)[-1] == ["d1", "2 relevant", "1", "1", "secret-run (Aldgate)"]


def test_an_organizer_reads_what_assessors_wrote_on_the_topic(as_olga, rivals, ada):
    Judgment.objects.filter(assessor=ada, item__key="d2").update(comment="doubtful")
    Judgment.objects.exclude(assessor=ada).update(comment="gone", set_aside_at=timezone.now())
    for number, remark in (("1", "long lists"), ("2", "of topic 2")):
        topic = rivals.topic_set.get(number=number)
        TopicNote.objects.create(topic=topic, author=ada, difficulty="hard", remark=remark)
    said = words(as_olga.get(all_runs()))
    assert "d2, Ada, grade 0 doubtful" in said
    assert "long lists" in said
    assert "of topic 2" not in said
    assert "gone" not in said


def test_where_two_runs_differ_most_is_a_way_to_their_rankings(as_olga, rivals):
    other = of("second").pk
    page = as_olga.get(f"{BASE}/scores/{of('secret-run').pk}/compare/", {"with": other})
    [row] = page.context["looked_at"]
    assert (row["number"], row["change"]) == ("1", "+0.500")
    assert all(row["strips"])
    address = f"{ranking_of('secret-run')}?by=AP&amp;with={other}"
    assert address in page.text
    assert all_runs() in as_olga.get(f"{all_runs().partition('topics')[0]}").text


def test_where_a_run_loses_most_is_a_way_to_its_ranking(as_olga, rivals):
    page = as_olga.get(f"{BASE}/scores/{of('rival').pk}/").text
    lost = page.partition("Farthest below the median")[2].partition("</section>")[0]
    assert f'href="{ranking_of("rival")}?by=AP">Ranking</a>' in lost


def test_each_topic_leads_to_every_other(as_olga, rivals):
    evaluation = Evaluation.objects.get(pk=of("second").evaluation_id)
    Evaluation.objects.filter(pk=evaluation.pk).update(topics=["10", "1", "9"])
    evaluation.scores.update(content=np.ones((3, len(evaluation.measures))).tobytes())
    every = as_olga.get(all_runs()).context["every_topic"]
    assert [number for number, _ in every] == ["1", "9", "10"]
    assert every[1][1] == f"{all_runs().replace('topics/1/', 'topics/9/')}?by=AP"
