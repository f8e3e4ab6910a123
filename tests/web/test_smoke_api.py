import pytest
pytestmark = pytest.mark.django_db
import json


def test_smoke(client, played):
    olga = __import__("tests.make", fromlist=["known"]).known("olga")
    client.force_login(olga)
    base = f"/api/v1/campaigns/"
    for at in ["", f"{played.slug}/", *(f"{played.slug}/{n}/" for n in "settings people teams invitations events jobs rounds releases topics documents imports runs released-runs".split()), f"{played.slug}/runs/secret-run/", f"{played.slug}/runs/secret-run/report/", f"{played.slug}/topics/1/"]:
        r = client.get(base + at)
        print(at, r.status_code, (r.content[:300] if not r.streaming else b"".join(r.streaming_content)[:300]))
    r = client.get(base + f"{played.slug}/runs/?fields=tag,foo"); print(r.status_code, r.json())
    r = client.get(base + f"{played.slug}/runs/?foo=tag"); print(r.status_code, r.json())
    r = client.get(base + f"{played.slug}/runs/", HTTP_ACCEPT="text/csv"); print(r.status_code, b"".join(r.streaming_content)[:300])
    r = client.get(base + f"{played.slug}/topics/?per_page=1"); print(r.status_code, r["Link"])
    r = client.get(r["Link"].split(";")[0].strip("<>")); print(r.json(), r.headers)
    r = client.post(base + f"{played.slug}/teams/", json.dumps({"name": "Zo"}), content_type="application/json", HTTP_IDEMPOTENCY_KEY="a"); print(r.status_code, r.content, r.headers)
    r = client.post(base + f"{played.slug}/teams/", json.dumps({"name": "Zo"}), content_type="application/json", HTTP_IDEMPOTENCY_KEY="a"); print(r.status_code, r.content, r.headers)
    r = client.post(base + f"{played.slug}/change/", json.dumps({"run_depth": 0, "x":1}), content_type="application/json"); print(r.status_code, r.content)
    r = client.post(base + f"{played.slug}/change/", json.dumps({"run_depth": 0}), content_type="application/json"); print(r.status_code, r.content)
    r = client.post(base + f"{played.slug}/change/", json.dumps({"run_depth": 7}), content_type="application/json"); print(r.status_code, r.content)
    r = client.post(base, json.dumps({"name": "Mine"}), content_type="application/json"); print(r.status_code, r.content)
    r = client.post(base + f"{played.slug}/invitations/", json.dumps({"role": "assessor"}), content_type="application/json"); print(r.status_code, r.content)
    r = client.post(base + f"{played.slug}/runs/secret-run/withdraw/", json.dumps({"reason": "x"}), content_type="application/json"); print(r.status_code, r.content)
    from django.core.files.uploadedfile import SimpleUploadedFile as F
    r = client.post(base + f"{played.slug}/runs/", {"file": F("a.txt", b"1 Q0 d1 1 2.0 new-run\n"), "team": "Aldgate"}); print(r.status_code, r.content, r.headers)
    assert 0
