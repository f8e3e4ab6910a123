"""Which topics can be shared, among whom, and for how many judgments per document."""

from collections.abc import Collection, Iterable, Sequence

from accounts.access import Invalid, Refused, Verb, Verbs
from accounts.models import User
from assess.access.assigning import Assignments, Work, why_not_of_each
from assess.models.assigning import Assignment
from assess.models.history import JudgmentEvent
from assess.models.sharing import SharedQueue
from campaigns.access.roles import organizes
from cleverdon.trec.words import counted, verb
from collection.models.texts import Topic
from pooling.models.pools import Pool

MOST_WANTED = 20
LEAST_MINUTES, MOST_MINUTES = 5, 24 * 60
HOW_MANY_WANTED = f"Choose from 1 to {MOST_WANTED} judgments of each document."
HOW_LONG_LENT = f"A document is lent for {LEAST_MINUTES} minutes to {MOST_MINUTES // 60} hours."


def check_terms(n_wanted: int, lease_minutes: int) -> None:
    if not 1 <= n_wanted <= MOST_WANTED:
        raise Invalid("n_wanted", HOW_MANY_WANTED)
    if not LEAST_MINUTES <= lease_minutes <= MOST_MINUTES:
        raise Invalid("lease_minutes", HOW_LONG_LENT)


def check_are_enough(n_people: int, n_wanted: int) -> None:
    if n_people < n_wanted:
        wanted = f"{counted(n_wanted, 'judgment')} per document {verb(n_wanted, 'needs')}"
        people = f"{counted(n_wanted, 'assessor')}; there {verb(n_people, 'is')} {n_people}"
        raise Invalid("assessors", f"{wanted} {people}.")


def check_can_share(topics: Sequence[Topic], pool: Pool) -> None:
    why = why_not_share(topics, pool)
    for topic in topics:
        if topic.pk in why:
            raise Invalid("topics", f"Topic {topic} {why[topic.pk]}.")


def why_not_share(topics: Iterable[Topic], pool: Pool) -> dict[int, str]:
    """Return by topic why it cannot be shared, as the end of a sentence."""
    pks = [topic.pk for topic in topics]
    pooled = set(pool.batches.n_by_topic())
    why = {pk: "is not in the frozen pool" for pk in pks if pk not in pooled}
    judged = Assignment.objects.dealt().filter(topic__in=pks, n_changes__gt=0)
    why |= dict.fromkeys(
        judged.values_list("topic", flat=True),
        "has been judged by an assessor of its own, whose grades are the official ones",
    )
    live = Assignment.objects.dealt().live().filter(topic__in=pks)
    why |= {
        each.topic_id: f"is with {each.assessor}: take it back first"
        for each in live.select_related("assessor")
    }
    shared = SharedQueue.objects.filter(topic__in=pks)
    why |= dict.fromkeys(shared.values_list("topic", flat=True), "is shared already")
    return why


def check_can_join(people: Collection[User], topic: Topic, left: Iterable[Assignment] = ()) -> None:
    """Refuse people who could not judge a topic; `left` are assignments of it they had before."""
    had = {each.assessor_id: each for each in left}
    new = [person for person in people if person.pk not in had]
    back = [([person], Work(topic, had[person.pk])) for person in people if person.pk in had]
    for group, work in [(new, Work(topic)), *back]:
        [why] = why_not_of_each(group, [work])
        for person in group:
            if person.pk in why:
                raise Invalid("assessors", f"{person} {why[person.pk]}.")


def check_is_shared(assignment: Assignment) -> None:
    if not assignment.is_shared:
        raise Refused(
            f"Topic {assignment.topic} is not shared: "
            "all documents you judge in it are yours already."
        )


def is_untouched(_: User, queue: SharedQueue) -> None:
    """Refuse once documents of it have been judged."""
    if JudgmentEvent.objects.filter(assignment__queue=queue).exists():
        raise Refused(
            f"Documents of topic {queue.topic} have been judged, so it stays shared: "
            "take it back from people instead."
        )


class SharedTopics(Verbs):
    see = Verb(organizes)
    share = change = join = Assignments.assign
    unshare = Verb(Assignments.assign, is_untouched)
