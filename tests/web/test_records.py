"""Where an organizer finds the files of judgments, the hashes, and grades on earlier texts."""

import pytest

from assess.models.judging import Judgment
from campaigns.models.trail import AuditEvent
from campaigns.services.ending import archive_campaign
from qrels.models import Qrels
from qrels.services.importing import import_qrels
from qrels.services.publishing import publish_qrels, withdraw_qrels
from tests import make, records
from tests.db.actions.qrels import uploaded_qrels
from tests.releasing import show_to
from tests.web.html import content


def page(client, played, path: str) -> str:
    response = client.get(f"/campaigns/{played.slug}/{path}")
    assert response.status_code == 200, path
    return " ".join(response.text.split())


@pytest.mark.parametrize("is_archived", [False, True])
@pytest.mark.parametrize("path", ["judging/", "agreement/", "qrels/"])
def test_pages_of_judgments_lead_to_the_files(as_olga, olga, played, path, is_archived):
    if is_archived:
        archive_campaign(user=olga, campaign=played)
    shown, base = page(as_olga, played, path), f"/campaigns/{played.slug}/judging/"
    for name in ("judgments.csv", "judgment-events.csv"):
        assert f'href="{base}{name}"' in shown


def test_a_file_of_judgments_is_sent_under_its_name_and_on_record(as_olga, olga, played):
    base, slug = f"/campaigns/{played.slug}", played.slug
    show_to(played)
    withdraw_qrels(user=olga, qrels=Qrels.objects.get(), reason="Wrong.")
    names = {
        "judging/judgments.csv": (f"{slug}-judgments", "all judgments"),
        "judging/judgment-events.csv": (f"{slug}-judgment-events", "all judgment events"),
        "qrels/1/judgments.csv": (
            f"{slug}-qrels-v1-withdrawn-preliminary-judgments",
            "the judgments of qrels v1",
        ),
    }
    for path, (name, subject) in names.items():
        response = as_olga.get(f"{base}/{path}")
        assert len(records.read(content(response))) == 4
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert response["Content-Disposition"] == f'attachment; filename="{name}.csv"'
        event = AuditEvent.objects.first()
        assert (event.kind, event.subject) == ("judgments.downloaded", subject)


def test_nothing_in_a_file_of_judgments_is_a_formula(as_olga, played):
    Judgment.objects.update(comment="=1+1")
    played.topic_set.filter(number="1").update(number="@SUM(1)")
    for path in ("judging/judgments.csv", "judging/judgment-events.csv"):
        text = content(as_olga.get(f"/campaigns/{played.slug}/{path}"))
        assert "\r\n'@SUM(1),d1," in text
        assert ",=" not in text


def test_how_many_grades_rest_on_an_earlier_text_is_said_before_and_after(as_olga, olga, played):
    for path in ("qrels/", "qrels/1/"):
        assert "given on a" not in page(as_olga, played, path)
    make.imported(played, "documents", b"d1\tNew\tNew text", takes_versions=True)
    shown = page(as_olga, played, "qrels/")
    assert "1 grade was given on an earlier text of the document" in shown
    assert "on an earlier text</span>" not in shown  # v1 came before
    make.imported(played, "topics", b"1\tanother", takes_versions=True)
    assert "2 grades were given on an earlier text of the document or an earlier statement" in page(
        as_olga, played, "qrels/"
    )
    publish_qrels(user=olga, campaign=played, level=2)
    assert page(as_olga, played, "qrels/").count("2 on an earlier text</span>") == 1
    shown = page(as_olga, played, "qrels/2/")
    assert "2 of its grades were given on a text of the document or a statement" in shown
    assert "of its grades" not in page(as_olga, played, "qrels/1/")


def test_a_version_shows_the_judgments_that_it_rests_on(as_olga, olga, played):
    qrels = Qrels.objects.get()
    shown = page(as_olga, played, "qrels/1/")
    assert f'href="/campaigns/{played.slug}/qrels/1/judgments.csv"' in shown
    assert qrels.judgments_sha256 in shown
    import_qrels(user=olga, upload=uploaded_qrels(played), level=1)
    shown = page(as_olga, played, "qrels/2/")
    assert "Single judgments were not imported" in shown
    assert "judgments.csv" not in shown
    for ask in (as_olga.get, as_olga.head):
        assert ask(f"/campaigns/{played.slug}/qrels/2/judgments.csv").status_code == 409
    assert (
        "Qrels v2 were imported"
        in as_olga.get(f"/campaigns/{played.slug}/qrels/2/judgments.csv").text
    )


def test_organizers_see_the_hash_of_every_text(as_olga, client, ada, played):
    make.imported(played, "documents", b"d1\tNew\tNew text", takes_versions=True)
    make.imported(played, "topics", b"1\tanother", takes_versions=True)
    topic, document = played.topic_set.get(number="1"), played.document_set.get(docno="d1")
    addresses = {f"topics/{topic.pk}/": topic, "documents/d1/": document}
    for path, row in addresses.items():
        shown = page(as_olga, played, path)
        for text in (row, row.earlier.get()):
            assert f"<dt>SHA-256</dt><dd><code>{text.sha256}</code></dd>" in shown
    client.force_login(ada)
    assert "SHA-256" not in page(client, played, f"topics/{topic.pk}/")
