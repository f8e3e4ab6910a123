"""Links by which a member sets a new password."""

import pytest
from django.utils import timezone

from accounts.access import NotYours, Refused, check, why_not
from accounts.models import AccountEvent, User
from campaigns.access.people import People
from campaigns.models.people import Membership, Role
from campaigns.models.resets import PasswordReset
from campaigns.services import resets
from tests import make
from tests.db.joining import NEW


def made_for(person, campaign, olga) -> tuple[PasswordReset, str]:
    token = resets.make_reset(user=olga, campaign=campaign, person=person)
    return PasswordReset.objects.by_token(token).get(), token


def use(reset) -> None:
    resets.use_reset(user=reset.user, reset=reset, password=NEW)


def test_a_reset_link_sets_a_password_once_and_its_token_is_not_stored(campaign, olga, ada):
    reset, token = made_for(ada, campaign, olga)
    use(reset)
    assert User.objects.get(pk=ada.pk).check_password(NEW)
    assert token not in str(list(PasswordReset.objects.values()))
    events = AccountEvent.objects.filter(user=ada).values_list("kind", "subject")
    assert list(events) == [("password.reset", ""), ("reset.made", "Olga (olga)")]
    with pytest.raises(Refused, match="has been used"):
        resets.use_reset(user=ada, reset=reset, password="another-17x")
    assert User.objects.get(pk=ada.pk).check_password(NEW)
    with pytest.raises(Refused, match="used or withdrawn already"):
        resets.withdraw_reset(user=olga, reset=reset)


def by(username: str) -> User:
    return User.objects.get(username=username)


def removed(person):
    return lambda campaign: campaign.membership_set.filter(user__username=person).delete()


def password_changed(_) -> None:
    ada = by("ada")
    ada.set_password("their-own-17x")
    ada.save()


def withdrawn(_) -> None:
    resets.withdraw_reset(user=by("olga"), reset=PasswordReset.objects.get())


OVER = {
    "expired": (lambda _: PasswordReset.objects.update(expires_at=timezone.now()), "has expired"),
    "withdrawn": (withdrawn, "was withdrawn"),
    "another made": (lambda campaign: made_for(by("ada"), campaign, by("olga")), "was withdrawn"),
    "its maker removed": (removed("olga"), "is no longer valid"),
    "the person removed": (removed("ada"), "is no longer valid"),
    "the person made a superuser": (
        lambda _: User.objects.filter(username="ada").update(is_superuser=True),
        "is no longer valid",
    ),
    "the password changed by its owner": (password_changed, "is no longer valid"),
}


@pytest.mark.parametrize("name", OVER)
def test_a_reset_link_holds_only_as_long_as_its_maker_could_make_it(campaign, olga, ada, name):
    reset, _ = made_for(ada, campaign, olga)
    happens, sentence = OVER[name]
    happens(campaign)
    before = User.objects.get(pk=ada.pk).password
    with pytest.raises(Refused, match=sentence):
        use(reset)
    assert sentence in why_not(People.use_reset, None, PasswordReset.objects.get(pk=reset.pk))
    assert User.objects.get(pk=ada.pk).password == before


def test_nobody_resets_a_password_that_opens_more_than_they_organize(
    campaign, olga, ada, ben, pat, sam
):
    def refusal(person) -> str:
        return why_not(People.reset_password, olga, PasswordReset(campaign=campaign, user=person))

    assert refusal(ada) == refusal(pat) == ""
    assert "your own password on your account page" in refusal(olga)
    assert refusal(sam) == "Sam has no role in Test campaign."
    for field in ("is_superuser", "is_staff"):
        setattr(ben, field, True)
        assert "the people who run this site" in refusal(ben), field
        setattr(ben, field, False)
    other = make.campaign(sam, assessors=[ada])
    assert "a campaign that you do not organize" in refusal(ada)
    Membership.objects.create(campaign=other, user=olga, role=Role.ASSESSOR)
    assert "a campaign that you do not organize" in refusal(ada)
    Membership.objects.create(campaign=other, user=olga, role=Role.ORGANIZER)
    assert refusal(ada) == ""
    with pytest.raises(NotYours):
        check(People.reset_password, ben, PasswordReset(campaign=campaign, user=ada))
