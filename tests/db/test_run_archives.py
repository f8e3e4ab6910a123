"""Archives of runs: what is taken out of them, and what is not."""

import gzip
import io
import zipfile

import pytest
from django.core.files.base import ContentFile
from django.db import transaction

from accounts.access import Refused
from campaigns.events import CampaignEvent
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from campaigns.services import campaign as campaign_services
from cleverdon.trec.streams import is_readable
from jobs import work as jobs
from jobs.models import Job
from runs import checking
from runs.models import Run
from runs.services import runs as runs_services
from runs.services import teams
from runs.unpacking import MAX_TEAM_NAME
from tests import make
from tests.db.locks import locked
from tests.db.uploading import RANKING, again, closed, do


def archive(contents: dict[str, bytes]) -> ContentFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in contents.items():
            file.writestr(name, content)
    return ContentFile(packed.getvalue(), name="runs.zip")


def submitted(user, campaign, contents: dict[str, bytes], **given) -> Job:
    file = archive(contents)
    return runs_services.submit_archive(user=user, campaign=campaign, file=file, **given)


def attempted(job: Job) -> Job:
    """Do it as a worker would, also where it has been done before."""
    Job.objects.filter(pk=job.pk).update(state=Job.State.WAITING)
    jobs.kinds[job.kind](job.pk)
    job.refresh_from_db()
    return job


def unpacked(user, campaign, contents: dict[str, bytes], **given) -> Job:
    return attempted(submitted(user, campaign, contents, **given))


def texts(*tags: str) -> dict[str, bytes]:
    return {f"{tag}.txt": make.run_text(RANKING, tag).encode() for tag in tags}


def test_each_file_of_an_archive_becomes_a_run_under_its_own_tag(campaign, pat):
    make.run(campaign, pat, {"1": "d1"}, "b")
    odd = {"notes.md": b"Our runs\n", "c.txt": b"1 Q0 d1 1 1 .c\n"}
    job = unpacked(pat, campaign, {**texts("a", "b", "d"), **odd})
    assert job.state == Job.State.DONE
    assert job.outcome == (
        "2 runs taken. Not taken: b.txt: The tag b is taken: run b of this team has it. "
        "Withdraw that run first, or choose another tag. "
        "notes.md: Its first line has 2 columns. A run has topic Q0 docno rank score tag. "
        "c.txt: The tag '.c' must be 1 to 20 letters, digits, _ - or ., and not start with a dot."
    )
    runs = Run.objects.filter(tag__in=["a", "d"])
    assert {(run.team.name, run.submitted_by, run.file_name) for run in runs} == {
        ("Aldgate", pat, f"{tag}.txt") for tag in "ad"
    }
    for run in runs:
        do(checking.check_run, run.pk)
        assert again(run).state == Run.State.VALID


def test_of_two_files_with_one_tag_in_an_archive_the_second_is_named(campaign, pat):
    other = make.run_text({"1": "d2", "2": "d3"}, "a").encode()
    for content in (other, texts("a")["a.txt"]):  # another run, and the same again
        Run.objects.all().delete()
        job = unpacked(pat, campaign, {**texts("a", "b"), "more/a.txt": content})
        said = (
            "2 runs taken. Not taken: more/a.txt: The tag a is taken: an earlier file of the "
            "archive has it."
        )
        for _ in range(2):  # another attempt finds the same
            assert (Run.objects.count(), job.outcome) == (2, said)
            attempted(job)


RUN = make.run_text(RANKING, "a").encode()
NO_TAGS = {
    "utf-16": (RUN.decode().encode("utf-16"), "It is text in UTF-16"),
    "zip in zip": (archive({"a.txt": RUN}).read(), "It is a zip archive"),
    "bad bytes": (b"1 Q0 d1 1 1 a\xff\n", "The tag must be 1 to 20 letters"),
    "controls": (b"1 Q0 d1 1 1 a\x01\n", "The tag must be 1 to 20 letters"),
    "empty": (b"", "The file is empty."),
    "../a.txt": (RUN, "A name in its path begins with a dot."),
    "../runs.csv": (b"tag\nb\n", "A name in its path begins with a dot."),
}


def test_a_file_that_holds_no_run_is_named_and_its_bytes_are_not_quoted(campaign, pat):
    contents = {name: content for name, (content, _) in NO_TAGS.items()}
    said = unpacked(pat, campaign, {**contents, **texts("b"), "._b.txt": b"x"}).outcome
    assert said.startswith("1 run taken. Not taken: ")
    assert all(f"{name}: {sentence}" in said for name, (_, sentence) in NO_TAGS.items())
    assert is_readable(said)
    assert "\\x" not in said
    assert "._b" not in said


def test_an_archive_sent_in_time_counts_unless_its_sender_was_removed(campaign, pat):
    job, other = (submitted(pat, campaign, texts(tag)) for tag in "ab")
    closed(campaign, days=0)
    attempted(job)
    assert not Run.objects.get().is_late
    campaign.membership_set.filter(user=pat).delete()
    said = "b.txt: Pat does not submit runs for team Aldgate any more."
    assert attempted(other).outcome == f"No runs taken. Not taken: {said}"
    assert Run.objects.count() == 1


