"""Programs as assessors: their cards, their labels, their account; apart from what people judge."""

import csv
from datetime import date
from functools import partial
from uuid import uuid4

import pytest

from accounts.access import Invalid, NotYours, Refused
from agreement.tallies import so_far
from api.models import AccessToken
from assess.models.official import OfficialGrade
from campaigns.models.people import Membership, Role, Team
from collection.models.items import Item
from pooling.models.entries import PoolEntry
from programs import services
from programs.access import BadLabels
from programs.core import Verdict
from programs.models import Label, Program
from qrels.access import versions_shown
from qrels.models import Qrels
from qrels.nouns import DIFFERENCES
from qrels.services.publishing import publish_qrels
from tests import make
from tests.db.judging import answer

CARD = {
    "model": "A model",
    "version": "2026-10",
    "prompt": "Grade this document.",
    "parameters": "temperature 0",
    "labelled_on": date(2026, 11, 2),
}


def said(topic: str, docno: str, verdict: str, confidence: float | None = None) -> Verdict:
    return Verdict(1, topic, docno, verdict, confidence)


@pytest.fixture
def program(pooled, olga):
    return services.register_program(user=olga, campaign=pooled, name="judge-1", **CARD)


def take(user, program, *labels: Verdict):
    return services.take_labels(user=user, program=program, labels=labels)


def test_labels_are_no_judgments_and_no_official_grades(program, primary, olga):
    make.judgment(primary, "d1", 0)
    its = take(olga, program, said("1", "d1", "2", 0.9), said("1", "d2", "1"))
    assert (its.n_labels, its.n_unread) == (2, 0)
    assert OfficialGrade.objects.grades(program.campaign) == {"1": {"d1": 0}}
    assert so_far(program.campaign).grades.n_items == 0
    assert primary.entries.get(item__key="d2").judgment is None
    assert program.labels.grades() == {"1": {"d1": 2, "d2": 1}}
    assert list(program.unlabelled.values_list("item__key", flat=True))[:2] == ["d3", "d4"]


def test_a_verdict_that_is_not_of_the_scale_is_kept_and_is_no_grade(program, olga):
    its = take(olga, program, said("1", "d1", "4"), said("1", "d2", "I cannot tell"))
    assert (its.n_labels, its.n_unread) == (2, 2)
    assert program.labels.grades() == {}
    lines = services.download_labels(user=olga, program=program)
    rows = list(csv.DictReader("".join(lines).splitlines()))
    assert [(row["grade"], row["verdict"]) for row in rows] == [("", "4"), ("", "I cannot tell")]


def test_a_label_never_changes_and_the_same_again_is_no_other(program, olga):
    take(olga, program, said("1", "d1", "2"))
    assert take(olga, program, said("1", "d1", "2"), said("1", "d2", "0")).n_labels == 2
    with pytest.raises(BadLabels, match="Line 1: d1 of topic 1 has the label 2 already"):
        take(olga, program, said("1", "d1", "1"), said("1", "d3", "1"))
    assert Label.objects.count() == 2


def test_all_labels_are_taken_or_none(program, olga):
    with pytest.raises(BadLabels) as refusal:
        take(
            olga,
            program,
            said("1", "d1", "2"),
            Verdict(2, "1", "d9", "1"),
            Verdict(3, "8", "d1", "1"),
            Verdict(4, "1", "d1", "2"),
            Verdict(5, "1", "d2", ""),
            Verdict(6, "1", "d3", "x" * 201),
            Verdict(7, "1", "d4", "a\x00b"),
            Verdict(8, "1", "d5", "1", float("nan")),
        )
    assert refusal.value.sentences == [
        "Line 2: d9 is not in the pool of topic 1.",
        "Line 3: d1 is not in the pool of topic 8.",
        "Line 4: d1 is labelled twice for topic 1; it was on line 1.",
        "Line 5: d2 has no grade: write what the program said.",
        "Line 6: What it said has 201 characters; at most 200 are kept.",
        "Line 7: What it said has characters that cannot be kept.",
        "Line 8: The confidence is no number.",
    ]
    assert not Label.objects.exists()
    assert Item.objects.filter(key="d9").count() == 0


def test_a_card_has_all_its_words_and_a_name_of_its_own(program, olga):
    campaign = program.campaign
    for wrong, field in (
        ({"name": "JUDGE-1"}, "name"),
        ({"name": "../x"}, "name"),
        ({"name": "x", "prompt": " "}, "prompt"),
        ({"name": "x", "labelled_on": date(2999, 1, 1)}, "labelled_on"),
        ({"name": "x", "prompt": "x" * 20_001}, "prompt"),
    ):
        with pytest.raises(Invalid) as refusal:
            services.register_program(user=olga, campaign=campaign, **{**CARD, **wrong})
        assert refusal.value.field == field


def test_a_program_signs_in_by_its_tokens_alone_and_reaches_its_labels_alone(program, olga):
    account = program.account
    assert not account.has_usable_password()
    assert not Membership.objects.filter(user=account).exists()
    other = services.register_program(user=olga, campaign=program.campaign, name="judge-2", **CARD)
    with pytest.raises(Refused, match="There is nothing here"):
        take(account, other, said("1", "d1", "2"))
    assert take(account, program, said("1", "d1", "2")).n_labels == 1


def test_an_organizer_who_judges_does_not_see_labels_before_judging_is_over(program, olga):
    campaign = program.campaign
    campaign.membership_set.create(user=olga, role=Role.ASSESSOR)
    with pytest.raises(NotYours, match="You judge here too"):
        services.download_labels(user=olga, program=program)
    campaign.judging_closes_at = campaign.created_at
    campaign.save()
    assert list(services.download_labels(user=olga, program=program))


