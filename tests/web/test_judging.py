"""Judging over HTTP."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from assess.models import Assignment, Judgment, JudgmentEvent
from campaigns.models import Role
from tests import make
from tests.worlds import once

# Session, user, assignment, member; begin, lock, member, event, entry, versions, judgment, event, entry, counts, commit; next, document.
STATEMENTS_PER_KEYSTROKE = 17


def judge(client, assignment, docno, choice="1", **more):
    return post(client, assignment, "judge", docno=docno, choice=choice, **more)


def undo(client, assignment, **more):
    return post(client, assignment, "undo", **more)


def post(client, assignment, verb, **data):
    slug = assignment.topic.campaign.slug
    address = f"/campaigns/{slug}/judging/{assignment.pk}/{verb}/"
    data = {"client_id": str(uuid4()), **data}
    return client.post(address, data, headers={"HX-Request": "true"})


def test_a_judgment_answers_with_the_next_document_alone(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "2")
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert "d3: grade 2, relevant. Saved." in html
    assert "Every document of this topic is judged" in html


def test_cannot_judge_asks_for_a_reason(client, played, ada):
    client.force_login(ada)
    assignment = Assignment.objects.get(assessor=ada)
    response = judge(client, assignment, "d3", "cannot_judge")
    assert response.status_code == 409
    assert "Say why the document cannot be judged." in response.content.decode()
    assert (
        judge(client, assignment, "d3", "cannot_judge", reason="missing").status_code
        == 200
    )
    assert judge(client, assignment, "d3", "nonsense").status_code == 409


def test_who_was_signed_out_is_told_in_the_page(client, played):
    assignment = Assignment.objects.get(assessor__username="ada")
    response = judge(client, assignment, "d3")
    assert response.status_code == 401
    assert (
        response.content.decode()
        == "You have been signed out: sign in again in another tab."
    )


def test_judging_costs_the_same_number_of_queries_in_a_large_pool(
    client, olga, ada, pat
):
    sizes = []
    for n in (10, 300):
        docnos = [f"d{number}" for number in range(n)]
        campaign = make.campaign(
            olga, assessors=[ada], participants={"T": [pat]}, docnos=docnos
        )
        make.frozen_pool(
            campaign, [make.run(campaign, pat, {"1": " ".join(docnos)})], depth=n
        )
        assignment = make.assignment(campaign.topic_set.get(number="1"), ada)
        client.force_login(ada)
        first = assignment.entries.get(position=0).docno
        with CaptureQueriesContext(connection) as captured:
            assert judge(client, assignment, first).status_code == 200
        sizes.append(len(captured))
    assert sizes[0] == sizes[1]


@pytest.fixture
def assignment(assigned, ada, client):
    client.force_login(ada)
    return assigned


@pytest.fixture
@once
def assigned(campaign, pat, ada):
    make.frozen_pool(campaign, [make.run(campaign, pat, {"1": "d1 d2 d3"})], depth=3)
    return make.assignment(campaign.topic_set.get(number="1"), ada)


def test_a_keystroke_costs_so_many_statements(
    client, assignment, django_assert_num_queries
):
    first, second = assignment.entries.order_by("position")[:2]
    judge(client, assignment, first.docno)  # the first of all fixes the scale
    with django_assert_num_queries(STATEMENTS_PER_KEYSTROKE):
        response = judge(client, assignment, second.docno, "2")
    assert "2 of 3 judged" in response.content.decode()


def test_the_pages_are_closed_to_a_member_who_is_no_longer_an_assessor(
    client, assignment, ada
):
    campaign = assignment.topic.campaign
    campaign.membership_set.filter(user=ada).update(role=Role.ORGANIZER)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    responses = [
        client.get(address),
        client.get(f"{address}documents/"),
        judge(client, assignment, "d1"),
        undo(client, assignment),
    ]
    for response in responses:
        assert response.status_code == 403
        assert "You are no longer an assessor of" in response.content.decode()
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"choice": ""}, "Give a grade, put the document off, or say"),
        ({"choice": "nonsense"}, "Give a grade, put the document off, or say"),
        ({"choice": "cannot_judge"}, "Say why the document cannot be judged."),
        ({"choice": "9"}, "9 is not a grade of this campaign&#x27;s scale."),
        ({"choice": "1", "method": "voice"}, "A method is one of key, click, other."),
        ({"choice": "1", "active_ms": "-1"}, "Times are milliseconds, from 0"),
        ({"choice": "1", "comment": "a\0b"}, "Null characters are not allowed."),
        ({"choice": "1", "client_id": "x"}, "A client_id is a UUID."),
    ],
)
def test_the_page_says_the_sentence_of_the_service(client, assignment, data, sentence):
    response = judge(client, assignment, "d1", **data)
    assert response.status_code == 409
    assert sentence.replace("&#x27;", "'") in response.content.decode()
    assert not Judgment.objects.exists()


def test_saying_cannot_judge_without_the_field_keeps_the_comment(client, assignment):
    judge(client, assignment, "d1", comment="a thought")
    judge(client, assignment, "d1", "cannot_judge", reason="other")
    judgment = Judgment.objects.get()
    assert (judgment.state, judgment.comment) == ("cannot_judge", "a thought")
    judge(client, assignment, "d1", comment="")
    judgment.refresh_from_db()
    assert judgment.comment == ""


def test_an_undo_shows_the_document_and_the_counts_as_they_are(client, assignment):
    judge(client, assignment, "d2")
    html = undo(client, assignment, method="key").content.decode()
    assert "d2 is open again." in html
    assert "0 of 3 judged" in html
    assert JudgmentEvent.objects.latest("pk").method == "key"


def test_an_undo_that_no_page_sends_undoes_nothing(client, assignment):
    judge(client, assignment, assignment.entries.first().docno, "1")
    refused = undo(client, assignment, client_id="x")
    assert (refused.status_code, JudgmentEvent.objects.count()) == (409, 1)
    assert "The page is out of date" in refused.content.decode()


def test_with_nothing_to_undo_the_document_stays_and_it_is_said(client, assignment):
    docno = assignment.entries.get(position=1).docno
    assert undo(client, assignment).content.decode() == "There is nothing to undo."
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    data = {"client_id": str(uuid4()), "shown": docno}
    html = client.post(f"{address}undo/", data).content.decode()  # without script
    assert "There is nothing to undo." in html
    assert "Not saved" not in html
    assert f"<code>{docno}</code>" in html


def closed(assignment) -> None:
    campaign = assignment.topic.campaign
    campaign.judging_closes_at = campaign.created_at
    campaign.save()


def by_form(client, assignment, **data):
    """As a browser without script sends it."""
    address = (
        f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/judge/"
    )
    return client.post(address, {"client_id": str(uuid4()), "docno": "d1", "choice": "1", **data})  # fmt: skip


REFUSED = {
    "a newer grade": (lambda assignment: make.judgment(assignment, "d1", 3), {"change": "0"}, "Now: grade 3, highly relevant."),
    "no such grade": (lambda _: None, {"choice": "9"}, "9 is not a grade"),
    "closed": (closed, {}, "Judging closed on"),
    "a bad form": (lambda _: None, {"client_id": "x"}, "A client_id is a UUID."),
}  # fmt: skip


@pytest.mark.parametrize(("before", "data", "sentence"), REFUSED.values(), ids=REFUSED)
def test_without_script_a_refusal_keeps_document_and_comment(
    client, assignment, before, data, sentence
):
    before(assignment)
    response = by_form(client, assignment, comment="what I <wrote>", **data)
    html = response.content.decode()
    assert response.status_code == 422
    assert "<h1>" in html
    assert "Not saved. " in html
    assert sentence in html
    assert "<code>d1</code>" in html
    assert "what I &lt;wrote&gt;</textarea>" in html


def test_what_one_person_wrote_is_not_saved_as_the_next_ones(
    client, assignment, ada, ben
):
    """The topic passed on to Ben, who signed in in another tab while Ada's page was open."""
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    page = client.get(address).content.decode()
    forms = re.findall(r"<form[^>]*/judging/.*?</form>", page, re.DOTALL)
    assert len(forms) == 3  # the answer, why not, undo
    assert all(f'name="reader" value="{ada.pk}"' in form for form in forms)
    first = assignment.entries.get(position=0).docno
    judge(client, assignment, first)
    Assignment.objects.update(assessor=ben)
    client.force_login(ben)
    sent = {"comment": "Ada's words", "reader": ada.pk}
    refused = [judge(client, assignment, "d1", **sent), undo(client, assignment, reader=ada.pk)]  # fmt: skip
    for response in refused:
        assert response.status_code == 409
        assert "somebody else, and Ben has signed in since" in response.content.decode()
    plain = by_form(client, assignment, **sent)
    assert plain.status_code == 409
    html = plain.content.decode()
    assert "Ada&#x27;s words" in html
    assert 'name="comment"' not in html
    assert JudgmentEvent.objects.count() == 1
    assert judge(client, assignment, "d1", reader=ben.pk).status_code == 200


