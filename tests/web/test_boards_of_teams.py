"""What boards tell somebody who may see only their own runs, or all."""

import re

import numpy as np

from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from evaluation.models.scores import Evaluation, Score, packed
from runs.models import Run
from tests.releasing import ALL, TEAMS, show_to
from tests.web.boards import efficiency_of, own, rows
from tests.web.growth import again
from tests.web.html import words

SECRETS = ("other-run", "third-run", "Bexley")
TOO_FEW = "The best, median and worst of all runs are drawn once 3 other teams are scored."


def test_who_sees_only_their_own_runs_finds_no_trace_of_the_others(client, board, pat):
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    assert "secret-run has AP 1.000" in words(client.get(board))
    other = Score.objects.get(run__tag="other-run").pk
    run = f"{board}scores/{own().pk}/"
    asked = [{}, {"order": "below"}, {"with": other}, {"by": "P@10", "order": "number"}]
    pages = [client.get(board), *(client.get(run, each) for each in asked)]
    assert [TOO_FEW in each.text for each in pages] == [False, *[True] * len(asked)]
    for response in pages:
        said = response.text.replace(TOO_FEW, "")
        for secret in (*SECRETS, "median", "Median", ">Place<", "2nd", " of 3"):
            assert secret not in said, secret
    assert "secret-run has AP 1.000" in words(pages[1])
    assert client.get(f"{board}scores/{other}/").status_code == 404


def add_run(tag: str, team: str, ap: float, *, is_baseline: bool = False) -> None:
    """A run like the third, by another team, with this AP on every topic."""
    third = Score.objects.get(run__tag="third-run")
    team, _ = Team.objects.get_or_create(
        campaign=third.run.campaign, name=team, defaults={"is_baseline": is_baseline}
    )
    run = again(third.run, tag=tag, team=team)
    values = np.array(third.by_topic())
    values[:, third.evaluation.measures.index("AP")] = ap
    again(third, run=run, content=packed(values))
    third.evaluation.runs.add(run)


def test_among_enough_other_teams_a_team_sees_how_all_runs_spread_and_no_more(client, board, pat):
    """The others reach 2, 0.25, and 4 or 5; baselines are no team, and a team counts once."""
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    address = f"{board}scores/{own().pk}/"
    add_run("fourth-run", "Camden", 4.0)
    add_run("fifth-run", "Camden", 5.0)
    add_run("a-baseline", "Organizers", 0.0, is_baseline=True)
    for asked in ({}, {"order": "below"}):
        said = client.get(address, asked).text
        assert TOO_FEW in said
        assert "median" not in said.replace(TOO_FEW, "").lower()
    add_run("sixth-run", "Dalston", 4.0)
    others = (*SECRETS, "fourth-run", "Camden", "Dalston", "a-baseline")
    of_all = (">Place<", "among the first", "middle half", " of 7", "7 runs")
    for asked in ({}, {"order": "below"}, {"order": "number"}):
        response = client.get(address, asked)
        said = response.text
        assert "Topic 1: 1.000; all runs from 0.000 to 5.000, median 2.000." in said
        assert "Below the median on 1 of 1 topic." in words(response)
        assert not [secret for secret in (*others, *of_all) if secret in said]
    assert "median" not in client.get(board).text


def test_a_participant_is_led_to_no_page_that_is_not_computed(client, board, pat, olga):
    show_to(Campaign.objects.get(), ALL)
    base = f"{board}evaluations/{own().evaluation_id}"
    links = [f"{base}/{name}/" for name in ("study", "reusability", "disagreement")]
    client.force_login(olga)
    assert all(each in client.get(board).text for each in links)
    client.force_login(pat)
    assert not any(each in client.get(board).text for each in links)
    Evaluation.objects.update(study={"measures": []})
    assert [each in client.get(board).text for each in links] == [True, False, False]


def test_who_sees_only_their_own_runs_learns_no_class(client, board, pat):
    Score.objects.update(standings=[[0.1, 0.9, 1, 2, 1]] * len(own().evaluation.measures))
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    said = client.get(board).text
    assert "class-line" not in said
    assert "class A" not in said
    show_to(Campaign.objects.get(), ALL)
    assert "class A" in client.get(board).text


def test_own_runs_are_marked_and_late_ones_where_their_page_can_be_opened(client, board, olga, pat):
    show_to(Campaign.objects.get(), ALL)
    Run.objects.filter(tag="secret-run").update(is_late=True)
    every, own = {"secret-run", "other-run", "third-run"}, {"secret-run"}
    for person, marked, late in ((olga, set(), every), (pat, own, own)):
        client.force_login(person)
        found = rows(client.get(board))
        for mark, tags in (
            ("data-own", marked),
            (">yours</span>", marked),
            ("late", late),
            ("not pooled</span>", {"third-run"}),
        ):
            assert {tag for tag, row in found.items() if mark in row} == tags, mark


def test_boards_are_filtered_by_what_the_page_of_every_run_on_them_tells(client, board, olga, pat):
    """Whether a run is manual, its page tells its team and organizers alone."""
    campaign = Campaign.objects.get()
    Run.objects.filter(tag="secret-run").update(is_manual=True)
    Run.objects.filter(tag="other-run").update(is_manual=False)
    made = {"secret-run": "manual", "other-run": "automatic"}
    for person, audience, known in (
        *((olga, ALL, made), (pat, ALL, {}), (pat, TEAMS, {"secret-run": "manual"})),
    ):
        show_to(campaign, audience)
        client.force_login(person)
        found = rows(client.get(board))
        kinds = {tag: re.findall(r"manual|automatic", row) for tag, row in found.items()}
        assert kinds == {tag: [known[tag]] if tag in known else [] for tag in kinds}
        assert known.keys() <= kinds.keys()


def test_only_readers_who_see_all_runs_learn_what_they_cost(client, board, pat, olga):
    Run.objects.update(latency_mean_ms=9)
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    assert "Scores and costs" not in words(client.get(board))
    assert client.get(efficiency_of(board)).status_code == 404
    show_to(Campaign.objects.get(), ALL)
    assert "Scores and costs" in words(client.get(board))
    assert "1 of 3 runs on the front" in words(client.get(efficiency_of(board)))
    # A draft is for organizers, and scores that are not complete are for nobody.
    for at, person in (("2020-01-01T00:00Z", pat), (None, olga)):
        other = again(own().evaluation, finished_at=at)
        client.force_login(person)
        there = efficiency_of(board).replace(f"/{own().evaluation_id}/", f"/{other.pk}/")
        assert client.get(there).status_code == 404
