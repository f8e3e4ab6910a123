"""What organizers read about judging: what needs them, who judges what, and until when."""

import re
from itertools import combinations

import pytest
from django.utils import timezone

from agreement.nouns import Asked
from agreement.web import figures
from agreement.web.drawing import pair_triangle
from agreement.web.figures import Links
from agreement.web.matrices import grade_matrix, pair_matrix
from assess.core.answers import Answer
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.judging import Judgment
from assess.services import handover
from assess.services import judging as judging_services
from campaigns.models.campaign import Campaign
from cleverdon.agreement.measured import in_order
from cleverdon.agreement.ratings import Ratings
from cleverdon.pictures.numbers import NOTHING
from tests import make
from tests.web.judging import DAY, shown


def test_organizers_see_every_pace_and_assessors_their_own(client, campaign, busy, ada, ben, olga):
    second = make.assignment(busy.topic, ben, Assignment.Kind.SECOND)
    first = busy.entries.values_list("item__key", flat=True)[:20]
    make.judgments(second, dict.fromkeys(first, 1))
    make.rewrite(JudgmentEvent.objects.filter(assignment=second), active_ms=90_000)
    html = shown(client, campaign, olga)
    for median, n, an_hour in (("30 s", 25, 120), ("1 min 30 s", 20, 40)):
        cell = f'<span class="nowrap">{median}</span> <span class="quiet nowrap">n {n}</span>'
        assert html.count(cell) == 2, "of the assessor, and of the assessor on the topic"
        assert f'{cell}</td> <td class="number wide-only">{an_hour}</td>' in html
    html = shown(client, campaign, olga, f"judging/{busy.pk}/assignment/")
    card = re.search(r'<table class="times">.*?</table>', html)[0]
    rows = [re.sub(r"<[^>]+>", "|", row) for row in re.findall(r"<tr>(.*?)</tr>", card)[1:]]
    assert [[each for each in row.split("|") if each.strip()] for row in rows] == [
        ["Ada", "this topic", "25", "30 s", "120"],
        ["Ben", "this topic", "20", "1 min 30 s", "40"],
        ["All", "this topic", "45", "30 s", "120"],
        ["Ada", "all topics", "25", "30 s", "120"],
    ]
    assert "1 min 30 s" not in shown(client, campaign, ada)
    own = shown(client, campaign, ben)
    assert "You take about 1 min 30 s a document, 40 an hour." in own
    assert not re.search(r"\b30 s a document", own.replace("1 min 30 s", ""))


NO_LINKS = Links("", {}, are_shown=False)


def asked_of(items, grades) -> Asked:
    criterion = Campaign().every_criterion[0]
    return Asked(Ratings.from_items(items, grades), criterion, 1)


def acts(html: str) -> list[str]:
    found = re.search(r'<ul class="acts">.*?</ul>', html)
    return re.findall("<h3>(.*?)</h3>", found[0]) if found else []


def test_organizers_are_told_what_needs_them(client, campaign, busy, ben, olga):
    """On Judging, and on the overview by the same words."""
    now, open_topics = timezone.now(), Assignment.objects.filter(n_changes=0)

    def told(*titles: str) -> str:
        html = shown(client, campaign, olga)
        assert acts(html) == acts(shown(client, campaign, olga, "")) == list(titles)
        return html

    told()
    open_topics.update(taken_back_at=now)
    told("1 topic has no assessor")
    open_topics.update(taken_back_at=None, assessor=ben, given_at=now - 5 * DAY)
    told("Ben has not started")
    assert "1 assessor has not judged for 5 days or more." in client.get("/").text
    Assignment.objects.update(assessor=busy.assessor, given_at=now - 9 * DAY)
    make.rewrite(JudgmentEvent.objects.all(), at=now - 6 * DAY, pressed_at=now - 6 * DAY)
    html = told("Ada has stopped judging")
    assert "No judgment for 6 days; 35 documents wait." in html
    assert "?who=ada#who-title" in html
    make.rewrite(JudgmentEvent.objects.all(), at=now, pressed_at=now)
    first = JudgmentEvent.objects.filter(judgment__item__key="x00")
    make.rewrite(first, at=now - 20 * DAY, pressed_at=now - 20 * DAY)
    Campaign.objects.update(judging_closes_at=now + 10 * DAY)
    html = told("Ada will miss the deadline")
    assert "by up to 1 day." in html
    assert "Give topics to others…" in html
    assert f'href="/campaigns/{campaign.slug}/settings/dates/">Change the date…' in html
    make.rewrite(JudgmentEvent.objects.all(), at=now - 6 * DAY, pressed_at=now - 6 * DAY)
    Campaign.objects.update(judging_closes_at=now)
    assert acts(shown(client, campaign, olga)) == ["35 documents were unjudged when judging closed"]


def test_the_list_is_filtered_by_progress_with_counts(client, campaign, busy, olga):
    html = shown(client, campaign, olga)
    assert "25 of 60 documents judged</h1>" in html
    chips = re.findall(r'<a class="chip" href="[^"]*"[^>]*>\s*(.*?)</a>', html)
    assert chips == ["All <b>2</b>", "Not begun <b>1</b>", "Under way <b>1</b>"]
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/judging/", {"progress": "under way"})
    assert [row[0] for row in page.context["rows"]["rows"]] == [busy]


