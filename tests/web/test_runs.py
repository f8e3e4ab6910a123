"""Pages of runs: what can be uploaded, what the list shows, what an old page says."""

import csv
import io
import re
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from evaluation.models.scores import Score
from jobs.models import Job
from runs import checking, unpacking
from runs.models import Run
from runs.services import runs as runs_services
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.heads import press_each
from tests.worlds import once

RANKING = {"1": "d1 d2", "2": "d3"}


def at(campaign, name: str = "runs", *arguments) -> str:
    return reverse(f"runs:{name}", args=[campaign.slug, *arguments])


def file(text: str | bytes, name: str = "one.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def body(response) -> str:
    return " ".join(response.content.decode().split())


def test_the_tag_is_taken_from_the_file_when_none_is_typed(sign_in, campaign, pat):
    client = sign_in(pat)
    content = "\n" + make.run_text(RANKING, "bm25")
    response = client.post(at(campaign), {"tag": "", "file": file(content)})
    assert (response.status_code, Run.objects.get().tag) == (302, "bm25")
    assert make.content(Run.objects.get().file) == content.encode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Q0 d1 1 1\n", "No line at its beginning has the six columns"),
        ("1 Q0 d1 1 1 .x\n", "must be 1 to 20 letters"),
    ],
)
def test_a_tag_that_the_file_does_not_have_is_asked_for(sign_in, campaign, pat, text, said):
    response = sign_in(pat).post(at(campaign), {"file": file(text), "description": "typed before"})
    assert response.status_code == 422
    assert "The tag cannot be taken from the file." in body(response)
    assert said in body(response)
    assert "typed before" in body(response)


def test_a_deadline_that_passed_meanwhile_is_said_on_the_page_that_keeps_what_was_typed(
    sign_in, campaign, pat
):
    campaign.submission_closes_at = timezone.now() - timedelta(minutes=1)
    campaign.save()
    data = {"tag": "one", "file": file("x"), "description": "typed before"}
    response = sign_in(pat).post(at(campaign), data)
    assert response.status_code == 422
    assert "Submission closed on" in body(response)
    assert "typed before" in body(response)


@pytest.mark.parametrize("name", ["runs", "upload_runs"])
def test_a_closed_submission_is_said_once_and_is_no_fault_of_a_field(sign_in, campaign, pat, name):
    campaign.submission_closes_at = timezone.now() - timedelta(minutes=1)
    campaign.save()
    sent = {"tag": "one", "file": file("x"), "run_files": file("x")}
    response = sign_in(pat).post(at(campaign, name), sent)
    form = response.context["form" if name == "runs" else "many"]
    assert list(form.errors) == ["__all__"]
    assert body(response).count(form.errors["__all__"][0]) == 1
    assert "What a run looks like" in body(response)


def test_an_archive_among_single_runs_is_sent_where_archives_go(sign_in, campaign, pat):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("c.txt", make.run_text(RANKING, "c"))
    text = body(sign_in(pat).post(at(campaign), {"file": file(packed.getvalue())}))
    assert "This is an archive: send it under “Upload many runs at once”." in text
    assert "What a run looks like" in text
    assert "cannot be taken from the file" not in text


def test_the_runs_come_again_with_what_is_said_above_them(sign_in, campaign, pat):
    make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    page, part = (body(sign_in(pat).get(at(campaign, name))) for name in ("runs", "run_states"))
    assert "None" not in part
    [head] = re.findall('<div id="runs-head">(.*?)</div>', page)
    assert f'<div id="runs-head" hx-swap-oob="true">{head}</div>' in part


def test_a_valid_run_that_helps_little_says_so_in_its_heading(sign_in, campaign, pat):
    run = make.run(campaign, pat, {"1": "d1"})
    text = body(sign_in(pat).get(at(campaign, "run", run.pk)))
    assert "<h1>one is valid, but it answers 1 of 2 topics</h1>" in text


def test_an_organizer_must_say_for_whom_a_run_is(sign_in, campaign, olga):
    client, data = sign_in(olga), {"tag": "one"}
    assert client.post(at(campaign), {**data, "file": file("x")}).status_code == 422
    team = campaign.team_set.get(name="Aldgate").pk
    for tag, chosen in (("one", team), ("two", "baseline")):
        client.post(at(campaign), {"tag": tag, "team": chosen, "file": file("x")})
    assert {(run.tag, run.is_baseline) for run in Run.objects.select_related("team")} == {
        ("one", False),
        ("two", True),
    }


