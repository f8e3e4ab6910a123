"""An access token is made and revoked on its page, and used in between as the page says."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from api.core.spelling import is_spelled_right
from tests.browser.sight import barriers

pytestmark = pytest.mark.browser


def test_a_token_is_made_used_and_revoked_with_the_keyboard(pages, campaign, ada):
    page = pages(ada)
    page.goto("/account/")
    page.get_by_role("link", name="Access tokens…").press("Enter")
    page.get_by_label("Name").fill("laptop")
    page.get_by_label("Judge:").press("Space")
    page.get_by_label("Campaign optional").select_option(campaign.name)
    page.get_by_label("It ends after").select_option("30 days")
    page.get_by_role("button", name="Make the token").press("Enter")
    shown = page.get_by_label("Access token", exact=True)
    secret = shown.input_value()
    assert is_spelled_right(secret)
    assert barriers(page) == []
    page.get_by_role("button", name="Copy").press("Enter")
    expect(page.locator("#live")).to_contain_text(secret)
    row = page.get_by_role("row", name="laptop")
    expect(row).to_contain_text("read, judge")
    expect(row).to_contain_text("never")

    address = re.search(r"http\S+", page.locator("pre.example").inner_text())[0]
    assert campaign.slug in asked(address, secret)
    page.goto("/account/tokens/")
    expect(page.get_by_text("shown only once")).to_have_count(0)
    assert secret not in page.content()
    expect(row).not_to_contain_text("never")
    page.get_by_role("button", name="Revoke laptop").press("Enter")
    expect(page.get_by_text("The access token laptop is revoked.")).to_be_visible()
    expect(page.get_by_text("You have no valid token.")).to_be_visible()
    assert "was revoked on" in asked(address, secret)


def asked(address: str, secret: str) -> str:
    """What curl is answered, with the header as the page shows it."""
    if not shutil.which("curl"):
        pytest.skip("There is no curl on the path.")
    header = f"Authorization: Bearer {secret}"
    command = ["curl", "--silent", "-H", header, address]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