@pytest.mark.parametrize("who", ["ben", "pat", "olga", "sam"])
def test_that_somebody_else_has_signed_in_is_said_before_all_that_follows(
    client, assignment, ada, who, request
):
    """Whatever they may do here: next and previous, back and forward, a judgment, an undo."""
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    html = client.get(address).content.decode()
    assert f"""hx-headers='{{"Judging-Reader": "{ada.pk}"}}'""" in html
    client.force_login(request.getfixturevalue(who))
    headers = {"HX-Request": "true", "Judging-Reader": str(ada.pk)}
    answers = [
        client.get(f"{address}?number=2", headers=headers),
        client.get(address, headers={**headers, "HX-History-Restore-Request": "true"}),
        judge(client, assignment, "d1", reader=ada.pk),
        undo(client, assignment, reader=ada.pk),
    ]
    for answer in answers:
        assert answer.status_code == 409
        assert f"{who.title()} has signed in since" in answer.content.decode()
    plain = by_form(client, assignment, reader=ada.pk, comment="Ada's words")
    assert "Ada&#x27;s words" in plain.content.decode()
    assert f"{who.title()} has signed in since" in plain.content.decode()
    assert not JudgmentEvent.objects.exists()


def test_the_page_says_who_is_signed_in(client, assignment):
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    assert '<span class="judging-reader" title="Signed in: Ada">Ada</span>' in client.get(address).content.decode()  # fmt: skip


