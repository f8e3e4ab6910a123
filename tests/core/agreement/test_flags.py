"""Each kind of flag is raised by what it is about, above its threshold, and by nothing else."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.core.accuracy import Compared
from agreement.core.findings import (
    LEAST_OF_SESSION,
    NO_GRADE,
    Judged,
    Work,
    fast_throughout,
    long_runs,
    quick_documents,
    relevance_drift,
    time_drift,
)
from agreement.core.flags import KINDS, flags_of, weak_answers
from assess.core.pace import ENOUGH
from assess.core.purposes import KNOWN, REPEAT

DAY, MINUTE = 86_400.0, 60.0


def judged(*parts, **columns) -> Judged:
    """Judgments in parts, each a dict of columns; what is not said is ordinary."""
    rows = []
    for n, part in enumerate(parts or [columns]):
        size = max(len(each) for each in part.values() if isinstance(each, list))
        usual = {
            "assessor": 1,
            "topic": 1,
            "batch": 1,
            "at": [n * DAY + MINUTE * place for place in range(size)],
            "change": [*range(size)],
            "grade": 0,
            "seconds": 30.0,
        }
        its = {**usual, **part}
        lists = {name: v if isinstance(v, list) else [v] * size for name, v in its.items()}
        rows += zip(*(lists[name] for name in usual), strict=True)
    names = Judged._fields[1:]
    found = dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True))
    return Judged(judgment=np.arange(len(rows)) + 1, **found).in_order()


def work(*parts, **columns) -> Work:
    return Work(judged(*parts, **columns), level=1)


# Times


def test_ten_documents_under_a_sixth_of_both_medians_are_flagged():
    other = {"assessor": 2, "seconds": [30.0] * 40}
    [found] = quick_documents(work({"seconds": [30.0] * 35 + [4.0] * 10}, other))
    assert (found.assessor, found.topic, found.ids) == (1, 1, [*range(36, 46)])
    assert "10 of 45 documents took under 5 s each" in found.evidence
    assert found.evidence.endswith("the assessor's median is 30 s, the topic's 30 s")
    assert found.since == 35 * MINUTE
    for seconds in (
        [30.0] * 35 + [4.0] * 9,  # too few
        [30.0] * 40 + [4.0] * 10,  # too small a share
        [30.0] * 35 + [5.0] * 10,  # a sixth
        [30.0] * 35 + [0.0] * 10,  # no time was sent
    ):
        assert not list(quick_documents(work({"seconds": seconds}, other)))


def test_a_topic_of_one_person_is_held_against_their_other_topics():
    slow, hasty = {"seconds": [60.0] * 60}, {"topic": 2, "seconds": [9.0] * 30}
    [found] = quick_documents(work(slow, hasty))
    assert (found.topic, len(found.ids)) == (2, 30)
    assert found.evidence.endswith("is 1 min on all topics, and nobody else judged this one")
    assert not list(quick_documents(work(slow, hasty | {"seconds": [9.0] * 14 + [20.0] * 16})))


def test_of_innocent_people_few_are_flagged_as_quick():
    rng, n_flagged = np.random.default_rng(9), 0
    for _ in range(20):
        times = rng.lognormal(3.4, 1.1, (10, 10, 60))
        parts = [
            {"assessor": who, "topic": topic, "seconds": times[who, topic].tolist()}
            for who in range(10)
            for topic in range(10)
        ]
        n_flagged += len({each.assessor for each in quick_documents(work(*parts))})
    assert n_flagged / 200 < 0.05


def test_a_topic_that_is_quick_for_everybody_is_no_haste():
    slow = {"seconds": [60.0] * 60}
    easy = {"topic": 2, "seconds": [9.0] * 12}
    other = {"topic": 2, "assessor": 2, "seconds": [9.0] * 40}
    assert not list(quick_documents(work(slow, easy, other)))
    hard = other | {"seconds": [60.0] * 40}
    [found] = quick_documents(work(slow, easy, hard))
    assert (found.assessor, found.topic, len(found.ids)) == (1, 2, 12)


def test_who_is_three_times_as_fast_as_the_others_is_flagged():
    people = [{"assessor": n, "seconds": [60.0] * ENOUGH} for n in (1, 2)]
    hasty = {"assessor": 3, "seconds": [19.0] * ENOUGH}
    [found] = fast_throughout(work(*people, hasty))
    assert (found.assessor, found.topic, len(found.ids)) == (3, None, ENOUGH)
    words = "A median of 19 s over 20 documents; 2 others have medians around 1 min"
    assert found.evidence == words
    assert not list(fast_throughout(work(*people, hasty | {"seconds": [20.0] * ENOUGH})))
    assert not list(fast_throughout(work(*people, hasty | {"seconds": [19.0] * (ENOUGH - 1)})))
    assert not list(fast_throughout(work(people[0], hasty))), "one other is no usual time"


# Runs


MIXED = [0, 1] * 20


def test_a_run_that_is_too_long_for_its_grade_is_flagged_with_its_documents():
    [found] = long_runs(work(grade=[*MIXED, *[0] * 20, *MIXED]))
    assert found.ids == [*range(41, 61)] or found.ids == [*range(41, 62)]
    assert found.p < 0.05
    assert "grade 0" in found.evidence
    assert "in 2 looks" in found.evidence
    assert not list(long_runs(work(grade=MIXED * 3)))


def test_one_grade_alone_is_no_unlikely_run():
    assert not list(long_runs(work(grade=[0] * 100)))


def test_what_cannot_be_judged_neither_ends_a_run_nor_is_one():
    grades = [*MIXED, *[0] * 10, NO_GRADE, *[0] * 10, *MIXED]
    [found] = long_runs(work(grade=grades))
    assert 51 not in found.ids
    assert len(found.ids) == 21
    assert not list(long_runs(work(grade=[*MIXED, *[NO_GRADE] * 30])))


def test_a_later_batch_of_fewer_relevant_documents_is_no_run():
    first, later = {"grade": [1, 1, 0] * 10}, {"batch": 2, "grade": [*[0] * 29, 1]}
    assert not list(long_runs(work(first, later)))
    assert list(long_runs(work(first, later | {"batch": 1})))


def test_every_look_counts():
    """A run that one topic alone would flag is nothing among a thousand."""
    grades = [*[0, 1] * 9, *[0] * 12, *[0, 1] * 9]
    assert len(list(long_runs(work(grade=grades)))) == 1
    rng = np.random.default_rng(5)
    others = [
        {"topic": n, "grade": rng.permutation([0] * 10 + [1] * 10).tolist()} for n in range(2, 400)
    ]
    assert not list(long_runs(work({"grade": grades}, *others)))


def test_random_orders_are_flagged_in_one_campaign_of_twenty():
    rng, n_flagged = np.random.default_rng(6), 0
    for _ in range(200):
        parts = [
            {"topic": n, "grade": rng.permutation([0] * 35 + [1] * 15).tolist()} for n in range(8)
        ]
        n_flagged += bool(list(long_runs(work(*parts))))
    assert n_flagged / 200 <= 0.05 + 0.03


# Drift


def sessions(n: int, values: list, name: str, **more) -> list[dict]:
    return [{name: values, **more} for _ in range(n)]


def test_a_share_of_relevant_documents_that_falls_over_sessions_is_flagged():
    falling = [1] * 10 + [0, 1] * 5 + [0] * 20
    [found] = relevance_drift(work(*sessions(3, falling, "grade")))
    assert (found.assessor, found.topic) == (1, None)
    assert found.evidence.startswith("Relevant by quarter: 100 %, 50 %, 0 % and 0 %")
    words = "of all in the same session, topic and batch: 38 %, 38 %, 38 % and 38 %; against these"
    assert f"{words} the last has 100 points less than the first" in found.evidence
    assert "3 sessions, by chance under 0.001 in 1 look" in found.evidence
    assert set(found.notes) == {"first quarter", "last quarter"}
    assert len(found.ids) == len(found.notes) == 3 * 20
    assert found.notes[:10] == ["first quarter"] * 10


def test_two_topics_in_a_session_are_no_drift():
    topics = {"topic": [1] * 20 + [2] * 20, "grade": [1] * 20 + [0] * 20}
    assert not list(relevance_drift(work(*[topics] * 6)))
    assert list(relevance_drift(work(*[topics | {"topic": 1}] * 6)))


def test_who_is_fast_in_a_later_topic_alone_is_no_drift_of_time():
    topics = {"topic": [1] * 20 + [2] * 20, "seconds": [24.0] * 20 + [2.0] * 20}
    assert not list(time_drift(work(*[topics] * 6)))
    assert list(time_drift(work(*[topics | {"topic": 1}] * 6)))


def test_two_batches_in_a_session_are_no_drift():
    batches = {"batch": [1] * 20 + [2] * 20, "grade": [1] * 20 + [0] * 20}
    assert not list(relevance_drift(work(*[batches] * 6)))


def test_sessions_of_fewer_than_twenty_are_not_looked_at():
    short = [1] * 10 + [0] * (LEAST_OF_SESSION - 11)
    assert not list(relevance_drift(work(*sessions(9, short, "grade"))))
    assert list(relevance_drift(work(*sessions(9, [*short, 0], "grade"))))


def test_a_change_under_ten_points_is_no_drift_however_certain():
    rng = np.random.default_rng(7)
    quarters = [(rng.random(500) < share).astype(int).tolist() for share in (0.5, 0.47, 0.44, 0.42)]
    drifting = [each for quarter in quarters for each in quarter]
    at = [n * 10.0 for n in range(2000)]
    many = work(*[{"grade": drifting, "at": [n * DAY + each for each in at]} for n in range(5)])
    assert not list(relevance_drift(many))


def test_who_gets_twice_as_fast_within_sessions_is_flagged():
    times = np.geomspace(60, 15, 40).tolist()
    [found] = time_drift(work(*sessions(3, times, "seconds")))
    assert found.evidence.startswith("Median time by quarter: 51 s, 36 s, 25 s and 18 s")
    assert "the last takes 34 % of the first" in found.evidence
    assert "against all in the same session, topic and batch, the last" in found.evidence
    for other in (np.geomspace(60, 40, 40), np.geomspace(15, 60, 40)):
        assert not list(time_drift(work(*sessions(3, other.tolist(), "seconds"))))
    untimed = [0.0, 60.0] * 20
    assert not list(time_drift(work(*sessions(3, untimed, "seconds"))))


# Controls


def answers(kind: str, name: str, n: int, n_equal: int) -> list[Compared]:
    at = datetime(2026, 11, 22, tzinfo=UTC)
    return [
        Compared("1", name, kind, 1, 1 if place < n_equal else 0, place, at + timedelta(place))
        for place in range(n)
    ]


@pytest.mark.parametrize("kind", [KNOWN, REPEAT])
def test_controls_are_flagged_where_the_interval_lies_below_everybodys_share(kind):
    def found(n: int, n_equal: int):
        rows = [*answers(kind, "ada", 100, 90), *answers(kind, "ben", n, n_equal)]
        return list(
            weak_answers(Work(judged(grade=[0]), 1, rows, {"ada": 1, "ben": 2}, [0, 1]), kind)
        )

    [flag] = found(30, 10)
    assert (flag.assessor, flag.topic, len(flag.ids), flag.p) == (2, None, 30, None)
    assert (
        flag.evidence
        == "10 of 30 the same: 33 %, 95 % interval 19 to 51 %; of all 77 %".replace(
            "19 to", "19 % to"
        )
    )
    assert set(flag.notes) == {"expected 1"}
    assert not found(30, 27)
    assert not found(19, 0), "too few to say"


# All of them


def spoiled() -> list[dict]:
    """A hasty person, one with a run, one who drifts, and ordinary ones; no two times are equal."""
    rng = np.random.default_rng(8)

    def usual(**its):
        n = 60
        return {
            "grade": rng.integers(0, 2, n).tolist(),
            "seconds": rng.lognormal(3.4, 0.4, n).tolist(),
            "at": np.cumsum(rng.integers(20, 90, n)).astype(float).tolist(),
            **its,
        }

    return [
        usual(assessor=1, topic=1),
        usual(assessor=2, topic=1, seconds=(rng.lognormal(1, 0.2, 60)).tolist()),
        usual(assessor=3, topic=2, grade=[0, 1] * 15 + [0] * 30),
        usual(assessor=4, topic=3, grade=[1] * 30 + [0] * 30),
        usual(assessor=5, topic=3),
    ]


def told(its: Work):
    return sorted(
        (kind.key, each.evidence, each.ids, each.since, each.assessor, each.topic or 0)
        for kind, each in flags_of(its)
    )


def test_each_kind_has_a_key_of_its_own_and_says_its_threshold():
    assert len({kind.key for kind in KINDS}) == len(KINDS)
    assert all(kind.threshold.endswith(".") for kind in KINDS)


def test_nothing_judged_raises_nothing():
    nothing = Judged(
        *(np.array([], dtype=np.float64 if n in (4, 7) else np.int64) for n in range(8))
    )
    assert flags_of(Work(nothing, 1)) == []


@given(st.randoms(use_true_random=False))
def test_flags_do_not_depend_on_the_order_of_rows_nor_on_what_people_are_called(random):
    before = work(*spoiled())
    found = told(before)
    assert {kind for kind, *_ in found} >= {"fast-throughout", "long-run", "relevance-drift"}
    rows = [*range(len(before.judged.at))]
    random.shuffle(rows)
    shuffled = before.judged.only(np.array(rows)).in_order()
    assert told(before._replace(judged=shuffled)) == found
    names = [*range(101, 106)]
    random.shuffle(names)
    renamed = before.judged._replace(
        assessor=np.array(names)[before.judged.assessor - 1],
        topic=before.judged.topic + 50,
        batch=before.judged.batch + 7,
    ).in_order()
    other = told(before._replace(judged=renamed))
    called = {names[n]: n + 1 for n in range(5)}
    assert sorted((*row, called[who], topic and topic - 50) for *row, who, topic in other) == found


def test_a_large_change_that_chance_explains_is_no_drift():
    relevant = [1, 1, 0, 0, 0] + [1, 0, 0, 0, 0] * 3
    assert not list(relevance_drift(work(grade=relevant)))
    usual = [4.0, 400.0, 4.0, 400.0, 400.0]
    assert not list(time_drift(work(seconds=[*usual * 3, 4.0, 4.0, 4.0, 400.0, 400.0])))


def test_a_trend_among_many_people_is_less():
    falling = {"grade": [1] * 4 + [0] + [1, 0] * 5 + [0] * 5}
    assert len(list(relevance_drift(work(falling)))) == 1
    others = [{"assessor": n, "grade": [0, 1] * 10} for n in range(2, 40)]
    assert not list(relevance_drift(work(falling, *others)))


def test_a_quarter_without_grades_or_times_is_no_drift():
    for ends in ([NO_GRADE] * 10 + [0, 1] * 15, [0, 1] * 15 + [NO_GRADE] * 10):
        assert not list(relevance_drift(work(*sessions(6, ends, "grade"))))
    assert not list(time_drift(work(*sessions(6, [60.0, 50.0] * 15 + [0.0] * 10, "seconds"))))
