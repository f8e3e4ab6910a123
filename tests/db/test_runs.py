"""Runs in a campaign that does not go in order: tags, withdrawal, disqualification, extensions, archives, checks made again."""

import gzip
import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.access import NotThere, Refused
from campaigns import checking, services, unpacking
from campaigns.models import AuditEvent, Job, Run, Team, Topic
from tests import make
from trec import archives
from trec.streams import is_readable

RANKING = {"1": "d1 d2", "2": "d3"}
OUT = {
    "withdrawn": lambda user, run, **given: services.withdraw_run(user=user, run=run, **given),
    "disqualified": lambda user, run, **given: services.disqualify_run(user=user, run=run, reason="no", **given),
}  # fmt: skip
BOTH = pytest.mark.parametrize("state", OUT)


def again(run: Run) -> Run:
    return Run.objects.select_related("team", "campaign", "out_by").get(pk=run.pk)


def do(kind, subject_id: int) -> Job:
    """Do the newest job of this kind about a subject."""
    job = Job.objects.about(kind.name, subject_id)
    assert job is not None
    kind(job.pk)
    job.refresh_from_db()
    return job


def closed(campaign, *, days: int = 1) -> None:
    campaign.submission_closes_at = timezone.now() - timedelta(days=days)
    campaign.save()


# Tags


