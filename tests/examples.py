"""The examples of the API's description: read from the file, or written into it.

`WRITE_EXAMPLES=1 .venv/bin/python -m pytest -n 0 tests/web/test_api_examples.py
tests/api/test_every_act.py`, twice, writes `api/examples.json` anew, from what tests read and send.
"""

import json
import os
import re
from typing import Any

from django.core.files.base import ContentFile

from api.schema import EXAMPLES, EXAMPLES_FILE

WRITES = "WRITE_EXAMPLES" in os.environ
# What is another each time, and what stands for it.
NUMBERS = {"run_id", "judgment", "assignment", "question"}  # of rows
STEADY = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "5f0c7a52-8f6e-4c55-9d0b-3a1c2b7e9d10",
    r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)": "2027-03-01T09:00:00Z",
    r"[0-9a-f]{64}": "9f2c61d07be45a3f8c1e24b6d07a95f3182be6c4d90f7a35e16c8b20d4f79a3e",
}
LATER = {"expires_at", "ends_at", "until", "closes_at", "submission_closes_at", "finished_at"}
A_ZIP = "the bytes of runs.zip"


def steady(value: Any, name: str = "") -> Any:
    """A value without what is another each time: ids, moments, hashes, numbers of rows."""
    if isinstance(value, dict):
        return {key: steady(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [steady(each) for each in value[:3]]
    if hasattr(value, "read"):
        return text_of(value)
    if name in NUMBERS and isinstance(value, int):
        return 1
    if not isinstance(value, str):
        return value
    by_chance = (new for old, new in STEADY.items() if re.fullmatch(old, value))
    found = next(by_chance, str(value))
    return found.replace("-03-01", "-03-15") if name in LATER else found


def text_of(file: Any) -> str:
    file.seek(0)
    text = file.read().decode()
    file.seek(0)
    return A_ZIP if text.startswith("PK") else re.sub(r'"seed":\d+', '"seed":1', text)


def shape(value: Any) -> Any:
    """The keys and types of a value; a list has those of its first."""
    if isinstance(value, dict):
        return {key: shape(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(each) for each in value[:1]]
    return type(value).__name__


def example(name: str, value: dict[str, Any]) -> dict[str, Any]:
    """The example of this name, which has the shape of what was found."""
    if WRITES:
        EXAMPLES[name] = EXAMPLES.get(name, {}) | steady(value)
        text = json.dumps(EXAMPLES, indent=1, sort_keys=True, ensure_ascii=False)
        EXAMPLES_FILE.write_text(text + "\n", encoding="utf-8")
    known = {each: EXAMPLES[name].get(each) for each in value}
    assert shape(known) == shape(steady(value)), f"write the example of {name} anew"
    return known


def as_sent(known: dict[str, Any], now: dict[str, Any]) -> dict[str, Any]:
    """An example as it is sent now: as it stands, but for ids and moments: those of now."""
    sent = {
        name: now[name] if steady(now[name], name) == value else value
        for name, value in known.items()
    }
    files = {
        name: getattr(each, "name", name) for name, each in now.items() if hasattr(each, "read")
    }
    return sent | {
        name: now[name] if known[name] == A_ZIP else ContentFile(known[name].encode(), its)
        for name, its in files.items()
    }
