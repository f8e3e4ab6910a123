"""The overview: what it counts and names, and what each role finds there."""

import re
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from collection.services.imports import discard_import
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation, Score
from jobs.models import Job
from overview.core.needs import MOST, needs
from qrels.services.publishing import publish_qrels
from runs.models import Run
from tests import make
from tests.releasing import ALL, TEAMS, show_to
from tests.web.html import words
from tests.web.overview import finished, played, text


def test_the_overview_counts_what_is_there(client, cast, olga):
    campaign, qrels = played(*cast)
    make.forgotten(campaign, "d0")
    finished(qrels, olga)
    show_to(campaign, TEAMS)
    client.force_login(olga)
    stages = client.get(f"/campaigns/{campaign.slug}/").context["stages"]
    assert [(each.name, each.count, each.detail, each.state) for each in stages] == [
        ("topics", 2, "1 in no pool", "attention"),
        ("documents", 2, "1 of the pool missing", "attention"),
        ("runs", 1, "", "done"),
        ("pool", 3, "depth-k, k = 3, frozen", "done"),
        ("judgments", 2, "of 3", "in progress"),
        ("qrels", 1, "2 of 3 judgments", "in progress"),
        ("leaderboard", 1, "by qrels v1, released", "in progress"),
    ]
    assert [each.word for each in stages][-3:] == ["", "preliminary", "preliminary"]
    assert [each.name for each in stages if each.is_next] == ["documents"]


def test_it_counts_all_that_waits_though_it_lists_the_first(client, cast, olga, monkeypatch):
    monkeypatch.setattr("overview.web.pages.needs", lambda *its: needs(*its) * (MOST + 2))
    campaign, _ = played(*cast)
    make.forgotten(campaign, "d0")
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/")
    n = page.context["n_needs"]
    assert n == MOST + len(page.context["further_needs"]) > MOST
    assert f"Needs you {n} " in words(page)


def test_the_overview_tells_the_board_that_the_leaderboard_shows(client, cast, olga, pat):
    """The one that is released; of drafts the newest whose qrels stand."""
    campaign, first = played(*cast)
    finished(first, olga)
    make.judgment(Assignment.objects.get(), "d2", 1)
    second = publish_qrels(user=olga, campaign=campaign)
    finished(second, olga)

    def board() -> str:
        client.force_login(olga)
        return client.get(f"/campaigns/{campaign.slug}/").context["stages"][-1].detail

    assert board() == "by qrels v2, a draft"
    older, newer = Evaluation.objects.order_by("pk")
    for audience, status in ((TEAMS, "released"), (ALL, "public")):
        show_to(campaign, audience, subject=older.pk)
        assert board() == f"by qrels v1, {status}"
    assert "Newer scores, against v2, are not released yet." in text(client, olga)
    show_to(campaign, TEAMS, subject=newer.pk)
    Evaluation.objects.filter(pk=newer.pk).update(without=first, scope=Scope(2, without=1))
    assert "are out, against qrels v2 without v1." in text(client, pat)
    assert board() == "by qrels v2 without v1, released"
    show_to(campaign)
    Evaluation.objects.filter(pk=newer.pk).update(without=None, scope=Scope(2))
    for qrels, said in ((second, "by qrels v1, a draft"), (first, "by qrels v2, withdrawn")):
        qrels.withdrawn_at, qrels.withdrawn_by = timezone.now(), olga
        qrels.save()
        assert board() == said


def wrong_run(campaign, person, tag) -> None:
    run = make.submitted(campaign, person, b"not a run\n", tag)
    make.worked("check_run", run.pk)


def test_a_run_that_was_replaced_is_not_counted_among_those_that_failed(client, olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]})
    address = f"/campaigns/{campaign.slug}/"
    for tag in ("a", "A", "b"):
        wrong_run(campaign, pat, tag)
    assert "2 runs did not pass the check" in text(client, olga, address)
    assert "1 other run did not pass the check either." in text(client, pat)
    make.run(campaign, pat, {"1": "d1"}, "a")
    for there in ("/", address):
        assert "1 run did not pass the check" in text(client, olga, there)
        told = text(client, pat, there)
        assert "b has 1 error. 1 other run is valid." in told
        assert f'{address}runs/{Run.objects.get(tag="b").pk}/">Read why' in told
    assert text(client, olga, f"{address}runs/").count(">replaced</span>") == 2


def test_a_wrong_file_and_a_discarded_one_are_no_failed_jobs(client, olga):
    campaign = make.campaign(olga)
    address = f"/campaigns/{campaign.slug}/"
    row = make.uploaded(campaign, "topics", b"1 Q0 d1 1 9 tag\n")
    assert "background job" not in text(client, olga, address)
    assert "Read it again" not in text(client, olga, f"{address}imports/{row.pk}/")
    Job.objects.filter(subject_id=row.pk, kind="read_import").update(state="failed")
    assert "1 background job failed" in text(client, olga, address)
    assert "Read it again" in text(client, olga, f"{address}imports/{row.pk}/")
    discard_import(user=olga, row=row)
    assert "background job" not in text(client, olga, address)


