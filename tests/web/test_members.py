"""Following an invitation, and removing a member."""

import html
import re

import pytest
from django.utils import timezone

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.people import Role
from campaigns.services import people
from tests import make
from tests.web.html import at, source

NEW = {"username": "new", "password1": "tralala-17x", "password2": "tralala-17x"}


def test_an_invited_stranger_makes_an_account_and_joins(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    address = f"/invitations/{invitation.token}/"
    assert "You are invited to join as an assessor." in client.get(address).text
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
def test_a_link_that_is_over_says_why_and_gives_no_role(client, campaign, olga, sam, end, said):
    link = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR)
    if end == "expired":
        campaign.invitation_set.update(expires_at=timezone.now())
    elif end == "withdrawn":
        people.withdraw_invitation(user=olga, invitation=link)
    else:
        people.accept_invitation(user=make.user("early"), invitation=link)
    address, before = f"/invitations/{link.token}/", User.objects.count()
    for _ in range(2):
        page = client.get(address).text
        assert said in page
        assert "<form" not in page.split("<main")[1]
        response = client.post(address, NEW)
        assert "organizer for a new link" in source(response, 409)
        client.force_login(sam)
    assert User.objects.count() == before
    assert not campaign.membership_set.filter(user=sam).exists()


def test_an_expired_link_is_marked_and_not_offered_to_copy(as_olga, campaign, olga):
    over, link = (people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR) for _ in range(2))
    campaign.invitation_set.filter(pk=over.pk).update(expires_at=timezone.now())
    page = as_olga.get(f"/campaigns/{campaign.slug}/people/").text
    assert page.count('<span class="mark" data-kind="plain">expired</span>') == 1
    assert over.token not in page
    assert f"/invitations/{link.token}/" in page


def test_a_link_followed_twice_makes_one_account_and_one_role(client, campaign, olga):
    invitation = people.invite(user=olga, campaign=campaign, role=Role.ASSESSOR, max_uses=2)
    address = f"/invitations/{invitation.token}/"
    for _ in range(2):  # the second time as whom the first one made
        assert client.post(address, NEW).status_code == 302
    client.logout()
    assert "already exists" in source(client.post(address, NEW), 422)
    assert campaign.membership_set.filter(user__username="new").count() == 1


def test_participants_stand_by_team_and_each_person_once_in_words(campaign, as_olga):
    page = as_olga.get(f"/campaigns/{campaign.slug}/people/").text
    chips = re.findall(r'<a class="chip" href="[^"]*/teams/\d+/">\s*(\w+) <b>(\d)</b>', page)
    assert chips == [("Aldgate", "1")]
    for name in ("Ada", "Ben", "Pat"):
        assert len(re.findall(rf"\s{name} <span class=\"username\"", page)) == 1


def test_an_organizer_who_is_removed_is_promised_no_runs(played, as_olga, ben):
    member = played.membership_set.create(user=ben, role="organizer")
    page = as_olga.get(at(played, "remove_member", member.pk)).text
    assert "A new link makes them organizer again." in page
    assert "they find their" not in page


@pytest.fixture
def address(played, ada):
    return at(played, "remove_member", played.membership_set.get(user=ada).pk)


def seen_on(page: str) -> dict[str, str]:
    """What the form of the page carries by itself."""
    [seen] = re.findall(r'name="seen" value="([^"]*)"', page)
    return {"seen": html.unescape(seen)}


def test_the_page_asks_and_shows_what_the_person_has(as_olga, ben, played, address):
    page = as_olga.get(address).text
    assert "You choose who takes over topic 1 (primary)." in page
    assert "Nobody yet: it waits to be assigned again" in page
    refused = f'<option value="{ben.pk}" disabled>Ben (ben): already judges topic 1</option>'
    assert refused in page
    assert played.membership_set.filter(user__username="ada").exists()


def test_an_old_page_comes_back_with_what_is_so_now_and_the_choice(as_olga, played, address):
    carl = make.user("carl")
    played.membership_set.create(user=carl, role=Role.ASSESSOR)
    assignment = Assignment.objects.get(assessor__username="ada")
    sent = {**seen_on(as_olga.get(address).text), "successor": carl.pk}
    make.assignment(played.topic_set.get(number="2"), assignment.assessor)
    page = source(as_olga.post(address, sent), 422)
    assert "changed while you had the page open" in page
    assert "You choose who takes over topics 1 (primary) and 2 (primary)." in page
    assert f'<option value="{carl.pk}" selected>' in page
    assert as_olga.post(address, sent | seen_on(page)).status_code == 302


def test_the_second_of_two_organizers_reads_who_has_the_topics(client, olga, played, address):
    oscar, carl = make.user("oscar"), make.user("carl")
    played.membership_set.create(user=oscar, role=Role.ORGANIZER)
    played.membership_set.create(user=carl, role=Role.ASSESSOR)
    assignment = Assignment.objects.get(assessor__username="ada")
    client.force_login(oscar)
    sent = seen_on(client.get(address).text)
    client.force_login(olga)
    assert client.post(address, {**sent, "successor": carl.pk}).status_code == 302
    client.force_login(oscar)
    page = client.post(address, sent, follow=True).text
    assert (
        "Ada, assessor has already been removed by Olga. Carl takes over topic 1 (primary)." in page
    )
    assignment.refresh_from_db()
    assert (assignment.assessor, assignment.taken_back_at) == (carl, None)