def test_a_new_token_ends_the_one_before_and_a_removed_program_has_none(program, olga):
    for _ in range(2):
        services.make_program_token(user=olga, program=program, client_id=uuid4())
    assert AccessToken.objects.live().filter(user=program.account).count() == 1
    account = program.account
    take(olga, program, said("1", "d1", "2"))
    services.remove_program(user=olga, program=program)
    assert not AccessToken.objects.live().filter(user=account).exists()
    account.refresh_from_db()
    assert not account.is_active
    assert not Label.objects.exists()


def test_a_version_has_labels_only_if_it_says_so(program, primary, olga):
    """People come first in what is filled, also where they could not judge."""
    campaign = program.campaign
    make.judgment(primary, "d1", 0)
    answer(primary, "d2", state="cannot_judge", reason="unreadable")
    take(olga, program, *(said("1", docno, "2") for docno in ("d1", "d2", "d3")))
    take(olga, program, said("2", "d2", "what"))
    publish = partial(publish_qrels, user=olga, campaign=campaign)
    people, alone, filled = (
        publish(),
        publish(grades="program-judge-1"),
        publish(grades="filled-judge-1"),
    )
    assert people.grades() == {"1": {"d1": 0}}
    assert alone.grades() == {"1": {"d1": 2, "d2": 2, "d3": 2}}
    assert filled.grades() == {"1": {"d1": 0, "d3": 2}}
    assert [each.estimated["program"]["n"] for each in (alone, filled)] == [3, 1]
    assert "the labels of the program judge-1 (A model, 2026-10)" in filled.rule_in_words
    assert (str(filled), filled.marks[-1]) == ("qrels v3 (filled-judge-1)", "filled-judge-1")
    assert Qrels.objects.newest(campaign) == people
    with pytest.raises(Refused, match="has its labels, so the program stays"):
        services.remove_program(user=olga, program=program)


def test_labels_on_an_earlier_text_are_counted_with_the_version(program, primary, olga):
    campaign = program.campaign
    make.judgment(primary, "d1", 0)
    take(olga, program, said("1", "d1", "2"), said("1", "d2", "2"))
    text = b"d2\t\tAnother text."
    make.imported(campaign, "documents", text, takes_versions=True)
    publish = partial(publish_qrels, user=olga, campaign=campaign)
    assert [publish(grades=f"{kind}-judge-1").n_earlier for kind in ("program", "filled")] == [1, 1]


def test_a_program_without_a_grade_makes_no_version(program, primary, olga):
    make.judgment(primary, "d1", 0)
    take(olga, program, said("1", "d1", "what"))
    with pytest.raises(Invalid, match="Choose one of official"):
        publish_qrels(user=olga, campaign=program.campaign, grades="program-judge-1")


def test_two_versions_tell_whose_grade_each_is(program, primary, olga):
    """People's grades in a filled version have their rule, labels the version's own name."""
    make.judgment(primary, "d1", 0)
    take(olga, program, said("1", "d1", "2"), said("1", "d2", "1"))
    for grades in ("official", "filled-judge-1", "program-judge-1"):
        publish_qrels(user=olga, campaign=program.campaign, grades=grades)
    seen = {
        pair: [
            (each.docno, each.kind, each.rule_before, each.rule_after)
            for each in DIFFERENCES.found(program.campaign, *pair)
        ]
        for pair in ((1, 2), (2, 3))
    }
    assert seen[1, 2] == [("d2", "added", "", "filled-judge-1")]
    assert seen[2, 3][0] == ("d1", "changed", "primary", "program-judge-1")


def test_what_a_second_assessor_said_is_not_silence(program, primary, olga, ben):
    campaign = program.campaign
    make.judgment(primary, "d1", 0)
    second = make.assignment(primary.topic, ben, "second")
    make.judgment(second, "d2", 3)
    take(olga, program, *(said("1", docno, "2") for docno in ("d1", "d2", "d3")))
    filled = publish_qrels(user=olga, campaign=campaign, grades="filled-judge-1")
    assert filled.grades() == {"1": {"d1": 0, "d3": 2}}


def test_the_makers_are_marked_after_their_team_was_merged(program, primary, olga, campaign):
    maker, other = (Team.objects.create(campaign=campaign, name=name) for name in ("M", "O"))
    Program.objects.update(team=maker)
    make.judgment(primary, "d1", 0)
    take(olga, program, said("1", "d1", "2"))
    publish_qrels(user=olga, campaign=campaign, grades="program-judge-1")
    assert Qrels.objects.get().maker_team == maker.pk
    Program.objects.update(team=other)
    assert Qrels.objects.get().maker_team == other.pk
    other.delete()
    assert Qrels.objects.get().maker_team is None


def test_an_organizer_who_judges_is_shown_no_version_with_labels(program, primary, olga):
    campaign = program.campaign
    make.judgment(primary, "d1", 0)
    take(olga, program, said("1", "d1", "2"))
    for grades in ("official", "program-judge-1"):
        publish_qrels(user=olga, campaign=campaign, grades=grades)
    assert versions_shown(olga, campaign).count() == 2
    campaign.membership_set.create(user=olga, role=Role.ASSESSOR)
    assert [each.basis for each in versions_shown(olga, campaign)] == ["official"]


def test_labels_of_what_left_the_pool_do_not_count(program, olga):
    take(olga, program, said("1", "d1", "2"), said("1", "d2", "2"))
    assert program.labels.pooled().count() == 2
    PoolEntry.objects.filter(item__key="d2").delete()
    assert program.labels.pooled().count() == 1
    assert program.labels.grades() == {"1": {"d1": 2}}