def test_an_assessor_s_name_leads_to_their_topics_and_no_others(client, campaign, busy, ben, olga):
    """Not to those whose titles have the name in them."""
    busy.topic.title = "readable"
    busy.topic.save()
    Assignment.objects.filter(pk=busy.pk).update(assessor=ben)
    assert f"/campaigns/{campaign.slug}/judging/?who=ada#who-title" in shown(client, campaign, olga)
    client.force_login(olga)
    for who, n in (("ada", 1), ("ben", 1), ("cleo", 2)):
        page = client.get(f"/campaigns/{campaign.slug}/judging/", {"who": who})
        found = [row[0].assessor.username for row in page.context["rows"]["rows"]]
        assert found == [who] if n == 1 else len(found) == n


def test_agreement_shows_no_kappa_of_few_and_grades_far_apart(client, campaign, busy, ben, olga):
    bens = make.assignment(busy.topic, ben, Assignment.Kind.SECOND)
    make.judgments(bens, {f"x{n:02}": 3 if n > 7 else 1 for n in range(19)})
    html = shown(client, campaign, olga, "agreement/")
    assert html.count("too few</span>") == 2  # what each calls relevant
    few = re.findall(r'<tr class="quiet">', html)
    assert "Fewer than 20 documents: too few to say." in html
    assert "on 19 documents judged twice</h1>" in html
    assert html.count('<p class="who">') == 20
    assert "10 of 11" in html
    far = re.search(r'<ul class="far-apart">.*?</ul>', html)[0]
    for each in (busy, bens):
        assert f"/judging/{each.pk}/assignment/?docno=x08#history" in far
    whole = shown(client, campaign, olga, "agreement/documents/?at_least=2")
    assert whole.count('<p class="who">') == 22
    make.judgment(bens, "x19", 1)
    html = shown(client, campaign, olga, "agreement/")
    assert "too few</span>" not in html
    assert "documents: too few to say." not in html
    assert len(re.findall(r'<tr class="quiet">', html)) == 0 < len(few)
    table = shown(client, campaign, olga, "judging/distribute/")
    table = re.search(r'<table id="assigned".*?</table>', table)[0]
    assert re.findall('data-kinds="(.*?)"', table) == ["judged once", "judged twice"]


@pytest.mark.parametrize(
    ("n_people", "n_known", "form"), [(8, 13, "small"), (9, 13, "drawn"), (9, 11, "neither")]
)
def test_pairs_of_few_are_a_table_and_of_many_a_picture_if_many_met(n_people, n_known, form):
    people = [f"p{n:02}" for n in range(n_people)]
    pairs = list(combinations(people, 2))
    items = [
        ("1", ((one, n % 2), (other, n % 3)), 0)
        for m, (one, other) in enumerate(pairs)
        for n in range(20 if m < n_known else 19)
    ]
    names = {name: name.upper() for name in people}
    matrix = pair_matrix(figures.pairs(asked_of(items, [0, 1, 2]), names, NO_LINKS), names)
    assert (matrix.is_small, matrix.is_drawn) == (form == "small", form == "drawn")
    if matrix.is_drawn:
        known = {frozenset(row[:2]) for row in pair_triangle(matrix).rows if row[2] != NOTHING}
        assert known == {frozenset((one.upper(), other.upper())) for one, other in pairs[:13]}
    if matrix.is_small:
        assert [name for name, _ in matrix.rows] == [name.upper() for name in people[1:]]
        cells = [cell for _, cells in matrix.rows for cell in cells]
        assert len(cells) == len(pairs)
        assert sum(cell.figure.is_enough for cell in cells) == 13


def test_pairs_stand_by_their_kappa_and_those_of_too_few_documents_last():
    grades = {"ab": [(0, 0), (1, 1)], "ac": [(0, 1), (1, 0)], "bc": [(0, 0), (0, 1)]}
    pairs = [(pair, grades[pair][n % 2]) for pair in grades for n in range(20)]
    pairs += [("ad", (0, 1))] * 19 + [("bd", (1, 1))] * 20
    items = [("1", ((pair[0], one), (pair[1], other)), 0) for pair, (one, other) in pairs]
    names = {name: name for name in "abcd"}
    pairs = list(figures.pairs(asked_of(items, [0, 1]), names, NO_LINKS).values())
    assert [pair.name for pair in pairs] == ["a and c", "b and c", "a and b", "b and d", "a and d"]
    assert [pair.figure.is_enough for pair in pairs] == [True] * 4 + [False]
    assert [pair.figure.value for pair in pairs][2:4] == [1.0, None]


