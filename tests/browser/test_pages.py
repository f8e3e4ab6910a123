import gzip
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from assess.models.judging import Judgment
from campaigns.models.campaign import Campaign
from campaigns.services.campaign import change_campaign
from evaluation.models.scores import Score
from jobs.models import Job
from pooling.tasks import forecast_pool
from runs import checking
from tests import make
from tests.browser.sight import faults
from tests.onscreen import settled
from tests.web.growth import again

pytestmark = pytest.mark.browser


def test_a_run_turns_valid_without_reloading(pages, assignment, pat):
    campaign = assignment.topic.campaign
    run = make.submitted(campaign, pat, make.run_text({"1": "d01 d02"}, "new"), "new")
    page = pages(pat)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    expect(page.locator("#runs [data-state=waiting]")).to_have_count(1)
    page.goto(f"/campaigns/{campaign.slug}/runs/{run.pk}/")
    expect(page.get_by_text("Waiting for a worker.")).to_be_visible()
    checking.check_run(Job.objects.get(kind="check_run", subject_id=run.pk).pk)
    expect(page.get_by_text("No errors, 1 warning")).to_be_visible()
    expect(page.locator("#run-state[hx-get]")).to_have_count(0)


def test_what_the_page_of_runs_says_first_follows_the_checks_and_the_deadline(
    pages, assignment, pat
):
    campaign = assignment.topic.campaign
    campaign.submission_closes_at = timezone.now() + timedelta(minutes=5)
    campaign.save()
    run = make.submitted(campaign, pat, make.run_text({"1": "d01 d02"}, "new"), "new")
    page = pages(pat)
    page.clock.install()
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    expect(page.get_by_text("Team T has uploaded 2 runs; 1 is valid.")).to_be_visible()
    checking.check_run(Job.objects.get(kind="check_run", subject_id=run.pk).pk)
    page.clock.run_for(2000)
    expect(page.get_by_text("Team T has uploaded 2 runs, all valid.")).to_be_visible()
    expect(page.locator("h1")).to_have_text("Submission closes in 4 minutes")
    page.clock.run_for(60_000)
    expect(page.locator("h1")).to_have_text("Submission closes in 3 minutes")
    campaign.submission_closes_at = timezone.now() - timedelta(minutes=1)
    campaign.save()
    page.clock.run_for(300_000)
    expect(page.locator("h1")).to_have_text("Submission is closed")
    expect(page.get_by_text("Submission closed on ")).to_be_visible()
    expect(page.locator("time.chip:visible")).to_have_text("Submission closed")


def test_a_table_is_sorted_by_its_headings(pages, base, olga):
    page = pages(olga)
    page.goto(base + "judging/")
    column = page.locator("#assignments tbody td:nth-child(3)")
    kind = page.get_by_role("link", name=re.compile(r"^As\b"))
    kind.click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("As")
    expect(column).to_have_text(["primary", "second"])
    kind.click()
    expect(column).to_have_text(["second", "primary"])
    expect(page.locator("th[aria-sort=descending]")).to_have_text("As")


