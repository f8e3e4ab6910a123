"""Register a program, take its labels, give it a token, remove it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple
from uuid import UUID, uuid4

from accounts.access import NotThere
from accounts.models import User
from api.models import AccessToken, Scope
from api.services import new_token, revoke_all
from campaigns.acting import act
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.models.trail import AuditEvent
from cleverdon.trec.cells import records_csv
from cleverdon.trec.streams import FormatError, brief
from cleverdon.trec.words import counted
from pooling.models.entries import PoolEntry
from programs.access import BadLabels, Programs, check_card, nothing_rests_on_it
from programs.core import LabelRecord, Verdict, faults_of, grade_of
from programs.events import ProgramEvent
from programs.models import Label, Program

TOKEN_DAYS = 90


class Pooled(NamedTuple):
    """A document that can be labelled: the id of its item, and the version of its text."""

    item: int
    version: int


@act(Programs.register)
def register_program(
    *, user: User, campaign: Campaign, labelled_on: date, team: Team | None = None, **card: str
) -> Program:
    """Register a program with its card, which stays as it is: another set-up is another program.

    The card has name, model, version, prompt and parameters.
    """
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    check_card(campaign, card, labelled_on)
    account = User(username=f"program-{uuid4().hex}", first_name=card["name"])
    account.set_unusable_password()
    account.save()
    program = Program.objects.create(
        campaign=campaign,
        account=account,
        labelled_on=labelled_on,
        team=team,
        created_by=user,
        **card,
    )
    AuditEvent.record(campaign, user, ProgramEvent.REGISTERED, program, model=program.model)
    return program


@act(Programs.label)
def take_labels(*, user: User, program: Program, labels: Sequence[Verdict]) -> Program:
    """Take what a program says of documents of the pool: all of it, or nothing where one is wrong.

    A label never changes: the same one again is no other, and another grade of a document that it
    has labelled is refused. What is no grade of the scale is kept as what it said, without a grade.
    """
    campaign = program.campaign
    Program.objects.select_for_update(no_key=True).get(pk=program.pk)
    pooled = _pooled(campaign, {each.topic for each in labels})
    if faults := faults_of(labels, pooled):
        raise BadLabels(faults)
    of_topics = program.labels.filter(item__topic__number__in={each.topic for each in labels})
    earlier = dict(of_topics.values_list("item", "verdict"))
    if faults := list(_changed(labels, pooled, earlier)):
        raise BadLabels(faults)
    grades = {grade.value for grade in campaign.scale.grades}
    places = [(each, pooled[each.topic, each.docno]) for each in labels]
    new = [
        Label(
            program=program,
            item_id=its.item,
            verdict=each.verdict,
            grade=grade_of(each.verdict, grades),
            confidence=each.confidence,
            document_version=its.version,
        )
        for each, its in places
        if its.item not in earlier
    ]
    Label.objects.bulk_create(new, batch_size=5000)
    if new:
        what = f"{program}: {counted(len(new), 'label')}"
        AuditEvent.record(campaign, user, ProgramEvent.LABELLED, what, program=program.pk)
    return Program.objects.with_counts().get(pk=program.pk)


def _pooled(campaign: Campaign, topics: set[str]) -> Mapping[tuple[str, str], Pooled]:
    """Return the documents of these topics that are in the pool, by topic and docno."""
    entries = PoolEntry.objects.with_grades_in(campaign).filter(topic__number__in=topics)
    columns = ("topic__number", "item__key", "item", "item__document__version")
    return {
        (topic, docno): Pooled(item, version or 0)
        for topic, docno, item, version in entries.values_list(*columns).iterator()
    }


def _changed(
    labels: Sequence[Verdict], pooled: Mapping[tuple[str, str], Pooled], earlier: Mapping[int, str]
) -> Iterator[FormatError]:
    for each in labels:
        before = earlier.get(pooled[each.topic, each.docno].item, each.verdict)
        if before != each.verdict:
            yield FormatError(
                each.place,
                f"{brief(each.docno)} of topic {brief(each.topic)} has the label {brief(before)} "
                "already, and labels never change: what says otherwise is another program.",
            )


@act(Programs.remove)
def remove_program(*, user: User, program: Program) -> None:
    """Remove a program with its labels, and end its access tokens."""
    campaign, name, n = program.campaign, str(program), program.labels.count()
    User.objects.filter(pk=program.account_id).update(is_active=False)
    # Nobody publishes its labels meanwhile, or removes it a second time.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if not Program.objects.filter(pk=program.pk).exists():
        raise NotThere
    nothing_rests_on_it(user, program)
    Program.objects.filter(pk=program.pk).delete()
    revoke_all(program.account, user, AccessToken.Why.CLOSED)
    AuditEvent.record(campaign, user, ProgramEvent.REMOVED, name, labels=n)


@act(Programs.make_token)
def make_program_token(*, user: User, program: Program, client_id: UUID) -> str:
    """Return a new token by which the program sends labels, and nothing else, for 90 days.

    Those that it had are ended.
    """
    Program.objects.select_for_update(no_key=True).get(pk=program.pk)
    revoke_all(program.account, user, AccessToken.Why.BY_HAND)
    AuditEvent.record(program.campaign, user, ProgramEvent.TOKEN_MADE, program)
    return new_token(
        program.account,
        str(program),
        scopes=[Scope.JUDGE],
        days=TOKEN_DAYS,
        client_id=client_id,
        campaign=program.campaign,
    )


@act(Programs.see_labels)
def download_labels(*, user: User, program: Program) -> Iterator[str]:
    """Record the download, and return the labels as lines of CSV, read while they are sent."""
    AuditEvent.record(program.campaign, user, ProgramEvent.LABELS_DOWNLOADED, program)
    return records_csv(LabelRecord, program.labels.records())
