"""Criteria and evidence on pages and through the API: set, refused, shown, sent with acts."""

import pytest

from assess.models.judging import Judgment
from campaigns.core.criteria import KINDS
from campaigns.models.campaign import Campaign
from campaigns.web.criteria_forms import SEE_ROWS
from collection.models.texts import Document
from tests import make
from tests.asked import beside_grades, criterion, typed
from tests.web.html import source, words
from tests.web.judging import address, closed
from tests.web.test_acts import QUERIES_PER_ACT, act, entries, queries, refusals, send
from tests.web.together import Page

TRUST = criterion("trust", "Do you trust it?", ("no", "yes"), from_grade=1)


@pytest.fixture
def asked(assignment, olga):
    """The assignment, in a campaign whose settings ask a criterion and for evidence."""
    asking = {**typed(beside_grades(TRUST)), "takes_evidence": "on", "evidence_from": "2"}
    assert settings(olga, assignment).save(**asking).status_code == 302
    Document.objects.update(text="A cat. A dog.")
    return assignment


def settings(olga, assignment) -> Page:
    return Page(olga, f"/campaigns/{assignment.topic.campaign.slug}/settings/grades/")


def test_settings_that_make_no_sense_are_refused_beside_their_field(assignment, olga):
    style = criterion("style", "Good?", ("no", "yes"))
    seven = [{**style, "name": f"style{n}"} for n in range(7)]
    from_8 = {**TRUST, "from_grade": 8}
    for values, sentence in (
        ({"criteria-1-name": "Trust", "criteria-1-question": "Do you?"}, "A name has lower-case"),
        ({"criteria-1-name": "trust"}, "This field is required."),
        ({**typed(beside_grades(style)), "criteria-1-question": ""}, "This field is required."),
        (
            {**typed(beside_grades(style)), "criteria-1-answers-0-value": "-1"},
            "greater than or equal to 0.",
        ),
        ({"criteria-1-name": "trust", "criteria-1-question": "Do you?"}, "trust needs at least"),
        (typed(beside_grades(from_8)), "It is not a grade of the scale: 0, 1, 2, 3."),
        (typed(beside_grades(style, TRUST, style)), "Another criterion has the name style."),
        (typed(beside_grades({**style, "name": "relevance"})), "has the name relevance."),
        (typed(beside_grades({**style, "name": "grade"})), "The grade itself has this name."),
        (typed(beside_grades(*seven)), "At most 6 criteria"),
        ({"evidence_from": "7", "takes_evidence": "on"}, "It is not a grade of the scale: 0, 1"),
        ({"evidence_from": "1"}, "Let assessors mark passages, or leave this empty."),
    ):
        page = settings(olga, assignment)
        sent = {**typed(beside_grades()), "criteria-1-kind": "document", **values}
        assert sentence in words(page.save(**sent), 422)
        there = {name: sent[name] for name in sent if sent[name] and not name.endswith("kind")}
        assert page.data.items() >= there.items()
    assert assignment.topic.campaign.criteria == beside_grades()


def test_all_that_is_wrong_is_said_at_once_each_at_its_field(assignment, olga):
    style, trust = criterion("style", "", ("no", "yes")), {**TRUST, "from_grade": 8}
    sent = typed(beside_grades(trust, style, {**style, "question": "Good?"}))
    wrong = {"criteria-2-answers-0-label": "", "evidence_from": "7", "takes_evidence": "on"}
    page = settings(olga, assignment)
    answer = page.save(**sent | wrong)
    required = ["This field is required."]
    _, first, second, third = page.form.rows.forms
    assert first.errors == {"from_grade": ["It is not a grade of the scale: 0, 1, 2, 3."]}
    assert (second.errors, second.rows[0].errors) == ({"question": required}, {"label": required})
    assert third.errors == {"name": ["Another criterion has the name style."]}
    assert page.form.errors["evidence_from"] == ["It is not a grade of the scale: 0, 1, 2, 3."]
    assert '<a href="#id_criteria-1-from_grade">Grades and criteria</a>' in source(answer, 422)
    assert words(answer, 422).count(SEE_ROWS) == 1, "in the summary, and on no card"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"criteria-0-level": "9", "criteria-1-name": ""}, "id_criteria-0-level"),
        (
            {"criteria-0-level": "9", "criteria-0-answers-2-label": ""},
            "id_criteria-0-answers-2-label",
        ),
        ({"criteria-1-answers-1-value": "0", "criteria-1-question": ""}, "id_criteria-1-question"),
        ({"criteria-1-answers-1-value": "0"}, "id_criteria-1_error"),
    ],
)
def test_the_summary_leads_to_the_first_fault(assignment, olga, wrong, field):
    answer = settings(olga, assignment).save(**typed(beside_grades(TRUST)) | wrong)
    found = source(answer, 422)
    assert f'<a href="#{field}">Grades and criteria</a>' in found
    assert f' id="{field}"' in found