def test_of_an_organizer_removed_meanwhile_no_team_is_made(campaign, sam):
    oscar = campaign.membership_set.create(user=sam, role="organizer")
    job = submitted(sam, campaign, {"New/a": RUN}, by_folder=True)
    oscar.delete()
    attempted(job)
    assert not Team.objects.filter(campaign=campaign, name="New").exists()
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 damaged", "The archive is damaged. No runs taken."),
        (b"", "The archive holds no file."),
    ],
)
def test_what_is_no_archive_is_refused_for_good_with_a_sentence(campaign, olga, content, said):
    file = ContentFile(content, name="runs.zip") if content else archive({})
    job = attempted(runs_services.submit_archive(user=olga, campaign=campaign, file=file))
    assert (job.state, job.outcome) == (Job.State.REFUSED, said)
    with pytest.raises(Refused):
        campaign_services.retry_job(user=olga, job=job)


def test_runs_of_a_team_that_has_just_gone_are_refused(campaign, olga):
    team = campaign.team_set.get()
    job = submitted(olga, campaign, texts("a"), team=team)
    file = ContentFile(b"x", name="b")
    run = Run(campaign=campaign, team=team, submitted_by=olga, tag="b", file=file)
    campaign.membership_set.filter(team=team).delete()
    Team.objects.filter(pk=team.pk).delete()
    with pytest.raises(Refused, match="Team Aldgate is no longer there"):
        checking.take(run, olga)
    assert attempted(job).outcome.startswith("The team is no longer there")


def test_folders_name_the_teams_of_runs(campaign, olga, pat):
    """Teams are found however they are spelled, and made where there is none; a second attempt
    changes nothing.
    """
    long = "x" * (MAX_TEAM_NAME + 1)
    names = ["runs/aldgate/a", "runs/Zoe  B/b", "runs/zoe b/c", "d", f"{long}/e"]
    packed = dict(zip(names, texts("a", "b", "c", "d", "e").values(), strict=True))
    with pytest.raises(Refused):
        submitted(pat, campaign, packed, by_folder=True)
    job = submitted(olga, campaign, packed, by_folder=True)
    empty = teams.create_team(user=olga, campaign=campaign, name="Empty")
    with pytest.raises(Refused, match="is being unpacked"):
        teams.delete_team(user=olga, team=empty)
    for _ in range(2):
        attempted(job)
        found = Run.objects.order_by("tag").values_list("tag", "team__name")
        assert list(found) == [("a", "Aldgate"), ("b", "Zoe B"), ("c", "Zoe B")]
        said = "3 runs taken. Not taken: d: Its folder does not name a team. xxxxx"
        assert job.outcome.startswith(said)
        assert f"longer than {MAX_TEAM_NAME} characters, so it cannot be a team's" in job.outcome
    made = AuditEvent.objects.filter(kind=CampaignEvent.TEAM_CREATED)
    assert {event.subject for event in made} == {"Empty", "Zoe B"}


def in_code_page(user, campaign, written: bytes) -> Job:
    """Upload two runs in a folder whose name has these bytes, of which it is not said what."""
    packed = archive(
        {f"?{'o' * 9}/{tag}.txt": make.run_text(RANKING, tag).encode() for tag in "ab"}
    )
    raw = packed.read().replace(b"?" + b"o" * 9, (written + b" " * 9)[:10])
    file = ContentFile(raw, name="runs.zip")
    job = runs_services.submit_archive(user=user, campaign=campaign, file=file, by_folder=True)
    return attempted(job)


@pytest.mark.parametrize(
    ("name", "page"),
    [("Köln", "cp850"), ("Köln", "cp1252"), ("北京", "gbk"), ("Łódź", "cp1250"), ("東京", "cp932")],
)
def test_a_folder_in_another_code_page_is_that_of_the_team_which_it_names(
    campaign, olga, name, page
):
    said = in_code_page(olga, campaign, name.encode(page)).outcome
    assert name in said
    assert f"called {name} (or {name}" not in said
    assert "none is made of this name" in said
    teams.create_team(user=olga, campaign=campaign, name=name)
    assert in_code_page(olga, campaign, name.encode(page)).outcome == "2 runs taken."
    assert {team.name for team in campaign.team_set.all()} == {"Aldgate", name}


def test_a_folder_that_may_be_of_two_teams_is_of_neither(campaign, olga):
    written = "Köln".encode("cp850")
    for name in (written.decode("cp850"), written.decode("cp1251")):
        teams.create_team(user=olga, campaign=campaign, name=name)
    said = in_code_page(olga, campaign, written).outcome
    assert said.startswith("No runs taken. Not taken: ")
    assert "Its folder may be that of Köln or K”ln: the archive does not say in which code" in said