@BOTH
def test_a_tag_belongs_to_its_team_whatever_becomes_of_the_run(campaign, pat, quinn, olga, state):  # fmt: skip
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    for tag in ("one", "ONE"):  # who made it, and how it is written, is not told
        with pytest.raises(
            Refused,
            match=f"The tag {tag} is taken: another team of this campaign has used it. Capitals make no other tag.$",
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


# Out and in again


@BOTH
def test_a_run_is_taken_out_once(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    stale = again(run)
    OUT[state](olga, run)
    for act in OUT.values():
        with pytest.raises(Refused, match=f"Run one is {state} already"):
            act(olga, again(run))
        with pytest.raises(Refused, match="has just changed state"):
            act(olga, stale)


@BOTH
def test_what_becomes_of_a_pooled_run_is_said_before(campaign, pat, olga, state):
    """A page from before the freeze did not say it."""
    run = make.run(campaign, pat, RANKING)
    make.frozen_pool(campaign, [run])
    with pytest.raises(Refused, match="has just been frozen with run one in it"):
        OUT[state](olga, run, is_pooled=False)
    assert again(run).state == Run.State.VALID
    OUT[state](olga, run, is_pooled=True)
    assert (again(run).state, again(run).is_pooled) == (state, True)


@BOTH
@pytest.mark.parametrize("ranking", [RANKING, {"7": "d1"}])
def test_a_run_comes_back_as_what_its_check_found(campaign, pat, olga, state, ranking):
    run = make.run(campaign, pat, ranking)
    before = run.state
    OUT[state](olga, run)
    assert again(run).why_out.startswith(f"{state} on ")
    services.reinstate_run(user=olga, run=again(run))
    now = again(run)
    assert (now.state, now.out_at, now.out_by, now.out_reason) == (before, None, None, "")  # fmt: skip
    with pytest.raises(Refused, match="neither withdrawn nor disqualified"):
        services.reinstate_run(user=olga, run=now)


def test_a_run_that_was_never_checked_comes_back_to_its_check(campaign, pat):
    run = make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    services.withdraw_run(user=pat, run=run)
    services.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.WAITING
    do(checking.check_run, run.pk)
    assert again(run).state == Run.State.VALID


@pytest.mark.parametrize("tag", ["one", "ONE"])
def test_a_run_whose_tag_was_used_again_does_not_come_back(campaign, pat, tag):
    run = make.run(campaign, pat, RANKING)
    services.withdraw_run(user=pat, run=run)
    newer = make.run(campaign, pat, RANKING, tag)
    with pytest.raises(Refused, match=f"Another run of the team has the tag {tag} now"):
        services.reinstate_run(user=pat, run=again(run))
    services.withdraw_run(user=pat, run=newer)
    services.reinstate_run(user=pat, run=again(run))
    assert again(run).state == Run.State.VALID


@BOTH
def test_a_team_takes_back_only_what_it_withdrew_itself(campaign, pat, olga, state):
    run = make.run(campaign, pat, RANKING)
    OUT[state](olga, run)
    with pytest.raises(Refused, match="only an organizer can reinstate it"):
        services.reinstate_run(user=pat, run=again(run))
    services.reinstate_run(user=olga, run=again(run))
    services.withdraw_run(user=pat, run=again(run))
    services.reinstate_run(user=pat, run=again(run))


def test_after_the_deadline_organizers_take_runs_out_and_in_and_teams_do_not(campaign, pat, olga):  # fmt: skip
    run = make.run(campaign, pat, RANKING)
    closed(campaign)
    with pytest.raises(Refused, match="Submission closed on"):
        services.withdraw_run(user=pat, run=again(run))
    services.withdraw_run(user=olga, run=again(run))
    with pytest.raises(Refused, match="Submission closed on"):
        services.reinstate_run(user=pat, run=again(run))
    services.reinstate_run(user=olga, run=again(run))


def test_a_disqualification_says_why_to_team_and_audit_trail(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    services.disqualify_run(user=olga, run=run, reason="trained on the qrels")
    assert again(run).why_out.endswith(": trained on the qrels")
    event = AuditEvent.objects.first()
    assert (event.kind, event.detail) == ("run.disqualified", {"reason": "trained on the qrels"})  # fmt: skip


# By whom, for whom, until when


def test_an_organizer_uploads_for_a_team_and_baselines_of_their_own(campaign, olga):
    file = ContentFile(make.run_text(RANKING, "one").encode(), name="one")
    team = campaign.team_set.get(name="Aldgate")
    run = services.submit_run(user=olga, campaign=campaign, tag="one", file=file, team=team)  # fmt: skip
    assert (run.team, run.submitted_by, run.is_baseline) == (team, olga, False)
    assert AuditEvent.objects.first().detail == {"team": "Aldgate"}
    baselines = [make.submitted(campaign, olga, "x", tag) for tag in ("bm25", "ql")]
    assert all(run.is_baseline for run in baselines)
    assert Team.objects.get(is_baseline=True).name == "baselines"


def test_the_name_of_the_baselines_is_no_teams(campaign, olga):
    Team.objects.create(campaign=campaign, name="Baselines")
    assert make.submitted(campaign, olga, "x", "bm25").team.name == "baselines 2"


def test_an_organizer_does_not_upload_for_a_team_of_another_campaign(campaign, olga):
    other = make.campaign(olga, participants={"Elsewhere": []})
    team = Team.objects.create(campaign=other, name="Elsewhere 2")
    with pytest.raises(Refused, match="not in this campaign"):
        services.submit_run(user=olga, campaign=campaign, tag="x", file=ContentFile(b"x", name="x"), team=team)  # fmt: skip


def test_a_participant_uploads_for_no_other_team(campaign, pat, quinn):
    other = Team.objects.get(name="Barbican")
    run = services.submit_run(user=pat, campaign=campaign, tag="x", file=ContentFile(b"x", name="x"), team=other)  # fmt: skip
    assert run.team.name == "Aldgate"


def test_after_the_deadline_only_an_organizer_uploads_and_the_run_is_late(campaign, pat, olga):  # fmt: skip
    assert not make.submitted(campaign, pat, "x", "early").is_late
    closed(campaign)
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, pat, "x", "late")
    assert make.submitted(campaign, olga, "x", "late").is_late


def test_an_extension_is_for_one_team_and_its_runs_are_late(campaign, pat, quinn, olga):
    closed(campaign)
    team = campaign.team_set.get(name="Aldgate")
    later = timezone.now() + timedelta(days=1)
    services.extend_deadline(user=olga, team=team, closes_at=later)
    run = make.submitted(campaign, pat, "x", "late")
    assert run.is_late
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, quinn, "x", "other")
    services.withdraw_run(user=pat, run=again(run))
    services.extend_deadline(user=olga, team=Team.objects.get(pk=team.pk), closes_at=None)  # fmt: skip
    with pytest.raises(Refused, match="Submission closed on"):
        make.submitted(campaign, pat, "x", "later")


def test_an_extension_is_later_than_the_deadline_and_never_shortens_it(campaign, pat, olga):  # fmt: skip
    team = campaign.team_set.get(name="Aldgate")
    tomorrow = timezone.now() + timedelta(days=1)
    with pytest.raises(Refused, match="has no deadline"):
        services.extend_deadline(user=olga, team=team, closes_at=tomorrow)
    campaign.submission_closes_at = tomorrow
    campaign.save()
    team = campaign.team_set.get(name="Aldgate")
    with pytest.raises(Refused, match="must be after the deadline of all"):
        services.extend_deadline(user=olga, team=team, closes_at=tomorrow)
    # The deadline of all is moved past an extension.
    Team.objects.update(submission_closes_at=timezone.now() - timedelta(days=1))
    make.submitted(campaign, pat, "x", "one")


# Archives


def archive(contents: dict[str, bytes]) -> ContentFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return ContentFile(packed.getvalue(), name="runs.zip")


def unpacked(user, campaign, contents: dict[str, bytes], **given) -> Job:
    job = services.submit_archive(user=user, campaign=campaign, file=archive(contents), **given)  # fmt: skip
    unpacking.unpack_runs(job.pk)
    job.refresh_from_db()
    return job


def texts(*tags: str) -> dict[str, bytes]:
    return {f"{tag}.txt": make.run_text(RANKING, tag).encode() for tag in tags}


def test_each_file_of_an_archive_becomes_a_run_under_its_own_tag(campaign, pat):
    make.run(campaign, pat, RANKING, "b")
    odd = {"notes.md": b"Our runs\n", "c.txt": b"1 Q0 d1 1 1 .c\n"}
    job = unpacked(pat, campaign, {**texts("a", "b", "d"), **odd})
    assert job.state == Job.State.DONE
    assert job.outcome == (
        "2 runs taken. Not taken: b.txt: The tag b is taken: another run of this team has it. "
        "Withdraw that run first, or choose another tag. "
        "notes.md: No line at its beginning has the six columns of a run. "
        "c.txt: The tag '.c' must be 1 to 20 letters, digits, _ - or ., and not start with a dot."
    )
    runs = Run.objects.filter(tag__in=["a", "d"])
    assert {(run.team.name, run.submitted_by, run.file_name) for run in runs} == {("Aldgate", pat, f"{tag}.txt") for tag in "ad"}  # fmt: skip
    for run in runs:
        do(checking.check_run, run.pk)
        assert again(run).state == Run.State.VALID


def test_an_archive_that_is_unpacked_twice_gives_its_runs_once(campaign, pat):
    job = unpacked(pat, campaign, texts("a", "b"))
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
    unpacking.unpack_runs(job.pk)
    job.refresh_from_db()
    assert (Run.objects.count(), job.outcome) == (2, "2 runs taken.")


def test_of_two_files_with_one_tag_in_an_archive_the_second_is_named(campaign, pat):
    other = make.run_text({"1": "d2", "2": "d3"}, "a").encode()
    for content in (other, texts("a")["a.txt"]):  # another run, and the same again
        Run.objects.all().delete()
        job = unpacked(pat, campaign, {**texts("a", "b"), "more/a.txt": content})
        said = "2 runs taken. Not taken: more/a.txt: The tag a is taken: an earlier file of the archive has it."  # fmt: skip
        assert (Run.objects.count(), job.outcome) == (2, said)
        Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
        unpacking.unpack_runs(job.pk)  # another attempt finds the same
        job.refresh_from_db()
        assert (Run.objects.count(), job.outcome) == (2, said)


def test_of_an_archive_with_too_many_files_no_run_is_taken(campaign, pat, monkeypatch):
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    job = unpacked(pat, campaign, texts("a", "b", "c"))
    assert job.state == Job.State.FAILED
    assert job.outcome == "The archive holds more than 2 files, which is the limit. No runs taken."  # fmt: skip
    assert not Run.objects.exists()


RUN = make.run_text(RANKING, "a").encode()
NO_TAGS = {
    "utf-16": (RUN.decode().encode("utf-16"), "It is text in UTF-16"),
    "gzip in gzip": (gzip.compress(gzip.compress(RUN)), "It is gzip data within gzip data"),
    "zip in zip": (archive({"a.txt": RUN}).read(), "It is a zip archive"),
    "bad bytes": (b"1 Q0 d1 1 1 a\xff\n", "The tag must be 1 to 20 letters"),
    "controls": (b"1 Q0 d1 1 1 a\x01\n", "The tag must be 1 to 20 letters"),
    "empty": (b"", "The file is empty."),
    "blank lines": (b"\n \n", "The file holds only blank lines."),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_TAGS)
def test_what_is_no_text_is_said_so_and_its_bytes_are_not_quoted(campaign, pat, name):
    content, sentence = NO_TAGS[name]
    job = unpacked(pat, campaign, {"odd": content})
    assert job.outcome.startswith(f"No runs taken. Not taken: odd: {sentence}")
    assert is_readable(job.outcome)
    assert "\\x" not in job.outcome


def test_a_file_under_a_hidden_path_is_named(campaign, pat):
    job = unpacked(pat, campaign, {"../a.txt": RUN, **texts("b"), "._b.txt": b"x"})
    assert job.outcome == "1 run taken. Not taken: ../a.txt: A name in its path begins with a dot."  # fmt: skip


def test_an_archive_from_before_the_deadline_counts_as_in_time(campaign, pat):
    job = services.submit_archive(user=pat, campaign=campaign, file=archive(texts("a")))
    closed(campaign, days=0)
    unpacking.unpack_runs(job.pk)
    assert not Run.objects.get().is_late


def test_of_somebody_who_was_removed_meanwhile_no_run_is_taken(campaign, pat):
    job = services.submit_archive(user=pat, campaign=campaign, file=archive(texts("a")))
    campaign.membership_set.filter(user=pat).delete()
    unpacking.unpack_runs(job.pk)
    job.refresh_from_db()
    assert job.outcome == "No runs taken. Not taken: a.txt: Pat does not submit runs for team Aldgate any more."  # fmt: skip
    assert not Run.objects.exists()


@pytest.mark.parametrize(("content", "said"), [(b"PK\x03\x04 damaged", "The archive is damaged. No runs taken."), (b"", "The archive holds no file.")])  # fmt: skip
def test_an_archive_that_is_none_fails_with_a_sentence(campaign, olga, content, said):
    file = ContentFile(content, name="runs.zip") if content else archive({})
    job = services.submit_archive(user=olga, campaign=campaign, file=file)
    unpacking.unpack_runs(job.pk)
    job.refresh_from_db()
    assert (job.state, job.outcome) == (Job.State.FAILED, said)


def test_a_run_of_a_team_that_has_just_gone_is_refused(campaign, pat, olga):
    services.create_team(user=olga, campaign=campaign, name="Into")
    team, into = campaign.team_set.get(name="Aldgate"), Team.objects.get(name="Into")
    run = Run(campaign=campaign, team=team, submitted_by=olga, tag="b", file=ContentFile(b"x", name="b"))  # fmt: skip
    services.merge_teams(user=olga, team=campaign.team_set.get(pk=team.pk), into=into)
    with pytest.raises(Refused, match="Team Aldgate is no longer there"):
        checking.take(run, olga)


def test_an_archive_of_a_team_that_has_gone_says_so(campaign, olga):
    job = services.submit_archive(user=olga, campaign=campaign, file=archive(texts("a")))  # fmt: skip
    Team.objects.filter(pk=job.subject_id).delete()
    unpacking.unpack_runs(job.pk)
    job.refresh_from_db()
    assert job.outcome.startswith("The team is no longer there")


# Checks made again


def test_a_report_follows_the_topics_and_documents(campaign, pat, olga):
    campaign.has_whole_collection = True
    campaign.save()
    run = make.run(campaign, pat, {"1": "d1 new", "2": "d3"})
    assert "not in the collection: new" in str(run.report)
    make.documents(campaign, ["new"])
    Topic.objects.create(campaign=campaign, number="3", title="three")
    checking.request_recheck(campaign, olga)
    assert do(checking.recheck_runs, campaign.pk).outcome == "1 run checked again: none became valid or invalid."  # fmt: skip
    assert again(run).report["warnings"] == ["1 topic of the campaign missing from the run: 3."]  # fmt: skip
    assert again(run).checked_at > run.checked_at


def test_a_run_becomes_valid_when_its_topics_are_imported_and_invalid_when_they_go(campaign, pat, olga):  # fmt: skip
    run = make.run(campaign, pat, {"3": "d1"})
    topic = Topic.objects.create(campaign=campaign, number="3", title="three")
    for state in ("valid", "invalid"):
        services.recheck_run(user=olga, run=again(run))
        assert do(checking.recheck_run, run.pk).outcome == f"one is now {state}."
        assert again(run).state == state
        campaign.topic_set.filter(number=topic.number).delete()
    services.recheck_run(user=pat, run=again(run))
    assert do(checking.recheck_run, run.pk).outcome == "one is invalid, as before."


def test_an_earlier_report_stays_until_the_new_one_is_there(campaign, pat):
    run = make.run(campaign, pat, RANKING)
    services.recheck_run(user=pat, run=run)
    assert (again(run).state, again(run).report) == ("valid", run.report)


def test_a_pooled_run_stays_valid_whatever_a_check_finds(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    make.frozen_pool(campaign, [run])
    campaign.run_depth = 1
    campaign.save()
    services.recheck_run(user=olga, run=again(run))
    do(checking.recheck_run, run.pk)
    now = again(run)
    assert (now.state, now.report["n_errors"], now.columns) == ("valid", 1, run.columns)
    services.withdraw_run(user=olga, run=now)
    services.reinstate_run(user=olga, run=again(run))
    assert again(run).state == Run.State.VALID


def test_a_run_whose_tag_has_gone_to_a_newer_one_does_not_become_valid(campaign, pat, olga):  # fmt: skip
    old = make.run(campaign, pat, {"3": "d1"})
    make.run(campaign, pat, RANKING)
    Topic.objects.create(campaign=campaign, number="3", title="three")
    services.recheck_run(user=olga, run=again(old))
    do(checking.recheck_run, old.pk)
    assert again(old).state == Run.State.INVALID
    assert again(old).report["errors"][0]["message"] == "The tag one was given to a newer run of the team."  # fmt: skip


def test_a_run_withdrawn_during_its_second_check_stays_as_it_was(campaign, pat, monkeypatch):  # fmt: skip
    run = make.run(campaign, pat, RANKING)
    real = checking.check.check_run

    def check_run(*arguments, **options):
        services.withdraw_run(user=pat, run=again(run))
        return real(*arguments, **options)

    services.recheck_run(user=pat, run=run)
    monkeypatch.setattr(checking.check, "check_run", check_run)
    do(checking.recheck_run, run.pk)
    assert (again(run).state, again(run).checked_at) == ("withdrawn", run.checked_at)
    with pytest.raises(Refused, match="there is no report to renew"):
        services.recheck_run(user=pat, run=again(run))


def test_imports_have_the_runs_checked_again_once(campaign, pat, olga, queued):
    make.run(campaign, pat, RANKING)
    first = checking.request_recheck(campaign, olga)
    assert checking.request_recheck(campaign, olga) == first
    checking.recheck_runs(first.pk)
    assert checking.request_recheck(campaign, olga) != first


def test_another_depth_has_the_runs_checked_again(campaign, pat, olga):
    run = make.run(campaign, pat, RANKING)
    services.change_campaign(user=olga, campaign=campaign, changes={"notice": "x"})
    assert Job.objects.about("recheck_runs", campaign.pk) is None
    services.change_campaign(user=olga, campaign=campaign, changes={"run_depth": 1})
    assert do(checking.recheck_runs, campaign.pk).outcome == "1 run checked again: one is now invalid."  # fmt: skip
    assert again(run).state == Run.State.INVALID


def test_without_a_checked_run_there_is_nothing_to_check_again(campaign, olga):
    assert checking.request_recheck(campaign, olga) is None
    with pytest.raises(Refused, match="No run has been checked yet"):
        services.recheck_runs(user=olga, campaign=campaign)


# Descriptions


def test_a_description_is_changed_on_record(campaign, pat, quinn):
    run = make.run(campaign, pat, RANKING)
    services.describe_run(
        user=pat, run=run, changes={"description": "BM25", "is_manual": True}
    )
    assert (again(run).description, again(run).is_manual) == ("BM25", True)
    event = AuditEvent.objects.first()
    before = {"description": "", "is_manual": False}
    assert event.detail == {"run": run.pk, "before": before}
    with pytest.raises(NotThere):
        services.describe_run(user=quinn, run=run, changes={"description": "x"})
