"""What pages of qrels show of each version, and of the one before it."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assess.models.assigning import Assignment
from campaigns.models.releases import Release
from cleverdon.trec.qrels import JudgedPairs
from qrels.core import change
from qrels.models import Qrels
from qrels.services.publishing import publish_qrels, withdraw_qrels
from qrels.web import versions
from tests import make
from tests.web.html import words
from tests.worlds import once

GRADES = st.dictionaries(
    st.tuples(st.sampled_from("12"), st.sampled_from("abcd")), st.integers(-1, 3)
)


def pairs(grades: dict[tuple[str, str], int]) -> JudgedPairs:
    return JudgedPairs.from_rows((topic, docno, grade) for (topic, docno), grade in grades.items())


@given(before=GRADES.filter(bool), after=GRADES.filter(bool))
def test_two_versions_differ_by_what_was_added_removed_and_graded_otherwise(before, after):
    found = change(pairs(before), pairs(after))
    assert found.n_added == len(after.keys() - before.keys())
    assert found.n_removed == len(before.keys() - after.keys())
    moved = [
        (before[pair], after[pair])
        for pair in before.keys() & after.keys()
        if before[pair] != after[pair]
    ]
    assert found.n_changed == len(moved)
    assert found.moves == {move: moved.count(move) for move in moved}
    assert [n for *_, n in found.most] == sorted(found.moves.values(), reverse=True)[:6]


@pytest.fixture
@once
def second(played, olga, ada) -> Qrels:
    """Version 2: d1 went from grade 2 to 3, and d3 and d4 were added."""
    adas = Assignment.objects.get(assessor=ada)
    for docno, grade in (("d1", 3), ("d3", 1)):
        make.judgment(adas, docno, grade)
    return publish_qrels(user=olga, campaign=played)


def test_a_version_says_what_changed_since_the_one_before(as_olga, played, second, monkeypatch):
    base = f"/campaigns/{played.slug}/qrels/"
    page = words(as_olga.get(f"{base}{second.number}/"))
    assert "Qrels v2: 3 judgments, " in page
    assert "Compared with v1 v1 Compare 1 added 1 graded otherwise 0 gone" in page
    assert "grade 2 grade 3 1" in page
    assert "The first version published here" in words(as_olga.get(f"{base}1/"))
    monkeypatch.setattr(versions, "MOST_COMPARED", 4)
    page = words(as_olga.get(f"{base}{second.number}/"))
    assert "too many judgments to compare on a page: 2 and 3." in page


def test_a_version_with_another_lowest_relevant_grade_says_so(client, played, olga, second):
    """Of grades 3, 1 and 1, two fewer are relevant from grade 2; nothing was graded otherwise."""
    third = publish_qrels(user=olga, campaign=played, level=2)
    client.force_login(olga)
    page, before = (
        words(client.get(f"/campaigns/{played.slug}/qrels/{each.number}/"))
        for each in (third, second)
    )
    assert (
        f"Relevant from grade 2, in v2 from 1: {third.n_relevant} relevant instead of "
        f"{second.n_relevant}." in page
    )
    assert third.n_relevant < second.n_relevant
    assert "Relevant from grade" not in before


def test_a_version_is_compared_with_the_last_of_its_kind_or_with_any(client, played, olga, second):
    """A pilot's file is of another kind, and a withdrawn version does not stand."""
    pilot = make.imported_qrels(played, b"1 0 d1 2\n")
    wrong = publish_qrels(user=olga, campaign=played, level=2)
    withdraw_qrels(user=olga, qrels=wrong, reason="Wrong.")
    last, again = (
        publish_qrels(user=olga, campaign=played),
        make.imported_qrels(played, b"1 0 d1 2\n"),
    )
    found = Qrels.objects.with_partners().values_list("number", "partner")
    assert dict(found) == {
        1: None,
        2: 1,
        pilot.number: None,
        wrong.number: 2,
        last.number: 2,
        again.number: pilot.number,
    }
    assert Qrels.objects.standing_before(played).first() == last
    client.force_login(olga)
    base = f"/campaigns/{played.slug}/qrels/"
    for asked, partner in (
        ("", 2),
        ("?with=3", 3),
        ("?with=4", 4),
        ("?with=5", 2),
        ("?with=no", 2),
    ):
        assert f"Compared with v{partner} " in words(client.get(f"{base}5/{asked}"))
    assert "The first version from its source" in words(client.get(f"{base}3/"))
    assert re.search(r"v5 .*? 0 from v2 ", words(client.get(base)))


def test_the_list_says_how_many_more_each_version_has(as_olga, played, second):
    response = as_olga.get(f"/campaigns/{played.slug}/qrels/")
    page = words(response)
    assert "Qrels v2: 3 judgments, " in page
    assert re.search(r"v2 preliminary (grade \d: \d )+3 \+1 from v1 2 \+1 1 1 1 ", page)
    assert "v2: grade 0: 1; grade 1: 1; grade 2: 0; grade 3: 1." in response.text
    Release.objects.all().delete()
    for each in (1, 2):
        as_olga.post(f"/campaigns/{played.slug}/qrels/{each}/", {"reason": "Wrong."})
    page = words(as_olga.get(f"/campaigns/{played.slug}/qrels/"))
    assert "Every version of the qrels is withdrawn" in page
    assert "Score against" not in page


def test_without_a_version_the_page_says_what_comes_first(as_olga, campaign):
    page = words(as_olga.get(f"/campaigns/{campaign.slug}/qrels/"))
    assert "No qrels yet" in page
    nothing = "There is nothing to publish yet: no primary assessor has judged a document."
    assert page.count(nothing) == 1
    page = words(as_olga.get(f"/campaigns/{campaign.slug}/leaderboard/"))
    assert "No scores yet" in page
    compare = as_olga.get(f"/campaigns/{campaign.slug}/leaderboard/compare/")
    assert "Nothing to compare yet" in words(compare)