def test_of_many_files_those_that_cannot_be_taken_are_named(sign_in, campaign, pat):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("c.txt", make.run_text(RANKING, "c"))
    files = [
        file(make.run_text(RANKING, "a"), "a.txt"),
        file("no run\n", "b.txt"),
        file(make.run_text(RANKING, "a"), "again.txt"),
        file(packed.getvalue(), "runs.zip"),
    ]
    response = sign_in(pat).post(at(campaign, "upload_runs"), {"run_files": files}, follow=True)
    text = body(response)
    assert "2 files uploaded." in text
    assert "b.txt: No line at its beginning has the six columns of a run." in text
    assert "again.txt: The tag a is taken" in text
    assert "Take runs out of an archive" in text
    assert [run.tag for run in Run.objects.all()] == ["a"]
    assert Job.objects.get(kind="unpack_runs").created_by == pat


def test_an_organizer_sends_the_runs_of_several_teams_in_folders(sign_in, campaign, olga):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Zoe/c.txt", make.run_text(RANKING, "c"))
    files = [file(make.run_text(RANKING, "a"), "a.txt"), file(packed.getvalue(), "runs.zip")]
    for sent, status in ((files[:1], 422), (files, 200)):
        response = sign_in(olga).post(
            at(campaign, "upload_runs"), {"team": "folders", "run_files": sent}, follow=True
        )
        assert response.status_code == status
        assert "a.txt is not an archive, so no folder names its team." in body(response)
        for each in files:
            each.seek(0)
    assert "Take runs of several teams out of an archive" in body(response)
    assert Job.objects.get(kind="unpack_by_folder").subject_id == campaign.pk


def test_an_empty_or_too_long_file_keeps_no_other_from_being_taken(
    sign_in, campaign, pat, settings
):
    good = make.run_text(RANKING, "a")
    settings.MAX_RUN_BYTES = len(good)
    files = [file("", "empty.txt"), file(good, "a.txt"), file(good + "x", "long.txt")]
    response = sign_in(pat).post(at(campaign, "upload_runs"), {"run_files": files}, follow=True)
    text = body(response)
    assert "1 file uploaded." in text
    assert "empty.txt is empty." in text
    assert "long.txt: The file has" in text
    assert [run.tag for run in Run.objects.all()] == ["a"]


@pytest.mark.parametrize(("name", "field"), [("runs", "file"), ("upload_runs", "run_files")])
def test_an_empty_file_is_named_at_the_field(sign_in, campaign, pat, name, field):
    response = sign_in(pat).post(at(campaign, name), {field: file("", "none.txt")})
    assert response.status_code == 422
    assert "none.txt is empty." in body(response)


def test_a_tag_is_not_taken_from_what_is_no_text(sign_in, campaign, pat):
    utf_16 = make.run_text(RANKING, "a").encode("utf-16")
    response = sign_in(pat).post(at(campaign), {"file": file(utf_16)})
    assert response.status_code == 422
    assert "The tag cannot be taken from the file. It is text in UTF-16" in body(response)


def test_every_error_is_in_a_file_not_only_those_of_the_page(sign_in, campaign, pat):
    lines = [f"1 Q0 d{n} {n} {-n} one" for n in range(9)]
    bad = [f"1 Q0 x{n} one {-n} one" for n in range(300)]
    run = make.submitted(campaign, pat, "\n".join([*lines, *bad, *lines]), "one")
    make.worked("check_run", run.pk)
    run.refresh_from_db()
    response = sign_in(pat).get(at(campaign, "run_errors", run.pk))
    header, *errors = b"".join(response.streaming_content).decode().splitlines()
    assert header == "line,kind,error"
    assert errors[0] == "10,Ranks that are not whole numbers,The rank 'one' is not a whole number."
    assert [int(row.split(",")[0]) for row in errors] == list(range(10, 319))
    assert (
        errors[-1]
        == "318,Documents that come twice,Document 'd8' comes again in topic 1; it was on line 9."
    )
    assert len(errors) == run.report["n_errors"] == 309


def test_the_errors_of_a_run_are_shown_with_the_topics_that_they_name(sign_in, campaign, pat, run):
    campaign.topics_open_at = timezone.now() + timedelta(hours=1)
    campaign.save()
    assert sign_in(pat).get(at(campaign, "run_errors", run.pk)).status_code == 403