def test_a_criterion_without_a_name_says_too_what_its_answers_lack(assignment, olga):
    page = settings(olga, assignment)
    page.save(**typed(beside_grades()), **{"criteria-1-question": "Good?"})
    form = page.form.rows.forms[1]
    assert form.errors["name"] == ["This field is required."]
    assert form.non_field_errors() == ["This criterion needs at least two answers."]


def test_what_is_typed_in_rows_is_kept_when_it_is_refused(assignment, olga):
    page, faulty = settings(olga, assignment), typed(beside_grades(TRUST))
    faulty |= {"criteria-1-answers-0-value": "ten", "criteria-1-answers-5-label": "perhaps"}
    assert page.save(**faulty).status_code == 422
    assert page.data.items() >= faulty.items()
    assert page.data["criteria-2-kind"] == "document", "a blank criterion comes after"


def test_the_first_criterion_about_another_kind_has_a_scale_of_its_own(
    assignment, olga, monkeypatch
):
    monkeypatch.setattr("campaigns.core.criteria.KINDS", [*KINDS, "claim"])
    verdict = criterion("verdict", "Does it hold?", ("refuted", "supported"), kind="claim")
    verdict["answers"][0]["value"] = -2
    current = criterion("current", "Is it?", ("no", "yes"), kind="claim", from_grade=-2)
    asked = beside_grades(TRUST, verdict, current)
    page = settings(olga, assignment)
    of_the_first = {**typed(asked), "criteria-2-from_grade": "1"}  # as no page sends it
    assert page.save(**of_the_first).status_code == 302
    campaign = Campaign.objects.get()
    assert campaign.criteria == asked
    assert (campaign.level, list(campaign.scale.fixed)) == (1, [0, 1, 2, 3])
    other = typed(beside_grades(TRUST, verdict, {**current, "from_grade": 2}))
    refused = words(settings(olga, assignment).save(**other), 422)
    assert "It is not a grade of the scale: -2, 1." in refused


def test_a_judged_criterion_stays_and_its_field_says_so(asked, olga, client):
    send(client, asked, act("d1", ratings={"trust": 1}, passages=[]))
    dropped = settings(olga, asked).save(**typed(beside_grades()))
    assert "the criterion trust stays" in words(dropped, 422)
    unasked = typed(beside_grades({**TRUST, "from_grade": None, "is_retired": True}))
    assert settings(olga, asked).save(**unasked).status_code == 302
    assert refusals(send(client, asked, act("d2", ratings={}, passages=[]))) == [""]


def test_a_criterion_that_nobody_answered_can_still_be_changed(asked, olga, client):
    send(client, asked, act("d1", ratings={"trust": 1}, passages=[]))
    style = criterion("stile", "Good?", ("no", "yes"))
    page = settings(olga, asked)
    assert page.save(**typed(beside_grades(TRUST, style))).status_code == 302
    _, trust, added = settings(olga, asked).form.rows.forms
    assert (trust.stays, trust.is_fixed, added.stays, added.is_fixed) == (True, True, False, False)
    assert settings(olga, asked).save(**{"criteria-2-name": "style"}).status_code == 302
    assert settings(olga, asked).save(**typed(beside_grades(TRUST))).status_code == 302
    assert Campaign.objects.get().criteria == beside_grades(TRUST)


