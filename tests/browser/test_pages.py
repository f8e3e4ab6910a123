"""Pages other than the judging page, where a script or htmx does something."""

import gzip
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from django.utils import timezone
from playwright.sync_api import expect

from campaigns.models.campaign import Campaign
from campaigns.services.campaign import change_campaign
from collection.models.imports import Import
from collection.models.texts import Topic
from evaluation.models.scores import Evaluation, Score, packed
from jobs.models import Job
from pooling.tasks import forecast_pool
from runs import checking
from runs.models import Run
from tests import make
from tests.browser.test_every_page import wrong_here
from tests.onscreen import settled

pytestmark = pytest.mark.browser


def test_runs_turn_valid_and_the_deadline_comes_without_reloading(pages, assignment, pat):
    campaign = assignment.topic.campaign
    campaign.submission_closes_at = timezone.now() + timedelta(minutes=5)
    campaign.save()
    first, second = (
        make.submitted(campaign, pat, make.run_text({"1": "d01 d02"}, tag), tag)
        for tag in ("new", "newer")
    )
    page = pages(pat)
    page.clock.install()
    page.goto(f"/campaigns/{campaign.slug}/runs/{first.pk}/")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    checking.check_run(Job.objects.get(kind="check_run", subject_id=first.pk).pk)
    page.clock.run_for(2000)
    expect(page.get_by_text("No errors, 1 warning")).to_be_visible()
    expect(page.locator("#run-state[hx-get]")).to_have_count(0)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    expect(page.get_by_text("Team T has uploaded 3 runs; 2 are valid.")).to_be_visible()
    expect(page.locator("#runs [data-state=waiting]")).to_have_count(1)
    checking.check_run(Job.objects.get(kind="check_run", subject_id=second.pk).pk)
    page.clock.run_for(2000)
    expect(page.get_by_text("Team T has uploaded 3 runs, all valid.")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Submission closes in 4 minutes")
    page.clock.run_for(60_000)
    expect(page.locator("h1")).to_have_text("Submission closes in 3 minutes")
    campaign.submission_closes_at = timezone.now() - timedelta(minutes=1)
    campaign.save()
    page.clock.run_for(300_000)
    expect(page.locator("h1")).to_have_text("Submission is closed")
    expect(page.get_by_text("Submission closed on ")).to_be_visible()
    expect(page.locator("time.chip:visible")).to_have_text("Submission closed")


def test_a_deadline_is_shown_in_the_readers_zone_too(pages, transactional_db, olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]})
    closes = datetime(2031, 3, 1, 11, 59, tzinfo=UTC)
    Campaign.objects.update(submission_closes_at=closes, time_zone="Etc/GMT+12")
    for zone, is_other in (("Asia/Tokyo", ", that is 1 March 2031, 20:59"), ("Etc/GMT+12", "")):
        page = pages(pat, timezone_id=zone)
        page.goto(f"/campaigns/{campaign.slug}/")
        deadline = page.locator("main time[data-zone]")
        expect(deadline).to_contain_text("28 February 2031, 23:59")
        expect(deadline).to_contain_text("Anywhere on Earth")
        if is_other:
            expect(deadline).to_contain_text("1 March 2031, 20:59 where you are")
        else:
            expect(deadline).not_to_contain_text("where you are")


def test_the_forecast_follows_the_form_and_says_what_cannot_be(pages, transactional_db, olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]})
    make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "one")
    make.run(campaign, pat, {"1": "d3 d5"}, "two")
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/pool/extend/")
    size, depth = page.locator("#answer .value"), page.get_by_label("Depth k").first

    def compute() -> None:
        """Act as the worker, once the page has asked."""
        expect(page.locator("#forecast progress")).to_be_visible()
        forecast_pool(Job.objects.filter(kind="forecast_pool").latest("pk").pk)

    expect(page.locator("h1")).to_have_text("Form the pool")
    compute()
    expect(size).to_have_text("5")
    expect(page.locator("h1")).to_contain_text("5 documents, all judged by")
    depth.fill("1")
    depth.dispatch_event("change")
    expect(size).to_have_text("3")
    page.get_by_label("two").uncheck()
    expect(size).to_have_text("2")
    for name, wrong, said in (
        ("Depth k", "0", "from 1 to 1,000."),
        ("Depth k", "2.5", "A whole number"),
        ("Depth k", "", "A whole number"),
        ("People", "0", "from 1 to 1,000"),
    ):
        field = page.get_by_label(name, exact=True).first
        before = field.input_value()
        field.fill(wrong)
        expect(page.locator(".field[data-invalid] .errors")).to_contain_text(said)
        expect(page.locator("#forecast")).to_have_attribute("data-stale", "")
        field.blur()  # nothing is asked for
        field.fill(before)
        expect(page.locator(".field[data-invalid]")).to_have_count(0)
        expect(page.locator("#forecast[data-stale]")).to_have_count(0)
    # A field that is not shown keeps nobody from building.
    depth.fill("0")
    page.get_by_label("Fixed number, by fusion").check()
    expect(page.locator("#forecast[data-stale]")).to_have_count(0)
    page.get_by_role("button", name="Build a draft").click()
    expect(page.locator("h1")).to_contain_text("draft")


