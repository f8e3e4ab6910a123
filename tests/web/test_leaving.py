"""The page that removes a member."""

import html
import re

import pytest
from django.urls import reverse

from assess.models.assigning import Assignment
from campaigns.models.people import Role
from tests import make


@pytest.fixture
def address(played, ada):
    member = played.membership_set.get(user=ada)
    return reverse("campaigns:remove_member", args=[played.slug, member.pk])


def shown(client, address) -> dict[str, str]:
    """What the form of the page carries by itself."""
    page = client.get(address).content.decode()
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    return {"seen": html.unescape(seen)}


def test_the_page_asks_and_shows_what_the_person_has(client, olga, ben, played, address):
    client.force_login(olga)
    page = client.get(address).content.decode()
    assert "1 topic, 1 document open" in page
    assert "Nobody yet: it waits to be assigned again" in page
    refused = f'<option value="{ben.pk}" disabled>Ben (ben): already judges topic 1</option>'
    assert refused in page
    assert played.membership_set.filter(user__username="ada").exists()


def test_the_topics_go_to_the_person_chosen_on_the_page(client, olga, played, address):
    carl = make.user("carl")
    played.membership_set.create(user=carl, role=Role.ASSESSOR)
    assignment = Assignment.objects.get(assessor__username="ada")
    client.force_login(olga)
    sent = {**shown(client, address), "successor": carl.pk}
    assert client.post(address, sent).status_code == 302
    assignment.refresh_from_db()
    assert (assignment.assessor, assignment.taken_back_at) == (carl, None)


def test_a_page_that_is_out_of_date_comes_back_with_what_is_new_and_what_was_chosen(
    client, olga, played, address
):
    carl = make.user("carl")
    played.membership_set.create(user=carl, role=Role.ASSESSOR)
    assignment = Assignment.objects.get(assessor__username="ada")
    client.force_login(olga)
    sent = {**shown(client, address), "successor": carl.pk}
    make.judgment(assignment, "d3", 1)
    response = client.post(address, sent)
    page = response.content.decode()
    assert response.status_code == 422
    assert "What Ada has, marked below, changed while you had the page open" in page
    assert re.search(r'3 judgments</strong> <span class="mark">new</span>', page)
    assert f'<option value="{carl.pk}" selected>' in page
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    assert client.post(address, {**sent, "seen": html.unescape(seen)}).status_code == 302


def test_the_second_of_two_organizers_reads_who_has_the_topics(client, olga, played, address):
    oscar, carl = make.user("oscar"), make.user("carl")
    played.membership_set.create(user=oscar, role=Role.ORGANIZER)
    played.membership_set.create(user=carl, role=Role.ASSESSOR)
    client.force_login(oscar)
    sent = shown(client, address)
    client.force_login(olga)
    assert client.post(address, {**sent, "successor": carl.pk}).status_code == 302
    client.force_login(oscar)
    page = client.post(address, sent, follow=True).content.decode()
    assert (
        "Ada, assessor has already been removed by Olga. Carl takes over topic 1 (primary)." in page
    )
    assert Assignment.objects.get(pk=Assignment.objects.get(assessor=carl).pk).taken_back_at is None
