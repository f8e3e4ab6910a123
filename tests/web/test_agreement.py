"""The page of agreement: its filters, and that every figure leads to its documents."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from django.core.cache import cache

from agreement.core.kept import monday_of, week_of
from assess.models.judging import Judgment
from campaigns.models.people import Role
from qrels.services.publishing import publish_qrels
from tests import make
from tests.releasing import TEAMS, show_to
from tests.several import twice_judged
from tests.web.html import words
from tests.web.judging import DAY, shown
from tests.worlds import once


@pytest.fixture
@once
def several(campaign, olga, ada, ben, pat):
    """Two topics, the first judged by three people, the second by two of them."""
    docnos = [f"d{n}" for n in range(1, 7)]
    rankings = {"1": " ".join(docnos), "2": " ".join(docnos)}
    make.frozen_pool(campaign, [make.run(campaign, pat, rankings)], depth=6)
    cleo = make.user("cleo")
    campaign.membership_set.create(user=cleo, role=Role.ASSESSOR)
    given = {
        "1": [(ada, [0, 1, 2, 3, 0, 1]), (ben, [0, 1, 2, 0, 1, 1]), (cleo, [0, 0, 2, 3, 0, 0])]
    }
    given["2"] = [(ben, [0, 0, 1, 1, 2, 3]), (ada, [0, 1, 1, 1, 0, 3])]
    for number, everybody in given.items():
        for n, (who, grades) in enumerate(everybody):
            topic = campaign.topic_set.get(number=number)
            assignment = make.assignment(topic, who, "second" if n else "primary")
            for docno, grade in zip(docnos, grades, strict=True):
                if assignment.entries.filter(item__key=docno).exists():
                    make.judgment(assignment, docno, grade)
    return campaign


def test_each_figure_leads_to_as_many_pairs_of_grades_as_it_counts(client, several, olga):
    html = shown(client, several, olga, "agreement/")
    at = re.escape(f"/campaigns/{several.slug}/agreement/documents/")
    counts = re.findall(rf'<a href="({at}[^"]*)"><b>([\d,]+)</b>', html)
    bars = re.findall(rf'<dt><a href="({at}[^"]*)">[^<]*</a></dt> <dd>.*?<b>([\d,]+)</b>', html)
    cells = re.findall(rf'<td class="number"><a href="({at}[^"]*)">([\d,]+)</a>', html)
    assert len(counts) > 5
    assert len(bars) == 7 - html.count("<b>0</b></dd>")
    assert len(cells) == 9
    for address, n in [*counts, *bars, *cells]:
        page = client.get(address.replace("&amp;", "&"))
        assert page.context["rows"].paginator.count == int(n), address
    rows = re.findall(rf'<th scope="row"[^>]*> ?<a href="({at}[^"]*)">', html)
    asked = [parse_qs(urlsplit(each.replace("&amp;", "&")).query) for each in rows]
    assert {frozenset(each) for each in asked} == {
        frozenset(["topic"]),
        frozenset(["assessor"]),
        frozenset(["assessor", "other"]),
    }
    assert all(client.get(each.replace("&amp;", "&")).status_code == 200 for each in rows)


def test_of_several_people_alpha_comes_first_and_a_document_counts_once(client, several, olga):
    html = shown(client, several, olga, "agreement/")
    n = len({row[:2] for row in twice_judged(several)})
    assert len(twice_judged(several)) > n
    assert re.search(rf"<h1>Alpha is [\d.]+ on {n} documents judged by two or more</h1>", html)
    assert "it is the mean over the pairs" in html
    assert "So few topics make them wide" in html
    two = shown(client, several, olga, "agreement/?assessor=ada&other=ben")
    assert "<h1>Kappa is " in two
    assert "The assessor chosen down, the other one across." in two


@pytest.mark.parametrize(("query", "n"), [("topic=1", None), ("level=2", None), ("topic=9", 0)])
def test_filters_choose_what_all_figures_are_of(client, several, olga, query, n):
    html = shown(client, several, olga, f"agreement/?{query}")
    if n == 0:
        assert "No document of these is judged twice" in html
        return
    name, value = query.split("=")
    assert re.search(rf'<option value="{value}" selected>', html)
    links = re.findall(r'agreement/documents/\?([^"]*)"', html)
    assert links
    assert all(f"{name}={value}" in each.replace("&amp;", "&") for each in links)


def test_those_to_whom_agreement_is_released_cannot_ask_for_names(client, several, pat, olga):
    publish_qrels(user=olga, campaign=several)
    show_to(several, TEAMS, what="agreement")
    client.force_login(pat)
    at = f"/campaigns/{several.slug}/agreement/"
    page = client.get(at)
    assert "agreement/documents/" not in page.text
    assert 'name="assessor"' not in page.text
    assert "As of qrels v1." in words(page)
    assert "No document of these is judged twice" in words(client.get(at, {"assessor": "ada"}))
    assert client.get(f"{at}documents/").status_code == 403
    rows = client.get(f"/campaigns/{several.slug}/agreement.csv").getvalue().decode().splitlines()
    assert rows[0].startswith("topic,assessor")
    assert all(",," in row for row in rows[1:])
    assert not any("ada" in row for row in rows)


def test_weeks_are_shown_where_there_is_more_than_one(client, several, olga):
    assert 'id="weeks-title"' not in shown(client, several, olga, "agreement/")
    first = Judgment.objects.earliest("pk").changed_at
    Judgment.objects.filter(topic__number="2").update(changed_at=first - 30 * DAY)
    cache.clear()
    html = shown(client, several, olga, "agreement/")
    assert 'id="weeks-title"' in html
    earlier = monday_of(week_of((first - 30 * DAY).date()))
    assert f'<th scope="row">{earlier:%-d %B}</th>' in html
