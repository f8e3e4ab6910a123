"""Files that arrive in pieces: begin one, take its pieces, give it to an act, and let it go."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from datetime import timedelta
from functools import partial, wraps
from hashlib import file_digest
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ValidationError

from accounts.access import Invalid, NotThere, Refused
from accounts.models import User
from api.access import Uploads
from api.models import Upload
from campaigns.acting import act
from cleverdon.trec.streams import readable
from jobs.acting import acting
from jobs.storage import local_path, write_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from django.db.models import QuerySet

    from campaigns.models.campaign import Campaign

UPLOAD = "upload"  # what an act is sent in place of a file
CHANGED = (
    "What arrived has not the SHA-256 that was announced, as of a file that changed while it was "
    "sent: send it again."
)
AS_TEXT = f"A file is not sent as text: send it in a form (multipart/form-data), or as `{UPLOAD}`."
FOR_ANOTHER_TRY = timedelta(hours=1)  # of what an act has refused
USED_MEANWHILE = "This upload has just been used: send the file again."


class OfTus(Refused):
    """Refused as the protocol has it, with a status of its own."""

    kind = "upload"

    def __init__(self, status: int, sentence: str) -> None:
        self.status = status
        super().__init__(sentence)


class Arrived(File[bytes]):
    """A file that has arrived in pieces, as a form has those that are sent at once."""

    def __init__(self, upload: Upload) -> None:
        super().__init__(local_path(upload.file).open("rb"), name=upload.file_name)
        self.upload = upload


def _end() -> Any:
    return timezone.now() + timedelta(hours=settings.UPLOAD_HOURS)


def most_bytes() -> int:
    """Return how long the longest file is that any act takes."""
    return int(max(settings.MAX_EXPANDED_BYTES, settings.MAX_RUN_BYTES))


@act(Uploads.begin)
def begin_upload(
    *, user: User, campaign: Campaign, n_bytes: int, file_name: str = "", metadata: str = ""
) -> Upload:
    """Make room for a file that will arrive in pieces."""
    if n_bytes > (most := most_bytes()):
        raise OfTus(413, f"The file has {n_bytes:,} bytes; at most {most:,} are accepted.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that they are counted
    _check_room(user, n_bytes)
    upload = Upload(
        user=user,
        campaign=campaign,
        file_name=file_name[-255:] or "file",
        metadata=metadata,
        n_bytes=n_bytes,
        ends_at=_end(),
    )
    upload.file.save("file", ContentFile(b""), save=False)
    upload.save()
    return upload


def _check_room(user: User, n_bytes: int) -> None:
    """Refuse more files, or longer ones, than a person may have on the way."""
    own = Upload.objects.live().filter(user=user)
    n_own, on_the_way = own.count(), own.aggregate(n=Sum("n_bytes"))["n"] or 0
    if n_own >= settings.MAX_UPLOADS:
        raise Refused(
            f"{n_own:,} files of yours have arrived in part or were not used yet: finish or delete "
            "one first."
        )
    if on_the_way + n_bytes > settings.MAX_UPLOADS_BYTES:
        raise Refused(
            f"Files of yours that have arrived in part or were not used yet have {on_the_way:,} "
            f"bytes; with this one more than {settings.MAX_UPLOADS_BYTES:,}. Finish or delete one "
            "first."
        )


def receive(upload: Upload, offset: int, groups: Iterable[Iterable[bytes]]) -> int:
    """Store what arrives from an offset on, each group at once; return how much there is.

    No lock is held while a client is slow. Of two who send the same piece, the one who is first
    moves the offset, and the other is refused.
    """
    for blocks in groups:
        with acting(upload.campaign_id):
            locked = Upload.objects.select_for_update(no_key=True).filter(pk=upload.pk)
            if (now := locked.first()) is None:
                raise NotThere
            check_offset(now, offset)
            offset = write_at(now.file, offset, blocks)
            locked.update(n_stored=offset, ends_at=_end())
    return offset


def check_offset(upload: Upload, offset: int) -> None:
    if offset != upload.n_here:
        raise OfTus(409, f"The next piece begins at {upload.n_here:,}, not at {offset:,}.")


def delete_upload(upload: Upload) -> None:
    with acting(upload.campaign_id):
        _drop(Upload.objects.filter(pk=upload.pk))


def _drop(uploads: QuerySet[Upload]) -> int:
    """Delete uploads with their files; return how many there were."""
    names = list(uploads.values_list("file", flat=True))
    _, deleted = uploads.delete()
    for name in names:
        transaction.on_commit(partial(default_storage.delete, name))
    return deleted.get("api.Upload", 0)


def arrived(user: User, campaign: Campaign, key: object) -> Arrived:
    """Open a whole upload of the person in this campaign; Invalid if there is none."""
    try:
        found = Upload.objects.own(user, campaign).filter(public_id=UUID(str(key))).first()
    except ValueError:
        found = None
    if found is None or found.is_over:
        named = readable(str(key))
        raise Invalid(UPLOAD, f"You have no upload {named} here, or it was used or is too old.")
    if not found.is_whole:
        raise Invalid(
            UPLOAD, f"{found.n_here:,} of {found.n_bytes:,} bytes are here: send the others first."
        )
    file = Arrived(found)
    if found.announced not in {"", file_digest(file, "sha256").hexdigest()}:
        file.close()
        delete_upload(found)  # of no use, and in the way of the file itself
        raise Invalid(UPLOAD, CHANGED)
    file.seek(0)
    return file


@contextmanager
def in_place(field: str, sent: Any, user: User, campaign: Campaign) -> Iterator[Any]:
    """Yield what was sent to an act, with uploads that it names in place of its file."""
    if field and hasattr(sent, "items") and isinstance(sent.get(field), str):
        raise Invalid(field, AS_TEXT)
    if not field or not hasattr(sent, "items") or UPLOAD not in sent:
        yield sent
        return
    if field in sent:
        raise Invalid(UPLOAD, f"Send either {field} or {UPLOAD}.")
    is_form = isinstance(sent, MultiValueDict)
    told: Any = MultiValueDict(sent.lists()) if is_form else dict(sent)
    keys = sent.getlist(UPLOAD) if is_form else sent[UPLOAD]
    del told[UPLOAD]
    with ExitStack() as stack:
        files = [
            stack.enter_context(arrived(user, campaign, key))
            for key in (keys if isinstance(keys, list) else [keys])
        ]
        if is_form:
            told.setlist(field, files)
        else:
            told[field] = files if len(files) != 1 else files[0]
        with _for_another_try(files):
            yield told


@contextmanager
def _for_another_try(files: list[Arrived]) -> Iterator[None]:
    """Let files that an act refuses go sooner than those that are on their way."""
    try:
        yield
    except (Refused, ValidationError):
        refused = Upload.objects.filter(pk__in=[each.upload.pk for each in files])
        refused.update(ends_at=timezone.now() + FOR_ANOTHER_TRY)
        raise


def spending(service: Callable[..., Any]) -> Callable[..., Any]:
    """Have a service use up the uploads that it is told, if it does what it should."""

    @wraps(service)
    def spends(**values: Any) -> Any:
        if not (uploads := [each.upload for each in _files(values)]):
            return service(**values)
        with acting(uploads[0].campaign_id):
            result = service(**values)
            keys = [each.pk for each in uploads]
            if _drop(Upload.objects.filter(pk__in=keys)) < len({*keys}):
                raise Refused(USED_MEANWHILE)
        return result

    return spends


def _files(values: dict[str, Any]) -> Iterator[Arrived]:
    for each in values.values():
        for value in each if isinstance(each, list) else [each]:
            if isinstance(value, Arrived):
                yield value
