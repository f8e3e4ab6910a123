"""A hundred assessors, each acting every two seconds: `python -m benchmarks.assessors [seconds]`.

gunicorn runs with the settings of production on a private PostgreSQL and Redis. Each assessor sends
what the judging page sends, waits for the answer and checks it. Printed: how long the answers took,
and the processor time of the web processes per act, without their start.
"""

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from http.client import HTTPConnection
from pathlib import Path
from uuid import uuid4

from benchmarks import site
from benchmarks.judging import free_port, open_connection

N_ASSESSORS = 100
PAUSE_SECONDS = 2.0
SECONDS = 30
DOCNOS = [f"doc-{number:04d}" for number in range(400)]
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    os.environ["SECRET_KEY"] = secrets.token_urlsafe(48)
    site.start()
    desks = [prepare(number) for number in range(N_ASSESSORS)]
    port = free_port()
    options = f"--bind 127.0.0.1:{port} --log-level error".split()
    production = {
        "DEBUG": "false",
        "SITE_URL": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    web = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", *options], env=os.environ | production
    )
    try:
        report(desks, port, web.pid, seconds)
    finally:
        web.terminate()
        web.wait()


def prepare(number: int) -> tuple[str, str]:
    """Give an assessor a topic of their own; return the address of their acts and their session."""
    from django.test import Client
    from django.urls import reverse

    from accounts.models import User
    from assess.services.assigning import assign
    from benchmarks.pooled import pool_documents
    from campaigns.models.campaign import Campaign
    from campaigns.models.people import Membership, Role
    from campaigns.services.campaign import create_campaign
    from collection.models.texts import Document, Topic

    user = User.objects.create(username=f"assessor-{number}")
    campaign = Campaign.objects.first()
    if campaign is None:
        campaign = create_campaign(user=user, name="Many at once")
        Document.objects.bulk_create(
            Document(campaign=campaign, docno=docno, title=docno, text="Words. " * 300)
            for docno in DOCNOS
        )
    Membership.objects.create(campaign=campaign, user=user, role=Role.ASSESSOR)
    topic = Topic.objects.create(campaign=campaign, number=str(number + 1), title="topic")
    pool_documents(user, topic, DOCNOS)
    organizer = User.objects.get(username="assessor-0")
    assignment = assign(user=organizer, topic=topic, assessor=user, kind="primary")
    client = Client()
    client.force_login(user)
    path = reverse("api:work_judge", args=[campaign.slug, assignment.public_id])
    return path, client.cookies["sessionid"].value


def report(desks: list[tuple[str, str]], port: int, pid: int, seconds: float) -> None:
    warm_up(port)
    times: list[float] = []
    faults: list[str] = []
    before, start = processor_seconds(pid), time.monotonic()
    people = [
        threading.Thread(
            target=judge,
            args=(desk, port, start + seconds),
            kwargs={"phase": number / N_ASSESSORS, "times": times, "faults": faults},
        )
        for number, desk in enumerate(desks)
    ]
    for person in people:
        person.start()
    for person in people:
        person.join()
    took, spent = time.monotonic() - start, processor_seconds(pid) - before
    times.sort()
    median, p95, p99 = (1000 * times[int(len(times) * share)] for share in (0.5, 0.95, 0.99))
    n = len(times)
    print(f"{n} acts of {N_ASSESSORS} assessors in {took:.0f} s: {n / took:.1f} a second")
    print(f"{len(faults)} failed")
    print(f"median {median:.0f} ms, 95th percentile {p95:.0f} ms, 99th {p99:.0f} ms")
    print(f"{1000 * spent / n:.1f} ms of web processor time an act")
    check(n)
    for fault in faults[:3]:
        print(fault)


def warm_up(port: int) -> None:
    """Wait until the web processes answer: gunicorn listens before they have loaded the code."""
    for _ in range(40):
        connection = open_connection(port)
        connection.request("GET", "/health/")
        connection.getresponse().read()
        connection.close()


def judge(
    desk: tuple[str, str],
    port: int,
    until: float,
    *,
    phase: float,
    times: list[float],
    faults: list[str],
) -> None:
    """Send an act every two seconds on one connection, the first after the part `phase` of it."""
    token = secrets.token_hex(16)
    headers = {
        "Content-Type": "application/json",
        "HX-Request": "true",
        "X-CSRFToken": token,
        "Cookie": f"sessionid={desk[1]}; csrftoken={token}",
    }
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    due = time.monotonic() + PAUSE_SECONDS * phase
    for docno in DOCNOS:
        if due > until:
            break
        time.sleep(max(0.0, due - time.monotonic()))
        act = {
            "client_id": str(uuid4()),
            "docno": docno,
            "choice": "1",
            "change": 0,
            "document_version": 1,
            "topic_version": 1,
            "method": "key",
            "active_ms": 1900,
        }
        start = time.perf_counter()
        connection.request("POST", desk[0], json.dumps([act]), headers)
        answer = connection.getresponse().read().decode()
        times.append(time.perf_counter() - start)
        if '"refused": ""' not in answer:
            faults.append(answer[:200])
        due += PAUSE_SECONDS


def check(n_acts: int) -> None:
    """Print whether an act was lost or counted twice."""
    from django.db.models import Sum

    from assess.models.assigning import Assignment
    from assess.models.history import JudgmentEvent
    from assess.models.judging import Judgment

    counted = Assignment.objects.aggregate(n=Sum("n_judged"))["n"]
    counts = {n_acts, counted, Judgment.objects.count(), JudgmentEvent.objects.count()}
    print("none lost, none double" if len(counts) == 1 else f"LOST OR DOUBLE: {counts}")


def processor_seconds(pid: int) -> float:
    """Return what a process and its children have used."""
    children = subprocess.run(
        ["ps", "--ppid", str(pid), "-o", "pid="], capture_output=True, text=True, check=False
    ).stdout.split()
    return sum(_used(each) for each in (str(pid), *children))


def _used(pid: str) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


if __name__ == "__main__":
    main()