def test_a_team_reads_first_what_it_can_hand_in_and_scores_wait_for_nobody(client, cast, olga, pat):
    campaign, qrels = played(*cast)
    finished(qrels, olga)
    show_to(campaign, TEAMS)

    def steps() -> list[tuple[str, bool]]:
        client.force_login(pat)
        found = client.get(f"/campaigns/{campaign.slug}/").context["steps"]
        return [(each.view, each.is_urgent) for each in found]

    runs, scores = ("runs:runs", False), ("evaluation:leaderboard", False)
    assert steps() == [runs, scores]
    assert "for you" not in text(client, pat)
    wrong_run(campaign, pat, "wrong")
    assert steps() == [("runs:runs", True), scores]
    assert "One campaign needs you." in text(client, pat)
    Campaign.objects.update(submission_closes_at=timezone.now())
    assert steps() == [scores, runs]


def test_an_assessor_reads_when_judging_is_not_open(client, cast, ada, ben):
    campaign, _ = played(*cast)
    judging = f"/campaigns/{campaign.slug}/judging/"
    assert "1 left" in text(client, ada, judging)
    for year, said in (
        (2021, "Judging closed on 6 May 2021, 00:00 (UTC). 1 of your documents stayed unjudged."),
        (2041, "Judging opens on 6 May 2041, 00:00 (UTC). 1 document waits for you."),
    ):
        field, other = ("closes", "opens") if year == 2021 else ("opens", "closes")
        times = {
            f"judging_{field}_at": datetime(year, 5, 6, tzinfo=UTC),
            f"judging_{other}_at": None,
        }
        Campaign.objects.update(**times)
        for address in ("/", f"/campaigns/{campaign.slug}/", judging):
            page = text(client, ada, address)
            assert said in page
            assert "waiting for your judgment" not in page
            assert "1 left" not in page
        assert "stayed unjudged" not in text(client, ben, judging)


def test_what_nobody_can_judge_any_more_is_not_forecast(client, cast, olga):
    campaign, _ = played(*cast, n_documents=30)
    some = Judgment.objects.values("pk")[:9]
    yesterday = timezone.now() - timedelta(days=1)
    Judgment.objects.filter(pk__in=some).update(changed_at=yesterday)
    make.rewrite(
        JudgmentEvent.objects.filter(judgment__in=some), at=yesterday, pressed_at=yesterday
    )
    address = f"/campaigns/{campaign.slug}/"
    assert "Judging will be done on" in text(client, olga, address)
    assert "picture=" not in text(client, olga, address), "a picture of work is no file"
    for ended in ("judging_closes_at", "archived_at"):
        Campaign.objects.update(**{"judging_closes_at": None, ended: timezone.now()})
        page = text(client, olga, address)
        assert "Judging will be done on" not in page
        assert "29 of 30 documents judged" in page


def test_a_date_that_has_passed_is_told_in_the_past(client, cast, olga, pat):
    campaign, _ = played(*cast)
    address = f"/campaigns/{campaign.slug}/"
    for year, verbs in ((2041, ("opens", "closes")), (2021, ("opened", "closed"))):
        times = {
            f"{act}_{verb}_at": datetime(year, month, 6, tzinfo=UTC)
            for act in ("submission", "judging")
            for month, verb in enumerate(("opens", "closes"), 1)
        }
        Campaign.objects.update(**times)
        said = re.findall("<dt>((?:Submission|Judging) .*?)</dt>", text(client, olga, address))
        assert said == [f"{act} {verb}" for act in ("Submission", "Judging") for verb in verbs]
        runs = text(client, pat, f"{address}runs/")
        assert set(re.findall("Submission (?:closed|closes)", runs)) == {f"Submission {verbs[1]}"}


def test_a_participant_finds_what_is_searched_and_where_it_is(client, cast, olga, ada, pat):
    campaign, _ = played(*cast)
    now = timezone.now()
    changes = {
        "description": "Papers, at https://example.org/papers.tar",
        "has_whole_collection": True,
        "submission_closes_at": now + timedelta(days=3),
    }
    Campaign.objects.update(**changes)
    address = f"/campaigns/{campaign.slug}/about/"
    said = text(client, pat, address)
    assert '<a href="https://example.org/papers.tar"' in said
    for each in ("3 documents, 2 topics", "topics/topics.tsv", "Submission closes"):
        assert each in said
    assert "3 documents, 2 topics" in text(client, ada, address)
    told = "Shown on Overview, and to assessors and participants on their page Collection;"
    assert told in text(client, olga, f"/campaigns/{campaign.slug}/settings/")
    for person, is_in_menu in ((olga, False), (ada, True), (pat, True)):
        menu = text(client, person, f"/campaigns/{campaign.slug}/")
        assert (f'href="{address}"' in menu) == is_in_menu
    Campaign.objects.update(archived_at=now)
    assert "Submission closes" not in text(client, pat, address)
    hidden = {
        "archived_at": None,
        "has_whole_collection": False,
        "topics_open_at": now + timedelta(days=1),
    }
    Campaign.objects.update(**hidden)
    said = text(client, pat, address)
    assert "3 documents" not in said  # as many as the pool has
    assert "topics/topics.tsv" not in said


def test_a_participant_sees_their_runs_with_the_main_score_at_once(client, cast, olga, pat):
    campaign, qrels = played(*cast)
    address = f"/campaigns/{campaign.slug}/"
    pages = (address, f"{address}runs/")
    finished(qrels, olga)
    score = Score.objects.get()
    linked = f'<a href="{address}leaderboard/scores/{score.pk}/">0.500</a>'
    assert not [page for page in pages if "0.500" in text(client, pat, page)]
    assert linked in text(client, olga, pages[1])
    show_to(campaign, TEAMS, subject=score.evaluation_id)
    for page in pages:
        assert linked in text(client, pat, page)