def test_who_can_take_a_topic_follows_its_choice(pages, assignment, olga):
    page = pages(olga)
    page.goto(f"/campaigns/{assignment.topic.campaign.slug}/judging/distribute/")
    page.get_by_text("Assign one topic…").click()
    people = page.locator("#id_assessor option")
    page.select_option("#id_topic", str(assignment.topic_id))
    expect(people).to_contain_text(
        ["Choose", "topic 1 has a primary assessor already", "topic 1 has"]
    )
    settled(page)  # the new form attaches its listeners a moment later
    page.select_option("#id_kind", "second")
    expect(people).to_have_text(["Choose", "Ada (ada): already judges topic 1", "Ben (ben)"])
    assert page.input_value("#id_topic") == str(assignment.topic_id)


def test_settings_say_what_is_not_saved_and_keep_a_scale_in_use(pages, assignment, olga, ada):
    make.judgment(assignment, "d00", 1)
    campaign = assignment.topic.campaign
    table = "| Grade | When |\n|---|---|\n| 1 | It helps. |"
    change_campaign(user=olga, campaign=campaign, changes={"guidelines": table})
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/settings/grades/")
    expect(page.get_by_text("Not saved yet")).to_be_hidden()
    expect(page.get_by_label("Label")).to_have_count(0)
    expect(page.get_by_label("Value")).to_have_count(0)
    expect(page.get_by_role("button", name="Add a grade")).to_have_count(0)
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    page.get_by_label("Description").nth(1).fill("Touches it.")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    page.goto(f"/campaigns/{campaign.slug}/settings/guidelines/")
    page.fill("#id_guidelines", "Judge **strictly**.")
    expect(page.locator("#guidelines-preview strong")).to_have_text("strictly")
    page.fill("#id_guidelines", table)
    # A field is as high as what is written in it.
    page.goto(f"/campaigns/{campaign.slug}/settings/description/")
    field = page.locator("#id_description")
    field.fill("\n".join("0123456789"))
    assert field.evaluate("each => each.scrollHeight <= each.clientHeight")
    campaign.refresh_from_db()
    assert campaign.scale.grades[1].description == "Touches it."
    # A table of the guidelines stays one on a phone.
    page = pages(ada, width=390, height=844)
    page.goto(f"/campaigns/{campaign.slug}/")
    settled(page)
    expect(page.locator(".prose tbody tr")).to_have_css("display", "table-row")
    expect(page.locator(".prose thead")).to_have_css("position", "static")


def test_the_tag_of_a_run_is_read_before_it_is_uploaded(pages, assignment, pat):
    page = pages(pat)
    page.goto(f"/campaigns/{assignment.topic.campaign.slug}/runs/")
    tag, said = page.locator("#id_tag"), page.locator("#id_tag + output")

    def choose(content: bytes) -> None:
        file = {"name": "run.txt", "mimeType": "text/plain", "buffer": content}
        page.set_input_files("#id_file", file)

    choose(b"\n1 Q0 d01 1 9 bm25\r\n1 Q0 d02 2 8 bm25\n")
    expect(tag).to_have_value("bm25")
    choose(b"1 Q0 d01 1 9\n")
    expect(said).to_contain_text("The first line has 5 columns; a run has six")
    expect(tag).to_have_value("")
    tag.fill("mine")
    choose(b"1 Q0 d01 1 9 other\n")
    expect(said).to_have_text("The file's tag is other. You have typed another.")
    expect(tag).to_have_value("mine")
    page.get_by_role("button", name="Use other").click()
    expect(tag).to_have_value("other")
    expect(said).to_have_text("The file's tag is other.")
    expect(page.get_by_role("button", name="Use other")).to_be_hidden()
    choose(gzip.compress(b"1 Q0 d01 1 9 other\n"))
    expect(said).to_have_text("The tag is read when the file is uploaded.")
    tag.fill("")
    choose(b"topic\tQ0\tdocno\trank\tscore\ttag\n1 Q0 d01 1 9 bm25\n")
    expect(said).to_have_text("The first line is a header: remove it. The file's tag is bm25.")
    expect(tag).to_have_value("bm25")


