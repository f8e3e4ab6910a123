"""What boards and pages of runs show, and to whom."""

import re
from types import SimpleNamespace

import numpy as np
import pytest
from django.http import QueryDict

from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from cleverdon.measures.names import parse
from evaluation import services as scoring
from evaluation import tasks
from evaluation.core.columns import MeasureColumn
from evaluation.core.compared import Moved
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation, Score, packed
from evaluation.web.classes import Asked, sections
from evaluation.web.comparing import ComparedRun, ComparedRuns
from jobs.models import Job
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.growth import again, contribute_like
from tests.web.html import words

SECRETS = ("other-run", "third-run", "Bexley")


@pytest.fixture
def board(played) -> str:
    """The address of a board with three runs of two teams, by everybody's AP: other-run,
    secret-run, third-run.
    """
    first, score = played.run_set.get(), Score.objects.get()
    team = Team.objects.create(campaign=played, name="Bexley")
    at = score.evaluation.measures.index("AP")
    for tag, ap, is_pooled in (("other-run", 2.0, True), ("third-run", 0.25, False)):
        run = again(first, tag=tag, team=team, is_pooled=is_pooled, is_late=True)
        if is_pooled:
            contribute_like(first, run)
        values = np.array(score.by_topic())
        values[:, at] = ap
        aggregates = [*score.aggregates[:at], ap, *score.aggregates[at + 1 :]]
        again(score, run=run, aggregates=aggregates, content=packed(values))
        score.evaluation.runs.add(run)
    return f"/campaigns/{played.slug}/leaderboard/"


def own() -> Score:
    return Score.objects.get(run__tag="secret-run")


def test_the_heading_is_the_answer(as_olga, board):
    page = words(as_olga.get(board))
    assert "other-run leads the 3 runs with AP 2.000" in page
    said = "Preliminary, qrels v1, 2 judged, 1 topic, relevant from grade 1, missing topic counts 0"
    for chip in (*said.split(", "), "trec_eval-9 rules"):
        assert chip in page
    assert "All 3 runs have Judged@10 " in words(as_olga.get(board, {"by": "Judged@10"}))
    lower = Score.objects.get(run__tag="third-run")
    lower.aggregates[lower.evaluation.measures.index("Judged@10")] = 0.0
    lower.save()
    assert " the highest Judged@10 " in words(as_olga.get(board, {"by": "Judged@10"}))
    run = f"{board}scores/{own().pk}/"
    assert "secret-run is 2nd of 3 by AP, at 1.000" in words(as_olga.get(run))


def test_of_runs_that_are_all_first_none_leads(as_olga, board):
    Score.objects.update(aggregates=own().aggregates)
    assert "All 3 runs have AP 1.000" in words(as_olga.get(board))
    own().delete()
    assert "Both runs have AP 1.000" in words(as_olga.get(board))


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
    assert client.get(f"{board}scores/{other}/bounds/").status_code == 404


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


def test_who_sees_all_runs_sees_where_one_stands_on_each_topic(client, board, olga, pat):
    """Below the median of three runs, or not: other-run has 2, this one 1, third-run 0.25."""
    show_to(Campaign.objects.get(), ALL)
    third = Score.objects.get(run__tag="third-run")
    for person in (olga, pat):
        client.force_login(person)
        shown = client.get(f"{board}scores/{third.pk}/")
        page = words(shown)
        assert "third-run is 3rd of 3 by AP" in page
        assert "Below the median on 1 of 1 topic, among the first 3 on 1" in page
        assert "0.250 \N{MINUS SIGN}0.750 3" in page
        assert "all runs from 0.250 to 2.000" in shown.text
        best = Score.objects.get(run__tag="other-run").pk
        assert "below the median on no topic" in words(
            client.get(f"{board}scores/{best}/", {"order": "below"})
        )


def test_two_runs_are_compared_topic_by_topic(as_olga, board):
    other = Score.objects.get(run__tag="other-run").pk
    address = f"{board}scores/{own().pk}/compare/"
    page = words(as_olga.get(address, {"with": other}))
    assert "AP 1.000 against 2.000 on 1 topic; p = 1.000 this pair alone." in page
    assert "\N{MINUS SIGN}1.000 1.000 against 2.000" in page
    assert "Topics higher 0 Topics lower 1" in page
    asked = {"with": other, "picture": "difference.svg"}
    assert as_olga.get(address, asked)["Content-Type"] == "image/svg+xml"
    for nobody in (own().pk, 10**6, "x", ""):  # instead of which it is the best of the others
        assert as_olga.get(address, {"with": nobody}).context["pair"].other.pk == other