def test_a_criterion_whose_name_may_not_change_stays_fixed_on_the_page_that_says_so(
    asked, olga, client
):
    send(client, asked, act("d1", ratings={"trust": 1}, passages=[]))
    page = settings(olga, asked)
    renamed = typed(beside_grades({**TRUST, "name": "confidence"}))
    assert "the criterion trust stays" in words(page.save(**renamed), 422)
    _, form = page.form.rows.forms
    assert form.stays
    assert form.is_fixed
    assert not form["name"].is_hidden  # to put it back
    assert page.save(**{"criteria-1-name": "trust"}).status_code == 302
    relabeled = typed(beside_grades(criterion("trust", "Do you?", ("no", "fully"), from_grade=1)))
    assert "keep their values and labels: 0 no, 1 yes" in words(page.save(**relabeled), 422)
    _, form = page.form.rows.forms
    assert form.stays
    assert [row.is_fixed for row in form.rows] == [True, False]  # to put it back


def test_those_no_longer_asked_leave_room_for_others(assignment, olga):
    style = criterion("style", "Good?", ("no", "yes"))
    seven = [{**style, "name": f"style{n}"} for n in range(7)]
    seven[0]["is_retired"] = True
    assert settings(olga, assignment).save(**typed(beside_grades(*seven))).status_code == 302


def test_what_an_act_may_not_hold_is_said_and_nothing_is_stored(client, asked):
    no_object = "Ratings are an object of whole numbers"
    nowhere = "A passage is not in the text of the document."
    for said, sentence in (
        ({}, "With grade 1 it also needs an answer to trust."),
        ({"ratings": "trust"}, no_object),
        ({"ratings": {"trust": True}}, no_object),
        ({"ratings": {"grade": 1}}, no_object),
        ({"ratings": {"trust": 10**40}}, "is not an answer to trust, whose answers are 0 no, 1"),
        ({"passages": "A cat"}, "Passages are a list."),
        ({"passages": [["A cat", 0]]}, "A passage is a list of two"),
        ({"passages": [[0, "A \x00\ud800"]]}, nowhere),
        ({"passages": [[2**70, "A cat"]]}, nowhere),
    ):
        more = {"ratings": {"trust": 1}} if "passages" in said else {}
        [refused] = refusals(send(client, asked, act("d1", **more, **said)))
        assert sentence in refused
    for choice, reason in (("1", ""), ("later", ""), ("cannot_judge", "other")):
        said = act("d1", choice, reason=reason, ratings={"\ud800\x00" * 99: 1})
        [refused] = refusals(send(client, asked, said))
        assert "is not a criterion of this campaign." in refused
    assert not Judgment.objects.exists()


def test_an_act_with_all_of_it_costs_as_many_queries(client, asked):
    send(client, asked, act("d1", "0"))
    whole = act("d2", ratings={"trust": 1}, passages=[[0, "A cat"], [5, "A dog"]])
    assert len(queries(client, asked, whole)) == QUERIES_PER_ACT
    found = entries(client, asked)["d2"]
    assert found["ratings"] == {"trust": 1}
    assert found["passages"] == [[0, "A cat"], [5, "A dog"]]


def test_organizers_see_what_was_said_and_how_far_two_agree(asked, olga, ben, sign_in, client):
    campaign = asked.topic.campaign
    send(client, asked, act("d1", "2", ratings={"trust": 1}, passages=[[0, "A cat."]]))
    second = make.assignment(asked.topic, ben, "second")
    send(sign_in(ben), second, act("d1", "2", ratings={"trust": 0}, passages=[]))
    base, as_olga = f"/campaigns/{campaign.slug}/", sign_in(olga)
    listed = words(as_olga.get(f"{address(asked)}assignment/"))
    assert "trust 1" in listed
    assert "1 passage" in listed
    assert "A cat." in words(as_olga.get(f"{address(asked)}assignment/?docno=d1"))
    agreement = words(as_olga.get(f"{base}agreement/"))
    assert "Do you trust it?" in agreement
    assert "further criteria" in agreement


def test_what_was_said_is_shown_once_judging_has_closed(asked, client):
    send(client, asked, act("d1", "2", ratings={"trust": 1}, passages=[[0, "A cat."]]))
    closed(asked)
    number = asked.entries.get(item__key="d1").number
    assert "trust 1" in words(client.get(f"{address(asked)}?number={number}"))
