"""Pages of documents and topics: how texts are shown, who uses them, how far topics are."""

import json
import re
from urllib.parse import urljoin

import pytest

from assess.models.assigning import Assignment
from collection.core.hypertext.page import read_page
from tests import make
from tests.web.html import at, words
from tests.worlds import once


def test_a_document_is_shown_in_paragraphs_and_code_and_its_marks_are_text(campaign, sign_in, olga):
    cut = (
        "A line of text that was cut at the margin of its file,\nand its end.\n\n    x = "
        "'<b>'\n\n\u05e9\u05dc"
    )
    campaign.document_set.update(text=cut)
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/").text
    joined = "A line of text that was cut at the margin of its file, and its end."
    assert f'<p dir="auto">{joined}</p>' in page
    assert '<pre class="code">    x = &#x27;&lt;b&gt;&#x27;</pre>' in page
    assert '<p dir="rtl">\u05e9\u05dc</p>' in page


ODD = [".", "..", "a/../b", "./a", "a/.", "~.", "~~..", "~a", "...", "/a", "a/", "a//b", "a\\..\\b"]
ODD += ["%2e%2e", "?", "#a", "a;b", "e\u0301"]


@pytest.mark.parametrize("docno", ODD)
def test_a_document_of_any_name_has_a_page(campaign, sign_in, olga, docno):
    make.documents(campaign, [docno])
    for name in ("document", "document_versions"):
        address = at(campaign, f"collection:{name}", docno)
        # As browsers do, which take %2e for a dot too, and \\ for a slash.
        plain = re.sub("%2e", ".", address, flags=re.IGNORECASE).replace("\\", "/")
        assert urljoin("http://site/a", plain) == f"http://site{plain}"
        page = sign_in(olga).get(address)
        found = (
            page.context["document"].docno if page.context else json.loads(page.content)["docno"]
        )
        assert found == docno


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


