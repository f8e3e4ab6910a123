"""Choosing the runs of a board on the page that has them scored, and what the board then says."""

import html
import re

import pytest

from campaigns.models.people import Role, Team
from evaluation import tasks
from evaluation.models.scores import Evaluation
from jobs.models import Job
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import at, words

SENT = {"qrels": 1, "rules": "trec_eval-9", "topic_set": "judged", "picked": ["AP"]}


@pytest.fixture
def three(played, pat):
    """Two runs of a team, and one of another."""
    quinn = make.user("quinn")
    team = Team.objects.create(campaign=played, name="Barbican")
    played.membership_set.create(user=quinn, role=Role.PARTICIPANT, team=team)
    make.run(played, pat, {"1": "d2 d1"}, "second")
    make.run(played, quinn, {"1": "d3 d1"}, "other")
    return played


def made(client, campaign, **asked: object) -> Evaluation:
    assert client.post(at(campaign, "evaluation:score"), {**SENT, **asked}).status_code == 302
    found = Evaluation.objects.latest("pk")
    tasks.score_runs(Job.objects.about("score_runs", found.pk).pk)
    make.worked("place_runs", found.pk)
    return found


def test_runs_are_chosen_one_by_one_or_by_their_team(as_olga, three):
    form = words(as_olga.get(at(three, "evaluation:score")))
    assert "All runs of Aldgate Barbican" in form
    assert "second (Aldgate) secret-run (Aldgate) other (Barbican)" in form
    for asked, tags in (
        ({"runs": ["second"]}, ("second",)),
        ({"teams": ["Aldgate"]}, ("second", "secret-run")),
        ({"teams": ["Barbican"], "runs": ["second"]}, ("other", "second")),
        ({}, ()),
    ):
        found = made(as_olga, three, **asked)
        assert found.scope.chosen == tags
        has = {each.tag for each in found.runs.all()}
        assert has == set(tags or ("other", "second", "secret-run"))


def test_a_board_of_chosen_runs_says_so_wherever_it_is(as_olga, client, three, pat):
    board = made(as_olga, three, runs=["second", "other"])
    page = at(three, "evaluation:evaluation", board.pk)
    said = words(as_olga.get(page))
    assert "(2 chosen of 3 runs)" in said
    assert "Scored against qrels v1 for chosen runs; means over" in said
    assert "for chosen runs" in said
    show_to(three, TEAMS, subject=board.pk)
    client.force_login(pat)
    theirs = words(client.get(page))
    assert "(chosen runs)" in theirs
    assert "chosen of" not in theirs
    show_to(three, ALL, subject=board.pk)
    assert "(2 chosen of 3 runs)" in words(client.get(page))


def test_a_choice_that_cannot_be_is_refused_and_kept(as_olga, three):
    address, n = at(three, "evaluation:score"), Evaluation.objects.count()
    refused = as_olga.post(address, {**SENT, "runs": ["nobody"]})
    assert "There is no valid run with the tag nobody." in words(refused, 422)
    unknown = as_olga.post(address, {**SENT, "teams": ["Cripplegate"]})
    assert "There is no valid run of the team Cripplegate." in words(unknown, 422)
    three.run_set.filter(tag="other").update(round=2)
    three.rounds.create(number=1, topics=["1"])
    three.rounds.create(number=2, topics=["1"])
    three.round = 2
    three.save()
    of_none = as_olga.post(address, {**SENT, "of_round": 1, "teams": ["Barbican"]})
    assert "The chosen teams have no valid run of this round." in words(of_none, 422)
    elsewhere = as_olga.post(address, {**SENT, "of_round": 1, "runs": ["second", "other"]})
    assert "There is no valid run of round 1 with the tag other." in words(elsewhere, 422)
    assert 'value="other" id="id_runs_2" checked' in elsewhere.text
    assert Evaluation.objects.count() == n


def test_scoring_again_offers_the_chosen_runs_that_are_still_valid(as_olga, three):
    board = made(as_olga, three, runs=["second", "secret-run"])
    Evaluation.objects.exclude(pk=board.pk).delete()
    three.run_set.filter(tag="second").update(state="withdrawn")
    page = as_olga.get(at(three, "evaluation:leaderboard"))
    assert "1 run on this board is not valid any more. Score again…" in words(page)
    assert "Not on this board" not in words(page)
    [asked] = re.findall(r'score/(\?[^"]*runs=[^"]*)"', page.text)
    form = as_olga.get(at(three, "evaluation:score") + html.unescape(asked))
    assert form.context["choice"]["runs"].value() == ["secret-run"]
