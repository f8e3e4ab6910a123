"""Stored files: written whole or not at all, and read as local paths for memory maps."""

import errno
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core.files import File
from django.core.files.storage import FileSystemStorage, default_storage
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.db.models import FileField
from django.db.models.fields.files import FieldFile

from accounts.access import Refused
from jobs import database

# Looked for where one is missing.
N_OTHERS = 20

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Full(Refused):
    """Refused because the disk is full; a file written in part is deleted."""

    status = 507

    def __init__(self) -> None:
        super().__init__(
            "The disk of this server is full, so nothing was stored. "
            "Ask who runs it to make room, then try again."
        )


class Missing(Refused, FileNotFoundError):
    """Refused because a stored file is missing: it alone, or all of its kind.

    All are after a backup restored without its media, or on a machine that does not see the folder
    in which another one has stored them.
    """

    def __init__(self, name: str) -> None:
        owner, others = _owner_of(name)
        remedy = "restore it from the backup"
        if not any(map(default_storage.exists, others)):
            remedy = (
                "look whether the folder of stored files (VAR_DIR/media) is mounted on every "
                "machine of the site, and is the same one everywhere, as no file of this kind is "
                "there; after a restore, whether the files were restored too"
            )
        sentence = f"The stored file of {owner} is missing on this server."
        super().__init__(f"{sentence} Ask who runs it to {remedy}. Then try again.")


def _owner_of(name: str) -> tuple[str, list[str]]:
    """Return the name of the row that a stored file belongs to, and the newest files like it."""
    for model in apps.get_models():
        rows = model._base_manager
        for field in model._meta.concrete_fields:
            if isinstance(field, FileField) and (row := rows.filter(**{field.name: name}).first()):
                noun = str(model._meta.verbose_name)
                owner = str(row) if str(row).lower().startswith(noun) else f"{noun} {row}"
                others = rows.exclude(**{f"{field.name}__in": ["", name]}).order_by("-pk")
                return owner, list(others.values_list(field.name, flat=True)[:N_OTHERS])
    return name, []


def as_full(error: BaseException) -> Full | None:
    """Return the refusal for an error that means a full disk, or None."""
    is_full = isinstance(error, OSError) and error.errno in _FULL
    return Full() if is_full else None


_stored: ContextVar[list[str] | None] = ContextVar("stored", default=None)


@contextmanager
def stored_with() -> Iterator[None]:
    """Delete the files stored meanwhile if this fails, as no row names them."""
    names: list[str] = []
    outer = _stored.get()
    _stored.set(names)
    try:
        yield
    except Exception as error:
        # After a lost connection the rows may be stored or not.
        for name in () if database.is_away(error) else names:
            default_storage.delete(name)
        raise
    else:
        if outer is not None:
            outer += names
    finally:
        _stored.set(outer)


class WholeFiles(FileSystemStorage):
    """Files in a folder, each named only once it is complete and on the disk."""

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        try:
            return super()._open(name, mode)  # type: ignore[misc, no-any-return]
        except FileNotFoundError as error:
            raise Missing(name) from error

    def size(self, name: str) -> int:
        try:
            return super().size(name)
        except FileNotFoundError as error:
            raise Missing(name) from error

    def _save(self, name: str, content: File[bytes]) -> str:
        path = Path(self.path(name))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with _replacing(path) as target:
                content.seek(0)
                for chunk in content.chunks():
                    target.write(chunk)
        except OSError as error:
            raise as_full(error) or error from error
        if (names := _stored.get()) is not None:
            names.append(name)
        return name


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """Open a new file, which takes the path once it is written."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as target:
            yield target
            target.flush()
            os.fsync(target.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class UploadHandler(FileUploadHandler):
    """Write uploads to a temporary file; if the disk is full, mark the request `is_disk_full`.

    Of somebody who is not signed in, nothing is written: no page takes their files.
    """

    def new_file(self, *arguments: Any) -> None:
        """Open a file that the system itself removes, however this process ends."""
        super().new_file(*arguments)
        stream = tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 - the request closes it
        self.file: Any = UploadedFile(
            stream, self.file_name, self.content_type, 0, self.charset, self.content_type_extra
        )

    def file_complete(self, file_size: int) -> Any:
        self.file.seek(0)
        self.file.size = file_size
        return self.file

    def upload_interrupted(self) -> None:
        if hasattr(self, "file"):
            self.file.close()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        request: Any = self.request
        if not request.user.is_authenticated:
            return
        try:
            self.file.write(raw_data)
            self.file.flush()
        except OSError as error:
            if as_full(error) is None:
                raise
            request.is_disk_full = True
            raise StopUpload(connection_reset=False) from error


def local_path(file: FieldFile) -> Path:
    """Return the path of the file on this machine, downloading it once if the storage is remote."""
    try:
        path = Path(file.path)
    except NotImplementedError:
        return _downloaded(file)
    if not path.exists():
        raise Missing(str(file.name))
    return path


def size_of(file: FieldFile) -> int:
    """Return how long a stored file is; 0 if it is missing."""
    try:
        return int(file.size)
    except Missing:
        return 0


def write_at(file: FieldFile, offset: int, blocks: Iterable[bytes]) -> int:
    """Have a stored file end with these blocks from an offset on, on the disk; return its length.

    A file that grows in place is whole once its row says so: what this writes before it fails is
    written over.
    """
    try:
        with local_path(file).open("r+b") as target:
            target.seek(offset)
            target.truncate()
            target.writelines(blocks)
            target.flush()
            os.fsync(target.fileno())
            return target.tell()
    except OSError as error:
        raise as_full(error) or error from error


def _downloaded(file: FieldFile) -> Path:
    path = Path(settings.VAR_DIR) / "cache" / str(file.name)
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        # Of several processes that download the same file, the last to rename wins.
        with _replacing(path) as target, file.open("rb") as source:
            shutil.copyfileobj(source, target)
    return path