def class_rows(*numbers: int | None, own: tuple[int, ...] = ()) -> list[SimpleNamespace]:
    """Rows of a board in classes, the best first."""
    return [
        SimpleNamespace(
            standing=number and SimpleNamespace(number=number),
            is_own=n in own,
            value=1 - n / 100,
            entry=SimpleNamespace(tag=f"r{n}"),
            cells=[SimpleNamespace(text=f"{1 - n / 100:.2f}")],
        )
        for n, number in enumerate(numbers)
    ]


def shape(rows) -> list[tuple[str, int, list[str]]]:
    """The letter, the runs and the marks of each line, with the rows below it."""
    return [
        (each.line.letter, len(each.line.runs), [mark for _, mark in each.rows])
        for each in sections(rows, Asked())
    ]


def test_a_class_is_a_line_across_the_board_and_a_run_among_better_ones_says_its_own():
    assert shape(class_rows(1, 1, 2)) == [("A", 2, ["", ""]), ("B", 1, [""])]
    mixed = class_rows(1, 3, 2, 1, 3, 2, None, 8)
    assert shape(mixed) == [
        ("A", 2, ["", "class C", "class B", ""]),
        ("B", 2, ["class C", ""]),
        ("rest", 1, ["", ""]),
    ]
    assert sections(mixed, Asked())[0].line.ends == "1.00 to 0.97"
    [whole] = sections(class_rows(None, None), Asked())
    assert (whole.line, len(whole.rows)) == (None, 2)
    assert sections([], Asked())[0].rows == []


def test_from_41_runs_on_classes_below_a_are_folded_but_for_own_runs():
    numbers = [1] * 10 + [2] * 30
    assert not any(each.n_folded for each in sections(class_rows(*numbers), Asked()))
    many = class_rows(*numbers, 2, own=(12,))
    best, other = sections(many, Asked())
    assert (best.n_folded, other.n_folded, other.opening) == (0, 30, "?board-open=2")
    assert [row.entry.tag for row, _ in other.rows] == ["r12"]
    _, opened = sections(many, Asked(QueryDict("by=AP&board-open=2")))
    assert (len(opened.rows), opened.n_folded, opened.folding) == (31, 0, "?by=AP")


def test_the_gravest_notice_stands_on_the_board_and_the_others_in_the_fold(as_olga, board):
    Run.objects.filter(tag="third-run").update(state="withdrawn")
    page = as_olga.get(board)
    assert page.context["notices"] == ["runs", "preliminary", "low"]
    above, _, fold = page.text.partition('id="how"')
    assert above.count('class="attention"') == 1
    assert fold.count('class="attention"') == 2


def test_a_participant_is_led_to_no_page_that_is_not_computed(client, board, pat, olga):
    show_to(Campaign.objects.get(), ALL)
    base = f"{board}evaluations/{own().evaluation_id}"
    links = [f"{base}/{name}/" for name in ("study", "reusability")]
    client.force_login(olga)
    assert all(each in client.get(board).text for each in links)
    client.force_login(pat)
    assert not any(each in client.get(board).text for each in links)
    Evaluation.objects.update(study={"measures": []})
    assert [each in client.get(board).text for each in links] == [True, False]


def test_who_sees_only_their_own_runs_learns_no_class(client, board, pat):
    Score.objects.update(standings=[[0.1, 0.9, 1, 2, 1]] * len(own().evaluation.measures))
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    said = client.get(board).text
    assert "class-line" not in said
    assert "class A" not in said
    show_to(Campaign.objects.get(), ALL)
    assert "class A" in client.get(board).text


def test_a_comparison_says_first_what_changed():
    column = MeasureColumn.of(parse("AP"))
    for pairs, heading in (
        ([(0.1, 0.10001), (0.2, 0.2)], "AP: 0 rose, 0 fell, 2 the same"),
        ([(0.1, 0.2), (0.2, 0.1), (0.3, 0.2)], "AP: 1 rose, 2 fell, 0 the same"),
        ([(0.1, 0.2), (None, 0.3), (0.3, None)], "AP: 1 rose, 0 fell, 0 the same"),
    ):
        moved = [Moved(f"r{n}", Run(), 1, 1, *values) for n, values in enumerate(pairs)]
        rows = [ComparedRun(each, column) for each in moved]
        assert ComparedRuns(column, rows, None).heading == heading


def rows(response) -> dict[str, str]:
    """Each row of the board by the run's tag."""
    found = re.findall(r"<tr data-kinds.*?</tr>", response.text, re.DOTALL)
    return {re.search(r"(\w+-run)", row)[1]: row for row in found}


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


