"""Who registers programs and sees their labels, and what a card and a label may hold."""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django.core.files import File
from django.utils import timezone

from accounts.access import Invalid, NotThere, NotYours, Refused, Verb, Verbs
from accounts.models import User
from assess.access.known_grades import BadLines
from campaigns.access.roles import campaign_of, is_judging_over, is_not_archived, organizes, roles
from campaigns.models.campaign import Campaign
from campaigns.models.people import Role
from cleverdon.trec.streams import FormatError, opened, told
from programs.core import Verdict, read_labels
from programs.from_above import WHY_KEEP
from programs.models import Program

A_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}")
MOST_PROMPT = 20_000
# Of a file of labels, which is read and stored within a request.
MAX_BYTES = 16 << 20


def judges_no_more(user: User, thing: object) -> None:
    """Refuse assessors while judging is open: a program's grade is never seen before one's own."""
    campaign = campaign_of(thing)
    if Role.ASSESSOR in roles(user, campaign) and not is_judging_over(campaign):
        raise NotYours(
            "You judge here too: what programs say is shown to you once judging is over."
        )


def is_its_account(user: User, thing: Any) -> None:
    """Let organizers and the accounts of programs pass."""
    if not Program.objects.filter(campaign=campaign_of(thing), account=user).exists():
        organizes(user, thing)


def is_no_other(user: User, program: Program) -> None:
    """Refuse the account of another program, as if this one did not exist."""
    if program.account_id != user.pk and Program.objects.filter(account=user).exists():
        raise NotThere


def nothing_rests_on_it(_: User, program: Program) -> None:
    """Refuse while a version of the qrels has its labels."""
    for reason in filter(None, WHY_KEEP(program)):
        raise Refused(reason)


class Programs(Verbs):
    see = Verb(organizes)
    see_list = Verb(is_its_account)
    see_labels = Verb(organizes, judges_no_more)
    register = make_token = Verb(organizes, is_not_archived)
    label = Verb(is_its_account, is_no_other, is_not_archived)
    remove = Verb(organizes, is_not_archived, nothing_rests_on_it)


def check_card(campaign: Campaign, card: Mapping[str, Any], labelled_on: date) -> None:
    """Refuse a card without a name that can stand in files, or without one of its other words."""
    name = card["name"]
    if not A_NAME.fullmatch(name):
        raise Invalid(
            "name",
            "A name has letters, digits, dots, hyphens and underscores, at most 32, "
            "and begins with a letter or a digit.",
        )
    if other := campaign.programs.filter(name__iexact=name).first():
        raise Invalid("name", f"There is a program {other} already: another set-up, another name.")
    if labelled_on > timezone.localdate() + timedelta(days=1):  # it may be tomorrow elsewhere
        raise Invalid("labelled_on", "It was run on a day that has come.")
    for field in ("model", "version", "prompt", "parameters"):
        if not card[field].strip():
            raise Invalid(field, f"Say which {field}: labels cannot be told apart without.")
    if (n := len(card["prompt"])) > MOST_PROMPT:
        raise Invalid("prompt", f"A prompt has at most {MOST_PROMPT:,} characters; this has {n:,}.")


class BadLabels(BadLines):
    """Refused because of some of the labels."""

    field = "labels"

    def __init__(self, faults: Sequence[FormatError]) -> None:
        super().__init__(told(faults))


def labels_of(file: File[bytes]) -> list[Verdict]:
    """Read a plain or gzip file of labels; BadLabels names the lines that are none."""
    try:
        content = opened(file, limit=MAX_BYTES).read()  # type: ignore[arg-type]
    except FormatError as error:
        raise BadLabels([error]) from error
    labels, faults = read_labels(content)
    if faults:
        raise BadLabels(faults)
    return labels
