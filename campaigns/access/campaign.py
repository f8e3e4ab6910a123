"""What may be done to a campaign as a whole."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils.text import get_text_list

from accounts.access import NotYours, Refused, Verb, Verbs
from accounts.models import User
from campaigns.access.roles import is_member, knows_campaign, organizes, reads_guidelines
from campaigns.core.criteria import Criterion, criteria_of, first_of_kinds, scale_of
from campaigns.from_above import ANSWERED, FIXES_SCALE, HOLD_JUDGING, N_GRADED, WHY_KEEP
from campaigns.models.campaign import Campaign
from campaigns.models.people import Membership, Role
from cleverdon.trec.words import counted
from jobs.models import Job


def off_scale_in_words(campaign: Campaign, stored: list[dict[str, Any]]) -> str:
    """Say which documents have a grade that these criteria do not have; "" for none."""
    dropped = set(campaign.scale.fixed) - set(scale_of(stored).fixed)
    counts = [each for counts in N_GRADED(campaign, dropped) for each in counts.items()]
    nouns = [counted(n, noun) for noun, n in counts if n]
    if not nouns:
        return ""
    them = "it" if sum(n for _, n in counts) == 1 else "them"
    return (
        f"{get_text_list(nouns, 'and')} would no longer be on the scale: "
        f"until corrected, nothing is compared with {them}."
    )


def makes_campaigns(user: User, _: object) -> None:
    """Let whoever the settings of the site give campaigns pass."""
    creators = settings.CAMPAIGN_CREATORS
    if creators == "everybody" or user.is_staff:
        return
    if creators == "staff":
        raise NotYours("On this site its staff makes campaigns: ask the people who run it.")
    if not Membership.objects.filter(user=user, role=Role.ORGANIZER).exists():
        raise NotYours(
            "On this site only organizers make campaigns: ask one of them, "
            "or the people who run it."
        )


def is_not_archived_yet(_: User, campaign: Campaign) -> None:
    """Refuse if it is archived already."""
    if campaign.archived_at:
        raise Refused(f"{campaign} is archived already.")


def has_no_open_job(_: User, campaign: Campaign) -> None:
    """Refuse while a job is running."""
    if Job.objects.filter(campaign=campaign).unfinished().exists():
        raise Refused("A job is still running: archive the campaign once it is finished.")


def is_archived(_: User, campaign: Campaign) -> None:
    """Refuse if it is not archived."""
    if not campaign.archived_at:
        raise Refused(f"{campaign} is not archived.")


def has_nothing_to_keep(_: User, campaign: Campaign) -> None:
    """Refuse once it has answers from assessors or published qrels."""
    for reason in filter(None, WHY_KEEP(campaign)):
        raise Refused(reason)


class Campaigns(Verbs):
    create = Verb(makes_campaigns)
    see = Verb(knows_campaign)
    see_as_member = Verb(is_member)
    read_guidelines = Verb(reads_guidelines)
    organize = change = see_audit_trail = see_jobs = retry_jobs = Verb(organizes)
    archive = Verb(organizes, is_not_archived_yet, has_no_open_job)
    restore = Verb(organizes, is_archived)
    delete = Verb(organizes, has_nothing_to_keep)


def fixed_criteria(campaign: Campaign, names: Collection[str]) -> set[str]:
    """Return which of these criteria keep their names, values and labels.

    The grades do from the first judgment on, a criterion beside them once it has been answered.
    """
    first = {each.name for each in campaign.graded_by.values()}
    others = set(names) - first
    if not campaign.has_fixed_scale:
        # Grades that came with a pool are of documents.
        others, first = set(), {campaign.every_criterion[0].name}
        first = first if any(FIXES_SCALE(campaign)) else set()
    return (first & set(names)).union(*(ANSWERED(campaign, others) if others else ()))


def check_can_change_criteria(campaign: Campaign, stored: list[dict[str, Any]]) -> None:
    """Refuse to drop criteria or change answers that somebody gave. The campaign is locked."""
    given = criteria_of(stored)
    refusals = {each.name: _why_not(campaign, each, given) for each in campaign.every_criterion}
    concerned = [name for name, sentence in refusals.items() if sentence]
    if concerned and campaign.has_fixed_scale:
        HOLD_JUDGING(campaign)  # nobody gives the first answer meanwhile
    fixed = fixed_criteria(campaign, concerned) if concerned else ()
    for name in concerned:
        if name in fixed:
            raise Refused(refusals[name])


def _why_not(campaign: Campaign, stored: Criterion, given: Sequence[Criterion]) -> str:
    """Say what of a criterion would change that judgments rely on; "" for nothing."""
    now, first = {each.name: each for each in given}.get(stored.name), first_of_kinds(given)
    if now is None:
        return (
            f"Documents have been judged, so the criterion {stored.name} stays: "
            "say that it is no longer asked, and nobody is asked any more."
        )
    if now.kind != stored.kind:
        return (
            f"Documents have been judged, so {stored.name} stays a criterion about {stored.kind}s."
        )
    if stored in campaign.graded_by.values() and first[stored.kind].name != stored.name:
        return (
            f"Documents have been judged, so {stored.name} stays the first criterion about "
            f"{stored.kind}s: the answer to it is the grade."
        )
    if now.fixed != stored.fixed:
        return (
            f"Documents have been judged, so the answers of {stored.name} keep their values and "
            f"labels: {_listed(stored.fixed)}. "
            "Its question and descriptions can still be corrected."
        )
    return ""


def _listed(labels: Mapping[int, str]) -> str:
    return ", ".join(f"{value} {label}" for value, label in labels.items())
