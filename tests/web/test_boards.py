"""What boards and pages of runs show."""

from types import SimpleNamespace

from django.http import QueryDict

from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from cleverdon.measures.names import parse
from evaluation import services as scoring
from evaluation import tasks
from evaluation.core.columns import MeasureColumn
from evaluation.core.compared import Moved
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation, Score
from evaluation.web.classes import Asked, sections
from evaluation.web.comparing import ComparedRun, ComparedRuns
from jobs.models import Job
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.boards import efficiency_of, own, rows
from tests.web.html import words


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
    other = {"basis": "dawid-skene", "rule": "", "basis_words": "The likeliest."}
    Qrels.objects.filter(pk=old.qrels_id).update(**other)
    assert "Moved" not in words(client.get(board))
    pilot = {"source": "A pilot", "pool": None, "basis": "", "basis_words": ""}
    pilot |= {"judgments": "", "judgments_sha256": ""}
    Qrels.objects.filter(pk=old.qrels_id).update(**pilot)
    assert "Moved" not in words(client.get(board))


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