def test_another_teams_run_is_as_one_that_does_not_exist(sign_in, campaign, run):
    quinn = make.user("quinn")
    team = campaign.team_set.create(name="Barbican")
    campaign.membership_set.create(user=quinn, role="participant", team=team)
    client = sign_in(quinn)
    for name in (
        "run",
        "run_file",
        "run_errors",
        "withdraw_run",
        "reinstate_run",
        "recheck_run",
        "describe_run",
        "disqualify_run",
    ):
        for headers in ({}, {"HX-Request": "true"}):
            ask = client.get if name in {"run", "run_file", "run_errors"} else client.post
            theirs, none = (ask(at(campaign, name, pk), headers=headers) for pk in (run.pk, 99999))
            assert theirs.status_code == none.status_code == 404
            assert without_token(theirs) == without_token(none)


def without_token(response) -> str:
    return re.sub(r'"[\w-]{64}"', "", body(response))


def test_nothing_chosen_is_said_at_the_field(sign_in, campaign, pat):
    response = sign_in(pat).post(at(campaign, "upload_runs"), {})
    assert response.status_code == 422
    assert "Choose at least one file." in body(response)


@pytest.fixture
@once
def run(campaign, pat):
    return make.run(campaign, pat, RANKING)


@pytest.mark.parametrize("act", ["withdraw_run", "disqualify_run"])
def test_a_page_from_before_the_freeze_says_what_is_new_and_keeps_what_was_typed(
    sign_in, campaign, run, olga, act
):
    client, address = sign_in(olga), at(campaign, act, run.pk)
    make.frozen_pool(campaign, [run])
    response = client.post(address, {"is_pooled": "False", "reason": "typed before"})
    assert response.status_code == 422
    assert "has just been frozen with run one in it" in body(response)
    assert "The run is in the frozen pool." in body(response)
    assert "typed before" in body(response)
    # The page has now told it: the same button does it.
    assert client.post(address, {"is_pooled": "True", "reason": "typed before"}).status_code == 302
    assert f'name="is_pooled" value="True"' in body(response)  # noqa: F541


@pytest.mark.parametrize("act", ["withdraw_run", "disqualify_run", "reinstate_run", "recheck_run"])
def test_what_cannot_be_done_any_more_is_said_on_the_page_of_the_run(
    sign_in, campaign, run, olga, act
):
    if act != "reinstate_run":
        runs_services.withdraw_run(user=olga, run=run)
    response = sign_in(olga).post(at(campaign, act, run.pk), {"reason": "x"})
    assert response.status_code == 422
    assert re.search("<h1>one is (valid|withdrawn)</h1>", body(response))
    assert 'role="alert"' in body(response)


def test_the_team_reads_why_its_run_is_disqualified(sign_in, campaign, run, olga, pat):
    runs_services.disqualify_run(user=olga, run=run, reason="trained on <the> qrels")
    text = body(sign_in(pat).get(at(campaign, "run", run.pk)))
    assert "Disqualified by Olga on " in text
    assert "“trained on &lt;the&gt; qrels”" in text
    assert "only an organizer can reinstate it" in text
    assert "Reinstate run" not in text
    assert "Reinstate run" in body(sign_in(olga).get(at(campaign, "run", run.pk)))


def test_the_hash_is_shown_as_soon_as_the_check_is_over(sign_in, campaign, pat):
    run = make.submitted(campaign, pat, make.run_text(RANKING, "one"), "one")
    client, address = sign_in(pat), at(campaign, "run", run.pk)
    state = client.get(address, headers={"HX-Request": "true"})
    assert "every 1s" in body(state)
    assert "SHA-256" not in body(state)
    checking.check_run(Job.objects.get(subject_id=run.pk).pk)
    state = client.get(address, headers={"HX-Request": "true"})
    run.refresh_from_db()
    assert "every 1s" not in body(state)
    assert run.sha256 in body(state)


def test_while_a_run_is_checked_again_its_report_stays(sign_in, campaign, run, pat):
    client, address = sign_in(pat), at(campaign, "run", run.pk)
    text = body(client.post(at(campaign, "recheck_run", run.pk), follow=True))
    assert "Until that is done, you see the earlier report" in text
    assert "<b>3</b> lines" in text
    job = Job.objects.get(kind="recheck_run")
    checking.recheck_run(job.pk)
    assert "earlier report" not in body(client.get(address))