def test_only_grades_that_met_are_framed_and_the_first_grade_is_down():
    ratings = Ratings.from_items([("2", (("ben", 3), ("ada", 0)), 0)], [0, 1, 2, 3])
    table = in_order(ratings)
    assert table.tolist() == [[0] * 4, [0] * 4, [0] * 4, [1, 0, 0, 0]]
    matrix = grade_matrix(table, Campaign().scale.grades)
    assert [[cell.n for cell in cells] for _, cells, *_ in matrix.rows] == table.tolist()
    places = enumerate(cells for _, cells, *_ in matrix.rows)
    framed = [(i, j) for i, cells in places for j, cell in enumerate(cells) if cell.is_far]
    assert framed == [(3, 0)]


def test_of_many_assessors_both_ends_are_shown():
    everybody = list(range(30))
    assert figures.both_ends(everybody, None) == everybody
    assert figures.both_ends(everybody, 4) == [0, 1, 28, 29]
    assert figures.both_ends(everybody[:4], 4) == everybody[:4]


def headings(client, campaign, user) -> tuple[str, str]:
    """What the overview's heading says, and the lead of the page Judging."""
    overview, judging = (shown(client, campaign, user, page) for page in ("", "judging/"))
    return re.search("<h1>(.*?)</h1>", overview)[1], re.search(
        r'<p class="lead">(.*?)</p>', judging
    )[1]


def test_both_pages_give_one_date_or_none_if_one_has_no_pace(client, campaign, busy, ben, olga):
    """Ada has judged 25 on two days: the five that are left of her topic take a day, the other
    thirty three.
    """
    now = timezone.now()
    first = JudgmentEvent.objects.order_by("pk").values("pk")[:10]
    make.rewrite(JudgmentEvent.objects.filter(pk__in=first), at=now - DAY, pressed_at=now - DAY)
    Campaign.objects.update(judging_closes_at=now + 9 * DAY)
    day = (now + 3 * DAY).strftime("%-d %B")
    heading, lead = headings(client, campaign, olga)
    assert heading == f"Judging will be done on {day}, six days early"
    assert f"everything will be judged by <b>{day}</b>, six days early." in lead
    Assignment.objects.filter(n_changes=0).update(assessor=ben)
    day = (now + DAY).strftime("%-d %B")
    heading, lead = headings(client, campaign, olga)
    assert heading == "25 of 60 documents judged"
    assert f"Ada finishes about {day}. Ben has not started 30 documents." in lead
    assert "not started</span>" in shown(client, campaign, olga)
    Assignment.objects.filter(n_changes=0).update(taken_back_at=now)
    heading, lead = headings(client, campaign, olga)
    assert heading == "25 of 60 documents judged"
    assert f"Ada finishes about {day}. 30 documents without an assessor." in lead


def test_what_was_judged_before_is_no_work_of_a_successor(client, campaign, busy, ada, ben, olga):
    Assignment.objects.filter(pk=busy.pk).update(given_at=timezone.now() - 9 * DAY)
    handover.hand_over(user=olga, assignment=busy, assessor=ben)
    [bens] = [each for each in totals(client, campaign, olga) if each.user == ben]
    assert acts(shown(client, campaign, olga)) == []  # however long ago it was assigned first
    assert (bens.total["judged"], bens.total["n_before"], bens.pace.last_at) == (25, 25, None)
    html = shown(client, campaign, olga)
    assert '25 of 30</span> <span class="quiet">· 25 by others before</span>' in html
    # What anybody has judged counts in the pace of the campaign, also once they have nothing left.
    Assignment.objects.filter(n_changes=0).update(taken_back_at=timezone.now())
    html = shown(client, campaign, olga)
    assert '<td class="nowrap">25<span' in html
    html = shown(client, campaign, ben)
    assert "Others had judged all of them before you got the topic." in html
    assert "25 before you" in html
    make.judgment(Assignment.objects.get(pk=busy.pk), "x25", 1)
    html = shown(client, campaign, ben)
    assert "Others had judged 25 of them before you got the topic." in html
    for docno in [f"x{n}" for n in range(26, 30)]:
        make.judgment(Assignment.objects.get(pk=busy.pk), docno, 1)
    handover.hand_over(user=olga, assignment=busy, assessor=ada)
    Judgment.objects.filter(assignment=busy).update(assessor=ben)
    html = shown(client, campaign, ada)
    assert "judged before it came to you" in html


def totals(client, campaign, user):
    client.force_login(user)
    return client.get(f"/campaigns/{campaign.slug}/judging/").context["people"]


def test_what_cannot_be_judged_is_not_counted_as_judged(client, campaign, busy, ada, olga):
    answer = Answer("x25", "cannot_judge", reason="missing")
    judging_services.judge(assessor=ada, assignment=busy, answer=answer)
    said = {
        "judging/": "<b>25 of 60</b> documents judged, 1 cannot be judged",
        f"judging/{busy.pk}/documents/": "<b>25 of 30</b> documents judged, 1 cannot be judged",
    }
    for page, words in said.items():
        assert words in shown(client, campaign, ada, page)
    page = f"judging/{busy.pk}/assignment/"
    assert said[f"judging/{busy.pk}/documents/"] in shown(client, campaign, olga, page)
    assert said["judging/"] in shown(client, campaign, olga, "")
    html = shown(client, campaign, olga)
    assert '25 of 60</span> <span class="quiet">· 1 cannot be judged' in html
