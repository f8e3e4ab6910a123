"""Following an invitation, and removing a member."""

import html
import re

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.people import Role
from campaigns.services import people
from tests import make

NEW = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}


def test_an_invited_stranger_makes_an_account_and_joins(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    address = f"/invitations/{invitation.token}/"
    assert "You are invited to join as an assessor." in client.get(address).content.decode()
    assert client.post(address, {"username": "new"}).status_code == 422
    assert client.post(address, NEW).status_code == 302
    assert client.get(f"/campaigns/{campaign.slug}/").status_code == 200
    assert campaign.membership_set.get(user__username="new").role == "assessor"


def test_somebody_signed_in_joins_with_the_account_they_have(client, campaign, olga, sam):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.PARTICIPANT, team_name="New")
    client.force_login(sam)
    client.post(f"/invitations/{invitation.token}/")
    assert campaign.membership_set.get(user=sam).team.name == "New"


# Links that give no role


ENDS = {
    "expired": "has expired",
    "withdrawn": "was withdrawn",
    "used": "1 person has joined by it.",
}


@pytest.mark.parametrize(("end", "said"), ENDS.items())
def test_a_link_that_is_over_says_why_and_makes_no_account_and_no_role(
    client, campaign, olga, sam, end, said
):
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    if end == "expired":
        campaign.invitation_set.update(expires_at=timezone.now())
    elif end == "withdrawn":
        people.withdraw_invitation(user=olga, invitation=link)
    else:
        people.accept_invitation(user=make.user("early"), invitation=link)
    address, before = f"/invitations/{link.token}/", User.objects.count()
    for _ in range(2):
        page = client.get(address).content.decode()
        assert said in page
        assert "<form" not in page.split("<main")[1]
        response = client.post(address, NEW)
        assert response.status_code == 409
        assert "organizer for a new link" in response.content.decode()
        client.force_login(sam)
    assert User.objects.count() == before
    assert not campaign.membership_set.filter(user=sam).exists()


def test_an_expired_link_is_marked_and_not_offered_to_copy(client, campaign, olga):
    over, link = (people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR) for _ in range(2))
    campaign.invitation_set.filter(pk=over.pk).update(expires_at=timezone.now())
    client.force_login(olga)
    page = client.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    assert page.count('<span class="mark" data-kind="plain">expired</span>') == 1
    assert over.token not in page
    assert f"/invitations/{link.token}/" in page


def test_a_link_followed_twice_makes_one_account_and_one_role(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    address = f"/invitations/{invitation.token}/"
    for _ in range(2):  # the second time as whom the first one made
        assert client.post(address, NEW).status_code == 302
    client.logout()
    response = client.post(address, NEW)
    assert response.status_code == 422
    assert "already exists" in response.content.decode()
    assert campaign.membership_set.filter(user__username="new").count() == 1


def test_participants_stand_by_team_and_each_person_once_in_words(campaign, as_olga):
    page = as_olga.get(f"/campaigns/{campaign.slug}/people/").content.decode()
    chips = re.findall(r'<a class="chip" href="[^"]*/teams/\d+/">\s*(\w+) <b>(\d)</b>', page)
    assert chips == [("Aldgate", "1")]
    for name in ("Ada", "Ben", "Pat"):
        assert len(re.findall(rf"\s{name} <span class=\"username\"", page)) == 1


@pytest.fixture
def address(played, ada):
    member = played.membership_set.get(user=ada)
    return reverse("campaigns:remove_member", args=[played.slug, member.pk])


def shown(client, address) -> dict[str, str]:
    """What the form of the page carries by itself."""
    page = client.get(address).content.decode()
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    return {"seen": html.unescape(seen)}


def test_the_page_asks_and_shows_what_the_person_has(as_olga, ben, played, address):
    page = as_olga.get(address).content.decode()
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
    assert "changed while you had the page open" in page
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
