"""What organizers of the same campaign may take back in any order: a run's team, a rehearsal; and
the campaign copied at any time.
"""

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.services import ending
from evaluation.models.scores import Evaluation
from jobs.models import Job
from overview.services import copying
from overview.services.rehearsal import throw_away_rehearsal
from pooling.models import Contributor, Pool
from qrels.models import Qrels
from runs.models import Run
from runs.services.runs import move_run
from tests import make
from tests.db.life.collecting import organizers
from tests.db.life.judging import Judging, hash_of


class Mending(Judging):
    """What people may take back, and what must then be so."""

    # Tags and teams

    def named(self) -> dict[int, str]:
        """Whether the frozen pool or a board names each run, from their own tables."""
        frozen = Contributor.objects.filter(
            pool__campaign=self.campaign, pool__state=Pool.State.FROZEN
        )
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
        moved = self.attempt(
            lambda: move_run(user=self.people[name], run=seen, team=team, seen=str(seen.team_id))
        )
        assert bool(moved) == may_move
        expected = moved or now.team
        assert Run.objects.get(pk=seen.pk).team == expected

    # A rehearsal

    @rule(name=organizers)
    def throw_away(self, name: str) -> None:
        is_released = any(what in {"pool", "agreement"} for what, _ in self.released)
        is_published = Qrels.objects.filter(campaign=self.campaign, pool__isnull=False).exists()
        may_go = Pool.objects.frozen_of(self.campaign) and not is_published and not is_released
        gone = self.attempt(
            lambda: (
                throw_away_rehearsal(user=self.people[name], campaign=self.page(name).campaign)
                or True
            )
        )
        assert bool(gone) == bool(may_go)
        if not gone:
            return
        self.work()
        self.read.clear()
        self.n_events_at_removal = {
            pk: (person, 0) for pk, (person, _) in self.n_events_at_removal.items()
        }
        assert not Judgment.with_controls.filter(topic__campaign=self.campaign).exists()
        assert not Pool.objects.filter(campaign=self.campaign).exists()
        assert not Campaign.objects.get(pk=self.campaign.pk).has_fixed_scale

    # A copy

    @rule(name=organizers)
    def copy(self, name: str) -> None:
        """Copy everything, compare, and delete the copy."""
        user = self.people[name]
        copy = copying.copy_campaign(
            user=user,
            campaign=self.page(name).campaign,
            name="Copy",
            taking=["people", "topics", "documents"],
        )
        make.worked("copy_parts", self.campaign.pk)
        assert Job.objects.get(campaign=copy).state == Job.State.DONE
        for texts in ("topic_set", "document_set"):
            mine, its = getattr(self.campaign, texts), getattr(copy, texts)
            assert sorted(map(hash_of, mine.all())) == sorted(map(hash_of, its.all()))
            assert {text.version for text in its.all()} <= {1}
        members = [
            set(each.membership_set.values_list("user", "role", "team__name"))
            for each in (self.campaign, copy)
        ]
        assert members[0] == members[1]
        ending.delete_campaign(user=user, campaign=copy)
