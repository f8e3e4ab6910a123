"""Files that lie in a storage elsewhere are fetched once."""

from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.db.models import FileField
from django.db.models.fields.files import FieldFile

from jobs.storage import local_path


class Bucket(Storage):
    """Keeps contents by name and has no paths, as object storage has none."""

    def __init__(self) -> None:
        self.contents: dict[str, bytes] = {}
        self.n_reads = 0

    def _open(self, name, mode="rb"):
        self.n_reads += 1
        return ContentFile(self.contents[name], name)

    def _save(self, name, content):
        self.contents[name] = content.read()
        return name

    def exists(self, name):
        return name in self.contents


@pytest.fixture
def bucket():
    return Bucket()


@pytest.fixture
def file(bucket):
    field = FileField(storage=bucket)
    name = bucket.save("runs/1/alpha.npy", ContentFile(b"arrays"))
    return FieldFile(None, field, name)


def test_a_file_elsewhere_is_fetched_once_and_whole(bucket, file, settings):
    path = local_path(file)
    assert path.read_bytes() == b"arrays"
    assert path.is_relative_to(settings.VAR_DIR)
    assert local_path(file) == path
    assert bucket.n_reads == 1
    assert list(path.parent.iterdir()) == [path]  # and no temporary file beside it


def test_a_fetch_that_fails_leaves_no_file_that_looks_whole(bucket, file, settings):
    del bucket.contents[file.name]
    with pytest.raises(KeyError):
        local_path(file)
    assert not (Path(settings.VAR_DIR) / "cache" / file.name).exists()
