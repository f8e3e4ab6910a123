"""A campaign's life in any order, by people whose pages are of any age.

Whatever they do, the chain holds: from every score back to the texts that were judged and to the
run that was uploaded.
"""

import hashlib
import os
from io import BytesIO

import pytest
from django.contrib.auth.models import AnonymousUser
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from campaigns.access.topics import topics_seen
from cleverdon.measures.interface import evaluate
from collection.models.texts import Topic
from evaluation import tasks as scoring_tasks
from evaluation.access import evaluations_shown, front, sees_all_runs
from evaluation.models.scores import Evaluation, Score
from pooling.access import batches_seen
from pooling.models.contributors import Contributor
from qrels.access import versions_shown
from qrels.models import Qrels
from runs.access.runs import released_to
from runs.models import Run
from tests import make, records
from tests.db.life.collecting import MEASURES
from tests.db.life.judging import hash_of
from tests.db.life.mending import Mending

N_LIVES, N_ACTS = (300, 60) if os.environ.get("HYPOTHESIS_PROFILE") == "deep" else (1, 25)


def shown_of(shown: set[Evaluation], public: set[int]) -> set[int]:
    return {each.pk for each in shown} & public


class Life(Mending):
    """What holds, whatever people do."""

    @invariant()
    def a_run_is_the_file_that_was_uploaded(self) -> None:
        for run in Run.objects.filter(campaign=self.campaign):
            content = make.content(run.file)
            assert content == self.uploaded[run.pk]
            assert run.sha256 in {"", hashlib.sha256(content).hexdigest()}

    @invariant()
    def a_frozen_pool_names_its_runs_for_good(self) -> None:
        pooled = Contributor.objects.filter(batch__pool__campaign=self.campaign)
        for contributor in pooled.select_related("run"):
            run = contributor.run
            assert contributor.run_sha256 == run.sha256
            others = Run.objects.filter(campaign=self.campaign, tag=run.tag)
            assert not others.exclude(pk=run.pk).filter(state=Run.State.VALID).exists()

    @invariant()
    def a_judgment_is_about_the_texts_that_its_assessor_saw(self) -> None:
        events = JudgmentEvent.objects.filter(client_id__in=self.read)
        hashes = self.hashes() if self.read else {}
        for event in events.select_related("judgment__topic"):
            judgment = event.judgment
            statement = hashes[judgment.topic.number, event.topic_version, "topic"]
            text = hashes[judgment.docno, event.document_version, "document"]
            assert (statement, text) == self.read[event.client_id]
        assert events.count() == len(self.read)

    def hashes(self) -> dict[tuple[str, int, str], str]:
        """The hash of every text there is or was, computed anew from what can be downloaded, by
        name, version and kind.
        """
        found = {}
        for topic in self.campaign.topic_set.prefetch_related("earlier"):
            for text in (topic, *topic.earlier.all()):
                found[topic.number, text.version, "topic"] = hash_of(text)
        for document in self.campaign.document_set.prefetch_related("earlier"):
            for text in (document, *document.earlier.all()):
                found[document.docno, text.version, "document"] = hash_of(text)
        return found

    @invariant()
    def whoever_was_removed_does_nothing(self) -> None:
        for person, n_events in self.n_events_at_removal.values():
            assert self.n_events(person) == n_events

    @invariant()
    def counts_are_true(self) -> None:
        for assignment in Assignment.objects.in_campaign(self.campaign):
            judged = assignment.entries.filter(judgment__isnull=False)
            states = list(judged.values_list("judgment__state", flat=True))
            assert assignment.n_judged == states.count("judged")
            assert assignment.n_cannot_judge == states.count("cannot_judge")
            assert assignment.n_later == states.count("later") + states.count("reopened")

    @invariant()
    def published_qrels_never_change(self) -> None:
        for qrels in Qrels.objects.filter(campaign=self.campaign):
            content = make.content(qrels.file)
            assert hashlib.sha256(content).hexdigest() == qrels.sha256
            assert self.published.setdefault(qrels.pk, content) == content
        assert Qrels.objects.filter(campaign=self.campaign).count() == len(self.published)

    @invariant()
    def a_score_is_that_of_its_bytes_and_stays(self) -> None:
        scores = Score.objects.filter(evaluation__campaign=self.campaign)
        for score in scores.select_related("evaluation__qrels", "run"):
            now = score.aggregates, bytes(score.content)
            if score.pk not in self.scored:
                self.scored[score.pk] = now
                qrels, run = score.evaluation.qrels, self.uploaded[score.run_id]
                again = evaluate(
                    BytesIO(make.content(qrels.file)), BytesIO(run), MEASURES, level=qrels.level
                )
                assert [again.aggregate(name) for name in MEASURES] == score.aggregates
            assert self.scored[score.pk] == now

    @invariant()
    def what_others_see_is_what_somebody_released(self) -> None:
        """Pat and Quinn submit runs, nobody judges any more for visitors: they see these
        evaluations and versions alone.
        """
        seen = {
            (what, audience): key
            for (what, audience), (key, is_seen) in self.released.items()
            if is_seen
        }
        self.others_see_what_was_named(seen)
        public = {
            what: {seen[key] for key in seen if key == (what, "everybody")}
            for what in ("scores", "qrels")
        }
        for user, audiences in (
            (self.people["pat"], ("participants", "everybody")),
            (AnonymousUser(), ("everybody",)),
        ):
            scores = [seen["scores", each] for each in audiences if ("scores", each) in seen]
            versions = {seen["qrels", each] for each in audiences if ("qrels", each) in seen}
            shown = set(evaluations_shown(user, self.campaign))
            assert {each.pk for each in shown} == set(scores)
            main = front(user, self.campaign)
            assert (main.pk if main else None) == next(iter(scores), None)
            assert {each.pk for each in shown if sees_all_runs(user, each)} == shown_of(
                shown, public["scores"]
            )
            assert {each.pk for each in versions_shown(user, self.campaign)} == versions
            assert not any(each.qrels.is_withdrawn for each in shown)
        withdrawn = Qrels.objects.filter(campaign=self.campaign, withdrawn_at__isnull=False)
        of_withdrawn = {*withdrawn.values_list("pk", flat=True)}
        resting = {
            Evaluation.objects.get(pk=key).qrels_id if what == "scores" else key
            for (what, _), (key, _) in self.released.items()
            if what in {"scores", "qrels", "agreement"}
        }
        assert not of_withdrawn & resting

    def others_see_what_was_named(self, seen: dict[tuple[str, str], int | None]) -> None:
        """What came after a release (a run, a topic, a batch) is in none."""
        campaign = self.now()
        for user, audiences in (
            (self.people["pat"], ("participants", "everybody")),
            (AnonymousUser(), ("everybody",)),
        ):
            mine = [key for key in seen if key[1] in audiences]
            named = {
                what: set().union(*(self.shown_names[key] for key in mine if key[0] == what))
                for what in ("runs", "topics")
            }
            assert {each.pk for each in released_to(user, campaign)} == {
                each.pk for each in Run.objects.valid().filter(pk__in=named["runs"])
            }
            last = max((seen[key] for key in mine if key[0] == "pool"), default=0)
            versions = {each.version for each in batches_seen(user, campaign)}
            assert versions == {*range(1, last + 1)}
            if isinstance(user, AnonymousUser):
                topics = {each.pk for each in topics_seen((), campaign)}
                assert topics == named["topics"] & {*Topic.objects.values_list("pk", flat=True)}

    @invariant()
    def every_score_leads_to_the_texts_that_were_read_and_to_the_run(self) -> None:
        versions = list(Qrels.objects.filter(campaign=self.campaign))
        hashes = self.hashes() if any(qrels.judgments for qrels in versions) else {}
        for qrels in versions:
            assert qrels.is_imported == (not qrels.judgments)
            if not qrels.is_imported:
                self.follow(qrels, hashes)
        scores = Score.objects.filter(evaluation__campaign=self.campaign)
        for score in scores.select_related("evaluation__qrels", "run"):
            assert score.run.sha256  # that of the file, as above
            assert score.evaluation.qrels.is_imported or score.evaluation.qrels_id in self.kept

    def follow(self, qrels: Qrels, hashes: dict[tuple[str, int, str], str]) -> None:
        """Follow each grade of a version through the judgments kept with it to the texts as they
        can be downloaded.
        """
        content = records.kept(qrels.judgments)
        assert hashlib.sha256(content.encode()).hexdigest() == qrels.judgments_sha256
        rows = records.read(content)
        if qrels.pk not in self.kept:
            self.trace(qrels, rows)
        assert self.kept.setdefault(qrels.pk, content) == content
        for row in records.official(rows):
            assert row["topic_sha256"] == hashes[row["topic"], int(row["topic_version"]), "topic"]
            assert (
                row["document_sha256"]
                == hashes[row["docno"], int(row["document_version"]), "document"]
            )

    def trace(self, qrels: Qrels, rows: records.Rows) -> None:
        """Follow each grade of a version to its judgment, and to what was on the screen then."""
        assert qrels.is_other or records.RULES[qrels.rule](rows) == make.content(qrels.file)
        for row in records.official(rows):
            event = JudgmentEvent.objects.get(
                judgment=row["judgment"], assignment=row["assignment"], change=row["change"]
            )
            assert event.to_grade == int(row["grade"])
            assert event.judgment.assessor.username == row["assessor"]
            assert self.read[event.client_id] == (row["topic_sha256"], row["document_sha256"])


@pytest.mark.slow
@pytest.mark.django_db
def test_the_chain_holds_whatever_happens(queued, monkeypatch):
    monkeypatch.setattr(
        scoring_tasks.score_batch, "apply_async", lambda sent: scoring_tasks.score_batch(*sent)
    )
    limits = hypothesis_settings(
        max_examples=N_LIVES,
        stateful_step_count=N_ACTS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Life, settings=limits)
