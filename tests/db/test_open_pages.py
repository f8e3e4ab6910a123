"""What changed while a page was open: its act is refused with what is so now, and then done."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import pytest

from accounts.access import Refused
from assess.core.sampling import Sample
from assess.models.controls import KnownGrade
from assess.models.judging import Judgment
from assess.planning import plan_for
from assess.services import assigning, handover, known_grades, reopening, sharing
from campaigns.models.campaign import Campaign
from campaigns.models.people import Team
from campaigns.models.releases import Release
from campaigns.services import ending
from cleverdon.trec.versions import version
from collection.models.texts import Document, Topic, seen_of
from collection.services import collection
from evaluation import services as releasing
from evaluation.releasing import released
from overview.services import leaving, rehearsal, rounds
from pooling import services as pooling
from pooling.models.pools import Pool
from qrels.services import importing, publishing
from questions import services as questions
from runs.services import runs, teams
from tests import make
from tests.db.actions.doing import assigned, judged, person, published, run
from tests.db.actions.judging import question, shared
from tests.db.actions.qrels import uploaded_qrels
from tests.db.controls import known_lines


class Open(NamedTuple):
    """An act of an organizer, the version on its page, an act meanwhile, and what is so now."""

    act: Callable[..., Any]
    seen: str
    meanwhile: Callable[[], Any]
    now: str


def of(service: Callable[..., Any], **values: Any) -> Callable[..., Any]:
    return partial(service, user=person("olga"), **values)


def all_topics(campaign: Campaign) -> Open:
    more = lambda: make.imported(campaign, "topics", b"3\tbridges")  # noqa: E731
    seen = seen_of(campaign.topic_set.all())
    return Open(of(collection.delete_topics, campaign=campaign), seen, more, "topics, now 3,")


def hidden_topics(campaign: Campaign) -> Open:
    act = of(collection.hide_topics, campaign=campaign, numbers=["1"])
    other = {"user": make.organizer_of(campaign), "campaign": campaign, "numbers": ["2"]}
    return Open(act, version([]), lambda: collection.hide_topics(**other), "hidden topics")


def all_documents(campaign: Campaign) -> Open:
    """As many as before, of which one is another."""
    act = of(collection.delete_documents, campaign=campaign)

    def meanwhile() -> None:
        campaign.document_set.get(docno="d1").delete()
        make.documents(campaign, ["d7"])

    return Open(act, seen_of(campaign.document_set.all()), meanwhile, "documents, now 6,")


def a_topic(campaign: Campaign) -> Open:
    topic = Topic.objects.get(campaign=campaign, number="1")
    seen, act = version(topic.pk, 1), of(collection.delete_topic, topic=topic)
    return Open(act, seen, lambda: make.imported(campaign, "topics", b"1\tother"), "Topic 1")


def a_document(campaign: Campaign) -> Open:
    document = Document.objects.get(campaign=campaign, docno="d1")
    seen, act = version(document.pk, 1), of(collection.delete_document, document=document)
    return Open(act, seen, lambda: replace(campaign), "Document d1")


def replace(campaign: Campaign, *docnos: str) -> None:
    lines = "".join(f"{docno}\t\tAnother text.\n" for docno in docnos or ["d1"])
    make.imported(campaign, "documents", lines.encode(), takes_versions=True)


def known(campaign: Campaign, act: Callable[..., Any]) -> Open:
    """As many as before, of which one has another grade."""
    more = of(known_grades.import_known, campaign=campaign)
    more(lines=known_lines(["d1"], 1))
    seen = KnownGrade.objects.of(campaign).seen()
    return Open(act, seen, lambda: more(lines=known_lines(["d1"], 2)), "known grades, 1 now,")


def known_imported(campaign: Campaign) -> Open:
    lines = known_lines(["d3"])
    return known(campaign, of(known_grades.import_known, campaign=campaign, lines=lines))


def known_removed(campaign: Campaign) -> Open:
    return known(campaign, of(known_grades.remove_known, campaign=campaign))


def not_begun(campaign: Campaign) -> Open:
    first = assigned(campaign)
    more = lambda: make.assignment(campaign.topic_set.get(number="2"), person("ben"))  # noqa: E731
    act = of(handover.take_back_unbegun, campaign=campaign)
    return Open(act, version([first.pk]), more, "not begun, now 2 assignments,")


def qrels(campaign: Campaign) -> Open:
    judged(campaign)
    act = of(publishing.publish_qrels, campaign=campaign)

    def meanwhile() -> None:
        act()
        make.judgment(Judgment.objects.get().assignment, "d2", 0)

    return Open(act, "0", meanwhile, "versions, now 1,")


def qrels_imported(campaign: Campaign) -> Open:
    upload = uploaded_qrels(campaign)
    act = of(importing.import_qrels, upload=upload, level=2)
    return Open(act, "0", lambda: published(campaign), "versions, now 1,")


def moved(campaign: Campaign) -> Open:
    one, to = run(campaign), Team.objects.create(campaign=campaign, name="Zoe")
    act = of(runs.move_run, run=one)
    seen = version(one.team_id)
    return Open(partial(act, team=None), seen, partial(act, team=to), "now with team Zoe,")


def a_next_round(campaign: Campaign) -> Open:
    act = of(rounds.begin_round, campaign=campaign)
    return Open(act, version(1), act, "The current round, now 2,")


def a_round_taken_back(campaign: Campaign) -> Open:
    begin = of(rounds.begin_round, campaign=campaign)
    begin()
    return Open(of(rounds.take_back_round, campaign=campaign), version(2), begin, "now 3,")


def topics_of_a_round(campaign: Campaign) -> Open:
    of(rounds.begin_round, campaign=campaign)()
    act = of(rounds.change_round, row=campaign.rounds.get(number=2))
    seen, meanwhile = version(""), partial(act, topics=["2"])
    return Open(partial(act, topics=["1"]), seen, meanwhile, "The topics of round 2")


def moved_to_a_round(campaign: Campaign) -> Open:
    one = run(campaign)
    of(rounds.begin_round, campaign=campaign)()
    act = of(runs.move_to_round, run=one)
    there = lambda: (act(number=2), act(number=1), act(number=2))  # noqa: E731
    return Open(partial(act, number=1), version(1), there, "now in round 2,")


def taken_out(campaign: Campaign, service: Callable[..., Any]) -> Open:
    one = run(campaign)
    freeze = lambda: make.frozen_pool(campaign, [one])  # noqa: E731
    return Open(of(service, run=one, reason="Why"), "0", freeze, "now in the frozen pool,")


def merged(campaign: Campaign) -> Open:
    team, into = (Team.objects.create(campaign=campaign, name=name) for name in ("Bow", "Zoe"))
    seen, act = teams.contents_of(team, into), of(teams.merge_teams, team=team, into=into)
    join = lambda: make.user("quinn").membership_set.create(  # noqa: E731
        campaign=campaign, role="participant", team=team
    )
    return Open(act, seen, join, "Team Bow or team Zoe")


def answered(campaign: Campaign) -> Open:
    act = of(questions.answer, question=question(campaign))
    other = partial(act, text="No.")
    return Open(partial(act, text="Yes."), "0", other, "answer, now by Olga,")


def rehearsed(campaign: Campaign) -> Open:
    assignment = judged(campaign)
    seen = version(rehearsal.describe_rehearsal(campaign))
    act = of(rehearsal.throw_away_rehearsal, campaign=campaign)
    return Open(act, seen, lambda: make.judgment(assignment, "d2", 0), "2 judgment events,")


def deleted(campaign: Campaign) -> Open:
    seen = version(ending.describe_contents(campaign))
    act = of(ending.delete_campaign, campaign=campaign)
    return Open(act, seen, lambda: make.documents(campaign, ["d7"]), "7 documents")


def removed(campaign: Campaign) -> Open:
    judged(campaign)
    member = campaign.membership_set.get(user=person("ada"))
    topic = campaign.topic_set.get(number="2")
    seen = leaving.seen_of(member)
    act = of(leaving.remove_member, membership=member)
    return Open(act, seen, lambda: make.assignment(topic, person("ada")), "What Ada has to judge")


def released_to(campaign: Campaign, act: Callable[..., Any]) -> Open:
    judged(campaign)  # so that a pool is frozen
    release = of(releasing.release, campaign=campaign, what="pool", subject_id=1)
    release(audience=Release.Audience.PARTICIPANTS)
    seen = version(released(campaign, "pool"))
    other = partial(release, audience=Release.Audience.EVERYBODY)
    again = partial(act, what="pool", audience="participants")
    return Open(again, seen, other, "What is released")


def taken_back(campaign: Campaign) -> Open:
    return released_to(campaign, of(releasing.take_back_release, campaign=campaign))


def unfrozen(campaign: Campaign) -> Open:
    frozen = make.frozen_pool(campaign, [run(campaign)])
    topic, ada = campaign.topic_set.get(number="1"), person("ada")
    act = of(pooling.take_back_batch, batch=frozen.last_batch)
    return Open(act, version([]), lambda: make.assignment(topic, ada), "1 assignment to 1 assessor")


def planned(campaign: Campaign) -> Open:
    assignment = assigned(campaign)
    seen = plan_for(campaign, Pool.objects.get(campaign=campaign), Sample(0.5)).version
    leave = lambda: campaign.membership_set.filter(user=person("ben")).delete()  # noqa: E731
    act = of(assigning.distribute, campaign=assignment.topic.campaign)
    return Open(act, seen, leave, "The plan")


def handed(campaign: Campaign, service: Callable[..., Any], **values: Any) -> Open:
    assignment = assigned(campaign)
    pass_on = of(handover.hand_over, assignment=assignment, assessor=person("ben"))
    act = of(service, assignment=assignment, **values)
    return Open(act, version(assignment.holder), pass_on, "topic 1, now with Ben,")


def handed_over(campaign: Campaign) -> Open:
    return handed(campaign, handover.hand_over, assessor=person("ada"))


def again(campaign: Campaign, service: Callable[..., Any]) -> Open:
    assignment = judged(campaign)
    assignment.refresh_from_db()
    act, seen = of(service, assignment=assignment), version(assignment.n_changes)
    return Open(act, seen, lambda: make.judgment(assignment, "d2", 0), "now with 2 judged,")


def terms(campaign: Campaign) -> Open:
    queue = shared(campaign)
    act = of(sharing.change_sharing, queue=queue, n_wanted=1)
    other = partial(act, lease_minutes=20)
    return Open(partial(act, lease_minutes=40), queue.terms, other, "1 judgment for 20 minutes,")


def unshared(campaign: Campaign) -> Open:
    queue = shared(campaign)
    seen = sharing.version_of(queue, [person("ada").pk, person("ben").pk])
    leave = of(handover.take_back, assignment=queue.assignments.get(assessor=person("ben")))
    return Open(of(sharing.unshare, queue=queue), seen, leave, "topic 1, now among 1 assessor,")


def earlier(campaign: Campaign) -> Open:
    make.judgment(judged(campaign), "d2", 0)
    replace(campaign)
    seen = reopening.version_of(Judgment.objects.on_earlier().filter(topic__campaign=campaign))
    act = of(reopening.reopen_earlier, campaign=campaign)
    return Open(act, seen, lambda: replace(campaign, "d2"), "now of 2 judgments,")


CASES: dict[str, Callable[[Campaign], Open]] = {
    **{
        each.__name__: each
        for each in (
            *(all_topics, hidden_topics, all_documents, a_topic, a_document),
            *(known_imported, known_removed, not_begun),
            *(a_next_round, a_round_taken_back, topics_of_a_round, moved_to_a_round),
            *(qrels, qrels_imported, moved, merged, answered, rehearsed, deleted, removed),
            *(taken_back, unfrozen, planned, handed_over, terms, unshared, earlier),
        )
    },
    "withdrawn": partial(taken_out, service=runs.withdraw_run),
    "disqualified": partial(taken_out, service=runs.disqualify_run),
    "taken back from": partial(handed, service=handover.take_back),
    "reset": partial(again, service=reopening.reset),
    "reopened": partial(again, service=reopening.reopen),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_an_act_of_a_page_from_before_is_refused_and_done_on_the_page_of_now(campaign, case):
    open_page = case(campaign)
    open_page.meanwhile()
    with pytest.raises(Refused, match="changed while you had the page open: look again") as refused:
        open_page.act(seen=open_page.seen)
    assert open_page.now in str(refused.value)
    open_page.act()
