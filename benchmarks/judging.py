"""Server time of judge-and-next, over HTTP, in a small pool and a large one: `python -m benchmarks.judging`.

A real gunicorn on a private PostgreSQL; the client posts as the page does. Time runs from the request's
first byte to the answer's last.
"""

import http.client
import re
import socket
import subprocess
import sys
import time
import urllib.parse
from uuid import uuid4

from benchmarks import site

N_JUDGMENTS = 300
SIZES = (1_000, 50_000)


def main() -> None:
    site.start()
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "config.wsgi",
        "--bind",
        f"127.0.0.1:{port}",
        "--threads",
        "4",
        "--log-level",
        "error",
    ]
    web = subprocess.Popen(command)
    try:
        medians = [report(size, port) for size in SIZES]
        print(
            f"median in the large pool / in the small one: {medians[1] / medians[0]:.2f}"
        )
    finally:
        web.terminate()
        web.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def report(size: int, port: int) -> float:
    """Judge in a pool of this size, print the figures, and return the median in milliseconds."""
    path, cookie = prepare(size)
    times = sorted(judge(path, cookie, port))
    median, p95, p99 = (
        1000 * times[int(len(times) * share)] for share in (0.5, 0.95, 0.99)
    )
    print(
        f"{size:>7,} entries: median {median:.1f} ms, 95th percentile {p95:.1f} ms, 99th {p99:.1f} ms ({len(times)} judgments)"
    )
    return median


def prepare(size: int) -> tuple[str, str]:
    """Make a frozen pool of one topic, and return the judging page's path and a session."""
    from django.db import connection
    from django.test import Client

    from accounts.models import User
    from assess.models import Assignment
    from assess.services import assign
    from campaigns.models import Document, Membership, Role, Topic
    from campaigns.services import create_campaign
    from pooling.models import Pool, PoolEntry

    user = User.objects.create(username=f"assessor-{size}")
    campaign = create_campaign(user=user, name=f"Pool of {size}")
    Membership.objects.create(campaign=campaign, user=user, role=Role.ASSESSOR)
    topic = Topic.objects.create(campaign=campaign, number="1", title="topic")
    pool = Pool.objects.create(
        campaign=campaign,
        depth=1,
        seed=1,
        state="frozen",
        n_entries=size,
        created_by=user,
    )
    docnos = [f"doc-{number:06d}" for number in range(size)]
    Document.objects.bulk_create(
        (
            Document(
                campaign=campaign,
                docno=docno,
                title=docno,
                text="Some words of a document. " * 120,
            )
            for docno in docnos
        ),
        batch_size=5000,
    )
    PoolEntry.objects.bulk_create(
        (
            PoolEntry(pool=pool, topic=topic, docno=docno, run_ids=[], ranks=[])
            for docno in docnos
        ),
        batch_size=5000,
    )
    assignment = assign(
        user=user, topic=topic, assessor=user, kind=Assignment.Kind.PRIMARY
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    client = Client()
    client.force_login(user)
    return f"/campaigns/{campaign.slug}/judging/{assignment.pk}/", client.cookies[
        "sessionid"
    ].value


def judge(path: str, session: str, port: int) -> list[float]:
    """Judge documents one after the other; return the seconds each took."""
    connection = open_connection(port)
    page = fetch(connection, "GET", path, {"Cookie": f"sessionid={session}"})
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)[1]  # type: ignore[index]
    headers = {
        "Content-Type": "application/x-www-form-urlencoded",
        "HX-Request": "true",
        "X-CSRFToken": token,
    }
    headers["Cookie"] = f"sessionid={session}; csrftoken={token}"
    times = []
    for _ in range(N_JUDGMENTS):
        docno = re.search(r'name="docno" value="([^"]+)"', page)[1]  # type: ignore[index]
        body = urllib.parse.urlencode(
            {"docno": docno, "choice": "1", "client_id": str(uuid4())}
        )
        start = time.perf_counter()
        page = fetch(connection, "POST", path + "judge/", headers, body)
        times.append(time.perf_counter() - start)
    return times


def open_connection(port: int) -> http.client.HTTPConnection:
    """Connect once the server answers."""
    for _ in range(200):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.connect()
        except ConnectionError:
            time.sleep(0.05)
        else:
            return connection
    raise SystemExit("The web process did not start.")


def fetch(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    headers: dict[str, str],
    body: str = "",
) -> str:
    connection.request(method, path, body, headers)
    response = connection.getresponse()
    text = response.read().decode()
    if response.status != 200:
        raise SystemExit(f"{method} {path} answered {response.status}: {text[:200]}")
    return text


if __name__ == "__main__":
    main()
