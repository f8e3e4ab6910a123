"""The page that removes a member."""

import pytest
from django.urls import reverse

from assess.models import Assignment


@pytest.fixture
def address(played, ada):
    member = played.membership_set.get(user=ada)
    return reverse("campaigns:remove_member", args=[played.slug, member.pk])


def test_the_page_asks_and_shows_what_hangs_on_the_person(client, olga, ben, played, address):  # fmt: skip
    client.force_login(olga)
    html = client.get(address).content.decode()
    assert "1 topic to judge, 1 document open" in html
    assert "Nobody yet: it waits to be assigned again" in html
    assert (
        f'<option value="{ben.pk}" disabled>Ben (ben): already judges topic 1</option>'
        in html
    )
    assert played.membership_set.filter(user__username="ada").exists()


def test_a_refused_heir_is_named_in_the_form(client, olga, ben, played, address):
    """Ben judges the topic as its second assessor."""
    client.force_login(olga)
    response = client.post(address, {"heir": ben.pk})
    assert response.status_code == 422
    assert "Ben already judges topic 1." in response.content.decode()
    assert played.membership_set.filter(user__username="ada").exists()


def test_somebody_removed_from_two_pages_is_removed_once(client, olga, address):
    client.force_login(olga)
    assert client.post(address).status_code == 302
    page = client.post(address, follow=True).content.decode()
    assert "This person has been removed already." in page
    assert Assignment.objects.get(assessor__username="ada").taken_back_at