def test_the_list_is_filtered_by_tag_team_state_and_mark(sign_in, campaign, olga, pat):
    make.run(campaign, pat, RANKING, "valid-1")
    make.run(campaign, pat, {"7": "d1"}, "bad-1")
    pooled = make.run(campaign, pat, {"1": "d1"}, "pooled-1")
    make.frozen_pool(campaign, [pooled])
    make.submitted(campaign, olga, "x", "base-1")
    client = sign_in(olga)

    def listed(query: str) -> set[str]:
        runs = client.get(f"{at(campaign)}?{query}").context["runs"]
        return {run.tag for run in runs}

    everything = {"valid-1", "bad-1", "pooled-1", "base-1"}
    assert listed("") == listed("show=nonsense") == everything
    assert listed("q=BAD") == {"bad-1"}
    assert listed("q=baseline") == {"base-1"}
    assert listed("q=aldgate&show=invalid") == listed("show=invalid") == {"bad-1"}
    assert listed("show=pooled") == {"pooled-1"}
    assert listed("show=warned") == {"pooled-1"}
    assert listed("show=late") == set()
    assert "No run matches" in body(client.get(f"{at(campaign)}?q=nothing"))


def test_an_extension_is_entered_in_the_campaigns_zone_and_shown_to_its_team(
    sign_in, campaign, olga, pat
):
    campaign.time_zone = "Asia/Tokyo"
    campaign.submission_closes_at = timezone.now() - timedelta(hours=1)
    campaign.save()
    team = campaign.team_set.get(name="Aldgate")
    client, address = sign_in(olga), at(campaign, "extensions")
    refused = client.post(address, {"team": team.pk, "closes_at": "2001-05-01T12:00"})
    assert refused.status_code == 422
    assert "It must be after the deadline of all" in body(refused)
    client.post(address, {"team": team.pk, "closes_at": "2100-05-01T12:00"})
    team.refresh_from_db()
    assert team.submission_closes_at.isoformat() == "2100-05-01T03:00:00+00:00"
    assert "1 May 2100, 12:00" in body(client.get(address))
    assert press_each(client, address) == {"extensions"}
    text = body(sign_in(pat).get(at(campaign)))
    assert "The deadline of your team has been extended." in text
    assert "1 May 2100, 12:00" in text
    overview = body(sign_in(pat).get(reverse("overview", args=[campaign.slug])))
    assert "1 May 2100, 12:00" in overview
    assert "Submission is open until" in overview


def test_a_team_with_runs_is_not_told_that_it_has_none(campaign, pat, client):
    client.force_login(pat)
    address = f"/campaigns/{campaign.slug}/runs/"
    none_yet = "has not uploaded a run yet"
    assert none_yet in client.get(address).content.decode()
    make.run(campaign, pat, {"1": "d1"})
    for closes_at in (None, timezone.now() + timedelta(days=1), timezone.now() - timedelta(days=1)):
        campaign.submission_closes_at = closes_at
        campaign.save()
        assert none_yet not in client.get(address).content.decode()


def test_the_list_tells_organizers_alone_what_other_runs_have_too(sign_in, campaign, olga, pat):
    runs = [
        make.run(campaign, pat, {"1": docnos}, tag)
        for docnos, tag in (("d1 d2", "a"), ("d2 d3", "b"))
    ]
    assert ">Shared<" not in body(sign_in(olga).get(at(campaign, "runs")))
    make.pool(campaign, runs)
    text = body(sign_in(olga).get(at(campaign, "runs")))
    assert ">Shared<" in text
    assert text.count("Other runs have 50 % of its 2 documents in the pool;") == 2
    assert "Other runs" not in body(sign_in(pat).get(at(campaign, "runs")))


def test_a_run_leads_to_its_scores_whoever_may_see_them(sign_in, played, olga, pat):
    run = Run.objects.get(campaign=played, evaluations__isnull=False)
    score = Score.objects.get(run=run)
    link = f'href="{reverse("evaluation:run_scores", args=[played.slug, score.pk])}"'
    page = reverse("runs:run", args=[played.slug, run.pk])
    for audiences, people in (((), [olga]), ((TEAMS,), [olga, pat]), ((ALL,), [olga, pat])):
        show_to(played, *audiences)
        for person in (olga, pat):
            assert (link in body(sign_in(person).get(page))) == (person in people)


