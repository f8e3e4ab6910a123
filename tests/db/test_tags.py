"""Tags: whose they are, and for how long."""

import pytest
from django.db import IntegrityError, transaction

from accounts.access import Refused
from campaigns import checking, services
from campaigns.models import Run
from tests import make
from tests.db.uploading import BOTH, OUT, RANKING, again


@BOTH
def test_a_tag_belongs_to_its_team_whatever_becomes_of_the_run(campaign, pat, quinn, olga, state):  # fmt: skip
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    for tag in ("one", "ONE"):  # who made it, and how it is written, is not told
        with pytest.raises(
            Refused,
            match=f"The tag {tag} is taken: another team of this campaign has used it. Capitals make no difference.$",
        ):
            make.submitted(campaign, quinn, "x", tag)
    with pytest.raises(
        Refused, match="The tag One is taken: team Aldgate has used one"
    ):
        make.submitted(campaign, olga, "x", "One")
    assert make.run(campaign, pat, RANKING).state == Run.State.VALID


def test_a_tag_belongs_to_its_team_from_an_invalid_run_on(campaign, pat, quinn):
    assert make.run(campaign, pat, {"7": "d1"}).state == Run.State.INVALID
    with pytest.raises(Refused, match="another team of this campaign has used it"):
        make.submitted(campaign, quinn, "x", "one")


@BOTH
def test_a_pooled_run_keeps_its_tag_for_good(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    make.frozen_pool(campaign, [run])
    OUT[state](olga, again(run))
    for tag in ("one", "ONE"):
        with pytest.raises(
            Refused, match="one is taken for good: the pool names a run"
        ):
            make.submitted(campaign, pat, "x", tag)


def test_capitals_make_no_other_tag(campaign, pat):
    run = make.run(campaign, pat, RANKING, "BM25")
    with pytest.raises(
        Refused,
        match="The tag BM25 is taken: another run of this team has it",
    ):
        make.submitted(campaign, pat, "x", "bm25")
    with (
        pytest.raises(IntegrityError, match="one_live_run_per_tag"),
        transaction.atomic(),
    ):
        Run.objects.create(
            campaign=campaign, team=run.team, submitted_by=pat, tag="bm25", n_bytes=1
        )


def test_a_refused_file_is_not_kept(campaign, pat, quinn, tmp_path):
    make.run(campaign, pat, RANKING)
    before = sorted(tmp_path.rglob("*"))
    for person in (pat, quinn):
        with pytest.raises(Refused):
            make.submitted(campaign, person, "x", "one")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_tag_that_the_pool_names_does_not_come_back_with_another_run(campaign, pat, olga):  # fmt: skip
    first = make.run(campaign, pat, RANKING)
    services.withdraw_run(user=pat, run=first)
    second = make.run(campaign, pat, RANKING, "One")
    make.frozen_pool(campaign, [second])
    services.withdraw_run(user=pat, run=again(second), is_pooled=True)
    with pytest.raises(Refused, match="names another run of the team by the tag One"):
        services.reinstate_run(user=olga, run=again(first))


def test_a_tag_is_looked_for_before_the_file_is_stored_and_again_under_the_lock(campaign, pat, quinn, monkeypatch):  # fmt: skip
    """Two runs come at once: the second has been looked for before the first was there."""
    lock = checking._lock_tags  # noqa: SLF001

    def meanwhile(run: Run) -> None:
        monkeypatch.setattr(checking, "_lock_tags", lock)
        make.submitted(campaign, quinn, "x", "one")
        lock(run)

    monkeypatch.setattr(checking, "_lock_tags", meanwhile)
    with pytest.raises(Refused, match="another team of this campaign has used it"):
        make.submitted(campaign, pat, "x", "one")
    make.submitted(campaign, quinn, "x", "one")
    monkeypatch.setattr(checking, "_lock_tags", lambda _: pytest.fail("It is stored."))
    with pytest.raises(Refused, match="another team of this campaign has used it"):
        make.submitted(campaign, pat, "x", "one")