def test_a_page_is_shown_as_kept_wherever_it_is_read(campaign, judging, client, sign_in, olga):
    html_of(
        campaign,
        '<h1>One</h1><p>See <a href="http://x.org/?a&amp;b">there</a>.<img src=x alt="A drawing">',
    )
    pages = [client.get(judging), client.get(f"{judging}documents/1/")]
    pages.append(sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/"))
    for page in pages:
        content = page.text
        assert '<h3 dir="auto">One</h3>' in content
        assert (
            '<p dir="auto">See <a title="http://x.org/?a&amp;b">there</a>. <span class="image">A '
            "drawing</span></p>" in content
        )
        assert "<li><bdi>http://x.org/?a&amp;b</bdi></li>" in content


def test_the_parts_of_a_long_page_end_with_a_block(campaign, judging, client):
    html_of(campaign, "<div>" + "<p>Some <b>words</b> of it.</p>" * 30_000)
    rest, n = "", 0
    while rest is not None:
        query = f"?from={rest}" if rest else ""
        content = client.get(f"{judging}documents/1/{query}").text
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
    campaign.document_set.update(text="Lucene \u05d0\n\nEnglish.", language=language)
    page = client.get(f"{judging}documents/1/").text
    assert attributes_of_text(page) == f'class="document-text" lang="{language}"{way}'
    assert f'<p dir="{first}">Lucene \u05d0</p>' in page
    assert '<p dir="auto">English.</p>' in page


def attributes_of_text(page: str) -> str:
    return " ".join(re.search(r'<div (class="document-text"[^>]*)>', page)[1].split())


def test_an_unreadable_document_says_so_and_can_be_marked(campaign, judging, client, sign_in, olga):
    campaign.document_set.filter(docno="d1").update(title="", text="\ufffd" * 4 + " <b>")
    for address in (judging, f"{judging}documents/1/"):
        page = client.get(address).text
        assert "Most of this document is garbled" in page
        assert 'data-reason="unreadable"' in page
        assert "data-gradable" not in page
    assert 'name="reason" value="unreadable"' in client.get(judging).text
    page = sign_in(olga).get(f"/campaigns/{campaign.slug}/documents/d1/")
    assert "so assessors cannot grade it" in page.text


@pytest.mark.parametrize(("text", "is_said"), [("", True), (" \n", True), ("Words.", False)])
def test_a_document_that_is_only_a_title_says_so(campaign, judging, client, text, is_said):
    campaign.document_set.filter(docno="d1").update(title="A title", text=text)
    for address in (judging, f"{judging}documents/1/"):
        page = client.get(address).text
        assert "data-gradable" in page
        assert ("Nothing but a title." in page) == is_said


@pytest.fixture
@once
def used(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d2 d1"}, "bm25")])
    topic = campaign.topic_set.get(number="1")
    make.judgment(make.assignment(topic, ada), "d1", 2)
    make.known_grade(topic, "d5", 1)
    make.practice(campaign, "d6\t2\tIt names the bridge.")
    return campaign


def test_a_document_says_where_it_is_pooled_who_judged_it_and_which_runs_have_it(as_olga, used):
    at = f"/campaigns/{used.slug}/documents/"
    page = words(as_olga.get(f"{at}d1/"))
    assert "1 pooled bm25 at 2" in page
    assert "1 judged Ada, grade 2 (primary, version 1)" in page
    assert "1 known grade grade 1 (version 1)" in words(as_olga.get(f"{at}d5/"))
    assert "practice grade 2 (version 1)" in words(as_olga.get(f"{at}d6/"))
    assert "Where it is used" not in words(as_olga.get(f"{at}d3/"))


def test_a_preview_names_what_rests_on_each_text_that_would_change(as_olga, used):
    lines = "".join(f"{docno}\t\tAnother text.\n" for docno in ("d1", "d2", "d3", "d5", "d6"))
    row = make.uploaded(used, "documents", lines.encode())
    page = words(as_olga.get(f"/campaigns/{used.slug}/imports/{row.pk}/"))
    assert "This changes the text of 4 documents already in use:" in page
    for said in (
        "d1 (topic 1: pooled, judged by Ada)",
        "d2 (topic 1: pooled)",
        "d5 (topic 1: known grade)",
        "d6 (used for practice)",
    ):
        assert said in page
    assert row.preview["fixed"] == ["d1", "d2"]


def test_a_preview_shows_a_text_and_says_what_is_not_read(as_olga, campaign):
    lines = b'{"pid": "p1", "passage": "It rises.", "docid": "x", "spans": "(0,9)"}\n'
    lines += b'{"pid": "p2", "title": "Fees"}\n'
    row = make.uploaded(campaign, "documents", lines)
    page = words(as_olga.get(f"/campaigns/{campaign.slug}/imports/{row.pk}/"))
    assert "Fields not read: docid, spans" in page.replace(" ,", ",")
    assert "1 document is only a title." in page
    assert "The first text as it will be read p1 It rises." in page


def test_a_preview_names_who_judged_for_a_topic_whose_statement_would_change(as_olga, used, ben):
    make.judgment(make.assignment(used.topic_set.get(number="1"), ben, "second"), "d1", 1)
    row = make.uploaded(used, "topics", b"1\tAnother statement\n2\tAnother too\n")
    page = words(as_olga.get(f"/campaigns/{used.slug}/imports/{row.pk}/"))
    used_by = "1 (pooled, judged by Ada, Ben)"
    assert f"This changes the statement of 1 topic already in use: {used_by}" in page


def topic_page(client, user, played, path: str = "topics/") -> str:
    client.force_login(user)
    return client.get(f"/campaigns/{played.slug}/{path}").text


def test_organizers_alone_see_how_far_topics_are_and_who_judges(client, played, olga, ada, ben):
    topic = played.topic_set.get(number="1")
    work = Assignment.objects.get(topic=topic, assessor=ada)
    make.judgment(work, work.entries.exclude(judgment__state="judged").first().docno, 1)
    work.refresh_from_db()
    pooled = topic.poolentry_set.count()
    decided = f'{work.n_judged} <span class="quiet">of {pooled}</span>'
    link = f"/campaigns/{played.slug}/judging/{work.pk}/assignment/"
    for path in ("topics/", f"topics/{topic.pk}/"):
        assert decided in topic_page(client, olga, played, path), path
        for other in (ada, ben):
            theirs = topic_page(client, other, played, path)
            assert '<span class="quiet">of' not in theirs, path
            assert "Judged" not in theirs, path
    assert link in topic_page(client, olga, played, f"topics/{topic.pk}/")
    assert link not in topic_page(client, ada, played, f"topics/{topic.pk}/")


def test_topics_follow_each_other_in_natural_order(client, campaign, ada):
    campaign.topic_set.all().delete()
    made = {n: campaign.topic_set.create(number=n, title=n) for n in ("10", "2", "003")}
    client.force_login(ada)
    around = {
        number: client.get(f"/campaigns/{campaign.slug}/topics/{topic.pk}/").context["neighbors"]
        for number, topic in made.items()
    }
    two, three, ten = (made[number] for number in ("2", "003", "10"))
    assert around == {"2": (None, three), "003": (two, ten), "10": (three, None)}
