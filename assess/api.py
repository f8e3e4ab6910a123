"""The addresses of assigning and of judgments, for organizers."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rest_framework import serializers

from accounts.access import Invalid, Refused
from accounts.models import User
from api.acting import Act, of_page, reads_as
from api.arguments import Numbers
from api.doors import doors
from api.sent import as_words
from assess.access.assigning import Assignments, assessors_of
from assess.access.judging import Judging
from assess.access.known_grades import KnownGrades
from assess.access.sharing import SharedTopics
from assess.assignments import NOT_FROZEN
from assess.models.assigning import Assignment
from assess.models.sharing import SharedQueue
from assess.nouns import ASSIGNMENTS, FILES, KNOWN, OFFICIAL_GRADES, SHARED
from assess.services import (
    adjudicating,
    assigning,
    correcting,
    handover,
    known_grades,
    reopening,
    sampling,
    sharing,
)
from assess.web.assigning_forms import MAX_DOCUMENTS
from assess.web.known_grades_forms import ADD, REPLACE, KnownForm
from assess.web.sharing_forms import ShareForm, TermsForm
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from jobs.models import Job
from pooling.models.pools import Pool

KINDS = [(kind.value, kind.label) for kind in Assignment.DEALT_KINDS]
DOCUMENTS = serializers.IntegerField(
    min_value=1, max_value=MAX_DOCUMENTS, allow_null=True, default=None
)
PERCENT = serializers.IntegerField(min_value=0, max_value=100, default=0)


def assign(
    *,
    user: User,
    campaign: Campaign,
    topic: Topic,
    assessor: User,
    kind: str,
    percent: int = 100,
    documents: int | None = None,
    by_grade: bool = False,
) -> Assignment:
    """Give a topic to an assessor, or a sample of its documents to a second one."""
    return assigning.assign(
        user=user,
        topic=topic,
        assessor=assessor,
        kind=kind,
        share=percent / 100,
        n=documents or 0,
        by_grade=by_grade,
    )


def distribute(
    *,
    user: User,
    campaign: Campaign,
    second_percent: int = 0,
    second_documents: int | None = None,
    by_grade: bool = False,
) -> Job:
    """Have a worker assign all topics by the plan."""
    return assigning.distribute(
        user=user,
        campaign=campaign,
        second_share=second_percent / 100,
        second_n=second_documents or 0,
        by_grade=by_grade,
    )


def limit(*, user: User, campaign: Campaign, limits: Mapping[str, int | None]) -> int:
    """Limit how many documents the plan gives to assessors, by their user names."""
    ids = {each.username: each.pk for each in assessors_of(campaign)}
    if unknown := [name for name in limits if name not in ids]:
        raise Invalid("limits", f"{unknown[0][:150]} is no assessor of this campaign.")
    by_id = {ids[name]: most for name, most in limits.items()}
    return assigning.limit_assessors(user=user, campaign=campaign, limits=by_id)


class Adjudicated(NamedTuple):
    """The topics that somebody adjudicates now, and why they did not get others."""

    topics: list[str]
    documents: int
    left_out: list[str]


def adjudicate(
    *,
    user: User,
    campaign: Campaign,
    assessor: User,
    least_steps: int = 1,
    topics: Sequence[Topic] | None = None,
) -> Adjudicated:
    """Have somebody decide where assessors differ by so many steps, of these topics or of all."""
    asked = adjudicating.adjudicate(
        user=user, campaign=campaign, assessor=assessor, least_steps=least_steps, topics=topics
    )
    numbers = [each.topic.number for each in asked.made]
    return Adjudicated(numbers, asked.n_documents, asked.left_out)


def correct(
    *, user: User, campaign: Campaign, topic: Topic, docno: str, grade: int, reason: str
) -> None:
    """Put a grade in place of the official one of a document."""
    correcting.correct(user=user, topic=topic, docno=docno, grade=grade, reason=reason)


def take_back_correction(*, user: User, campaign: Campaign, topic: Topic, docno: str) -> None:
    """Let the official grade of a document be again what judgments make it."""
    correcting.take_back_correction(user=user, topic=topic, docno=docno)


@reads_as(ShareForm)
def share_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> ShareForm:
    pool = Pool.objects.of(campaign)
    if pool is None:
        raise Refused(NOT_FROZEN)
    ids = dict(assessors_of(campaign).values_list("username", "pk"))
    named = [str(ids.get(name, name)) for name in values.getlist("assessors")]
    values.setlist("assessors", named)
    as_words(values, "topics")
    return ShareForm(values, files, campaign=campaign, pool=pool)


def share(*, user: User, campaign: Campaign, assessors: Any, **terms: Any) -> int:
    """Share topics among a group of assessors."""
    return len(sharing.share(user=user, campaign=campaign, assessors=list(assessors), **terms))


def join(*, user: User, queue: SharedQueue, assessors: Sequence[User]) -> SharedQueue:
    """Add assessors to those who judge a shared topic."""
    return sharing.join_sharing(user=user, queue=queue, assessors=assessors)


@reads_as(KnownForm)
def known_form(values: Any, files: Any, campaign: Campaign, **_: Any) -> KnownForm:
    values.setdefault("how", ADD)
    return KnownForm(values, files, campaign=campaign)


def import_known(*, user: User, campaign: Campaign, file: Any, how: str) -> int:
    """Import known grades beside those that there are, or instead of them."""
    return known_grades.import_known(
        user=user, campaign=campaign, lines=file, replaces=how == REPLACE
    )


urlpatterns = [
    *doors(
        ASSIGNMENTS,
        Act(
            ASSIGNMENTS,
            "",
            assign,
            Assignments.assign,
            fields={
                "kind": serializers.ChoiceField(KINDS, default=Assignment.Kind.PRIMARY),
                "percent": serializers.IntegerField(min_value=1, max_value=100, default=100),
                "documents": DOCUMENTS,
            },
        ),
        Act(
            ASSIGNMENTS,
            "distribute",
            distribute,
            Assignments.distribute,
            of_all=True,
            fields={"second_percent": PERCENT, "second_documents": DOCUMENTS},
        ),
        Act(
            ASSIGNMENTS,
            "limit",
            limit,
            Assignments.limit_assessors,
            of_all=True,
            fields={
                "limits": serializers.DictField(
                    child=serializers.IntegerField(
                        min_value=0, max_value=2**31 - 1, allow_null=True
                    )
                )
            },
        ),
        Act(ASSIGNMENTS, "take-back-unbegun", handover.take_back_unbegun, of_all=True),
        Act(ASSIGNMENTS, "reopen-earlier", reopening.reopen_earlier, of_all=True),
        Act(
            ASSIGNMENTS,
            "adjudicate",
            adjudicate,
            Assignments.assign,
            of_all=True,
            fields={"least_steps": serializers.IntegerField(min_value=1, max_value=99, default=1)},
        ),
        Act(ASSIGNMENTS, "hand-over", handover.hand_over),
        Act(ASSIGNMENTS, "take-back", handover.take_back),
        Act(ASSIGNMENTS, "give-up", handover.give_up),
        Act(ASSIGNMENTS, "sample-more", sampling.sample_more),
        Act(ASSIGNMENTS, "reopen", reopening.reopen),
        Act(ASSIGNMENTS, "reset", reopening.reset),
        Act(ASSIGNMENTS, "restore", reopening.restore),
    ),
    *doors(
        SHARED,
        Act(SHARED, "", share, SharedTopics.share, form=share_form, fields={"topics": Numbers()}),
        Act(SHARED, "change", sharing.change_sharing, form=of_page(TermsForm)),
        Act(SHARED, "join", join, SharedTopics.join),
        Act(SHARED, "unshare", sharing.unshare, SharedTopics.unshare),
    ),
    *doors(
        KNOWN,
        Act(KNOWN, "", import_known, KnownGrades.upload, form=known_form),
        Act(KNOWN, "remove", known_grades.remove_known, of_all=True),
    ),
    *doors(
        OFFICIAL_GRADES,
        Act(OFFICIAL_GRADES, "correct", correct, Judging.correct, of_all=True),
        Act(OFFICIAL_GRADES, "take-back", take_back_correction, Judging.correct, of_all=True),
    ),
    *(pattern for noun in FILES for pattern in doors(noun)),
]
