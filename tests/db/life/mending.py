"""What organizers of the same campaign may take back in any order: a run's team, a rehearsal."""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.models.trail import AuditEvent
from evaluation.models.scores import Evaluation
from overview.services.rehearsal import throw_away_rehearsal
from overview.services.rounds import begin_round, take_back_round
from pooling.models.batches import Batch
from pooling.models.contributors import Contributor
from pooling.models.pools import Pool
from qrels.models import Qrels
from runs.models import Run
from runs.services.runs import move_run, move_to_round
from tests.db.life.collecting import organizers
from tests.db.life.labelling import Labelling


class Mending(Labelling):
    """What people may take back, and what must then be so."""

    # Tags and teams

    def named(self) -> dict[int, str]:
        """Whether the frozen pool or a board names each run, from their own tables."""
        frozen = Contributor.objects.filter(batch__pool__campaign=self.campaign)
        scored = Evaluation.objects.filter(campaign=self.campaign)
        return dict.fromkeys(scored.values_list("runs", flat=True), "scored") | dict.fromkeys(
            frozen.values_list("run", flat=True), "pooled"
        )

    def holders(self, tag: str) -> list[Run]:
        """The runs that have a tag: those that are named by it, and those that may yet be."""
        live, named = {"waiting", "checking", "valid"}, self.named()
        runs = Run.objects.filter(campaign=self.campaign)
        return [
            run
            for run in runs
            if run.tag.lower() == tag.lower() and (run.pk in named or run.state in live)
        ]

    def upload(self, name: str, tag: str, first: str, second: str) -> None:
        is_free, n_before = not self.holders(tag), len(self.uploaded)
        super().upload(name, tag, first, second)
        assert (len(self.uploaded) > n_before) == is_free

    @invariant()
    def a_tag_is_that_of_one_run(self) -> None:
        tags = {run.tag.lower() for run in Run.objects.filter(campaign=self.campaign)}
        assert all(len(self.holders(tag)) <= 1 for tag in tags)

    @invariant()
    def a_run_knows_what_names_it(self) -> None:
        named = self.named()
        for run in Run.objects.filter(campaign=self.campaign):
            assert run.is_named == (run.pk in named)
            assert run.is_pooled == (named.get(run.pk) == "pooled")

    @rule(
        name=organizers,
        which=st.integers(0, 9),
        to=st.sampled_from((None, "team of pat", "team of quinn")),
    )
    def move_run(self, name: str, which: int, to: str | None) -> None:
        if not (runs := self.page(name).runs):
            return
        seen = runs[which % len(runs)]
        now, team = (Run.objects.get(pk=seen.pk), to and self.campaign.team_set.get(name=to))
        is_there = now.team == team if team else now.team.is_baseline
        may_move = now.team == seen.team and not is_there and now.pk not in self.named()
        moved = self.attempt(name, move_run, run=seen, team=team, seen=str(seen.team_id))
        assert bool(moved) == may_move
        expected = moved or now.team
        assert Run.objects.get(pk=seen.pk).team == expected

    # Rounds

    @rule(name=organizers, number=st.sampled_from((None, "1", "2")))
    def begin_round(self, name: str, number: str | None) -> None:
        seen, before = self.page(name).campaign.round, self.now()
        numbers = [number] if number and self.has_topic(number) else []
        began = self.attempt(name, begin_round, campaign=before, topics=numbers, seen=str(seen))
        assert bool(began) == (seen == before.round)
        assert self.now().round == before.round + bool(began)

    @rule(name=organizers)
    def take_back_round(self, name: str) -> None:
        seen, before = self.page(name).campaign.round, self.now()
        self.attempt(name, take_back_round, campaign=before, seen=str(seen))
        held = any(each.round == before.round for each in self.of_rounds())
        goes = seen == before.round and before.round > 1 and not held
        assert self.now().round == before.round - goes

    @rule(name=organizers, which=st.integers(0, 9), number=st.integers(1, 3))
    def move_to_round(self, name: str, which: int, number: int) -> None:
        if not (runs := self.page(name).runs):
            return
        seen = runs[which % len(runs)]
        now, last = Run.objects.get(pk=seen.pk), self.now().round
        may_move = now.round == seen.round != number <= last > 1 and now.pk not in self.named()
        moved = self.attempt(name, move_to_round, run=seen, number=number, seen=str(seen.round))
        assert bool(moved) == may_move
        assert Run.objects.get(pk=seen.pk).round == (number if moved else now.round)
        self.work()

    def now(self) -> Campaign:
        return Campaign.objects.get(pk=self.campaign.pk)

    def has_topic(self, number: str) -> bool:
        return self.campaign.topic_set.filter(number=number).exists()

    def of_rounds(self) -> list[Run | Batch | Qrels]:
        """What belongs to a round."""
        rows = (self.campaign.run_set, self.campaign.batch_set, self.campaign.qrels_set)
        return [each for some in rows for each in some.all()]

    @invariant()
    def nothing_is_of_a_round_that_there_is_not(self) -> None:
        now = self.now()
        numbers = [each.number for each in now.rounds.all()]
        assert numbers == ([*range(1, now.round + 1)] if now.round > 1 else [])
        assert all(1 <= each.round <= now.round for each in self.of_rounds())

    # A rehearsal

    @rule(name=organizers)
    def throw_away(self, name: str) -> None:
        is_released = any(what == "pool" for what, _ in self.released)
        is_published = Qrels.objects.filter(campaign=self.campaign, pool__isnull=False).exists()
        may_go = Pool.objects.of(self.campaign) and not is_published and not is_released
        n_thrown = AuditEvent.objects.filter(kind="rehearsal.thrown_away").count()
        self.attempt(name, throw_away_rehearsal, campaign=self.page(name).campaign)
        gone = AuditEvent.objects.filter(kind="rehearsal.thrown_away").count() > n_thrown
        assert gone == bool(may_go)
        if not gone:
            return
        self.work()
        self.read.clear()
        self.n_events_at_removal = {
            pk: (person, 0) for pk, (person, _) in self.n_events_at_removal.items()
        }
        assert not Judgment.objects.served().filter(topic__campaign=self.campaign).exists()
        assert not Pool.objects.filter(campaign=self.campaign).exists()
        assert not Campaign.objects.get(pk=self.campaign.pk).has_fixed_scale