def test_a_long_table_on_a_phone(pages, assignment, olga, pat):
    campaign = assignment.topic.campaign
    for number in range(25):
        make.submitted(campaign, pat, "x", f"run-{number:02d}")
    page = pages(olga, width=390, height=844)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    rows, more = page.locator("#run-list tbody tr:visible"), page.locator(".more")
    sort, find = page.get_by_label("Sort by"), page.get_by_placeholder("Filter by tag or team")
    expect(rows).to_have_count(15)
    expect(more).to_have_text("Show 11 more")
    # What is chosen is said, stays, has two directions, and can be taken back.
    expect(sort.locator("option:checked")).to_have_text(re.compile("Uploaded"))
    sort.select_option("Run")
    page.get_by_label("Highest first").click()
    expect(page.get_by_label("Lowest first")).to_be_visible()
    page.reload()
    expect(sort).to_have_js_property("selectedIndex", 1)
    expect(rows.first).to_contain_text("run-24")
    sort.select_option("default order")
    expect(page).not_to_have_url(re.compile("sort"))
    # What a filter finds is shown whole, and what it does not find is said.
    find.fill("run-")
    expect(rows).to_have_count(25)
    expect(more).to_be_hidden()
    find.fill("nowhere")
    expect(page.locator("#run-list")).to_be_hidden()
    expect(page.get_by_text("None of the 26 rows matches.")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(rows).to_have_count(15)
    more.click()
    expect(rows).to_have_count(26)
    page.reload()
    expect(rows).to_have_count(26)


def test_a_list_in_pages_is_sorted_on_a_phone_and_at_a_desk(
    pages, assignment, olga, pat, monkeypatch
):
    monkeypatch.setattr("campaigns.web.frame.PER_PAGE", 2)
    campaign = assignment.topic.campaign
    for number in range(3):
        make.submitted(campaign, pat, "x", f"run-{number}")
    page = pages(olga, width=390, height=844)
    page.goto(f"/campaigns/{campaign.slug}/runs/?page=2")
    sort, rows = page.get_by_label("Sort by"), page.locator("#run-list tbody tr")
    expect(sort.locator("option:checked")).to_have_text(re.compile("Uploaded"))
    sort.select_option("Run")
    expect(rows.first).to_contain_text("one")
    page.get_by_label("Highest first").click()
    expect(rows.first).to_contain_text("run-2")
    page.get_by_role("link", name="Next").click()
    expect(rows.first).to_contain_text("run-0")
    sort.select_option("default order")
    expect(rows.first).to_contain_text("run-2")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("link", name="Run", exact=True).click()
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("Run")
    expect(page.locator("#run-list [data-sorted]").first).to_contain_text("one")


def test_the_forecast_follows_the_chosen_depth(pages, transactional_db, olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]})
    make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"}, "one")
    make.run(campaign, pat, {"1": "d3 d5"}, "two")
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/pool/")
    size = page.locator("#forecast [aria-current] .main")

    def compute() -> None:
        """Do as a worker does, once the page has asked."""
        expect(page.locator("#forecast progress")).to_be_visible()
        forecast_pool(Job.objects.filter(kind="forecast_pool").latest("pk").pk)

    compute()
    expect(size).to_have_text("5")
    page.fill("#id_depth", "1")
    page.locator("#id_depth").dispatch_event("change")
    expect(size).to_have_text("3")
    page.get_by_label("two").uncheck()
    compute()
    expect(size).to_have_text("2")
    page.get_by_placeholder("Run or team").fill("tw")
    page.get_by_role("button", name="All shown").click()
    expect(size).to_have_text("3")
    expect(page.get_by_text("2 of 2 chosen, 1 not shown")).to_be_visible()
    page.get_by_role("button", name="None shown").click()
    expect(size).to_have_text("2")
    page.get_by_placeholder("Run or team").fill("")
    page.get_by_role("button", name="all or none").click()
    expect(size).to_have_text("3")
    page.get_by_role("button", name="all or none").click()
    expect(page.get_by_role("alert")).to_have_text("Choose at least one run.")


def test_who_can_take_a_topic_follows_its_choice(pages, assignment, olga):
    page = pages(olga)
    page.goto(f"/campaigns/{assignment.topic.campaign.slug}/judging/distribute/")
    page.get_by_text("Assign one topic…").click()
    people = page.locator("#id_assessor option")
    page.select_option("#id_topic", str(assignment.topic_id))
    expect(people).to_contain_text(
        ["Choose", "topic 1 has a primary assessor already", "topic 1 has"]
    )
    settled(page)  # the form that came listens a moment after it is shown
    page.select_option("#id_kind", "second")
    expect(people).to_have_text(["Choose", "Ada (ada): already judges topic 1", "Ben (ben)"])
    assert page.input_value("#id_topic") == str(assignment.topic_id)


def test_a_pool_that_cannot_be_is_said_at_the_field_and_none_is_built(
    pages, transactional_db, olga, pat
):
    campaign = make.campaign(olga, participants={"T": [pat]})
    run = make.run(campaign, pat, {"1": "d1 d2"})
    make.forecast(campaign, [run])
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/pool/")
    forecast, build = page.locator("#forecast"), page.get_by_role("button", name="Build this pool")
    for name, wrong, said in (
        ("Depth", "0", "from 1 to 100."),
        ("Depth", "2.5", "A whole number"),
        ("Depth", "", "A whole number"),
        ("Assessors", "0", "from 1 to 1,000"),
    ):
        field = page.get_by_label(name, exact=True).or_(page.get_by_label(f"{name} optional")).first
        before = field.input_value()
        field.fill(wrong)
        expect(page.locator(".field[data-invalid] .errors")).to_contain_text(said)
        expect(forecast).to_have_attribute("data-stale", "")
        field.fill(before)
        expect(page.locator(".field[data-invalid]")).to_have_count(0)
        expect(page.locator("#forecast[data-stale]")).to_have_count(0)
    page.get_by_label("one").uncheck()
    expect(build).to_be_disabled()
    page.get_by_label("one").check()
    expect(build).to_be_enabled()


