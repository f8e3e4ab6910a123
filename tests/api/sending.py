"""A file sent in pieces, as a program sends it by tus 1.0."""

from base64 import b64encode

from tests.api.addresses import of

RUN = b"1 Q0 d1 1 9 bm25\n2 Q0 d2 1 9 bm25\n"
N = len(RUN)
PIECE = "application/offset+octet-stream"
TUS = {"Tus-Resumable": "1.0.0"}


def begin(client, campaign, n_bytes=N, name="bm25.txt", **headers):
    metadata = f"filename {b64encode(name.encode()).decode()},kind {b64encode(b'run').decode()}"
    said = {"Upload-Length": str(n_bytes), "Upload-Metadata": metadata, **TUS, **headers}
    return client.post(of(campaign, "uploads/"), b"", content_type=PIECE, headers=said)


def begun(client, campaign, **how) -> str:
    answer = begin(client, campaign, **how)
    assert answer.status_code == 201, answer.content
    return answer["Location"]


def send(client, at, piece, offset=0, content_type=PIECE, **headers):
    said = {"Upload-Offset": str(offset), **TUS, **headers}
    return client.patch(at, piece, CONTENT_TYPE=content_type, headers=said)


def sent(client, campaign, content=RUN, **how) -> str:
    """The id of a whole upload."""
    at = begun(client, campaign, n_bytes=len(content), **how)
    assert send(client, at, content).status_code == 204
    return at.rstrip("/").rpartition("/")[2]


def offset_of(client, at) -> int:
    return int(client.head(at, headers=TUS)["Upload-Offset"])
