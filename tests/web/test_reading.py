"""Documents as they are shown: in paragraphs, each with a direction of its own, and in parts."""

import re

import pytest

from collection.core.hypertext.page import read_page
from tests import make


def test_a_document_is_shown_in_paragraphs_and_code_and_its_marks_are_text(campaign, sign_in, olga):
    cut = (
        "A line of text that was cut at the margin of its file,\nand its end.\n\n    x = "
        "'<b>'\n\n\u05e9\u05dc"
    )
    campaign.document_set.update(text=cut)
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/").content.decode()
    assert (
        '<p dir="auto">A line of text that was cut at the margin of its file, and its end.</p>'
        in page
    )
    assert '<pre class="code">    x = &#x27;&lt;b&gt;&#x27;</pre>' in page
    assert '<p dir="rtl">\u05e9\u05dc</p>' in page


@pytest.fixture
def judging(campaign, pat, ada, client) -> str:
    """Where Ada reads the document d1."""
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1"})])
    assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
    client.force_login(ada)
    return f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"


def html_of(campaign, source: str, **fields: str) -> None:
    page = read_page(source)
    campaign.document_set.filter(docno="d1").update(html=page.html, text=page.text, **fields)


def test_a_page_is_shown_as_it_was_kept_wherever_it_is_read(
    campaign, judging, client, sign_in, olga
):
    html_of(
        campaign,
        '<h1>One</h1><p>See <a href="http://x.org/?a&amp;b">there</a>.<img src=x alt="A drawing">',
    )
    pages = [client.get(judging), client.get(f"{judging}documents/1/")]
    pages.append(sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/"))
    for page in pages:
        content = page.content.decode()
        assert '<h3 dir="auto">One</h3>' in content
        assert (
            '<p dir="auto">See <a title="http://x.org/?a&amp;b">there</a>.<span class="image">A '
            "drawing</span></p>" in content
        )
        assert "<li><bdi>http://x.org/?a&amp;b</bdi></li>" in content


def test_the_parts_of_a_long_page_end_with_a_block(campaign, judging, client):
    html_of(campaign, "<div>" + "<p>Some <b>words</b> of it.</p>" * 30_000)
    rest, n = "", 0
    while rest is not None:
        query = f"?from={rest}" if rest else ""
        content = client.get(f"{judging}documents/1/{query}").content.decode()
        found = re.findall(r"<p dir=\"auto\">(.*?)</p>", content)
        assert all(each == "Some <b>words</b> of it." for each in found)
        assert len(content) < 700_000
        more = re.search(r'data-rest="(\d+)"', content)
        rest, n = more and more[1], n + len(found)
    assert n == 30_000


@pytest.mark.parametrize(
    ("language", "way", "first"),
    [("he", ' dir="rtl"', "rtl"), ("en", "", "ltr"), ("ar-Latn", "", "ltr")],
)
def test_the_declared_language_gives_the_direction(campaign, judging, client, language, way, first):
    campaign.document_set.filter(docno="d1").update(
        text="Lucene \u05d0\n\nEnglish.", language=language
    )
    page = client.get(f"{judging}documents/1/").content.decode()
    assert attributes_of_text(page) == f'class="document-text" lang="{language}"{way}'
    assert f'<p dir="{first}">Lucene \u05d0</p>' in page
    assert '<p dir="auto">English.</p>' in page


def attributes_of_text(page: str) -> str:
    return " ".join(re.search(r'<div (class="document-text"[^>]*)>', page)[1].split())


def test_an_unreadable_document_says_so_and_offers_to_say_it(
    campaign, judging, client, sign_in, olga
):
    campaign.document_set.filter(docno="d1").update(title="", text="\ufffd" * 4 + " <b>")
    for address in (judging, f"{judging}documents/1/"):
        page = client.get(address).content.decode()
        assert "Most of this document is garbled" in page
        assert 'data-reason="unreadable"' in page
        assert "data-gradable" not in page
    assert 'name="reason" value="unreadable" data-key="m"' in client.get(judging).content.decode()
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/")
    assert "so assessors cannot grade it" in page.content.decode()


@pytest.mark.parametrize(("text", "is_said"), [("", True), (" \n", True), ("Words.", False)])
def test_a_document_that_is_only_a_title_says_so(campaign, judging, client, text, is_said):
    campaign.document_set.filter(docno="d1").update(title="A title", text=text)
    for address in (judging, f"{judging}documents/1/"):
        page = client.get(address).content.decode()
        assert "data-gradable" in page
        assert ("Nothing but a title." in page) == is_said
