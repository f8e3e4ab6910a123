"""Programs as assessors on pages and by their own tokens."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from api.models import AccessToken
from evaluation import services as scoring
from evaluation.services import release
from programs.core import Verdict
from programs.models import Label, Program
from programs.services import register_program, take_labels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.api.addresses import of
from tests.db.actions.programs import CARD, LABELS
from tests.web.html import content, words
from tests.web.posting import posted


@pytest.fixture
def program(played, olga) -> Program:
    team = played.team_set.get(name="Aldgate")
    return register_program(user=olga, campaign=played, team=team, **CARD)


def page_of(program: Program, name: str = "programs:program") -> str:
    return reverse(name, args=[program.campaign.slug, program.name])


def sent(program: Program, text: bytes) -> dict[str, object]:
    return {"file": SimpleUploadedFile("labels.txt", text)}


def test_a_program_is_registered_and_its_labels_are_sent(as_olga, played):
    listed = reverse("programs:programs", args=[played.slug])
    assert "No program labels documents here" in words(as_olga.get(listed))
    card = posted(played)["programs:programs"]
    answer = as_olga.post(listed, card)
    program = Program.objects.get()
    assert answer["Location"] == page_of(program)
    assert "1 program on trial" in words(as_olga.get(listed))
    text = b"1 d1 2 0.9\n1 d2 maybe\n"
    assert as_olga.post(page_of(program), sent(program, text)).status_code == 302
    said = words(as_olga.get(page_of(program)))
    assert "other has labelled 2 documents, 2 of the pool are left" in said
    assert "“maybe”" in said
    again = as_olga.post(listed, {**card, "prompt": ""})
    assert "This field is required." in words(again, 422)


def test_a_file_with_a_fault_is_told_line_by_line_and_nothing_is_taken(as_olga, program):
    text = b"1 d1 2\n1 d9 1\n1 d2 1 high\n"
    said = words(as_olga.post(page_of(program), sent(program, text)), 422)
    assert "Line 3: The confidence high is no number." in said
    said = words(as_olga.post(page_of(program), sent(program, b"1 d1 2\n1 d9 1\n")), 422)
    assert "Line 2: d9 is not in the pool of topic 1." in said
    assert not Label.objects.exists()


def secret_of(as_olga: Client, program: Program) -> str:
    """The token that the page of a program shows once."""
    data = posted(program.campaign)["programs:token"]
    page = as_olga.post(page_of(program, "programs:token"), data)
    again = as_olga.post(page_of(program, "programs:token"), data)
    assert "has made a token already" in words(again, 422)
    return re.search(r'value="(cleverdon_\w+)"', content(page))[1]


def test_a_program_sends_its_labels_and_is_a_stranger_elsewhere(as_olga, program, client):
    secret = secret_of(as_olga, program)
    campaign, bearer = program.campaign, {"Authorization": f"Bearer {secret}"}
    other = register_program(user=make.known("olga"), campaign=campaign, **{**CARD, "name": "x"})
    at, kind = f"programs/{program}", "application/json"
    labels = [
        {"topic": "1", "docno": "d1", "grade": 2, "confidence": 0.5},
        {"topic": "1", "docno": "d2", "grade": "not sure"},
    ]
    answer = client.post(of(campaign, f"{at}/label/"), {"labels": labels}, kind, headers=bearer)
    assert (answer.status_code, answer.json()["labels"], answer.json()["unread"]) == (200, 2, 1)
    left = client.get(of(campaign, f"{at}/unlabelled/"), headers=bearer).json()
    assert [(each["topic"], each["docno"]) for each in left] == [("1", "d3"), ("2", "d4")]
    assert [
        each["name"] for each in client.get(of(campaign, "programs/"), headers=bearer).json()
    ] == ["judge-1"]
    for address in (
        "",
        "topics/",
        "documents/",
        "runs/",
        "judgments/",
        "pool/",
        "qrels/",
        "people/",
    ):
        assert client.get(of(campaign, address), headers=bearer).status_code in {403, 404}, address
    refused = {f"programs/{other}/label/": 404, f"{at}/remove/": 403, "programs/": 403}
    for address, status in refused.items():
        answer = client.post(of(campaign, address), {"labels": labels}, kind, headers=bearer)
        assert answer.status_code == status, address
    assert client.get(of(campaign, f"{at}/labels/"), headers=bearer).status_code == 404
    both = {"labels": labels, "file": "x"}
    assert client.post(of(campaign, f"{at}/label/"), {}, kind, headers=bearer).status_code == 422
    assert client.post(of(campaign, f"{at}/label/"), both, kind, headers=bearer).status_code >= 400
    file = SimpleUploadedFile("labels.csv", b"topic,docno,grade\n1,d3,not at all\n")
    answer = client.post(of(campaign, f"{at}/label/"), {"file": file}, headers=bearer)
    assert answer.json()["labels"] == 3
    secret_of(as_olga, program)
    late = client.get(of(campaign, "programs/"), headers=bearer)
    assert (late.status_code, AccessToken.objects.live().count()) == (401, 1)


def test_a_board_on_a_programs_labels_says_so_and_marks_its_makers(as_olga, program, olga):
    campaign = program.campaign
    take_labels(user=olga, program=program, labels=LABELS)
    qrels = publish_qrels(user=olga, campaign=campaign, grades="program-judge-1")
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    make.worked("score_runs", evaluation.pk)
    make.worked("place_runs", evaluation.pk)
    board = reverse("evaluation:evaluation", args=[campaign.slug, evaluation.pk])
    said = words(as_olga.get(board))
    assert "made the judge" in said
    assert "program-judge-1" in said
    version = reverse("qrels:version", args=[campaign.slug, qrels.number])
    said = words(as_olga.get(version))
    assert "the labels of the program judge-1" in said
    assert "1 of the grades is the program" in said
    told = as_olga.get(of(campaign, f"qrels/{qrels.number}/")).json()["estimated"]["program"]
    assert (told["name"], told["prompt"], told["n"]) == ("judge-1", CARD["prompt"], 1)
    usual = reverse("evaluation:leaderboard", args=[campaign.slug])
    assert "made the judge" not in words(as_olga.get(usual))


def test_labels_are_no_judgments_where_a_version_is_shown(as_olga, program, olga, pat, client):
    campaign = program.campaign
    its = (("1", "d2", "1"), ("1", "d3", "0"), ("2", "d4", "2"))
    labels = [Verdict(n, *each, None) for n, each in enumerate(its, 1)]
    take_labels(user=olga, program=program, labels=labels)
    alone, filled = (
        publish_qrels(user=olga, campaign=campaign, grades=f"{kind}-judge-1")
        for kind in ("program", "filled")
    )
    said = words(as_olga.get(reverse("qrels:version", args=[campaign.slug, alone.number])))
    assert "Qrels v2: 3 grades, 2 relevant" in said
    assert "Its grades do not follow from them: all are labels of the program judge-1" in said
    said = words(as_olga.get(reverse("qrels:version", args=[campaign.slug, filled.number])))
    n = filled.program["n"]
    assert 0 < n < filled.n_judgments
    assert f"The {n} labels of the program judge-1 are not among them" in said
    assert "its other grades follow from them by the rule" in said
    assert not re.search(r"\d judgments?,", said)
    said = words(as_olga.get(reverse("qrels:qrels", args=[campaign.slug])))
    assert "0 judged here, and labels of judge-1 " in said
    assert "1 labels of judge-1 " in said
    assert f"{filled.n_judgments} {n} by the program" in said
    client.force_login(pat)
    for each in (alone, filled):
        its = {"audience": "participants", "subject_id": each.pk}
        release(user=olga, campaign=campaign, what="qrels", **its)
    said = words(client.get(reverse("qrels:qrels", args=[campaign.slug])))
    assert "Qrels v3: 4 grades" in said
    assert f"v3 filled-judge-1 {filled.n_judgments} {n} by the program" in said


def test_the_page_beside_people_has_its_documents_and_a_file(as_olga, program, olga):
    page = page_of(program, "agreement:program")
    assert "Nobody has judged what judge-1 labelled yet" in words(as_olga.get(page))
    take_labels(user=olga, program=program, labels=LABELS)
    answer = as_olga.get(page)
    said = words(answer)
    assert "judge-1 and people: quadratic kappa is undefined" in said
    assert "On 1 document that people judged without seeing its label, of 1 that it graded" in said
    rows = as_olga.get(of(program.campaign, f"programs/{program}/beside-people/")).json()
    assert {each["documents"] for each in rows} == {1}
    assert {each["coefficient"] for each in rows} >= {"bias", "zeros", "missed", "alpha"}
    file = as_olga.get(of(program.campaign, f"programs/{program}/beside-people/?format=csv"))
    assert content(file).count("\r\n") == len(rows) + 1
