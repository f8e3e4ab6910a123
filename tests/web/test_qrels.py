"""Pages of qrels and evaluations: refusals stay on the page, each has its address."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from assess.models.assigning import Assignment
from assess.models.judging import Judgment
from assess.services import reopening
from campaigns.models.campaign import Campaign
from campaigns.services import ending
from evaluation import services as scoring
from evaluation import tasks
from evaluation.core.scope import Scope
from evaluation.models.scores import Evaluation
from jobs.models import Job
from qrels.models import Qrels, QrelsImport
from qrels.services import publishing
from qrels.services.publishing import publish_qrels
from qrels.tasks import read_uploaded_qrels
from tests import make
from tests.releasing import TEAMS, show_to
from tests.web.html import words
from tests.worlds import once


@pytest.fixture
def base(as_olga, played) -> str:
    return f"/campaigns/{played.slug}"


@pytest.fixture
@once
def again(played, olga, ada) -> Evaluation:
    """A second evaluation, after another judgment."""
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 3)
    qrels = publish_qrels(user=olga, campaign=played)
    evaluation = scoring.request_evaluation(user=olga, **make.scope(qrels))
    tasks.score_runs(Job.objects.about("score_runs", evaluation.pk).pk)
    evaluation.refresh_from_db()
    return evaluation


def test_qrels_of_three_columns_are_converted_where_the_box_is_ticked(sign_in, campaign, olga):
    client, base = sign_in(olga), f"/campaigns/{campaign.slug}"
    box = 'name="converts"'
    assert box not in client.get(f"{base}/qrels/").text
    content = b"query-id\tcorpus-id\tscore\n1\td1\t2\n2\td3\t0\n"

    def sent(content: bytes, **more: str):
        file = SimpleUploadedFile("test.tsv", content)
        return client.post(f"{base}/qrels/upload/", {"file": file, "source": "BEIR", **more})

    refused = sent(content)
    assert "Its first line names three columns: topic, docno and grade." in words(refused, 422)
    assert box in refused.text
    halves = words(sent(content + b"1\td2\t0.5\n", converts="on"), 422)
    assert "Line 4: The grade '0.5' is not a whole number." in halves
    assert sent(content, converts="on").status_code == 302
    [job] = Job.objects.filter(kind="read_uploaded_qrels")
    read_uploaded_qrels(job.pk)
    upload = QrelsImport.objects.get(pk=job.subject_id)
    assert upload.report["first_lines"] == ["1 0 d1 2", "2 0 d3 0"]


def test_what_cannot_be_published_says_so_on_the_page(client, base):
    sent = client.post(f"{base}/qrels/publish/", {"level": 1, "seen": 1})
    assert "This would be v1 again: the same 2 judgments" in words(sent, 422)
    assert 'name="level"' in sent.text
    late = client.post(f"{base}/qrels/publish/", {"level": 2, "seen": 0})
    assert "The list of versions, now 1, changed while you had the page open" in words(late)
    # The form that comes back has seen it.
    assert 'name="seen" value="1"' in late.text
    done = client.post(f"{base}/qrels/publish/", {"level": 2, "seen": 1}, follow=True)
    assert "Published qrels v2 with 2 judgments, relevant from grade 2" in words(done)


@pytest.fixture
def many(monkeypatch) -> None:
    """Whatever is judged is more than a page waits for."""
    monkeypatch.setattr(publishing, "AT_ONCE", 0)


def test_many_judgments_are_published_by_a_worker(client, base, played, many):
    address, sent = f"{base}/qrels/publish/", {"level": 2, "seen": 1}
    page = words(client.post(address, sent, follow=True))
    assert "a worker writes the file" in page
    assert "Publish the next version" not in page
    assert "being published already" in words(client.post(address, sent), 422)
    assert Qrels.objects.count() == 1
    job = make.worked("publish_judgments", played.pk)
    assert (job.state, job.outcome) == (Job.State.DONE, "Qrels v2 published with 2 judgments.")
    page = words(client.get(f"{base}/qrels/"))
    assert "Publish the next version" in page
    assert "a worker writes" not in page
    # Another worker took it up, as the end of the first was not noted.
    Job.objects.update(state=Job.State.WAITING)
    assert make.worked("publish_judgments", played.pk).state == Job.State.DONE
    assert Qrels.objects.count() == 2


def test_what_a_worker_may_not_publish_is_said_on_the_page(client, base, played, olga, many):
    address = f"{base}/qrels/publish/"
    assert "changed while you had the page open" in words(
        client.post(address, {"level": 2, "seen": 0}), 422
    )
    ending.archive_campaign(user=olga, campaign=played)
    assert "is archived" in words(client.post(address, {"level": 2, "seen": 1}), 422)
    ending.restore_campaign(user=olga, campaign=played)
    client.post(address, {"level": 1, "seen": 1})
    job = make.worked("publish_judgments", played.pk)
    assert job.state == Job.State.REFUSED
    assert "This would be v1 again: the same 2 judgments" in words(client.get(f"{base}/qrels/"))


def test_a_loss_that_a_worker_finds_is_accepted_on_the_page(client, base, played, olga, ada, many):
    given = Assignment.objects.get(assessor=ada)
    reopening.reopen(
        user=olga,
        assignment=given,
        docno=Judgment.objects.filter(assignment=given).first().item.key,
    )
    address, sent = f"{base}/qrels/publish/", {"level": 1, "seen": 1}
    client.post(address, sent)
    asked = make.worked("publish_judgments", played.pk)
    assert (asked.state, Qrels.objects.count()) == (Job.State.REFUSED, 1)
    gone = "1 grade of v1 would be gone. Gone from topic 1."
    page = client.get(f"{base}/qrels/").text
    assert f'name="accepts" id="id_accepts" value="{gone}"' in page
    client.post(address, {**sent, "accepts": gone})
    assert make.worked("publish_judgments", played.pk).state == Job.State.DONE
    assert Qrels.objects.count() == 2
    assert "id_accepts" not in client.get(f"{base}/qrels/").text


def test_a_file_is_looked_at_and_then_imported(client, base):
    file = SimpleUploadedFile("official.txt", b"1 0.5 d1 2\n7 1 zz -1\n")
    nothing = client.post(f"{base}/qrels/upload/", {"source": "NIST, round 1"})
    assert (nothing.status_code, "NIST, round 1" in nothing.text) == (422, True)
    unsaid = words(client.post(f"{base}/qrels/upload/", {"file": file}), 422)
    assert "Say where these judgments are from." in unsaid
    assert "official.txt was sent, but not kept: choose a file again." in unsaid
    assert "optional" not in unsaid
    file.seek(0)
    sent = client.post(f"{base}/qrels/upload/", {"file": file, "source": "NIST"})
    address = sent["Location"]
    assert "official.txt" in words(client.get(f"{base}/qrels/"))
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    page = words(client.get(address))
    assert re.search(r"Documents 2 [a-z ]+ 1 -1 1 Second column", page)
    for expected in ("0.5, 1", "1 (7). It counts", "1 0.5 d1 2 7 1 zz -1"):
        assert expected in page
    assert (client.post(address, {"level": 3}).status_code, Qrels.objects.count()) == (422, 1)
    done = client.post(address, {"level": 1, "seen": 1}, follow=True)
    assert "Imported official.txt as qrels v2" in words(done)
    file = SimpleUploadedFile("again.txt", b"1 0.5 d1 2\n7 1 zz -1\n")
    sent = client.post(f"{base}/qrels/upload/", {"file": file, "source": "NIST"})
    read_uploaded_qrels(Job.objects.filter(kind="read_uploaded_qrels").latest("pk").pk)
    assert "Qrels v2 hold the same file" in words(client.get(sent["Location"]))
    assert "hold the same file" not in page
    assert "imported already, as qrels v2" in words(client.post(address, {"level": 1}), 422)
    file = client.get(f"{base}/qrels/2.txt")
    assert b"".join(file.streaming_content) == b"1 0.5 d1 2\n7 1 zz -1\n"


def test_grades_that_the_scale_lacks_are_named_before_they_are_imported(client, base):
    lines = "".join(f"1 0 d{n} {grade}\n" for n, grade in enumerate(range(-1, 12)))
    file = SimpleUploadedFile("q.txt", lines.encode())
    address = client.post(f"{base}/qrels/upload/", {"file": file, "source": "NIST"})["Location"]
    assert "scale" not in words(client.get(address)), "it has not been read yet"
    read_uploaded_qrels(Job.objects.get(kind="read_uploaded_qrels").pk)
    page = words(client.get(address))
    assert re.search(r"Uploaded by Olga olga on \d+ ", page)
    said = "Grades 11, 10, 9, 8, 7 and 4 more are not in this campaign's scale"
    assert said in page
    assert client.post(address, {"level": 1, "seen": 1}).status_code == 302
    assert "in this campaign" not in words(client.get(address))


def test_a_version_is_withdrawn_with_a_reason_and_reinstated(client, base):
    assert client.post(f"{base}/qrels/1/", {"reason": ""}).status_code == 422
    show_to(Campaign.objects.get())
    page = client.post(f"{base}/qrels/1/", {"reason": "A grade is wrong."}, follow=True)
    assert "A grade is wrong." in words(page)
    again = client.post(f"{base}/qrels/1/", {"reason": "Once more."})
    assert (again.status_code, "v1 have been withdrawn already" in words(again)) == (422, True)
    assert client.get(f"{base}/leaderboard/score/?qrels=1").status_code == 409
    assert "by qrels v1, withdrawn attention" in words(client.get(f"{base}/"))
    page = client.post(f"{base}/qrels/1/reinstate/", follow=True)
    assert "Qrels v1 are in use again" in words(page)
    assert "withdrew" not in words(client.get(f"{base}/leaderboard/"))


def with_reason(client, base, pages: dict[str, str]) -> set[str]:
    """Withdraw v1, of which each page then has its mark; those that say why."""
    assert not [at for at in pages if pages[at] in words(client.get(at))]
    client.post(f"{base}/qrels/1/", {"reason": "A grade is wrong."})
    said = {at: words(client.get(at)) for at in pages}
    assert not [at for at in pages if pages[at] not in said[at]]
    return {at for at in pages if "A grade is wrong." in said[at]}


def test_withdrawn_qrels_are_marked_wherever_their_scores_stand(client, base, again):
    old = Evaluation.objects.exclude(pk=again.pk).get()
    first = old.scores.get().pk
    pages = {
        f"{base}/leaderboard/evaluations/{old.pk}/": "Scored against qrels v1 (withdrawn)",
        f"{base}/leaderboard/": "v1 withdrawn",
        f"{base}/leaderboard/scores/{first}/": "Scored against qrels v1 (withdrawn)",
        f"{base}/leaderboard/compare/": "qrels v1 (withdrawn), ",
    }
    show_to(Campaign.objects.get())
    assert not [at for at in pages if "withdrawn" in words(client.get(at))]
    # The newest board rests on other qrels, which stand.
    assert with_reason(client, base, pages) == set(pages) - {f"{base}/leaderboard/"}
    file = client.get(f"{base}/qrels/1.txt")
    assert b"".join(file.streaming_content)
    assert "-qrels-v1-withdrawn-preliminary.txt" in file["Content-Disposition"]
    for stem in (f"evaluations/{old.pk}", f"evaluations/{old.pk}/runs/{old.scores.first().run_id}"):
        files = {
            kind: client.get(f"{base}/leaderboard/{stem}.{kind}")
            for kind in ("csv", "json", "tex", "txt")
        }
        for kind, file in files.items():
            assert "-draft-preliminary-qrels-v1-withdrawn-" in file["Content-Disposition"]
            assert (": A grade is wrong." in file.text) == (kind != "txt")


def test_the_board_says_what_it_rests_on(client, base, played, olga, ada):
    page = words(client.get(f"{base}/leaderboard/"))
    assert (
        "Preliminary : when qrels v1 were published, 2 of 4 pooled documents had been judged, and "
        "2 were still open." in page
    )
    assert "Newer qrels exist" not in page
    make.judgment(Assignment.objects.get(assessor=ada), "d3", 1)
    publish_qrels(user=olga, campaign=played)
    page = words(client.get(f"{base}/leaderboard/"))
    assert "Newer qrels exist: v2, with 3 judgments. These scores are against v1." in page


def test_the_board_rests_on_qrels_that_stand(client, base, again):
    old = Evaluation.objects.exclude(pk=again.pk).get()
    board = f"{base}/leaderboard"
    client.post(f"{base}/qrels/2/", {"reason": "A grade is wrong."})
    page = words(client.get(f"{board}/"))
    assert "Scored against qrels v1" in page
    assert "earlier evaluation" not in page
    assert client.get(f"{board}/leaderboard.json").json()["qrels"] == 1
    page = words(client.get(f"{board}/evaluations/{again.pk}/"))
    assert "This is not the leaderboard , which is against qrels v1, " in page
    # With nothing that stands the newest is shown, and another version that stands is offered.
    old.delete()
    page = words(client.get(f"{board}/"))
    assert "Scored against qrels v2 (withdrawn)" in page
    assert "Qrels v1 stand, with 2 judgments. These scores are against v2." in page
    assert "Score against v1…" in page


def test_every_evaluation_stays_at_its_address(client, base, again):
    old = Evaluation.objects.exclude(pk=again.pk).get()
    show_to(Campaign.objects.get(), TEAMS, subject=again.pk)
    assert "This is not the leaderboard" not in words(client.get(f"{base}/leaderboard/"))
    page = words(client.get(f"{base}/leaderboard/evaluations/{old.pk}/"))
    assert "This is not the leaderboard , which is against qrels v2" in page
    assert "Scored against qrels v1" in page
    file = client.get(f"{base}/leaderboard/evaluations/{old.pk}.csv")
    assert "qrels-v1-trec_eval-9" in file["Content-Disposition"]
    assert client.get(f"{base}/leaderboard/evaluations/{again.pk + 1}/").status_code == 404


def test_a_later_version_is_scored_without_an_earlier_one(client, base, again):
    asked = {
        "qrels": 2,
        "without": 2,
        "rules": "trec_eval-9",
        "topic_set": "judged",
        "picked": "P@10",
    }
    sent = client.post(f"{base}/leaderboard/score/", asked)
    assert (sent.status_code, "Nothing is left to score against" in words(sent)) == (422, True)
    assert 'value="2" selected>qrels v2</option>' in sent.text
    client.post(f"{base}/leaderboard/score/", asked | {"without": 1})
    found = Evaluation.objects.latest("pk")
    tasks.score_runs(Job.objects.about("score_runs", found.pk).pk)
    board = f"{base}/leaderboard/evaluations/{found.pk}"
    page = words(client.get(f"{board}/"))
    assert "Scored against qrels v2 without v1; means over" in page
    assert "Draft Residual Preliminary qrels v2" in page
    # It is newer, and takes nobody's place.
    for audiences in ((), (TEAMS,)):
        show_to(found.campaign, *audiences, subject=again.pk)
        assert client.get(f"{base}/leaderboard/").context["evaluation"] == again
    # Of d1 d2 d3, only d3 is left.
    assert found.scores.get().aggregates == [0.1]
    file = client.get(f"{board}.csv")
    assert "-draft-residual-preliminary-qrels-v2-without-v1-" in file["Content-Disposition"]
    page = words(client.get(f"{base}/leaderboard/compare/", {"by": "P@10"}))
    assert "Scored as a whole, then without v1." in page
    assert "v2 without v1 preliminary Release… 1 1 of 3 1" in words(
        client.get(f"{base}/leaderboard/")
    )
    residual_on_a_withdrawn_version_is_marked(client, base, found)


def residual_on_a_withdrawn_version_is_marked(client, base, found: Evaluation) -> None:
    show_to(found.campaign, TEAMS, subject=found.pk)
    first = found.scores.get().pk
    board = f"{base}/leaderboard/"
    pages = {
        board: "Scored against qrels v2 without v1 (withdrawn);",
        f"{board}compare/": "qrels v2 without v1 (withdrawn), ",
        f"{board}scores/{first}/": "A grade is wrong.",
        f"{board}score/": "qrels v1 (withdrawn)",
    }
    assert with_reason(client, base, pages) == set(pages) - {f"{board}score/"}
    file = client.get(f"{base}/leaderboard/leaderboard.json")
    assert file.json()["without_withdrawn"].endswith(": A grade is wrong.")
    assert "-without-v1-withdrawn-" in file["Content-Disposition"]


def test_two_evaluations_are_compared(client, base, again):
    old = Evaluation.objects.exclude(pk=again.pk).get()
    page = words(client.get(f"{base}/leaderboard/compare/"))
    assert "Before Scored against qrels v1" in page
    assert "After Scored against qrels v2" in page
    assert "and 5 more" not in page
    swapped = {"before": again.pk, "after": old.pk, "by": "P@10"}
    page = words(client.get(f"{base}/leaderboard/compare/", swapped))
    # Two of ten, then one.
    assert "secret-run 0.200 0.100 \u22120.100 1 1 = Aldgate" in page
    assert client.get(f"{base}/leaderboard/compare/?before=0").status_code == 404
    # Of two that were made of one version in one minute it is said what else tells them apart.
    Evaluation.objects.filter(pk=old.pk).update(
        rules="trec_eval-10",
        scope=Scope(2, topic_set="relevant"),
        qrels=again.qrels,
        finished_at=again.finished_at,
    )
    page = words(client.get(f"{base}/leaderboard/compare/"))
    assert "and 5 more; means over topics with a relevant document, rules trec_eval-10" in page


def test_a_team_that_sees_its_own_runs_learns_no_place_by_comparing(client, again, played, pat):
    client.force_login(pat)
    old = Evaluation.objects.exclude(pk=again.pk).get()
    for audience, each in (("participants", again), ("everybody", old)):
        played.releases.update_or_create(
            what="scores", audience=audience, defaults={"subject_id": each.pk}
        )
    page = words(client.get(f"/campaigns/{played.slug}/leaderboard/compare/"))
    assert "secret-run" in page
    assert "Rank" not in page
    assert "tau" not in page
