"""The roles people have in campaigns, their teams, and the links that give a role."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.access import Refused
from accounts.models import BY_NAME, User
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import natural
from trec.words import an

if TYPE_CHECKING:
    from datetime import datetime


def invitation_token() -> str:
    return get_random_string(32)


class Role(models.TextChoices):
    """The roles in a campaign; stored as written here."""

    ORGANIZER = "organizer"
    ASSESSOR = "assessor"
    PARTICIPANT = "participant"


TEAM_GONE = "This team is no longer there: it has been merged into another or deleted."
NO_TEAM_TO_MERGE = "The organizers' own runs are not a team, so there is nothing to merge."


def one_name(name: str) -> str:
    """Return what two spellings of a team's name have in common: capitals and spaces make no other name."""
    return " ".join(name.split()).casefold()


class TeamQuerySet(models.QuerySet["Team"]):
    def named(self, campaign: Campaign, name: str) -> Team | None:
        """Return the campaign's team of this name, however it is spelled."""
        teams = self.filter(campaign=campaign)
        return next((each for each in teams if one_name(each.name) == one_name(name)), None)

    def extended(self) -> Self:
        """Return the teams with a deadline of their own."""
        return self.filter(submission_closes_at__isnull=False)

    def locked(self, campaign: Campaign) -> list[Team]:
        """Return the campaign's teams, which nobody changes until the transaction ends. Lock them before the campaign, as who uploads does."""
        teams = self.filter(campaign=campaign).order_by("pk")
        return list(teams.select_for_update(of=["self"], no_key=True))

    def held(self, team: Team) -> Team:
        """Return the team as it is now, which nobody merges or deletes meanwhile; Refused if somebody has."""
        found = self.filter(pk=team.pk).select_for_update(of=["self"], no_key=True)
        if (now := found.first()) is None:
            raise Refused(TEAM_GONE)
        return now

    def in_order(self) -> Self:
        return self.order_by(natural("name"), "name")

    def to_merge_with(self, team: Team) -> Self:
        """Return the teams that a team can become a part of."""
        if team.is_baseline:
            return self.none()
        others = self.filter(campaign=team.campaign, is_baseline=False)
        return others.exclude(pk=team.pk).in_order()

    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's teams, each with how many members and runs it has (`n_members`, `n_runs`)."""
        counts = {
            "n_members": models.Count("membership", distinct=True),
            "n_runs": models.Count("run", distinct=True),
        }
        return self.filter(campaign=campaign).annotate(**counts).in_order()


class Team(models.Model):
    """A group of participants that submits runs together."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    name = models.CharField(max_length=60)
    is_baseline = models.BooleanField(
        default=False,
        help_text="Not a team of participants: the organizers' own runs are under this name.",
    )
    submission_closes_at = models.DateTimeField(
        "extended deadline",
        null=True,
        blank=True,
        help_text="Counts for this team if it is later than the campaign's.",
    )

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint("campaign", Lower("name"), name="one_team_per_name")]

    def __str__(self) -> str:
        return self.name


class Group(NamedTuple):
    """Members of one role: how many there are, and the first of them."""

    role: str
    n: int
    members: list[Membership]

    @property
    def n_more(self) -> int:
        return self.n - len(self.members)


class MembershipQuerySet(models.QuerySet["Membership"]):
    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's memberships, each with the person's `other_roles` in it: a possible conflict of interest."""
        others = Membership.objects.filter(campaign=campaign, user=models.OuterRef("user"))
        others = others.exclude(role=models.OuterRef("role")).order_by("role")
        members = self.filter(campaign=campaign).select_related("user", "team")
        members = members.order_by("role", *(f"user__{name}" for name in BY_NAME))
        return members.annotate(other_roles=ArraySubquery(others.values("role")))

    def groups(self, most: int) -> list[Group]:
        """Return the members of each role, at most so many, and how many there are."""
        counts = dict(self.order_by().values_list("role").annotate(n=models.Count("pk")))
        return [
            Group(role, counts.get(role, 0), list(self.filter(role=role)[:most]))
            for role in Role.values
        ]

    def locked(self, campaign: Campaign, role: Role) -> list[Membership]:
        """Return the memberships of a role, which nobody changes until the transaction ends."""
        members = self.filter(campaign=campaign, role=role).order_by("pk")
        return list(members.select_for_update(of=["self"], no_key=True))

    def matching(self, words: str) -> Self:
        """Return those in whose name, username, team or role each of the words occurs."""
        found = self
        for word in words.split():
            anywhere = Q(role__icontains=word)
            for where in ("username", "first_name", "last_name"):
                anywhere |= Q(**{f"user__{where}__icontains": word})
            found = found.filter(anywhere | Q(team__name__icontains=word))
        return found


