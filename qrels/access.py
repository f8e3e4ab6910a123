"""Who may publish, import and see qrels, and what a version may be."""

from functools import partial
from typing import Any

from django.utils.text import get_text_list

from accounts.access import Invalid, NotThere, Refused, Verb, Verbs
from accounts.models import User
from assess.models.judging import Judgment
from assess.models.official import OfficialGrade
from assess.models.sharing import SharedQueue
from assess.tasks import decide_again
from campaigns.access.releases import is_released
from campaigns.access.roles import Person, is_judging_over, organizes, roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from campaigns.models.releases import Release, in_force
from cleverdon.trec.words import counted
from jobs.models import Job
from pooling.models.batches import Batch
from qrels.from_above import WHY_NOT_WITHDRAW
from qrels.models import Qrels, QrelsImport
from qrels.rows import QrelsQuerySet


def supports_nothing(_: User, qrels: Qrels) -> None:
    """Refuse while a release rests on it."""
    for reason in filter(None, WHY_NOT_WITHDRAW(qrels)):
        raise Refused(reason)


def check_nothing_published_since(batch: Batch) -> None:
    """Refuse to take a batch of the pool back that published qrels name."""
    resting = Qrels.objects.filter(pool=batch.pool, pool_version__gte=batch.version).first()
    if resting:
        raise Refused(
            f"Qrels v{resting.number} rest on version {resting.pool_version} of the pool, "
            "so the batch can no longer be taken back."
        )


def versions_shown(user: Person, campaign: Campaign) -> QrelsQuerySet:
    """Return the versions that this person may see: organizers all, others the released ones."""
    versions = Qrels.objects.filter(campaign=campaign)
    user_roles = roles(user, campaign)
    if Role.ORGANIZER in user_roles:
        still_judges = Role.ASSESSOR in user_roles and not is_judging_over(campaign)
        return versions.without_labels() if still_judges else versions
    released = in_force(campaign, user_roles, Release.What.QRELS)
    return versions.filter(pk__in=[each.subject_id for each in released])


def is_shown(user: Person, qrels: Qrels) -> None:
    """Refuse a version that is not released to the person, as if it did not exist."""
    if not versions_shown(user, qrels.campaign).filter(pk=qrels.pk).exists():
        raise NotThere


# What everybody who sees a version is told of the program whose labels it has.
PUBLIC = ("name", "model", "version", "labelled_on", "n")


def estimated_shown(qrels: Qrels, *, with_names: bool) -> dict[str, Any] | None:
    """Return what was estimated beside the grades, of assessors with or without user names."""
    found: dict[str, Any] | None = qrels.estimated
    if found and "program" in found:
        card = found["program"]
        told = card if with_names else {name: card[name] for name in PUBLIC}
        return {**found, "program": told}
    if not found or "assessors" not in found:
        return found
    rows = found["assessors"]
    people = User.objects.filter(pk__in=[each["assessor"] for each in rows] if with_names else [])
    names = dict(people.values_list("pk", "username"))
    named = [{**each, "assessor": names.get(each["assessor"])} for each in rows]
    return {**found, "assessors": named}


def reason_to_keep(campaign: Campaign) -> str:
    """Return why a campaign cannot be deleted, or nothing."""
    n = Judgment.objects.served().filter(topic__campaign=campaign).count()
    has_qrels = Qrels.objects.filter(campaign=campaign).exists()
    if not n and not has_qrels:
        return ""
    has = f"{counted(n, 'answer')} from assessors" if n else "published qrels"
    if campaign.archived_at:
        return f"{campaign} has {has}, so it cannot be deleted: it stays in the archive."
    if has_qrels:
        return f"{campaign} has {has}, so it can be archived, not deleted."
    return f"{campaign} has {has}: throw the rehearsal away first, or archive the campaign."


def versions_of_round(campaign: Campaign) -> str:
    """Return the versions of the current round, in words; "" for none."""
    numbers = Qrels.objects.filter(campaign=campaign, round=campaign.round).order_by("number")
    names = [f"v{number}" for number in numbers.values_list("number", flat=True)]
    return f"qrels {get_text_list(names, 'and')}" if names else ""


def has_grades(_: User, campaign: Campaign) -> None:
    """Refuse while nothing has an official grade."""
    if not OfficialGrade.objects.of_documents(campaign).exists():
        why = "no primary assessor has judged a document"
        if SharedQueue.objects.filter(topic__campaign=campaign).exists():
            why += ", and no document of a shared topic has its judgments"
        raise Refused(f"There is nothing to publish yet: {why}.")


def is_decided(_: User, campaign: Campaign) -> None:
    """Refuse while the grades of shared topics are decided again by another rule."""
    job = Job.objects.about(decide_again.name, campaign.pk)
    if job and not job.is_finished:
        raise Refused(
            "The grades of shared topics are being decided again by the rule that was chosen last: "
            "publish once that is done."
        )


def could_be_read(_: User, campaign: Campaign) -> None:
    """Refuse while a grade is on an empty or unreadable text, which a text may have become."""
    grade = Judgment.objects.of_unreadable(campaign).select_related("topic").first()
    if grade:
        raise Refused(
            f"{grade.docno} has a grade for topic {grade.topic}, but nothing in it can be read: "
            "reopen it, so that it is judged again."
        )


def check_level(level: int, highest: int) -> None:
    """Refuse a lowest relevant grade that is not above 0, or above the highest grade there is."""
    highest = max(1, highest)
    if not 0 < level <= highest:
        raise Invalid(
            "level",
            f"Choose a grade from 1 to {highest}, the highest there is, instead of {level}.",
        )


def check_is_new(campaign: Campaign, basis: str = "", **facts: object) -> None:
    """Refuse a version equal to the newest one in file, level and what stayed unjudged.

    One of a basis may equal those of another.
    """
    of_it = {"basis__in": ["", basis]} if basis else {}
    newest = Qrels.objects.standing().filter(campaign=campaign, **of_it).first()
    if newest and all(getattr(newest, name) == fact for name, fact in facts.items()):
        judgments = counted(newest.n_judgments, "judgment")
        raise Refused(
            f"This would be v{newest.number} again: "
            f"the same {judgments}, relevant from the same grade."
        )


def is_readable(_: User, upload: QrelsImport) -> None:
    """Refuse if it has not been read, or is settled."""
    why_not = {
        "imported": f"has been imported already, as {upload.qrels}.",
        "discarded": "has been discarded. Upload it again to import it.",
        "refused": f"cannot be imported. {upload.fault}",
    }
    if upload.facts is None or upload.state in why_not:
        why = why_not.get(upload.state, "is still being read.")
        raise Refused(f"{upload.file_name} {why}")


def has_judgments(_: User, qrels: Qrels) -> None:
    """Refuse if it was imported."""
    if qrels.is_imported:
        raise Refused(
            f"Qrels v{qrels.number} were imported, so the judgments that they rest on are not here."
        )


class QrelsVersions(Verbs):
    see_list = Verb(partial(is_released, Release.What.QRELS))
    see = Verb(see_list, is_shown)
    publish = Verb(organizes, is_decided, has_grades, could_be_read)
    withdraw = Verb(organizes, supports_nothing)
    reinstate = Verb(organizes)
    see_judgments = Verb(organizes, has_judgments)
    see_assessors = compare = Verb(organizes)


class QrelsImports(Verbs):
    upload = see = discard = Verb(organizes)
    confirm = Verb(organizes, is_readable)