def test_the_form_says_which_run_is_replaced_and_what_stays(pages, assignment, olga, pat):
    campaign = assignment.topic.campaign
    run = make.run(campaign, pat, {"7": "d01"}, "faulty")
    Run.objects.filter(pk=run.pk).update(description="BM25", is_manual=True, latency_p50_ms=12)
    sentence = "It replaces faulty. What you leave empty stays as it was: "
    page, told = pages(pat), "#id_tag ~ output >> nth=1"
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.locator("#id_tag").fill("Faulty")
    expect(page.locator(told)).to_have_text(f"{sentence}description, manual, efficiency.")
    page.locator("#id_tag").fill("one")  # which is pooled
    expect(page.locator(told)).to_have_text("")
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.get_by_text("Upload a run", exact=True).click()
    page.locator("#id_tag").fill("faulty")
    expect(page.locator(told)).to_have_text("")  # no team is chosen
    page.locator("#id_team").select_option("T")
    expect(page.locator(told)).to_contain_text(sentence)


def test_topics_are_looked_at_imported_and_taken_back(pages, transactional_db, olga, pat, queued):
    campaign = make.campaign(olga, participants={"T": [pat]}, topics=["1", "2", "10"])
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2", "2": "d3"})])
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/topics/")
    expect(page.locator("#topics tbody .number.place")).to_have_text(["1", "2", "10"])
    page.fill("#id_text", "1\tOther words\twhat is sought\n3\tA third topic\n")
    page.get_by_role("button", name="Preview the topics…").click()
    expect(page.get_by_text("Nothing has been written yet.")).to_be_visible()
    expect(page.get_by_role("region", name="Changes")).to_contain_text("Other words")
    assert wrong_here(page) == {}
    page.get_by_role("button", name="Import topics").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "1 topic that is pooled or judged would get another text."
    )
    pages.errors.clear()  # the refusal itself: a status of 422
    assert Topic.objects.get(number="1").title == "topic 1"
    page.get_by_label("Take the new texts as new versions").check()
    page.get_by_role("button", name="Import topics").click()
    expect(page.get_by_text("1 new, 1 changed, 0 unchanged.")).to_be_visible()
    page.get_by_role("link", name="All topics").click()
    page.get_by_role("link", name="Other words").click()
    page.get_by_text("Version 1, until").click()
    expect(page.get_by_role("heading", name="topic 1", exact=True)).to_be_visible()
    assert wrong_here(page, turn=1) == {}
    page.go_back()
    page.get_by_role("link", name="pasted text").click()
    page.get_by_role("button", name="Undo the import").click()
    expect(page.get_by_text("A worker undoes the import.")).to_be_visible()
    make.worked("undo_import", Import.objects.get().pk)
    expect(page.get_by_text("Undone: 1 deleted, 1 put back.")).to_be_visible()
    assert Topic.objects.get(number="1").title == "topic 1"


def test_a_study_comes_without_reloading_and_has_no_fault(pages, base, olga):
    evaluation, score = Evaluation.objects.get(), Score.objects.get()
    evaluation.topics = [f"t{n}" for n in range(20)]
    evaluation.save()
    shape = (3, 20, len(evaluation.measures))
    values = np.random.default_rng(1).random(shape) + np.linspace(0, 0.5, 3)[:, None, None]
    for n, own in enumerate(values):
        run = make.run(evaluation.campaign, make.known("pat"), {"1": "d01"}, f"r{n}")
        Score.objects.create(
            evaluation=evaluation,
            run=run,
            content=packed(own),
            aggregates=own.mean(axis=0).tolist(),
            n_topics=20,
        )
        evaluation.runs.add(run)
    score.delete()
    page = pages(olga)
    page.goto(f"{base}leaderboard/evaluations/{evaluation.pk}/study/")
    page.get_by_role("button", name="Compute the study").click()
    expect(page.get_by_text("Study the measures and topics")).to_be_visible()
    make.worked("study", evaluation.pk)
    expect(page.locator("h1")).to_contain_text("of the pairs of runs can be told apart")
    page.get_by_role("link", name="RR", exact=True).click()
    expect(page.locator("h1")).to_contain_text("By RR")
    settled(page)
    assert wrong_here(page) == {}


def test_a_browser_that_is_too_old_says_so(pages, live_server):
    """A newer one does not; an older one is one that does not know what the style asks for."""
    page = pages()
    page.goto("/sign-in/")
    expect(page.get_by_label("Username")).to_be_visible()
    told = page.get_by_text("its browser is older than this site needs")
    expect(told).to_be_hidden()

    def older(route) -> None:
        style = route.fetch().text().replace("selector(:popover-open)", "selector(:unheard-of)")
        route.fulfill(body=style, content_type="text/css")

    page.context.route("**/base.css", older)
    page.reload()
    expect(told).to_be_visible()
    page.context.unroute("**/base.css")