class Membership(models.Model):
    """A person's role in a campaign; a participant's comes through a team."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    user = models.ForeignKey(User, on_delete=models.CASCADE)
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.PROTECT, null=True, blank=True)
    joined_at = models.DateTimeField(default=timezone.now)
    max_documents = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="The most documents that automatic assignment gives to this assessor.",
    )

    objects = MembershipQuerySet.as_manager()

    class Meta:
        ordering = ["role", "user__username"]
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user", "role"], name="one_membership_per_role"
            ),
            models.CheckConstraint(
                condition=Q(role=Role.PARTICIPANT, team__isnull=False)
                | (~Q(role=Role.PARTICIPANT) & Q(team__isnull=True)),
                name="participants_and_only_they_have_a_team",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.role} of {self.campaign}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's links, each with its team, its maker and who came by it."""
        links = self.filter(campaign=campaign).select_related("team", "created_by")
        return links.prefetch_related("uses__user")

    def n_open(self) -> int:
        return sum(link.state == "open" for link in self.prefetch_related("uses"))

    def can_be_joined(self, campaign: Campaign, role: str) -> bool:
        """Whether a link of the campaign gives the role to whoever follows it now."""
        links = self.filter(campaign=campaign, role=role, withdrawn_at=None)
        return links.n_open() > 0


class Invitation(models.Model):
    """A link that gives whoever follows it a role in a campaign, so many times and until a moment."""

    MOST_USES = 1000

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE)
    name = models.CharField(max_length=60, blank=True, help_text="For whom or what it was made.")
    role = models.CharField(max_length=11, choices=Role.choices)
    team = models.ForeignKey(Team, on_delete=models.CASCADE, null=True, blank=True)
    token = models.CharField(max_length=32, unique=True, default=invitation_token)
    max_uses = models.PositiveSmallIntegerField(
        default=1,
        validators=[MinValueValidator(1), MaxValueValidator(MOST_USES)],
        help_text="How many people may join by it.",
    )
    created_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    created_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(
        default=timezone.now
    )
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to {self.campaign} as {self.role}"

    @property
    def n_uses(self) -> int:
        return len(self.uses.all())

    @property
    def state(self) -> str:
        """Whether it can be followed ("open"), or why not ("withdrawn", "expired", "used up")."""
        if self.withdrawn_at:
            return "withdrawn"
        if timezone.now() >= self.expires_at:
            return "expired"
        return "open" if self.n_uses < self.max_uses else "used up"

    @property
    def gives(self) -> str:
        """The role in words, with the team of a participant."""
        return f"{self.role} of team {self.team}" if self.team else self.role

    @property
    def joins_as(self) -> str:
        """What whoever follows it becomes: "a participant of team Aldgate"."""
        return an(self.gives)


class InvitationUse(models.Model):
    """Somebody joined by a link. Whoever follows it again does not count as a second use."""

    invitation = models.ForeignKey(Invitation, on_delete=models.CASCADE, related_name="uses")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["invitation", "user"], name="one_use_of_a_link_per_person"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user} by {self.invitation}"
