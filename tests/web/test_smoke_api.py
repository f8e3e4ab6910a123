import json

import pytest
from django.urls import get_resolver

from tests import make
pytestmark = pytest.mark.django_db


def walk(p, pre=""):
    for x in p:
        if hasattr(x, "url_patterns"):
            yield from walk(x.url_patterns, pre + str(x.pattern))
        else:
            yield pre + str(x.pattern), x


def test_smoke(client, played):
    from evaluation.models.scores import Evaluation
    from pooling.models.batches import Batch
    from assess.models.assigning import Assignment
    slug = played.slug
    keys = {"evaluations": Evaluation.objects.first().public_id, "batches": Batch.objects.first().public_id, "runs": "secret-run", "topics": "1", "documents": "d1", "teams": "Aldgate", "people": "ada", "qrels": 1, "campaigns": slug}
    bad = []
    for who in ("olga", "ada", "pat", "ben"):
        user = make.known(who)
        client.force_login(user)
        mine = Assignment.objects.filter(assessor=user).first()
        for at, x in walk(get_resolver().url_patterns):
            if not at.startswith("api/v1/campaigns/") or not hasattr(x.callback.view_class, "get"):
                continue
            at = "/" + at.replace("<slug:slug>", slug).replace("<slug:key>", slug)
            noun = at.split("<")[0].rstrip("/").split("/")[-1]
            k = keys.get(noun) or (mine and mine.public_id if noun == "work" else "")
            if noun == "assignments": k = Assignment.objects.first().public_id
            import re
            n = len(re.findall("<", at))
            at = re.sub("<int:key>$|<int:key>/$", "1/", at) if n == 2 else at
            at = re.sub(r"<\w+:\w+>", str(k), at, count=1)
            if not k and "<" in at or "//" in at or "None" in at:
                print("skip", at); continue
            try:
                r = client.get(at)
                body = r.content if not r.streaming else b"".join(r.streaming_content)
                if who == "olga" or r.status_code == 200: print(who, at[27:], r.status_code, body[:100])
                if r.status_code >= 500: bad.append(at)
                if "json" in r["Content-Type"] and r.status_code == 200:
                    for f in ("csv", "ndjson"):
                        r = client.get(at + f"?format={f}")
                        if r.streaming: b"".join(r.streaming_content)
            except Exception as e:
                bad.append((who, at, repr(e)))
    print("BAD", *bad, sep="\n")
    assert 0