def test_few_judged_documents_ask_for_a_look(as_olga, board):
    at = own().evaluation.measures.index("Judged@10")

    def judged(share: float, others: float) -> tuple[str, str]:
        for score in Score.objects.select_related("run"):
            score.aggregates[at] = share if score.run.tag == "secret-run" else others
            score.save()
        page = as_olga.get(board)
        return rows(page)["secret-run"], words(page)

    for share, is_marked in ((0.72, True), (0.9, False)):
        row, page = judged(share, others=0.9)
        assert f"{100 * share:.0f}\N{NO-BREAK SPACE}%" in row
        assert ("data-low" in row) == ("◇ fewer than 80 % judged" in page) == is_marked
    row, page = judged(0.9, others=0.72)
    assert "Judged@10 is below 80 % for 2 of 3 runs" in page
    assert "◇" not in page
    assert "Judged@10 is below 80 % for" not in judged(0.72, others=0.9)[1]


def test_places_that_go_by_more_decimals_than_are_shown_say_so(as_olga, board):
    said = "Runs equal to four decimals share a place"
    assert said not in words(as_olga.get(board))
    at = own().evaluation.measures.index("AP")
    for other, is_said in ((own().aggregates[at] + 0.0002, True), (own().aggregates[at], False)):
        score = Score.objects.get(run__tag="other-run")
        score.aggregates[at] = other
        score.save()
        assert (said in words(as_olga.get(board))) == is_said


def test_a_board_says_what_moved_since_the_version_before(client, board, played, olga, ada, pat):
    """Only to who sees every run; and only since scores that were computed alike."""
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 3)
    qrels = publish_qrels(user=olga, campaign=played)
    old = Evaluation.objects.get()
    new = scoring.request_evaluation(user=olga, **make.scope(qrels))
    tasks.score_runs(Job.objects.about("score_runs", new.pk).pk)
    third = new.scores.get(run__tag="third-run")
    third.aggregates = [value + 1 for value in third.aggregates]
    third.save()
    client.force_login(olga)
    show_to(played, TEAMS, ALL, subject=new.pk)
    assert "Moved most since v1: third-run ▲2" in words(client.get(board))
    assert f"/leaderboard/evaluations/{old.pk}/" in client.get(board).text
    assert "Moved most" not in words(client.get(f"{board}evaluations/{old.pk}/"))
    show_to(Campaign.objects.get(), TEAMS)
    client.force_login(pat)
    assert "Moved" not in words(client.get(board))
    client.force_login(olga)
    for change in ({"rules": "trec_eval-10"}, {"scope": Scope(1, topic_set="relevant")}):
        Evaluation.objects.filter(pk=old.pk).update(**change)
        assert "Moved" not in words(client.get(board))
        Evaluation.objects.filter(pk=old.pk).update(rules=new.rules, scope=old.scope)
    assert "Moved" in words(client.get(board))
    pilot = {"source": "A pilot", "pool": None, "rule": "", "judgments": "", "judgments_sha256": ""}
    Qrels.objects.filter(pk=old.qrels_id).update(**pilot)
    assert "Moved" not in words(client.get(board))


def efficiency_of(board: str) -> str:
    return f"{board}evaluations/{own().evaluation_id}/efficiency/"


def test_runs_are_shown_by_what_they_cost_and_those_on_the_front_are_named(as_olga, board):
    assert "Scores and costs" not in words(as_olga.get(board))
    assert "No run states what it costs" in words(as_olga.get(efficiency_of(board)))
    for tag, ms, rate in (("other-run", 9, None), ("secret-run", 9, 2), ("third-run", None, 7)):
        Run.objects.filter(tag=tag).update(latency_mean_ms=ms, queries_per_second=rate)
    assert f'href="{efficiency_of(board)}?by=AP"' in as_olga.get(board).text
    Run.objects.filter(tag="other-run").update(hardware="a laptop")
    page = as_olga.get(efficiency_of(board))
    said = words(page)
    assert "other-run late a laptop" in said
    assert "Runs of low cost lie close together" not in said
    assert "1 of 2 runs on the front of AP and mean latency" in said
    assert "1 run does not state this one." in said
    assert "third-run" not in said
    assert page.context["pictures"]["pareto"].rows == (
        ("other-run", "9", "2"),
        ("secret-run", "9", "1"),
    )
    # More queries in a second are better, and other-run says nothing of them.
    page = as_olga.get(efficiency_of(board), {"cost": "queries_per_second", "by": "AP"})
    picture = page.context["pictures"]["pareto"]
    sentence = "2 of 2 runs on the front of AP and throughput: secret-run, third-run."
    assert picture.sentence == sentence
    assert "late, not pooled" in words(page)
    assert as_olga.get(f"{efficiency_of(board)}?cost=nonsense&by=none").status_code == 200
    Run.objects.filter(tag="other-run").update(latency_mean_ms=451)
    assert "Runs of low cost lie close together" in words(as_olga.get(efficiency_of(board)))


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
