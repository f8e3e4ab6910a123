"""The ranking under other assessors' grades: what a worker stores, and what its page says."""

import csv
import io

import numpy as np
import pytest
from django.utils import timezone
from scipy.stats import kendalltau

from accounts.access import Refused
from agreement.core.kept import Opinions, opinions
from assess.core.records import JudgmentRecord
from assess.models.judging import Judgment
from assess.services.adjudicating import adjudicate
from cleverdon.pictures.numbers import written
from evaluation import services, varying
from evaluation.core.disagreement import Disagreement
from evaluation.models.scores import Evaluation
from evaluation.placement_cache import against
from jobs.models import Job
from programs.core import Verdict
from programs.services import register_program, take_labels
from qrels.services.importing import import_qrels
from tests import make
from tests.api.addresses import of, send
from tests.db.actions.programs import CARD
from tests.db.computing import page_of, words
from tests.db.scoring import score, trec_evals
from tests.db.several import judge_twice
from tests.db.test_importing_qrels import read
from tests.web.heads import press_each


@pytest.fixture
def twice(several, ben, olga, sent) -> Evaluation:
    judge_twice(several, ben)
    made = score(olga, several, sent)
    make.worked("place_runs", made.pk)
    return made


def found_of(olga, evaluation) -> Disagreement:
    services.request_disagreement(user=olga, evaluation=evaluation)
    make.worked("vary_assessors", evaluation.pk)
    evaluation.refresh_from_db()
    return Disagreement.from_json(evaluation.disagreement)


def grades_of(kind: str) -> dict[tuple[str, str], int]:
    rows = Judgment.objects.filter(purpose=kind, state="judged", set_aside_at=None)
    names = ("item__topic__number", "item__key", "grade")
    return {(topic, docno): grade for topic, docno, grade in rows.values_list(*names)}


def test_variants_score_what_trec_eval_says_of_their_judgments(olga, twice, cleo, sent):
    campaign = twice.campaign
    assignments = adjudicate(user=olga, campaign=campaign, assessor=cleo).made
    for each in assignments[:3]:
        docnos = each.entries.values_list("item__key", flat=True)
        make.judgments(each, dict.fromkeys(docnos, 2))
    evaluation = score(olga, campaign, sent, measures=["AP"])
    found = found_of(olga, evaluation)
    first, second, decided = map(grades_of, ("primary", "second", "adjudication"))
    assert decided
    second = {pair: grade for pair, grade in second.items() if pair in first}
    assert found.n_twice == len(second)
    assert found.n_differ == sum(second[pair] != first[pair] for pair in second)
    assert (found.n_topics, found.n_judged) == (len({t for t, _ in second}), len(first))
    outcome = f"{found.n_twice} documents judged twice, on {found.n_topics} topics of qrels v2."
    assert Job.objects.get(kind="vary_assessors").outcome == outcome
    grades = {
        "original": first,
        "second": first | second,
        "union": first | {pair: max(first[pair], second[pair]) for pair in second},
        "intersection": first | {pair: min(first[pair], second[pair]) for pair in second},
        "adjudicated": first | decided,
    }
    (ap,) = found.measures
    assert [each.variant for each in ap.variants] == [*grades]
    runs = list(evaluation.runs.order_by("tag"))
    official = [each.aggregates[0] for each in evaluation.scores.order_by("run__tag")]
    for n, of_variant in enumerate(grades.values()):
        qrels = {topic: {} for topic, _ in first}
        for (topic, docno), grade in of_variant.items():
            qrels[topic][docno] = grade
        expected = [
            sum(each["map"] for each in trec_evals(run, qrels, "map").values()) / len(qrels)
            for run in runs
        ]
        under = {each.run: each.under[n] for each in ap.runs}
        assert [under[run.tag] for run in runs] == pytest.approx(expected, abs=1e-12)
        tau = kendalltau(np.round(official, 4), np.round(expected, 4)).statistic
        assert ap.variants[n].alike[0][0] == pytest.approx(tau)
    assert official == [each.score for each in sorted(ap.runs, key=lambda each: each.run)]
    assert found_of(olga, evaluation) == found


def test_what_has_no_official_grade_takes_no_part(twice):
    judged, _ = against(twice, [])
    assert varying.judged_twice(twice, judged)
    assert varying.judged_twice(twice, judged.with_grades(np.full(len(judged.grades), -1))) == []


def test_without_a_document_judged_twice_it_ends_with_a_sentence(olga, compared):
    services.request_disagreement(user=olga, evaluation=compared)
    job = make.worked("vary_assessors", compared.pk)
    assert (job.state, job.outcome) == ("failed", varying.NOTHING_TWICE)


def test_measures_that_say_nothing_of_better_runs_are_left_out(olga, several, ben, sent):
    judge_twice(several, ben)
    evaluation = score(olga, several, sent, measures=["NumRet", "P@5"])
    assert [each.measure for each in found_of(olga, evaluation).measures] == ["P@5"]
    nothing = score(olga, several, sent, measures=["NumRet"])
    services.request_disagreement(user=olga, evaluation=nothing)
    job = make.worked("vary_assessors", nothing.pk)
    assert (job.state, job.outcome) == ("failed", varying.NOTHING_TO_COMPARE)


def test_imported_qrels_have_no_page_of_it(client, olga, campaign, judged, sent):
    qrels = import_qrels(user=olga, upload=read(olga, campaign), level=1)
    evaluation = services.request_evaluation(user=olga, **make.scope(qrels))
    with pytest.raises(Refused, match=r"^These qrels were imported, so it is not known who judged"):
        services.request_disagreement(user=olga, evaluation=evaluation)
    Evaluation.objects.update(finished_at=timezone.now())
    client.force_login(olga)
    assert client.get(page_of(evaluation, "disagreement")).status_code == 404


