"""Long files are sent in pieces: over a network that goes, paused, and after the page was left."""

import re

import pytest
from playwright.sync_api import expect

from api.models import Upload
from jobs.models import Job
from runs import checking
from runs.models import Run
from tests import make
from tests.browser.conftest import forgive_requests
from tests.browser.test_every_page import wrong_here

pytestmark = pytest.mark.browser
DEPTH = 10_000
RUN = "".join(
    f"{topic} Q0 d{rank:0100} {rank} {DEPTH - rank} bm25\n"
    for topic in (1, 2)
    for rank in range(DEPTH)
)


@pytest.fixture
def campaign(transactional_db, olga, pat):
    campaign = make.campaign(olga, participants={"T": [pat]})
    campaign.run_depth = DEPTH
    campaign.save()
    return campaign


@pytest.fixture
def chosen(tmp_path) -> str:
    path = tmp_path / "bm25.txt"
    path.write_text(RUN)
    assert path.stat().st_size > 2_000_000
    return str(path)


class Line:
    """Half a megabyte a second, or cut; of a page that no other test takes, as Chromium follows one
    or the other of two sessions that say different things of a page's network.
    """

    def __init__(self, page) -> None:
        self.devtools = page.context.new_cdp_session(page)
        self.be(offline=False)

    def be(self, *, offline: bool) -> None:
        slow = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": 500_000}
        self.devtools.send("Network.emulateNetworkConditions", {"offline": offline, **slow})


def begin(page, campaign, file) -> Line:
    """Choose the file and press the button."""
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.set_input_files("#id_file", file)
    line = Line(page)
    page.get_by_role("button", name="Upload the run", exact=True).click()
    expect(page.locator(".progress")).to_contain_text(re.compile(r"[1-9]\d?%: .* left"))
    return line


def stored() -> int:
    return Upload.objects.get().n_stored


def is_the_run(page) -> None:
    expect(page.locator("h1")).to_have_text("bm25 waits to be checked")
    run = Run.objects.get()
    assert (run.tag, run.file_name, run.n_bytes) == ("bm25", "bm25.txt", len(RUN))
    checking.check_run(Job.objects.get(kind="check_run").pk)
    run.refresh_from_db()
    assert run.state == Run.State.VALID
    assert not Upload.objects.exists()


def test_an_upload_goes_on_when_the_network_is_back(pages, campaign, pat, chosen):
    page = pages(pat, is_kept=False)
    line = begin(page, campaign, chosen)
    line.be(offline=True)
    told = page.locator(".progress").get_by_role("status")
    expect(told).to_have_text(re.compile(r"The server cannot be reached\. \d+%: .* by itself\."))
    before = stored()
    assert 0 < before < len(RUN)
    line.be(offline=False)
    is_the_run(page)
    forgive_requests(pages)


def test_an_upload_that_is_paused_goes_on_after_the_page_was_left(
    pages, campaign, pat, chosen, tmp_path
):
    page = pages(pat, is_kept=False)
    begin(page, campaign, chosen)
    page.get_by_role("button", name="Pause").click()
    told = page.locator(".progress").get_by_role("status")
    expect(told).to_contain_text("It goes on from there, also if you come back later.")
    page.wait_for_timeout(500)  # what had come of the piece that was broken off is stored
    before = stored()
    page.wait_for_timeout(1000)
    assert stored() == before
    assert not wrong_here(page)
    page.reload()
    begins: list[str] = []
    page.on("request", lambda each: begins.append(f"{each.method} {each.url}"))
    begin(page, campaign, chosen)
    assert not [each for each in begins if each.startswith("POST") and "uploads" in each]
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").click()
    is_the_run(page)
    forgive_requests(pages)


def test_the_same_file_again_leads_to_the_run_that_is_there(pages, campaign, pat, chosen):
    run = make.submitted(campaign, pat, RUN, "bm25")
    page = pages(pat)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.set_input_files("#id_file", chosen)
    page.get_by_role("button", name="Upload the run", exact=True).click()
    expect(page.locator("h1")).to_have_text("bm25 waits to be checked")
    expect(page.get_by_text("This very file is here already, as this run bm25.")).to_be_visible()
    assert page.url.endswith(f"/runs/{run.pk}/")
    assert not Upload.objects.exists()


def test_what_is_refused_is_said_and_another_file_can_be_chosen(
    pages, campaign, pat, chosen, settings
):
    settings.MAX_UPLOADS = 0
    page = pages(pat)
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.set_input_files("#id_file", chosen)
    press = page.get_by_role("button", name="Upload the run", exact=True)
    press.click()
    told = page.locator(".progress").get_by_role("status")
    expect(told).to_contain_text("files of yours have arrived in part")
    expect(press).to_be_enabled()
    page.set_input_files("#id_file", files=[{"name": "a", "mimeType": "", "buffer": b"a"}])
    expect(page.locator(".progress")).to_have_count(0)
    forgive_requests(pages)


def test_files_of_documents_and_of_many_runs_are_sent_in_pieces(
    pages, campaign, olga, pat, chosen, tmp_path
):
    long = tmp_path / "d.jsonl"
    long.write_text(f'{{"docno": "d9", "text": "{"bats " * 500_000}"}}\n')
    page = pages(olga)
    page.goto(f"/campaigns/{campaign.slug}/documents/")
    page.get_by_text("Import documents").first.click()
    page.set_input_files("#id_file", str(long))
    page.locator("form[data-uploads] button").click()
    expect(page.locator("h1")).to_contain_text("d.jsonl")
    other = tmp_path / "other.txt"
    other.write_text(RUN.replace("bm25", "other"))
    page.goto(f"/campaigns/{campaign.slug}/runs/")
    page.get_by_text("Upload many runs at once").click()
    page.locator("#many_team").select_option(label="T")
    page.set_input_files("#many_run_files", [chosen, str(other)])
    page.get_by_role("button", name="Upload the runs").click()
    expect(page.get_by_text("2 files uploaded.")).to_be_visible()
    assert {run.file_name for run in Run.objects.all()} == {"bm25.txt", "other.txt"}
    assert not Upload.objects.exists()
