"""What rests on a document is named where its text is shown or would be changed."""

import pytest

from assess.models.controls import KnownGrade
from tests import make
from tests.web.html import words
from tests.worlds import once


@pytest.fixture
@once
def used(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d2 d1"}, "bm25")])
    topic = campaign.topic_set.get(number="1")
    make.judgment(make.assignment(topic, ada), "d1", 2)
    KnownGrade.objects.create(topic=topic, docno="d5", grade=1)
    make.practice(campaign, "d6\t2\tIt names the bridge.")
    return campaign


def test_a_documents_page_says_where_it_is_pooled_who_judged_it_and_which_runs_have_it(
    client, used, olga, ada
):
    client.force_login(olga)
    at = f"/campaigns/{used.slug}/documents/"
    page = words(client.get(f"{at}d1/"))
    assert "1 pooled bm25 at 2" in page
    assert "1 judged Ada, grade 2 (primary, version 1)" in page
    assert "1 known grade grade 1 (version 1)" in words(client.get(f"{at}d5/"))
    assert "practice grade 2 (version 1)" in words(client.get(f"{at}d6/"))
    assert "Where it is used" not in words(client.get(f"{at}d3/"))
    client.force_login(ada)
    assert client.get(f"{at}d1/").status_code == 403


def test_a_preview_names_what_rests_on_each_text_that_would_change(client, used, olga):
    lines = "".join(f"{docno}\t\tAnother text.\n" for docno in ("d1", "d2", "d3", "d5", "d6"))
    row = make.uploaded(used, "documents", lines.encode())
    client.force_login(olga)
    page = words(client.get(f"/campaigns/{used.slug}/imports/{row.pk}/"))
    assert "This changes the text of 4 documents already in use:" in page
    for said in (
        "d1 (topic 1: pooled, judged by Ada)",
        "d2 (topic 1: pooled)",
        "d5 (topic 1: known grade)",
        "d6 (used for practice)",
    ):
        assert said in page
    assert row.preview["fixed"] == ["d1", "d2"]


def test_a_preview_names_who_judged_for_a_topic_whose_statement_would_change(
    client, used, olga, ben
):
    make.judgment(make.assignment(used.topic_set.get(number="1"), ben, "second"), "d1", 1)
    row = make.uploaded(used, "topics", b"1\tAnother statement\n2\tAnother too\n")
    client.force_login(olga)
    page = words(client.get(f"/campaigns/{used.slug}/imports/{row.pk}/"))
    assert (
        "This changes the statement of 1 topic already in use: 1 (pooled, judged by Ada, Ben)"
        in page
    )