def test_the_inbox_is_for_who_judges_and_who_assigns(client, campaign, ada, olga, pat):
    address = f"/campaigns/{campaign.slug}/judging/"
    for person, status in ((ada, 200), (olga, 200), (pat, 403)):
        client.force_login(person)
        answer = client.get(address)
        assert answer.status_code == status
        said = "Judging is for the assessors and organizers of" in answer.content.decode()  # fmt: skip
        assert said == (status == 403)


ANSWERS = {
    "a grade": {"choice": "3", "comment": "secret words"},
    "cannot judge": {"choice": "cannot_judge", "reason": "language", "comment": "secret words"},
    "later": {"choice": "later", "comment": "secret words"},
}  # fmt: skip
NOT_TOLD = ("secret words", 'aria-pressed="true"', "a language I do not read</span>", "Reason:", "You judged")  # fmt: skip


@pytest.mark.parametrize("sent", ANSWERS.values(), ids=ANSWERS)
def test_no_page_of_judging_shows_what_was_judged_before_by_somebody_else(
    client, assignment, ben, sent
):
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    last = assignment.entries.order_by("position").last()
    judge(client, assignment, last.docno, **sent)
    at, back = f"{address}?number={last.number}", assignment.assessor

    def pages(*more: str) -> str:
        return "".join(client.get(each).content.decode() for each in (at, f"{address}documents/", *more))  # fmt: skip

    assert "secret words" in pages()
    Assignment.objects.update(assessor=ben)
    assignment.topic.campaign.topic_set.update(version=2)
    client.force_login(ben)
    html = pages()
    assert not [each for each in NOT_TOLD if each in html]
    assert html.count(f"by {back}, before you") == 2
    assert not re.search(r'<td class="number">3</td>\s*<td>', html)
    assert "highly" not in re.search(r"<article.*?</article>", html, re.DOTALL)[0]
    closed(assignment)
    html = pages()
    assert not [each for each in NOT_TOLD if each in html]


