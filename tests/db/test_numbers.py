"""Every number of random campaigns, on pages and in files, from what can be downloaded."""

import json
import math
import os
from collections import Counter
from traceback import format_exc
from types import SimpleNamespace

import pytest
from django.db import transaction
from django.test import Client

from evaluation.models.scores import Evaluation
from overview.sections import report_of
from overview.sheets import numbers_of
from overview.subject import Subject
from tests import make, records
from tests.db.numbers import compared, measured
from tests.db.numbers.downloads import Board, Downloads, table_rows
from tests.db.numbers.living import Life
from tests.db.numbers.whole import check_agreement, check_completeness, check_counts, check_pool
from tests.web.html import text_in

# The campaigns made: CAMPAIGNS=17 makes the one of that seed again, 1-300 those up to 300.
USUAL = "1-1000" if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else "1-2"
FIRST, _, LAST = os.environ.get("CAMPAIGNS", USUAL).partition("-")
MOST_SORTED = 2  # measures by which a board is looked at
MOST_TOLD = 20  # of those in which a number is another


def near(value: float | None) -> object:
    return None if value is None else pytest.approx(value, abs=1e-9)


def number(text: str) -> float | None:
    return float(text) if text else None


def written(name: str, value: float | None) -> str:
    """A value as pages and reports write it."""
    if value is None:
        return "\N{EN DASH}"
    if name == "Judged@5":
        return f"{100 * value:.0f} %"
    return f"{value:,.0f}" if name in measured.SUMS else f"{value:.3f}"


def check_runs(down: Downloads, board: Board, base: str) -> None:
    """Scores of each run on each topic, with the best, the median and the worst of all runs."""
    for tag in board.runs:
        pk = down.listed[tag]["run_id"]
        rows = {row["topic"]: row for row in down.rows(f"{base}/runs/{pk}.csv")}
        assert list(rows) == [*board.topics, "all"]
        for name in board.names:
            everybody = {other: board.by_topic(other, name) for other in board.runs}
            own = everybody[tag]
            for topic in board.topics:
                row = rows[topic]
                assert number(row[name]) == near(own.get(topic)), (tag, name, topic)
                values = sorted(each[topic] for each in everybody.values() if topic in each)
                best, worst = (values[-1], values[0]) if values else (None, None)
                assert number(row[f"{name} best"]) == near(best), (name, topic)
                assert number(row[f"{name} worst"]) == near(worst), (name, topic)
                assert number(row[f"{name} median"]) == near(median(values)), (name, topic)
            assert number(rows["all"][name]) == near(board.aggregate(tag, name)), (tag, name)


def median(values: list[float]) -> float | None:
    middle = len(values) // 2
    if len(values) % 2:
        return values[middle]
    return (values[middle - 1] + values[middle]) / 2 if values else None


def check_board(down: Downloads, board: Board, base: str) -> None:
    """The board as a file and as a page, by each measure: order, counts, values and places."""
    facts = board.facts
    assert int(facts["topics"]) == len(board.topics)
    assert int(facts["judgments"]) == sum(map(len, board.grades.values()))
    for name in board.names[:MOST_SORTED]:
        rows = down.rows(f"{base}.csv", by=name)
        found = {tag: board.aggregate(tag, name) for tag in board.runs}
        known = sorted(tag for tag in found if found[tag] is not None)
        ordered = sorted(known, key=lambda tag: -round(found[tag], 4))
        assert [row["run"] for row in rows] == [*ordered, *sorted(set(found) - set(known))]
        for row in rows:
            tag = row["run"]
            assert number(row[name]) == near(found[tag])
            counting = [topic for topic in board.topics if board.counts(tag, topic)]
            assert int(row["topics"]) == len(counting)
        stood = check_standings(board, name, rows)
        page = table_rows(down.get(f"{base}/", by=name), "board")
        assert [head.split()[0] for head, _, _ in page] == [row["run"] for row in rows]
        for head, cells, _ in page:
            tag = head.split()[0]
            values = [each.removeprefix("\N{WHITE DIAMOND} ") for each in cells]
            for other in board.names:
                text = written(other, board.aggregate(tag, other))
                assert text in values, (tag, other, cells)
            assert cells[0] == (stood or place_texts(found))[tag], (tag, name)
        n_judgments = sum(map(len, board.grades.values()))
        said = f" {n_judgments:,} judged {len(board.topics)} topic"
        assert said in down.words(f"{base}/", by=name)
    listed = json.loads(down.get(f"{base}.json"))["rows"]
    for row in listed:
        values = {name: near(board.aggregate(row["run"], name)) for name in board.names}
        assert row["scores"] == values


def place_texts(found: dict[str, float | None]) -> dict[str, str]:
    """The rank of each run, which those that are equal to four decimals share."""
    known = [round(value, 4) for value in found.values() if value is not None]
    return {
        tag: "\N{EN DASH}" if value is None else str(1 + sum(k > round(value, 4) for k in known))
        for tag, value in found.items()
    }