def test_folders_and_the_table_are_found_however_their_names_are_composed(campaign, olga):
    teams.create_team(user=olga, campaign=campaign, name="Köln")
    packed = {
        "Ko\u0308ln\\e\u0301t\u00e9.txt": make.run_text(RANKING, "a").encode(),
        "runs.csv": "file,description\nK\u00f6ln\\\u00e9te\u0301.txt,By hand.\n".encode(),
    }
    assert unpacked(olga, campaign, packed, by_folder=True).outcome == "1 run taken."
    run = Run.objects.get()
    assert (run.team.name, run.description) == ("Köln", "By hand.")


@pytest.mark.parametrize("by_folder", [False, True])
def test_while_runs_are_taken_out_nobody_else_gives_a_run_to_the_team(campaign, olga, by_folder):
    team = None if by_folder else campaign.team_set.get()
    job = submitted(olga, campaign, {"New/a": RUN}, team=team, by_folder=by_folder)
    work = jobs.kinds[job.kind]
    if by_folder:  # nor makes another team of that name
        mark = transaction.savepoint()
        found = locked(lambda: work(job.pk), 'INSERT INTO "campaigns_team"')
        assert "campaigns_campaign" in found
        transaction.savepoint_rollback(mark)
    found = locked(lambda: work(job.pk))
    assert found == {"jobs_job", "campaigns_team", "campaigns_campaign"}
    assert Run.objects.get().team.name == ("New" if by_folder else "Aldgate")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_table_describes_the_runs_of_its_archive_alone(campaign, pat, is_first):
    other = make.run(campaign, pat, RANKING, "other")
    lines = b"tag,manual,priority,description,index_seconds\na,yes,2,BM25,9\nother,,,mine,\n"
    table = {"sub/runs.csv": lines}
    runs = texts("a", "b")
    job = unpacked(pat, campaign, table | runs if is_first else runs | table)
    said = "2 runs taken. Not taken: The table describes other, which was not taken."
    assert job.outcome == said
    assert again(other).description == ""
    assert Run.objects.get(tag="a").index_seconds == 9
    names = "tag", "is_manual", "priority", "description"
    found = set(Run.objects.exclude(pk=other.pk).values_list(*names))
    assert found == {("a", True, 2, "BM25"), ("b", None, None, "")}
    Run.objects.filter(tag="a").update(description="corrected")
    attempted(job)
    assert Run.objects.get(tag="a").description == "corrected"


def test_what_an_archive_does_not_say_stays_as_it_was_said(campaign, pat):
    for tag in "ab":
        run = make.run(campaign, pat, {"7": "d1"}, tag)
        Run.objects.filter(pk=run.pk).update(description="old", is_manual=True, priority=2)
    table = {"runs.csv": b"tag,priority,description\na,,new\n"}
    job = unpacked(pat, campaign, table | texts("a", "b"))
    attempted(job)
    names = "tag", "is_manual", "priority", "description"
    found = set(Run.objects.filter(state=Run.State.WAITING).values_list(*names))
    assert found == {("a", True, 2, "new"), ("b", True, 2, "old")}


def test_tables_of_an_archive_are_counted_together(campaign, pat):
    rows = b"tag\n" + b"a\n" * 300
    job = unpacked(pat, campaign, {"x/runs.csv": rows, "y/runs.csv": rows, **texts("a")})
    said = "y/runs.csv: The table describes more than 500 runs, which is the limit."
    assert job.outcome == f"1 run taken. Not taken: {said}"


def test_a_table_that_cannot_be_taken_is_named_and_keeps_no_run_out(campaign, pat):
    table = b"tag,manual\nb,yes\na,perhaps\n"
    said = "2 runs taken. Not taken: runs.csv: The table says “perhaps” of a under manual"
    assert unpacked(pat, campaign, {"runs.csv": table, **texts("a", "b")}).outcome.startswith(said)
    assert not Run.objects.filter(is_manual=True).exists()


THREE = b"1\td1\t1\n1\td2\t2\n2\td3\t1\n"


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_runs_of_three_columns_are_converted_where_the_box_is_ticked(campaign, pat, pack):
    contents = {"deep/three.tsv": pack(THREE), "a b.tsv": THREE, **texts("six")}
    said = unpacked(pat, campaign, contents).outcome
    assert said.startswith("1 run taken. Not taken: deep/three.tsv: It has three columns, as MS")
    assert said.endswith("Ask to have the others written, and send it again.")
    said = unpacked(pat, campaign, contents, converts=True).outcome
    assert said.startswith("2 runs taken. Not taken: a b.tsv: The tag 'a b' must be 1 to 20")
    assert Run.objects.count() == 2  # six.txt is the run that it was
    run = Run.objects.get(tag="three")
    written = b"1 Q0 d1 1 -1 three\n1 Q0 d2 2 -2 three\n2 Q0 d3 1 -1 three\n"
    assert (make.content(run.file), run.file_name) == (written, "three.tsv")
    do(checking.check_run, run.pk)
    assert again(run).state == Run.State.VALID


def test_a_run_that_is_too_long_with_six_columns_is_refused(campaign, pat, settings):
    settings.MAX_RUN_BYTES = len(THREE) + 9
    said = unpacked(pat, campaign, {"three.tsv": THREE}, converts=True).outcome
    assert said.endswith(f"With six columns it has more than {len(THREE) + 9:,} bytes.")