def test_the_next_assessor_saves_only_their_own_words_and_takes_them_back(
    client, assignment, ada, ben
):
    judge(client, assignment, "d1", "3", comment="Ada's")
    Assignment.objects.update(assessor=ben)
    client.force_login(ben)
    address = f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/"
    number = assignment.entries.get(docno="d1").number
    html = client.get(f"{address}?number={number}").content.decode()
    shown = {
        "change": re.search(r'name="change" value="(\d+)"', html)[1],
        "comment": re.search(r"<textarea[^>]*>([^<]*)</textarea>", html)[1],
    }
    assert judge(client, assignment, "d1", "0", **shown).status_code == 200
    judgment = Judgment.objects.get(assessor=ben)
    assert (judgment.grade, judgment.comment) == (0, "")
    judge(client, assignment, "d1", "0", comment="Ben's")
    html = undo(client, assignment).content.decode()
    assert f"d1 stands again as {ada} judged it before you." in html
    assert ">Ben&#x27;s</textarea>" in html
    assert "Ada&#x27;s" not in html
    assert "1 of 3 judged" in html


def test_mine_and_theirs_are_both_on_the_page(client, assignment):
    judge(client, assignment, "d1", comment="theirs")
    html = judge(client, assignment, "d1", "2", comment="mine", change="0")
    assert ">mine</textarea>" in html.content.decode()
    assert "Saved now: theirs" in html.content.decode()


def test_the_page_says_what_it_showed(client, campaign, assignment):
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/?number=1"
    docno = assignment.entries.get(position=0).docno
    campaign.document_set.filter(docno=docno).update(version=4)
    campaign.topic_set.filter(number="1").update(version=3)

    def sent() -> dict[str, str]:
        html = client.get(address).content.decode()
        return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', html))

    found = sent()
    names = ("document_version", "topic_version", "change", "scale")
    assert [found[name] for name in names] == ["4", "3", "0", campaign.scale.digest]
    judge(client, assignment, docno, **{name: found[name] for name in names})
    assert sent()["change"] == "1"
    campaign.document_set.all().delete()
    assert sent()["document_version"] == "0"


def test_a_judgment_of_an_earlier_text_is_marked(client, campaign, assignment):
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/?number=1"
    docno = assignment.entries.get(position=0).docno
    make.judgment(assignment, docno, 1)
    assert "was replaced since" not in client.get(address).content.decode()
    campaign.document_set.update(version=2)
    campaign.topic_set.update(version=2)
    html = client.get(address).content.decode()
    assert "You judged version 1 of this text." in html
    assert "You judged it for version 1 of the topic." in html


def test_the_list_of_ones_documents_stays_open_after_closing(
    client, campaign, assignment, ben
):
    make.judgment(assignment, "d1", 1)
    closed(assignment)
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    assert client.get(address).headers["Location"] == f"{address}documents/"
    for path in (f"{address}documents/", f"{address}?number=1"):
        html = client.get(path).content.decode()
        assert "Judging closed on" in html
        assert "Continue judging" not in html
        assert "grade-button" not in html
    client.force_login(ben)
    assert client.get(f"{address}documents/").status_code == 404


def test_nothing_is_read_before_judging_opens(client, campaign, assignment):
    campaign.judging_opens_at = timezone.now() + timedelta(days=1)
    campaign.save()
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    for path in (address, f"{address}documents/"):
        assert "Judging opens on" in client.get(path).content.decode()


def test_a_page_restored_by_the_browser_is_a_whole_page(client, campaign, assignment):
    headers = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    assert "<html" in client.get(address, headers=headers).content.decode()


def test_the_list_marks_what_was_judged_by_an_earlier_text(
    client, campaign, assignment
):
    judge(client, assignment, "d1")
    campaign.document_set.filter(docno="d2").delete()
    judge(client, assignment, "d2", "cannot_judge", reason="missing")
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/documents/"
    html = client.get(address).content.decode()
    assert "an earlier text" not in html
    assert "imported since" not in html
    campaign.document_set.filter(docno="d1").update(version=2)
    make.documents(campaign, ["d2"])
    html = client.get(address).content.decode()
    assert html.count("an earlier text") == html.count("imported since") == 1


def test_an_archived_campaign_is_read_and_not_judged(client, campaign, assignment):
    make.judgment(assignment, "d1", 1)
    campaign.judging_opens_at = timezone.now() + timedelta(days=1)
    campaign.archived_at = timezone.now()
    campaign.save()
    address = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/documents/"
    response = client.get(address)
    assert response.status_code == 200
    assert "is archived" in response.content.decode()
    assert judge(client, assignment, "d1", "2").status_code == 409
    assert Judgment.objects.get().grade == 1
