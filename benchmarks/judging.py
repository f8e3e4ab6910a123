"""Server time of an act and the next document, in two pools: `python -m benchmarks.judging`.

A real gunicorn runs on a private PostgreSQL; the client sends what the page does. Time runs from
the first byte of the act to the last of the document.
"""

import json
import secrets
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from uuid import uuid4

from benchmarks import site

N_JUDGMENTS = 300
SIZES = (1_000, 50_000)


def main() -> None:
    site.start()
    port = free_port()
    options = f"--bind 127.0.0.1:{port} --threads 4 --log-level error".split()
    web = subprocess.Popen([sys.executable, "-m", "gunicorn", "config.wsgi", *options])
    try:
        medians = [report(size, port) for size in SIZES]
        ratio = medians[1] / medians[0]
        print(f"median in the large pool / in the small one: {ratio:.2f}")
    finally:
        web.terminate()
        web.wait()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def report(size: int, port: int) -> float:
    """Judge in a pool of this size, print the figures, and return the median in milliseconds."""
    times = sorted(judge(*prepare(size), port))
    median, p95, p99 = (1000 * times[int(len(times) * share)] for share in (0.5, 0.95, 0.99))
    figures = f"median {median:.1f} ms, 95th percentile {p95:.1f} ms, 99th {p99:.1f} ms"
    print(f"{size:>7,} entries: {figures} ({len(times)} judgments)")
    return median


def prepare(size: int) -> tuple[str, str, str]:
    """Make a frozen pool of one topic; return the judging page's path, that of acts, a session."""
    from django.db import connection
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from assess.services.assigning import assign
    from benchmarks.pooled import pool_documents
    from campaigns.models.people import Membership, Role
    from campaigns.services.campaign import create_campaign
    from collection.models.texts import Document, Topic

    user = User.objects.create(username=f"assessor-{size}")
    campaign = create_campaign(user=user, name=f"Pool of {size}")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ASSESSOR)
    topic = Topic.objects.create(campaign=campaign, number="1", title="topic")
    docnos = [f"doc-{number:06d}" for number in range(size)]
    text = "Some words of a document. " * 120
    documents = (
        Document(campaign=campaign, docno=docno, title=docno, text=text) for docno in docnos
    )
    Document.objects.bulk_create(documents, batch_size=5000)
    pool_documents(user, topic, docnos)
    assignment = assign(user=user, topic=topic, assessor=user, kind="primary")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client()
    client.force_login(user)
    path = f"/campaigns/{campaign.slug}/judging/{assignment.pk}/"
    acts = reverse("api:work_judge", args=[campaign.slug, assignment.public_id])
    return path, acts, client.cookies["sessionid"].value


def judge(path: str, acts: str, session: str, port: int) -> list[float]:
    """Judge documents one after the other; return the seconds each took."""
    connection = open_connection(port)
    token = secrets.token_hex(16)
    headers = {
        "Content-Type": "application/json",
        "X-CSRFToken": token,
        "Cookie": f"sessionid={session}; csrftoken={token}",
    }
    queue = json.loads(fetch(connection, "GET", path + "queue/", headers))
    times = []
    for entry in queue["entries"][:N_JUDGMENTS]:
        number, docno = entry["number"], entry["docno"]
        act = {"client_id": str(uuid4()), "docno": docno, "choice": "1", "change": 0}
        start = time.perf_counter()
        fetch(connection, "POST", acts, headers, json.dumps([act]))
        fetch(connection, "GET", f"{path}documents/{number}/?version=1", headers)
        times.append(time.perf_counter() - start)
    return times


def open_connection(port: int) -> HTTPConnection:
    """Connect once the server answers."""
    for _ in range(200):
        try:
            connection = HTTPConnection("127.0.0.1", port)
            connection.connect()
        except ConnectionError:
            time.sleep(0.05)
        else:
            return connection
    raise SystemExit("The web process did not start.")


def fetch(
    connection: HTTPConnection, method: str, path: str, headers: dict[str, str], body: str = ""
) -> str:
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    if response.status != 200:
        raise SystemExit(f"{method} {path} answered {response.status}: {text[:200]}")
    return text


if __name__ == "__main__":
    main()
