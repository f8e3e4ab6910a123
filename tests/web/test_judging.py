"""Judging over HTTP."""

from uuid import uuid4

from django.db import connection
from django.test.utils import CaptureQueriesContext

from assess.models import Assignment
from tests import make


def judge(client, assignment, docno, choice="1", **more):
    data = {"docno": docno, "choice": choice, "client_id": str(uuid4()), **more}
    address = (
        f"/campaigns/{assignment.topic.campaign.slug}/judging/{assignment.pk}/judge/"
    )
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
