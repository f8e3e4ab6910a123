"""Pages of judgments that count although they were not made in the pool."""

import re

import pytest
from django.core.files.base import ContentFile

from cleverdon.trec.ranking import DEFAULT_RULES, ORDER_RULES
from collection.models.texts import Document
from pooling.models.batches import Batch
from qrels.models import Qrels
from qrels.services.importing import import_qrels
from qrels.services.publishing import publish_qrels
from tests import make
from tests.web.html import content, words
from tests.worlds import once

EARLIER = b"1 0 d1 2\n1 0 d9 1\n"
OFFERED = "Or a version of another campaign"


@pytest.fixture
@once
def run(campaign, pat):
    return make.run(campaign, pat, {"1": "d1 d2 d3", "2": "d4"})


@pytest.fixture
def base(campaign, as_olga) -> str:
    return f"/campaigns/{campaign.slug}"


def test_existing_judgments_are_offered_once_there_are_some(client, base, run, olga, campaign):
    assert "existing_sha256" not in client.get(f"{base}/pool/extend/").text
    earlier = make.imported_qrels(campaign, EARLIER)
    assert "qrels v1: NIST" in words(client.get(f"{base}/pool/extend/"))
    chosen = {"runs": [run.pk], "depth-depth": 3, "existing_sha256": earlier.sha256}
    sent = client.post(f"{base}/pool/build/", chosen)
    batch = Batch.objects.get()
    assert (sent.status_code, batch.existing_sha256) == (302, earlier.sha256)
    make.worked("build_batch", batch.pk)
    shown = words(client.get(f"{base}/pool/batches/{batch.pk}/"))
    assert "Of the others 2 were judged before." in shown
    assert "Existing judgments qrels v1: NIST Seed" in shown
    batch.refresh_from_db()
    make.frozen(batch)
    carried = "Besides, 2 documents have grades from existing judgments"
    assert carried in words(client.get(f"{base}/pool/"))
    table = content(client.get(f"{base}/pool/batches/{batch.pk}/batch.tsv")).splitlines()
    standings = " ".join(line.split("\t")[-1] for line in table)
    assert standings == "standing judged new new judged new"


def test_a_forecast_counts_only_what_existing_judgments_lack(client, base, run, olga, campaign):
    earlier = make.imported_qrels(campaign, EARLIER)
    make.forecast(campaign)
    for existing, n in (("", 4), (earlier.sha256, 3)):
        chosen = {"runs": [run.pk], "depth-depth": 3, "existing_sha256": existing}
        shown = client.get(f"{base}/pool/forecast/", chosen, headers={"HX-Request": "true"})
        assert f"{n} documents, all judged by" in words(shown)
        assert ("judgments of qrels v1: NIST count" in words(shown)) == bool(existing)


def test_one_judgment_for_the_same_text_is_a_setting_of_a_batch(client, base, run, campaign):
    Document.objects.filter(campaign=campaign, docno__in=["d1", "d2"]).update(title="", text="Same")
    client.post(
        f"{base}/pool/build/", {"runs": [run.pk], "depth-depth": 3, "joins_duplicates": "on"}
    )
    batch = Batch.objects.get()
    make.worked("build_batch", batch.pk)
    shown = words(client.get(f"{base}/pool/batches/{batch.pk}/"))
    assert "Of the others 1 has the same text as another." in shown
    assert "Duplicates One judgment serves exact ones Seed" in shown


def test_a_sample_reads_neither(client, base, run, olga, campaign):
    earlier = make.imported_qrels(campaign, EARLIER)
    both = {"existing_sha256": earlier.sha256, "joins_duplicates": "on"}
    asked = {"runs": [run.pk], "strategy": "sample", **both}
    page = client.get(f"{base}/pool/extend/", asked).text
    assert re.search(r'id="counting">([^<]*)<', page)[1] == ORDER_RULES[DEFAULT_RULES]
    assert client.post(f"{base}/pool/build/", asked).status_code == 302
    batch = Batch.objects.get()
    assert (batch.existing_sha256, batch.joins_duplicates) == ("", False)