def test_the_scale_is_edited_in_rows(pages, transactional_db, olga):
    page = pages(olga)
    page.goto("/campaigns/new/")
    page.fill("#id_name", "Mine")
    page.get_by_role("button", name="0 to 2").click()
    chosen = page.locator("[data-scale] .segments [aria-pressed=true]")
    expect(chosen).to_have_text("0 to 2")
    page.get_by_label("Description of grade 2").fill("Answers it | all of it")
    page.get_by_role("button", name="Add a grade").click()
    page.get_by_label("Label of grade 3").fill("perfect")
    page.get_by_role("button", name="Remove grade 1").click()
    expect(chosen).to_have_count(0)
    expect(page.locator(".level-line")).to_have_count(1)
    assert page.locator(".level-line button").first.bounding_box()["width"] < 40
    page.get_by_role("button", name="Raise the level").click()
    page.get_by_role("button", name="Create the campaign").click()
    expect(page.locator("h1")).to_be_visible()
    page.wait_for_url("**/campaigns/mine/")
    page.goto("/campaigns/mine/settings/guidelines/")
    page.fill("#id_guidelines", "Judge **strictly**.")
    expect(page.locator("#guidelines-preview strong")).to_have_text("strictly")
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    campaign = Campaign.objects.get()
    assert [(g["value"], g["label"], g["description"]) for g in campaign.scale_grades] == [
        (0, "not relevant", ""),
        (2, "highly relevant", "Answers it / all of it"),
        (3, "perfect", ""),
    ]
    assert (campaign.level, campaign.guidelines) == (3, "Judge **strictly**.")


def test_settings_say_what_is_not_saved_and_keep_a_scale_in_use(pages, assignment, olga):
    make.judgment(assignment, "d00", 1)
    page = pages(olga)
    page.goto(f"/campaigns/{assignment.topic.campaign.slug}/settings/grades/")
    expect(page.get_by_text("Not saved yet")).to_be_hidden()
    expect(page.get_by_label("Label of grade 1")).not_to_be_editable()
    expect(page.get_by_role("button", name="Add a grade")).to_have_count(0)
    page.get_by_label("Description of grade 1").fill("Touches it.")
    expect(page.get_by_text("Not saved yet")).to_be_visible()
    page.get_by_role("button", name="Save the settings").click()
    expect(page.get_by_text("The settings are saved.")).to_be_visible()
    campaign = Campaign.objects.get()
    assert [g["description"] for g in campaign.scale_grades if g["value"] == 1] == ["Touches it."]


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


def test_a_filter_of_a_board_stays_when_another_measure_sorts_it(pages, base, olga):
    score = Score.objects.earliest("pk")
    for n in range(20):
        again(score, run=again(score.run, tag=f"more-{n}"))
    page = pages(olga)
    page.goto(base + "leaderboard/")
    shown = page.locator(".leaderboard tbody tr:not([data-hidden])")
    page.get_by_placeholder("Filter runs and teams").fill("more-1")
    expect(shown).to_have_count(11)
    page.get_by_role("link", name="P@10", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("by P@10")
    expect(shown).to_have_count(11)
    expect(page.get_by_placeholder("Filter runs and teams")).to_have_value("more-1")


def test_all_columns_of_a_board_are_left_out_at_once_and_the_menu_closes(pages, base, olga):
    page = pages(olga)
    page.goto(f"{base}leaderboard/")
    menu, measure = page.locator("details.choose"), page.locator("#board thead th.number")
    menu.locator("summary").click()
    menu.get_by_role("button", name="None").click()
    expect(measure.first).to_be_hidden()
    page.reload()
    expect(measure.first).to_be_hidden()  # remembered on the device
    menu.locator("summary").click()
    menu.get_by_role("button", name="All").click()
    expect(measure.first).to_be_visible()
    page.get_by_role("heading", level=1).click()
    expect(menu.get_by_role("button", name="All")).to_be_hidden()
    menu.locator("summary").click()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="All")).to_be_hidden()


def test_a_table_of_the_guidelines_stays_one_on_a_phone(pages, assignment, olga, ada):
    campaign = assignment.topic.campaign
    text = "| Grade | When |\n|---|---|\n| 1 | It helps. |"
    change_campaign(user=olga, campaign=campaign, changes={"guidelines": text})
    page = pages(ada, width=390, height=844)
    page.goto(f"/campaigns/{campaign.slug}/")
    settled(page)
    expect(page.locator(".prose tbody tr")).to_have_css("display", "table-row")
    expect(page.locator(".prose thead")).to_have_css("position", "static")


def test_a_field_is_as_high_as_what_is_written_in_it(pages, assignment, olga):
    page = pages(olga)
    page.goto(f"/campaigns/{assignment.topic.campaign.slug}/settings/grades/")
    field = page.get_by_label("Further criteria")
    field.fill("trust | Do you trust it?\n" + "\n".join(f"{n} | {n}" for n in range(10)))
    assert field.evaluate("each => each.scrollHeight <= each.clientHeight")


def test_agreement_on_criteria_stands_in_its_column(pages, base, olga):
    answers = [{"value": n, "label": str(n)} for n in (0, 1)]
    criterion = {"name": "trust", "question": "Do you trust it?", "answers": answers}
    Campaign.objects.update(criteria=[criterion])
    Judgment.objects.update(ratings={"trust": 1})
    page = pages(olga)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        page.goto(base + "agreement/")
        expect(page.get_by_role("heading", name="Further criteria")).to_be_visible()
        assert faults(page) == []
