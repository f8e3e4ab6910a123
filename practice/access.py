"""Who may practice, which known answers are allowed, and for whom practice comes first."""

from collections.abc import Collection, Mapping

from accounts.access import Invalid, NotThere, NotYours, Refused, Verb, Verbs, why_not
from accounts.models import User
from assess.access.answers import FAULTS
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.models.serving import MISSING
from campaigns.access.people import removals
from campaigns.access.roles import organizes, roles
from campaigns.access.windows import check_window
from campaigns.core.grades import Scale
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from cleverdon.trec.streams import FormatError, told
from collection.models.texts import Document
from practice.core import Known
from practice.models import Practice, answers_of

NO_PRACTICE = "This campaign has no practice topic."
SWITCHED_OFF = "The organizers have switched practice off."


def knows_practice(user: User, campaign: Campaign) -> None:
    """Let members pass.

    A removed assessor is told so, others that there is no such campaign.
    """
    if roles(user, campaign):
        return
    if removals(campaign, user=user.pk, role=Role.ASSESSOR).exists():
        raise NotYours(f"You are no longer an assessor of {campaign}.")
    raise NotThere


def roles_in_practice(user: User, campaign: Campaign) -> set[str]:
    """Return somebody's roles; refuse all but organizers and assessors."""
    user_roles = roles(user, campaign)
    if not user_roles:
        knows_practice(user, campaign)
    if not {Role.ORGANIZER, Role.ASSESSOR} & user_roles:
        raise NotYours(f"Practice is for the assessors and organizers of {campaign}.")
    return user_roles


def may_practice(user: User, practice: Practice) -> None:
    """Let organizers, and assessors once judging has opened, pass.

    Refuse if there is no practice topic, and assessors if it was switched off before they answered
    anything.
    """
    campaign = practice.campaign
    user_roles = roles_in_practice(user, campaign)
    if Role.ORGANIZER not in user_roles and not campaign.archived_at:
        check_window(campaign, "Judging", campaign.judging_opens_at, None)
    if not practice.pk:
        raise Refused(NO_PRACTICE)
    if Role.ORGANIZER in user_roles or practice.is_on:
        return
    if not practice.has_answers_of(user):
        raise Refused(SWITCHED_OFF)


def may_answer(user: User, practice: Practice) -> None:
    """Refuse once judging is closed, and assessors while practice is switched off."""
    campaign = practice.campaign
    check_window(campaign, "Judging", None, campaign.judging_closes_at)
    if not practice.is_on and Role.ORGANIZER not in roles(user, campaign):
        raise Refused(SWITCHED_OFF)


def check_practice(title: str, known: Collection[Known], *, is_on: bool) -> None:
    """Refuse a practice topic without a title, and to switch on one without known answers."""
    if not title.strip():
        raise Invalid("title", "A practice topic needs a title.")
    if is_on and not known:
        sentence = "There is nothing to practice on yet: give at least one document with its grade."
        raise Invalid("is_on", sentence)


def check_practice_known(campaign: Campaign, known: Mapping[int, Known]) -> None:
    """Refuse known answers, by line number, that nobody could give."""
    if faults := faults_of_known(campaign, known):
        raise Invalid("known", " ".join(told(faults)))


def faults_of_known(campaign: Campaign, known: Mapping[int, Known]) -> list[FormatError]:
    """Return the known answers, by line number, with unreadable documents or unknown grades."""
    docnos = [each.docno for each in known.values()]
    texts = Document.objects.filter(campaign=campaign, docno__in=docnos)
    fault_of = dict(texts.values_list("docno", "fault"))
    reasons = {
        line: _why_not(each, fault_of.get(each.docno, MISSING), campaign.scale)
        for line, each in known.items()
    }
    return [FormatError(line, why) for line, why in reasons.items() if why]


def _why_not(known: Known, fault: str, scale: Scale) -> str:
    if fault:
        return f"{known.docno} {FAULTS[fault][0]}, so nobody can grade it."
    if not scale.has(known.grade):
        grades = ", ".join(map(str, scale.fixed))
        return f"{known.grade} is not a grade of this campaign's scale, which has {grades}."
    return ""


def why_left_out(known: KnownGrade, scale: Scale) -> str:
    """Return why nobody practices on a document, `with_texts`; "" if they do."""
    docno, grade = known.docno, known.grade
    fault = MISSING if known.version is None else known.fault or ""
    if fault:
        return f"{docno} {FAULTS[fault][0]}, so it is left out of practice."
    if not scale.has(grade):
        why = f"The known grade of {docno}, {grade}, is no longer a grade of the scale"
        return f"{why}, so it is left out of practice."
    return ""


def practised(practice: Practice) -> list[KnownGrade]:
    """Return the documents of practice, `with_texts`, without those left out."""
    scale = practice.campaign.scale
    return [each for each in practice.documents if not why_left_out(each, scale)]


def comes_first(user: User, practice: Practice) -> bool:
    """Whether this is an assessor who judged nothing and has not finished practice."""
    if not practice.is_on:
        return False
    user_roles = roles(user, practice.campaign)
    if Role.ASSESSOR not in user_roles or Role.ORGANIZER in user_roles:
        return False
    judged = Judgment.objects.served().filter(topic__campaign=practice.campaign)
    if judged.filter(assessor=user).exists():
        return False
    if why_not(PracticeTopic.answer, user, practice):
        return False
    answered = answers_of(practice, [user.pk]).get(user.pk, {})
    return any(each.docno not in answered for each in practised(practice))


def n_practice_grades(campaign: Campaign, grades: Collection[int]) -> dict[str, int]:
    """Count the known answers with one of these grades."""
    known = KnownGrade.objects.of(campaign).practice()
    return {"practice grade": known.filter(grade__in=grades).count()}


class PracticeTopic(Verbs):
    see = Verb(knows_practice)
    read = Verb(may_practice)
    answer = Verb(may_practice, may_answer)
    change = Verb(organizes)