def test_what_a_version_did_not_judge_itself_is_said(client, base, run, olga, campaign, ada):
    earlier = make.imported_qrels(campaign, EARLIER)
    make.frozen(make.batch(campaign, [run], 3, existing_sha256=earlier.sha256))
    make.judgment(make.assignment(campaign.topic_set.get(number="1"), ada), "d2", 1)
    publish_qrels(user=olga, campaign=campaign)
    page = words(client.get(f"{base}/qrels/2/"))
    assert "Version 1: 5 documents, 2 unjudged; 2 judged before or graded like another" in page


@pytest.fixture
@once
def other(olga):
    """Qrels of another campaign that Olga organizes."""
    return make.imported_qrels(make.campaign(olga), EARLIER)


def test_a_version_of_another_campaign_is_imported_like_a_file(client, base, other, campaign, olga):
    page = words(client.get(f"{base}/qrels/"))
    assert OFFERED in page
    assert f"{other.campaign}, qrels v1" in page
    sent = client.post(f"{base}/qrels/upload/", {"earlier": other.pk})
    upload = campaign.qrelsimport_set.get()
    assert sent.status_code == 302
    make.worked("read_uploaded_qrels", upload.pk)
    upload.refresh_from_db()
    made = import_qrels(user=olga, upload=upload, level=1)
    assert (made.sha256, made.source) == (other.sha256, f"{other.campaign}, qrels v1")
    assert made.file.name != other.file.name


def test_only_versions_of_campaigns_one_organizes_are_offered(client, base, other, ben, campaign):
    campaign.membership_set.create(user=ben, role="organizer")
    client.force_login(ben)
    assert OFFERED not in words(client.get(f"{base}/qrels/"))
    sent = client.post(f"{base}/qrels/upload/", {"earlier": other.pk})
    assert (sent.status_code, "Choose a file." in words(sent)) == (422, True)


def test_a_file_and_a_version_are_one_too_many(client, base, other, campaign):
    both = {"earlier": other.pk, "file": ContentFile(EARLIER, name="q.txt")}
    sent = client.post(f"{base}/qrels/upload/", both)
    assert "Choose a file or a version, not both." in words(sent)
    assert not campaign.qrelsimport_set.exists()


def test_a_withdrawn_version_of_another_campaign_is_not_offered(client, base, other):
    Qrels.objects.filter(pk=other.pk).update(
        withdrawn_at=other.published_at, withdrawn_by=other.published_by
    )
    assert OFFERED not in words(client.get(f"{base}/qrels/"))


def test_the_overview_tells_of_the_pool_and_not_of_its_last_batch(client, base, run, campaign):
    make.frozen(make.batch(campaign, [run], 1))
    make.frozen(make.batch(campaign, [run], 3))
    by_hand = {"strategy": "by-hand", "parameters": {"documents": [["1", "d99", "asked for"]]}}
    draft = make.batch(campaign, [], **by_hand)
    page = words(client.get(f"{base}/"))
    assert "4 2 batches, frozen" in page
    assert "of the pool missing" not in page, "the draft may never be judged"
    make.frozen(draft)
    assert "1 of the pool missing" in words(client.get(f"{base}/"))


def test_what_a_sample_left_out_is_no_document_of_the_pool(client, base, run, campaign):
    how = {"strategy": "sample", "parameters": {"strata": [[3, 50]]}}
    draft = make.batch(campaign, [run], **how)
    drawn = set(draft.entries.filter(standing="new").values_list("item__key", flat=True))
    left = set(draft.entries.filter(standing="undrawn").values_list("item__key", flat=True))
    assert left
    assert set(content(client.get(f"{base}/pool/docnos.txt")).split()) == drawn
    deep = make.batch(campaign, [run], 3)
    address = f"{base}/pool/compare/?first={draft.pk}&second={deep.pk}"
    _, n_second = client.get(address).context["sides"][1]
    assert n_second == len(left)