def check_standings(board: Board, name: str, rows: records.Rows) -> dict[str, str]:
    """Intervals, places and classes; returns places as pages write them, {} without any."""
    tags = [row["run"] for row in rows]
    own = {tag: board.by_topic(tag, name) for tag in tags}
    if name == "GMAP":
        own = {t: {k: math.log(max(v, 1e-5)) for k, v in each.items()} for t, each in own.items()}
    is_mean = name not in {"NumRet", "NumRelRet"}
    shares = [
        share
        for each in own.values()
        if is_mean and len(each) >= 6 and (share := compared.tied(list(each.values()))) < 1
    ]
    share = sum(shares) / len(shares) if shares else 1
    wanted = next(n for most, n in ((0.25, 10), (0.6, 25), (0.75, 50), (1, 100)) if share <= most)
    if len({round(v, 9) for each in own.values() if len(each) >= 6 for v in each.values()}) < 3:
        wanted = max(wanted, 50)
    for row in rows:
        values = list(own[row["run"]].values())
        ends = compared.interval(values) if is_mean and len(values) >= max(wanted, 6) else None
        if ends and name == "GMAP":
            ends = tuple(map(math.exp, ends))
        low, high = [min(max(each, 0), 1) for each in ends] if ends else (None, None)
        assert (number(row[f"{name} low"]), number(row[f"{name} high"])) == (near(low), near(high))
        assert bool(row[f"{name} why no interval"]) == (ends is None)
    common = [t for t in board.topics if all(t in each for each in own.values())]
    has_places = is_mean and len(tags) > 1 and len(common) >= 6 and "udged" not in name
    stood = {}
    if has_places:
        lines = [[own[tag][topic] for topic in common] for tag in tags]
        found = compared.places(lines, compared.p_of_all(lines))
        stood = dict(zip(tags, found, strict=True))
    for row in rows:
        best, worst, letter = stood.get(row["run"], ("", "", ""))
        told = [row[f"{name} {each}"] for each in ("first place", "last place", "class")]
        assert told == [str(best), str(worst), letter], (row["run"], name)
    return {
        tag: str(best) if best == worst else f"{best}\N{EN DASH}{worst}"
        for tag, (best, worst, _) in stood.items()
    }


def check_pairs(down: Downloads, board: Board, base: str) -> None:
    for name in board.names[:MOST_SORTED]:
        rows = down.rows(f"{base}/pairs.csv", by=name)
        if name in {"NumRet", "NumRelRet"}:
            assert rows == []
            continue
        assert len(rows) == len(board.runs) * (len(board.runs) - 1) // 2
        corrected = corrected_of(board, name)
        for row in rows:
            one, other = (board.by_topic(row[each], name) for each in ("run", "other"))
            both = [topic for topic in board.topics if topic in one and topic in other]
            assert int(row["topics"]) == len(both)
            if name == "GMAP" or not both:
                continue
            gaps = [one[topic] - other[topic] for topic in both]
            assert number(row["difference"]) == near(sum(gaps) / len(gaps))
            assert number(row["p"]) == near(compared.p_alone(gaps)), (row["run"], row["other"])
            pair = frozenset((row["run"], row["other"]))
            assert number(row["p_corrected"]) == near(corrected.get(pair)), (name, pair)


def corrected_of(board: Board, name: str) -> dict[frozenset[str], float]:
    """The p of each pair of runs among all, on the topics that count for every run."""
    tags = list(board.runs)
    own = [board.by_topic(tag, name) for tag in tags]
    common = [topic for topic in board.topics if all(topic in each for each in own)]
    if len(common) < 6 or "udged" in name:
        return {}
    found = compared.p_of_all([[each[topic] for topic in common] for each in own])
    return {frozenset((tags[a], tags[b])): p for (a, b), p in found.items()}


def check_pages(down: Downloads, board: Board, base: str) -> None:
    """The page of a run, topic by topic, and that of a topic, run by run, by the last measure."""
    name = board.names[-1]
    for head, _, pk in table_rows(down.get(f"{base}/", by=name), "board")[:2]:
        tag = head.split()[0]
        page = down.get(f"leaderboard/scores/{pk}/", by=name, order="number")
        own = board.by_topic(tag, name)
        rows = table_rows(page, "topics")
        assert [each.split()[0] for each, _, _ in rows] == sorted(board.topics, key=int)
        for line, cells, _ in rows:
            topic = line.split()[0]
            ranked = board.runs[tag].get(topic, [])
            known = measured.relevant(board.grades[topic], board.level)
            n_unjudged = sum(docno not in board.grades[topic] for docno in ranked[:10])
            assert cells[1] == written(name, own.get(topic)), (tag, name, topic)
            assert cells[3] == place_texts(values_on(board, name, topic))[tag], (tag, name, topic)
            assert cells[4] == f"{len(known & set(ranked))} of {len(known)}", (tag, topic)
            assert cells[5] == str(n_unjudged), (tag, topic)
        assert f"by {name}, at {written(name, board.aggregate(tag, name))}" in text_in(page) or (
            f"{tag} has {name} {written(name, board.aggregate(tag, name))}" in text_in(page)
        )
    topic = board.topics[-1]
    values = values_on(board, name, topic)
    for head, cells, _ in table_rows(down.get(f"{base}/topics/{topic}/", by=name), "runs"):
        tag = head.split()[0]
        assert (cells[0], cells[-1]) == (place_texts(values)[tag], written(name, values[tag]))