def test_the_page_says_how_the_order_holds(client, olga, twice):
    found = found_of(olga, twice)
    ap = next(each for each in found.measures if each.measure == "AP")
    client.force_login(olga)
    page = client.get(page_of(twice, "disagreement"), {"by": "AP"})
    said, (mean, low, high) = words(page), ap.mixtures[0][0]
    mean, low, high = (written(each, 2) for each in (mean, low, high))
    sentence = f"the order by AP has a tau of {mean} with this one, from {low} to {high}"
    assert sentence in said
    assert f"{found.n_twice} of {found.n_judged} documents, on {found.n_topics} topics" in said
    assert f"differ on {found.n_differ}." in said
    assert [each.run for each in page.context["runs"]] == [each.run for each in ap.runs]
    tables = press_each(client, page_of(twice, "disagreement"))
    assert tables == {"likeness", "swaps", "runs"}
    client.force_login(olga)
    at = f"evaluations/{twice.public_id}"
    assert client.get(of(twice.campaign, f"{at}/disagreement/")).json() == twice.disagreement
    assert send(client, twice.campaign, f"{at}/vary-assessors/").status_code == 202


def lines(*rows: dict) -> io.StringIO:
    file = io.StringIO()
    writer = csv.DictWriter(file, JudgmentRecord._fields, restval="")
    writer.writeheader()
    writer.writerows({"topic": "1", "state": "judged", **row} for row in rows)
    file.seek(0)
    return file


def test_what_was_said_of_a_document_is_in_order_and_of_independent_judgments_alone():
    def row(n: int, docno: str, who: str, kind: str, given: int, **more) -> dict:
        its = {"judgment": n, "docno": docno, "assessor": who, "kind": kind, "grade": given}
        return {**its, **more}

    told = opinions(
        lines(
            row(1, "d1", "ben", "second", 0),
            row(2, "d1", "ada", "primary", 2),
            row(3, "d1", "cleo", "adjudication", 1),
            row(4, "d1", "dora", "known", 1),
            row(5, "d2", "ada", "shared", 1),
            row(6, "d2", "'=ben", "shared", 0),
            row(7, "d3", "ada", "primary", 1),
            row(8, "d3", "ben", "second", 1, set_aside_at="2027-01-01"),
            row(9, "d4", "ada", "primary", 1),
            row(10, "d4", "ben", "second", 1, state="cannot_judge", grade=""),
            row("", "d5", "", "existing", 1),
        )
    )
    assert [*told] == [
        Opinions("1", "d1", {"": 2, "ben": 0}, 1),
        Opinions("1", "d2", {"ada": 1, "=ben": 0}, None),
    ]


def test_an_order_that_holds_is_said_to(client, olga, several, ben, sent):
    for topic in several.topic_set.all():
        second = make.assignment(topic, ben, "second")
        of_topic = {d: grade for (n, d), grade in grades_of("primary").items() if n == topic.number}
        make.judgments(second, of_topic)
    evaluation = score(olga, several, sent, measures=["AP"])
    found = found_of(olga, evaluation)
    assert (found.n_differ, found.measures[0].swaps) == (0, [])
    client.force_login(olga)
    said = words(client.get(page_of(evaluation, "disagreement")))
    assert "With other assessors the order by AP would be the same" in said
    assert "No run has another place." in said
    assert "None, in any mixture." in said


def test_a_program_is_a_variant_on_the_documents_that_people_judged(olga, several, sent, client):
    """Without a document judged twice too."""
    first = grades_of("primary")
    card = {**CARD, "name": "judge-1"}
    program = register_program(user=olga, campaign=several, **card)
    labels = {pair: (grade + 1) % 4 for pair, grade in sorted(first.items())[2:]}
    said = [Verdict(n, *pair, str(grade)) for n, (pair, grade) in enumerate(labels.items(), 1)]
    take_labels(user=olga, program=program, labels=said)
    evaluation = score(olga, several, sent, measures=["AP"])
    found = found_of(olga, evaluation)
    (ap,) = found.measures
    [variant] = ap.variants
    assert (found.n_twice, variant.variant) == (0, "program judge-1")
    qrels = {topic: {} for topic, _ in first}
    for (topic, docno), grade in labels.items():
        qrels[topic][docno] = grade
    runs = list(evaluation.runs.order_by("tag"))
    expected = [
        sum(each["map"] for each in trec_evals(run, qrels, "map").values()) / len(qrels)
        for run in runs
    ]
    under = {each.run: each.under[0] for each in ap.runs}
    assert [under[run.tag] for run in runs] == pytest.approx(expected, abs=1e-12)
    official = {each.run: each.place for each in ap.runs}
    rounded = dict(zip((run.tag for run in runs), np.round(expected, 4), strict=True))
    places = {tag: 1 + sum(s > own for s in rounded.values()) for tag, own in rounded.items()}
    up = {tag: official[tag] - place for tag, place in places.items()}
    most = max(map(abs, up.values()))
    assert abs(variant.up) == most
    assert not most or up[variant.moved] == variant.up
    client.force_login(olga)
    said = words(client.get(page_of(evaluation, "disagreement")))
    tau = written(variant.alike[0][0], 2)
    assert f"By AP programs order the runs with a tau of {tau}" in said
    assert "The program judge-1: its labels alone" in said
    assert "mixtures" not in said
