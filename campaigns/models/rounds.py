"""The rounds of a campaign that has several: the topics of each, and when its submission was."""

from datetime import datetime

from django.db import models

from campaigns.core.spans import spans
from campaigns.models.campaign import Campaign
from cleverdon.trec.words import first_of

MOST_SPANS = 10  # of topics that are written
# Those of the current round are the campaign's; a round keeps them once the next begins.
DATES = ("topics_open_at", "submission_opens_at", "submission_closes_at")


class RoundQuerySet(models.QuerySet["Round"]):
    def numbers(self, campaign: Campaign) -> list[int]:
        """Return the numbers of the rounds, in order; [] for a campaign that has only one."""
        rows = self.filter(campaign=campaign).order_by("number")
        return list(rows.values_list("number", flat=True))


class Round(models.Model):
    """A stage of a campaign with its topics, runs and deadline.

    A campaign without these rows has one round, and no page speaks of rounds.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    topics = models.JSONField(default=list, help_text="Numbers of its topics, in order.")
    topics_open_at = models.DateTimeField(
        null=True, help_text="As it was; the dates of the current round are the campaign's."
    )
    submission_opens_at = models.DateTimeField(null=True)
    submission_closes_at = models.DateTimeField(null=True)

    objects = RoundQuerySet.as_manager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_round_per_number")
        ]

    def __str__(self) -> str:
        return f"round {self.number}"

    @property
    def dated(self) -> "Campaign | Round":
        """What has its dates: those of the current one are the campaign's."""
        return self.campaign if self.number == self.campaign.round else self

    @property
    def of_topics(self) -> str:
        """Its topics in words: "topics 31, 33"."""
        if not self.topics:
            return "no topics"
        written = first_of(spans(self.topics).split(", "), MOST_SPANS)
        return f"topic{'s' if len(self.topics) > 1 else ''} {written}"


def topics_in(campaign: Campaign, number: int) -> list[str]:
    """Return the numbers of the campaign's topics that are in a round, in order.

    The only round of a campaign has all; of several each has those that it names.
    """
    every = list(campaign.topic_set.values_list("number", flat=True))
    named = campaign.rounds.filter(number=number).values_list("topics", flat=True).first()
    return every if named is None else [topic for topic in every if topic in set(named)]


def in_no_round(campaign: Campaign) -> list[str]:
    """Return the numbers of the topics that none of several rounds has, in order."""
    rounds = list(campaign.rounds.values_list("topics", flat=True))
    held = {topic for topics in rounds for topic in topics}
    every = campaign.topic_set.values_list("number", flat=True) if rounds else []
    return [topic for topic in every if topic not in held]


def deadline_of(campaign: Campaign, number: int) -> datetime | None:
    """Return when submission closes, or closed, in a round."""
    return with_dates_of(campaign, number).submission_closes_at


def with_dates_of(campaign: Campaign, number: int) -> Campaign | Round:
    """Return what has the dates of a round."""
    return campaign if number == campaign.round else campaign.rounds.get(number=number)


def current_in_words(campaign: Campaign, *, names_topics: bool) -> str:
    """Return "Round 2 of topics 31, 33", perhaps without the topics; "" if there is one round."""
    if not campaign.has_rounds:
        return ""
    row = campaign.rounds.get(number=campaign.round)
    return f"Round {row.number}{f' of {row.of_topics}' if names_topics else ''}"