def values_on(board: Board, name: str, topic: str) -> dict[str, float | None]:
    """The value of each run on a topic; None where it does not count."""
    return {tag: board.by_topic(tag, name).get(topic) for tag in board.runs}


def check_report(down: Downloads, board: Board, evaluation: Evaluation) -> None:
    subject = Subject(evaluation)
    rows = records.read(numbers_of(subject))
    assert len(rows) == len(board.runs) * len(board.names) * (len(board.topics) + 1)
    for row in rows:
        tag, name, topic = row["run"], row["measure"], row["topic"]
        value = (
            board.aggregate(tag, name) if topic == "all" else board.by_topic(tag, name).get(topic)
        )
        assert number(row["value"]) == near(value), (tag, name, topic)
    report = report_of(subject)
    tables = {
        each.name: [dict(zip(each.heads, row, strict=True)) for row in each.rows]
        for each in report.tables
    }
    for row in tables["leaderboard"]:
        for name in board.names:
            assert row[name].replace("\N{NO-BREAK SPACE}", " ") == written(
                name, board.aggregate(row["run"], name)
            )
    for row in tables["topics"]:
        grades = board.grades[row["topic"]]
        assert int(row["judged"]) == len(grades)
        assert int(row["relevant"]) == sum(grade >= board.level for grade in grades.values())
    grades = Counter(
        g for own in down.qrels(int(board.facts["qrels"])).values() for g in own.values()
    )
    assert {int(row["grade"]): int(row["judgments"]) for row in tables["grades"]} == grades
    for row in tables["runs"]:
        lacking = [topic for topic in board.topics if topic not in board.runs[row["run"]]]
        assert int(row["topics missing"].replace(",", "")) == len(lacking)


def check_qrels(down: Downloads, n: int) -> None:
    """The page of a version, and its file from the judgments kept with it."""
    grades = [g for own in down.qrels(n).values() for g in own.values()]
    page = down.words(f"qrels/{n}/")
    level = down.lived.campaign.level
    plural = "" if len(grades) == 1 else "s"
    n_relevant = sum(grade >= level for grade in grades)
    assert f"v{n}: {len(grades)} judgment{plural}, {n_relevant} relevant" in page
    assert f"On {len(down.qrels(n))} topic" in page
    kept = down.rows(f"qrels/{n}/judgments.csv")
    assert records.by_primary(kept).decode() == down.get(f"qrels/{n}.txt")


@pytest.fixture
def people(olga, ada, ben, pat):
    return SimpleNamespace(olga=olga, ada=ada, ben=ben, pat=pat, quinn=make.known("quinn"))


def check(seed: int, people: SimpleNamespace, sent: list, client: Client) -> None:
    life = Life(seed, people, sent)
    down = Downloads(client, life.live())
    client.force_login(people.olga)
    check_counts(down)
    check_pool(down)
    check_agreement(down)
    check_completeness(down)
    for n in life.lived.pool_of:
        check_qrels(down, n)
    if not life.lived.evaluations:
        return
    lines = {row["evaluation"]: row for row in down.rows("leaderboard/evaluations.csv")}
    assert len(lines) == len(life.lived.evaluations)
    for each in life.lived.evaluations:
        board, base = Board(down, lines[str(each.pk)]), f"leaderboard/evaluations/{each.pk}"
        check_board(down, board, base)
        check_runs(down, board, base)
        check_pairs(down, board, base)
        check_pages(down, board, base)
        check_report(down, board, Evaluation.objects.get(pk=each.pk))


@pytest.mark.slow
def test_every_number_follows_from_the_downloads(people, sent):
    wrong: list[str] = []
    for seed in range(int(FIRST), int(LAST or FIRST) + 1):
        with transaction.atomic():
            try:
                check(seed, people, sent, Client())
            except (AssertionError, LookupError, TypeError, ValueError):
                wrong.append(f"The campaign of seed {seed}: {format_exc(limit=-3)}")
            transaction.set_rollback(True)
        if len(wrong) == MOST_TOLD:
            break
    assert not wrong, "\n".join(wrong)
