"""Runs and teams left out of a board: what a worker stores, and what its page says."""

import pytest
from django.utils import timezone

from accounts.access import Refused
from evaluation import leaving_out, services
from evaluation.leaving_out import MeasureLeftOut, Reusability
from evaluation.models.scores import Evaluation
from jobs.models import Job
from pooling.models.entries import PoolEntry
from qrels.services.importing import import_qrels
from tests import make
from tests.db.computing import page_of, words
from tests.db.scoring import score, trec_evals
from tests.db.test_importing_qrels import read
from tests.web.heads import press_each


def ask(olga, evaluation) -> Job:
    services.request_reusability(user=olga, evaluation=evaluation)
    return Job.objects.get(kind="leave_out", state="waiting")


def found_of(olga, evaluation) -> Reusability:
    ask(olga, evaluation)
    make.worked("leave_out", evaluation.pk)
    evaluation.refresh_from_db()
    return Reusability.from_json(evaluation.reusability)


def ap_of(run, qrels: dict[str, dict[str, int]], n_topics: int) -> float:
    return sum(each["map"] for each in trec_evals(run, qrels, "map").values()) / n_topics


def test_left_out_runs_score_what_trec_eval_says_of_qrels_without_their_documents(olga, compared):
    found = found_of(olga, compared)
    assert Job.objects.get(kind="leave_out").outcome == "5 runs left out of qrels v1."
    qrels, runs = compared.qrels.pairs().by_topic(), list(compared.runs.order_by("tag"))
    team_of = {run.pk: run.team_id for run in runs}
    held = {
        (entry.topic.number, entry.docno): entry.run_ids
        for entry in PoolEntry.objects.select_related("topic", "item")
    }
    ap = next(each for each in found.measures if each.measure == "AP").runs
    assert [(each.run, each.contributed) for each in ap] == [(run.pk, True) for run in runs]
    assert found.n_relevant == sum(
        each > 0 for grades in qrels.values() for each in grades.values()
    )
    for n, run in enumerate(runs):
        alone = {
            "own": lambda pair: held[pair] == [run.pk],  # noqa: B023
            "team": lambda pair: {team_of[each] for each in held[pair]} == {run.team_id},  # noqa: B023
        }
        for way, is_alone in alone.items():
            pairs = [(t, d) for t, grades in qrels.items() for d in grades if not is_alone((t, d))]
            left = {topic: {} for topic in qrels}
            for topic, docno in pairs:
                left[topic][docno] = qrels[topic][docno]
            expected = ap_of(run, {t: grades for t, grades in left.items() if grades}, len(qrels))
            without = getattr(ap[n], way)
            assert without.after == pytest.approx(expected, abs=1e-12)
            own = [pair for pair in held if is_alone(pair)]
            assert without.n_only == sum(qrels[t].get(d, 0) > 0 for t, d in own)
    by_team = {run.team_id: ap[n].team.n_only for n, run in enumerate(runs)}
    assert found.n_alone == sum(by_team.values())
    assert [each.before for each in ap] != [each.own.after for each in ap]
    assert [each.own.after for each in ap] != [each.team.after for each in ap]
    assert any(each.team.rose for each in ap)
    assert found.growth == []
    assert found_of(olga, compared) == found


def test_measures_that_say_nothing_of_better_runs_are_left_out(olga, campaign, judged, sent):
    named = ["NumRet", "P@5", "Judged@10"]
    evaluation = score(olga, campaign, sent, measures=named)
    assert [each.measure for each in found_of(olga, evaluation).measures] == ["P@5"]
    nothing = score(olga, campaign, sent, measures=["NumRet"])
    ask(olga, nothing)
    job = make.worked("leave_out", nothing.pk)
    assert (job.state, job.outcome) == ("failed", leaving_out.NOTHING_TO_LEAVE_OUT)


def test_a_run_that_did_not_contribute_keeps_its_score_but_not_without_its_team(
    olga, campaign, judged, sent
):
    found = found_of(olga, score(olga, campaign, sent, measures=["AP"]))
    (ap,) = found.measures
    assert [each.contributed for each in ap.runs] == [True, False]
    assert [each.own.after for each in ap.runs] == [0, ap.runs[1].before]
    assert [each.team.after for each in ap.runs] == [0, 0]  # both are of one team


def test_imported_qrels_have_no_page_of_it(client, olga, campaign, judged, sent):
    qrels = import_qrels(user=olga, upload=read(olga, campaign), level=1)
    evaluation = services.request_evaluation(user=olga, **make.scope(qrels))
    with pytest.raises(Refused, match=r"^These qrels were imported"):
        services.request_reusability(user=olga, evaluation=evaluation)
    Evaluation.objects.update(finished_at=timezone.now())
    client.force_login(olga)
    assert client.get(page_of(evaluation, "reusability")).status_code == 404


def places_moved(ap: MeasureLeftOut, teams: list[int]) -> list[int]:
    """By how many places each run moves without its team's documents: among its team as it is then,
    and the others as they are on the board.
    """
    before = [round(each.before, 4) for each in ap.runs]
    after = [round(each.team.after, 4) for each in ap.runs]
    moved = []
    for n, own in enumerate(teams):
        others = [
            then if team == own else now
            for now, then, team in zip(before, after, teams, strict=True)
        ]
        was, comes = (
            1 + sum(each > mine for each in values)
            for values, mine in ((before, before[n]), (others, after[n]))
        )
        moved.append(abs(comes - was))
    return moved


def test_the_page_says_how_far_runs_move(client, olga, compared):
    found = found_of(olga, compared)
    ap = next(each for each in found.measures if each.measure == "AP")
    runs = {run.pk: run for run in compared.runs.all()}
    moved = places_moved(ap, [runs[each.run].team_id for each in ap.runs])
    assert max(moved) > 0
    client.force_login(olga)
    page = client.get(page_of(compared, "reusability"), {"by": "AP"})
    mean = sum(moved) / len(moved)
    assert f"moves {mean:.1f} places by AP on average, at most {max(moved)}" in words(page)
    by_score = sorted(ap.runs, key=lambda each: -each.before)
    assert [run.tag for run, _ in page.context["rows"]] == [runs[each.run].tag for each in by_score]
    assert press_each(client, page_of(compared, "reusability")) == {"lost", "runs"}


def test_earlier_versions_of_the_pool_are_compared(client, olga, compared, monkeypatch):
    """One version has the documents of the first topics alone."""
    every = list(PoolEntry.objects.values_list("topic__number", "item__key"))
    early = {pair for pair in every if pair[0] < "4"}
    versions = {"pool v1": early, "pool v2": set(every)}
    monkeypatch.setattr(leaving_out, "versions_of", lambda pool: versions)
    (first,) = found_of(olga, compared).growth
    assert first.version == "pool v1"
    assert len(first.taus) == 7  # Judged@10 says nothing of better runs
    assert -1 <= min(first.taus) < 1
    client.force_login(olga)
    assert "Did the later batches change the order?" in words(
        client.get(page_of(compared, "reusability"))
    )
