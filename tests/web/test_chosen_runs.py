"""Choosing the runs of a board on the page that has them scored, and what the board then says."""

import html
import re

import pytest
from django.utils import timezone

from campaigns.models.people import Role, Team
from evaluation import tasks
from evaluation.access import front
from evaluation.models.scores import Evaluation
from jobs.models import Job
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import at, text_in, words

TABLE = re.compile(r'<table id="evaluations".*?</table>', re.DOTALL)
TABS = re.compile(r'<nav class="version-nav".*?</nav>', re.DOTALL)
OPTIONS = re.compile(r"<option [^>]*>([^<]*)</option>")
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
    assert f"Scored against qrels v1 for chosen runs ({board.scope.hash[:8]}); means over" in said
    assert "for chosen runs" in said
    show_to(three, TEAMS, subject=board.pk)
    client.force_login(pat)
    theirs = words(client.get(page))
    assert "(chosen runs)" in theirs
    assert "chosen of" not in theirs
    show_to(three, ALL, subject=board.pk)
    assert "(2 chosen of 3 runs)" in words(client.get(page))


def test_boards_of_a_minute_are_told_apart_on_every_list(as_olga, client, three, pat):
    pairs = [("other", "second"), ("other", "secret-run"), ("second", "secret-run")]
    boards = [made(as_olga, three, runs=pair) for pair in pairs]
    Evaluation.objects.update(finished_at=timezone.now())
    named = [f"v1 for 2 of 3 runs ({each.scope.hash[:8]})" for each in boards]
    board = as_olga.get(at(three, "evaluation:evaluation", boards[0].pk)).text
    rows = text_in(TABLE.search(board)[0])
    tabs = text_in(TABS.search(board)[0])
    for name, tags in zip(named, pairs, strict=True):
        assert f"{name}: {', '.join(tags)}" in rows
        assert name in tabs
    release = at(three, "evaluation:releases") + "?what=scores"
    for address in (at(three, "evaluation:compare"), release):
        offered = set(OPTIONS.findall(as_olga.get(address).text))
        assert [sum(name in each for each in offered) for name in named] == [1, 1, 1]
    sent = {"what": "scores", "audience": TEAMS, "subject_id": boards[1].pk}
    sent |= {"seen": as_olga.get(release).context["form"].seen_now, "times_are_in": "UTC"}
    said = as_olga.post(at(three, "evaluation:releases"), sent, follow=True)
    assert f"Scores against qrels {named[1]} are released to the teams." in words(said)
    client.force_login(pat)
    theirs = words(client.get(at(three, "evaluation:leaderboard")))
    assert f"v1 for chosen runs ({boards[1].scope.hash[:8]})" in theirs
    assert "of 3 runs" not in theirs


def test_taking_runs_of_teams_off_the_leaderboard_is_said_before(as_olga, three, pat):
    whole, of_one = made(as_olga, three), made(as_olga, three, runs=["second"])
    address = at(three, "evaluation:releases")

    def release(audience: str, **asked: object):
        form = as_olga.get(address, {"what": "scores"}).context["form"]
        sent = {"what": "scores", "subject_id": of_one.pk, "seen": form.seen_now}
        return as_olga.post(address, {**sent, "audience": audience, "times_are_in": "UTC", **asked})

    for shown_to, audience, who in (
        (TEAMS, TEAMS, "the teams"),
        (ALL, TEAMS, "the teams"),
        (TEAMS, ALL, "everybody"),
        (ALL, ALL, "everybody"),
    ):
        show_to(three, shown_to, subject=whole.pk)
        said = (
            f"The leaderboard would no longer show {who} the runs of Barbican: "
            "this board has none of theirs."
        )
        refused = release(audience)
        assert f"{said} I have read this: go on" in words(refused, 422)
        assert front(pat, three) == whole
        assert release(audience, accepts=said).status_code == 302
        assert front(pat, three) == of_one
    assert release(ALL, subject_id=whole.pk).status_code == 302


def test_a_choice_that_cannot_be_is_refused_and_kept(as_olga, three):
    address, n = at(three, "evaluation:score"), Evaluation.objects.count()
    refused = as_olga.post(address, {**SENT, "runs": ["nobody"]})
    assert "There is no valid run with the tag nobody." in words(refused, 422)
    long = as_olga.post(address, {**SENT, "runs": ["a" * 5000]})
    assert f"There is no valid run with the tag {'a' * 60}…." in words(long, 422)
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
