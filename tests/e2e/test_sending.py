"""A long run sent by the command through a proxy that lets 8 MB pass, over a line that breaks."""

import hashlib
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from api.models import Upload
from campaigns.models.campaign import Campaign
from collection.models.texts import Topic
from runs.models import Run
from tests import make, tokens
from tests.client.asking import Asking
from tests.client.cutting import Cutting
from tests.e2e import processes
from tests.e2e.proxying import limiting, needs_nginx

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, needs_nginx]
MB = 1_000_000
PIECE = 4 << 20
SHORT = "3m"  # less than a piece may have
DEPTH = 1000


@pytest.fixture
def campaign(tmp_path, settings) -> Campaign:
    settings.MEDIA_ROOT = tmp_path / "media"
    return make.campaign(make.user("olga"), participants={"Aldgate": [make.user("pat")]})


def long_run(path: Path, campaign: Campaign, n_bytes: int) -> None:
    """Write a run of so many bytes, with topics of the campaign as many as it takes."""
    name, numbers = "d" * 200, []
    with path.open("w") as file:
        while file.tell() < n_bytes:
            numbers.append(topic := f"t{len(numbers) + 1}")
            file.writelines(
                f"{topic} Q0 {name}{rank} {rank} {DEPTH - rank} long\n"
                for rank in range(1, DEPTH + 1)
            )
    campaign.topic_set.all().delete()
    Topic.objects.bulk_create(Topic(campaign=campaign, number=n, title="bats") for n in numbers)


@pytest.mark.parametrize(
    ("n_bytes", "limit"), [(12 * MB, SHORT), pytest.param(60 * MB, "8m", marks=pytest.mark.deep)]
)
def test_a_long_run_arrives_once_though_its_line_breaks_three_times(
    campaign, tmp_path, n_bytes, limit
):
    path = tmp_path / "long.txt"
    long_run(path, campaign, n_bytes)
    token = tokens.made(make.known("pat"), "submit")
    with (
        processes.worker(tmp_path),
        processes.web(tmp_path) as url,
        limiting(tmp_path, urlsplit(url).port, limit) as port,
    ):
        line = Cutting(port)
        try:
            at_once_is_refused(line.url, path, token, campaign)
            n_before = line.n_sent
            line.cut_at(n_bytes // 5, n_bytes // 2, n_bytes * 4 // 5)
            pat = Asking(line.url, token, campaign.slug, tmp_path)
            said = pat.process("runs", "submit", "long.txt", "--automatic")
        finally:
            line.close()
    n_lines = path.read_bytes().count(b"\n")
    valid = f"long.txt: long: valid; {n_lines:,} lines.\n"
    assert said == (0, valid, ""), processes.evidence(tmp_path)
    assert line.cuts == []
    assert line.n_sent - n_before < n_bytes + 3 * PIECE + MB
    if limit == SHORT:  # what is too long is tried once, or once more where that is cut
        assert sum(f"ength: {PIECE}\r".encode() in each for each in line.asked) <= 2
    run = Run.objects.get()
    with run.file.open("rb") as there, path.open("rb") as here:
        assert digest(there) == digest(here)
    assert not Upload.objects.exists()


def digest(file) -> bytes:
    return hashlib.file_digest(file, "sha256").digest()


def at_once_is_refused(url: str, path: Path, token: str, campaign: Campaign) -> None:
    address = f"{url}/api/v1/campaigns/{campaign.slug}/runs/"
    headers = {"Authorization": f"Bearer {token}"}
    with path.open("rb") as file:
        assert httpx.post(address, files={"file": file}, headers=headers).status_code == 413