def test_an_archive_that_cannot_be_read_is_refused_in_a_sentence_of_its_own(sign_in, campaign, pat):
    damaged = SimpleUploadedFile("runs.zip", b"PK\x03\x04 damaged")
    sign_in(pat).post(at(campaign, "upload_runs"), {"run_files": [damaged]})
    unpacking.unpack_runs(Job.objects.get(kind="unpack_runs").pk)
    text = body(sign_in(pat).get(at(campaign, "runs")))
    assert "runs.zip: The archive is damaged. No runs taken." in text
    assert "Take runs out of an archive" not in text


def test_that_the_pool_is_frozen_is_said_before_a_run_is_sent_and_of_one_that_was(
    sign_in, campaign, pat, olga
):
    home = f"/campaigns/{campaign.slug}/"
    pooled, other = (make.run(campaign, pat, RANKING, tag) for tag in ("one", "two"))
    pages = [at(campaign), home, at(campaign, "run", other.pk)]
    said = [("The pool is frozen", body(sign_in(pat).get(page))) for page in pages]
    assert not any(words in text for words, text in said)
    make.frozen_pool(campaign, [pooled])
    assert (
        "The pool is frozen: a run sent now will be scored on what others found; Judged@10 tells "
        "how much." in body(sign_in(pat).get(pages[0]))
    )
    assert "The pool is frozen: a run sent now" in body(sign_in(olga).get(pages[0]))
    assert "The pool is frozen: a run sent now" in body(sign_in(pat).get(home))
    assert "The pool is frozen without this run: it will be scored on what others found" in body(
        sign_in(pat).get(pages[2])
    )
    assert "The pool is frozen" not in body(sign_in(pat).get(at(campaign, "run", pooled.pk)))
    campaign.submission_closes_at = timezone.now()
    campaign.save()
    assert "The pool is frozen" not in body(sign_in(pat).get(pages[0]))


def test_a_table_beside_many_files_describes_them(sign_in, campaign, pat):
    table = SimpleUploadedFile(
        "Runs.CSV", b"tag,manual,priority,description\nx,yes,1,By hand.\nz,no,2,\n"
    )
    runs = [file(make.run_text({"1": "d1"}, tag), f"{tag}.txt") for tag in "xy"]
    sent = {"run_files": [runs[0], table, runs[1]]}
    response = sign_in(pat).post(at(campaign, "upload_runs"), sent, follow=True)
    said = [str(each) for each in response.context["messages"]]
    named = "The table names z, which is not a run of the archive."
    assert said == ["2 files uploaded.", named]
    names = "tag", "is_manual", "priority", "description"
    assert set(Run.objects.values_list(*names)) == {
        ("x", True, 1, "By hand."),
        ("y", False, None, ""),
    }


def test_a_table_beside_an_archive_belongs_into_it(sign_in, campaign, pat):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("x", "1 Q0 d1 1 1 x\n")
    table = SimpleUploadedFile("runs.csv", b"tag,manual\nx,yes\n")
    sent = {"run_files": [file(packed.getvalue(), "runs.zip"), table]}
    response = sign_in(pat).post(at(campaign, "upload_runs"), sent, follow=True)
    said = [str(each) for each in response.context["messages"]]
    assert "The table beside an archive is not read: put it into the archive." in said


def test_a_priority_is_given_with_a_run_and_changed(sign_in, campaign, pat):
    client = sign_in(pat)
    sent = {"tag": "one", "file": file(make.run_text({"1": "d1"}, "one")), "priority": "0"}
    response = client.post(at(campaign, "runs"), sent)
    assert response.context["form"].errors["priority"]
    sent["file"].seek(0)
    client.post(at(campaign, "runs"), {**sent, "priority": "3"})
    run = Run.objects.get()
    assert run.priority == 3
    assert "priority <b>3</b>" in client.get(at(campaign, "run", run.pk)).content.decode()
    client.post(at(campaign, "describe_run", run.pk), {"priority": "1"})
    assert Run.objects.get().priority == 1
    listed = client.get(at(campaign, "runs_file")).getvalue().decode().splitlines()
    [row] = csv.DictReader(listed)
    assert (row["run_id"], row["priority"]) == (str(run.pk), "1")
