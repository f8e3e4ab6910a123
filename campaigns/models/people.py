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
from accounts.public_id import a_public_id
from campaigns.models.campaign import Campaign
from campaigns.models.ordering import NAMES, containing, natural
from cleverdon.trec.names import one_name
from cleverdon.trec.words import an

if TYPE_CHECKING:
    from datetime import datetime


def invitation_token() -> str:
    return get_random_string(32)


class Role(models.TextChoices):
    ORGANIZER = "organizer"
    ASSESSOR = "assessor"
    PARTICIPANT = "participant"


TEAM_GONE = "This team is no longer there: it has been merged into another or deleted."
NO_TEAM_TO_MERGE = "The organizers' own runs are not a team, so there is nothing to merge."


class TeamQuerySet(models.QuerySet["Team"]):
    def named(self, campaign: Campaign, name: str) -> Team | None:
        """Return the team of a name, however it is spelled."""
        teams, wanted = self.filter(campaign=campaign).order_by("pk"), one_name(name)
        return next((each for each in teams if one_name(each.name) == wanted), None)

    def extended(self, campaign: Campaign) -> Self:
        """Return the campaign's teams with an extension in its current round."""
        of_round = self.filter(campaign=campaign, extended_round=campaign.round)
        return of_round.filter(submission_closes_at__isnull=False)

    def locked(self, campaign: Campaign) -> list[Team]:
        """Lock the campaign's teams, before the campaign itself, as an upload does."""
        teams = self.filter(campaign=campaign).order_by("pk")
        return list(teams.select_for_update(of=["self"], no_key=True))

    def held(self, team: Team) -> Team:
        """Lock a team and return it as it is now; Refused if it was merged or deleted."""
        rows = self.filter(pk=team.pk).select_for_update(of=["self"], no_key=True)
        if (locked := rows.first()) is None:
            raise Refused(TEAM_GONE)
        return locked

    def in_order(self) -> Self:
        return self.order_by(natural("name"), "name")

    def to_merge_with(self, team: Team) -> Self:
        if team.is_baseline:
            return self.none()
        others = self.filter(campaign=team.campaign, is_baseline=False)
        return others.exclude(pk=team.pk).in_order()

    def for_people(self, campaign: Campaign) -> Self:
        """Return the campaign's teams, with `n_members` and `n_runs`."""
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
    extended_round = models.PositiveSmallIntegerField(
        default=1, help_text="The round whose deadline is extended: it counts in no other."
    )

    objects = TeamQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint("campaign", Lower("name"), name="one_team_per_name")]

    def __str__(self) -> str:
        return self.name


class RoleGroup(NamedTuple):
    """The number of members with a role, and the first of them."""

    role: str
    n: int
    members: list[Membership]

    @property
    def n_more(self) -> int:
        return self.n - len(self.members)


class MembershipQuerySet(models.QuerySet["Membership"]):
    def for_people(self, campaign: Campaign) -> Self:
        """Return the memberships with `other_roles`: those of the person may be in conflict."""
        others = Membership.objects.filter(campaign=campaign, user=models.OuterRef("user"))
        others = others.exclude(role=models.OuterRef("role")).order_by("role")
        members = self.filter(campaign=campaign).select_related("user", "team")
        members = members.order_by("role", *(f"user__{name}" for name in BY_NAME))
        return members.annotate(other_roles=ArraySubquery(others.values("role")))

    def groups(self, most: int) -> list[RoleGroup]:
        counts = dict(self.order_by().values_list("role").annotate(n=models.Count("pk")))
        return [
            RoleGroup(role, counts.get(role, 0), list(self.filter(role=role)[:most]))
            for role in Role.values
        ]

    def locked(self, campaign: Campaign, role: Role) -> list[Membership]:
        members = self.filter(campaign=campaign, role=role).order_by("pk")
        return list(members.select_for_update(of=["self"], no_key=True))

    def matching(self, words: str) -> Self:
        """Return those with each of the words in their name, username, team or role."""
        fields = ("role", "team__name", *(f"user__{name}" for name in NAMES))
        return self.filter(*(containing(word, *fields) for word in words.split()))


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
        links = self.filter(campaign=campaign).select_related("team", "created_by")
        return links.prefetch_related("uses__user")

    def n_open(self) -> int:
        return sum(link.state == "open" for link in self.prefetch_related("uses"))

    def can_be_joined(self, campaign: Campaign, role: str) -> bool:
        return self.filter(campaign=campaign, role=role, withdrawn_at=None).n_open() > 0


class Invitation(models.Model):
    """A link that gives a role in a campaign, to a number of people and for some time."""

    MOST_USES = 1000

    public_id = a_public_id()
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
        return f"{self.role} of team {self.team}" if self.team else self.role

    @property
    def joins_as(self) -> str:
        """What it makes of somebody: "a participant of team Aldgate"."""
        return an(self.gives)


class InvitationUse(models.Model):
    """Somebody joined by a link; following it again is no second use."""

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
