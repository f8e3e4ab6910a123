"""People who use the site while it is killed.

Each repeats an act until it is acknowledged, as a browser does.
"""

import hashlib
import http.client
import json
import random
import threading
import time
import uuid
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from accounts.models import User
from assess.models.assigning import Assignment
from campaigns.models.campaign import Campaign
from tests.api.addresses import judging

TOKEN = "t" * 32
FORM = "application/x-www-form-urlencoded"
PATIENCE_SECONDS = 60


class Person:
    """Somebody signed in, who notes the longest time that an act took until it was acknowledged."""

    def __init__(self, user: User, url: str) -> None:
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self.address = urlsplit(url)
        self.headers = {
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; csrftoken={TOKEN}",
            "X-CSRFToken": TOKEN,
        }
        self.longest = 0.0

    def act(self, path: str, body: bytes, kind: str) -> int:
        """Post until it is answered below 500; return the status."""
        begun = time.monotonic()
        while True:
            status = self._post(path, body, kind)
            waited = time.monotonic() - begun
            if status < 500:
                self.longest = max(self.longest, waited)
                return status
            assert waited < PATIENCE_SECONDS, f"{path} was not answered: {status}"
            time.sleep(0.1)

    def send(self, path: str, **fields: object) -> int:
        """Post a form."""
        return self.act(path, urlencode(fields).encode(), FORM)

    def _post(self, path: str, body: bytes, kind: str) -> int:
        connection = http.client.HTTPConnection(
            self.address.hostname, self.address.port, timeout=10
        )
        try:
            connection.request("POST", path, body, {**self.headers, "Content-Type": kind})
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return 599  # the connection was lost: nobody knows what was stored
        finally:
            connection.close()


class Assessor(Person):
    """Judges at random, and notes each answer by its client id in the order given."""

    def __init__(self, assignment: Assignment, url: str, seed: int) -> None:
        super().__init__(assignment.assessor, url)
        self.path = judging(assignment)
        self.docnos = list(assignment.entries.values_list("item__key", flat=True))
        self.dice, self.said = random.Random(seed), {}
        self.given: dict[str, int] = {}

    def judge(self) -> None:
        docno, grade = self.dice.choice(self.docnos), self.dice.randrange(3)
        client_id = str(uuid.UUID(int=self.dice.getrandbits(128), version=4))
        sent = [{"client_id": client_id, "docno": docno, "choice": grade}]
        status = self.act(self.path, json.dumps(sent).encode(), "application/json")
        assert status == 200, status
        self.said[client_id] = (docno, grade)
        self.given[docno] = grade


class Organizer(Person):
    """Publishes qrels and has them scored."""

    def __init__(self, user: User, campaign: Campaign, url: str) -> None:
        super().__init__(user, url)
        self.path = f"/campaigns/{campaign.slug}"

    def score(self) -> None:
        # 422: the answer to an earlier attempt was lost, and the same again is refused.
        assert self.send(f"{self.path}/qrels/publish/", level=1) in {302, 422}
        choice = {"picked": "AP", "rules": "trec_eval-9", "topic_set": "judged"}
        assert self.send(f"{self.path}/leaderboard/score/", **choice) in {302, 422}


class Participant(Person):
    """Uploads runs; notes each that was acknowledged, with the hash of its file."""

    def __init__(self, user: User, campaign: Campaign, url: str, text: str) -> None:
        super().__init__(user, url)
        self.path, self.text = f"/campaigns/{campaign.slug}/runs/", text
        self.uploaded: dict[str, str] = {}

    def upload(self) -> None:
        tag = f"run{len(self.uploaded)}"
        file = self.text.replace("TAG", tag).encode()
        body = encode_multipart(BOUNDARY, {"tag": tag, "file": ContentFile(file, f"{tag}.txt")})
        # 422: the answer to an earlier attempt was lost, and the tag is taken by this very run.
        status = self.act(self.path, body, MULTIPART_CONTENT)
        assert status in {302, 422}, status
        self.uploaded[tag] = hashlib.sha256(file).hexdigest()


class Acting:
    """Repeats an act in a thread until it is told to stop."""

    def __init__(self, act, pause: float) -> None:
        self.act, self.pause, self.is_over = act, pause, threading.Event()
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            while not self.is_over.wait(self.pause):
                self.act()
        except BaseException as error:  # noqa: BLE001 - raised again by who waits for it
            self.error = error

    def end(self) -> None:
        self.is_over.set()
        self.thread.join(2 * PATIENCE_SECONDS)
        if self.error:
            raise self.error
        assert not self.thread.is_alive()
