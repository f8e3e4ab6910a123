"""Uploads that survive, as tus 1.0 has them: https://tus.io/protocols/resumable-upload."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.http import Http404, HttpRequest
from django.urls import path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse
from rest_framework.response import Response

from accounts.access import check
from api import pieces, uploads
from api.access import Uploads
from api.doors import of_campaign
from api.models import AccessToken, Scope, Upload
from api.pieces import KIND, VERSION
from api.reading import ListOf, OneOf, Reading, record_of
from api.registry import register
from api.schema import Schema, record
from api.uploads import OfTus
from campaigns.noun import ID, Field, Noun

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.request import Request

    from accounts.models import User

UPLOADS = Noun(
    name="uploads",
    see=Uploads.see,
    rows=lambda user, campaign: Upload.objects.own(user, campaign).live(),
    fields={
        "id": Field(str, lambda upload: str(upload.public_id), help="what acts take as `upload`"),
        "file_name": Field(str),
        "metadata": Field(str, help="`Upload-Metadata`, as it was sent"),
        "n_bytes": Field(int),
        "n_here": Field(int, help="have arrived"),
        "begun_at": Field(datetime),
        "ends_at": Field(datetime, help="it is deleted then, unless more arrives before"),
    },
    model=Upload,
    key=ID,
    help="Your own files that arrive in pieces, until an act takes them (tus 1.0).",
)
register(UPLOADS)
READS = ("GET", "HEAD", "OPTIONS")
NAMES = {"POST": "new", "PATCH": "send", "DELETE": "delete"}


class Described(Schema):
    """Describes what is no list and no record."""

    headers: ClassVar[dict[str, dict[str, bool]]] = {
        "POST": {"Upload-Length": True, "Upload-Metadata": False},
        "PATCH": {"Upload-Offset": True, "Upload-Checksum": False},
        "DELETE": {},
    }

    @property
    def is_of_tus(self) -> bool:
        return self.method in self.headers

    def get_operation_id(self) -> str:
        return f"uploads_{NAMES[self.method]}" if self.is_of_tus else super().get_operation_id()

    def get_description(self) -> str:  # type: ignore[override]
        if not self.is_of_tus:
            return super().get_description()
        does = getattr(self.view, self.method.lower()).__doc__
        return f"{does} Scope of a token: submit or organize."

    def get_request_serializer(self) -> Any:
        return {KIND: OpenApiTypes.BINARY} if self.method == "PATCH" else None

    def get_response_serializers(self) -> Any:
        found = super().get_response_serializers()
        if not self.is_of_tus:
            return found
        found = {key: each for key, each in found.items() if key[0] != 200}
        if self.method == "POST":
            return found | {(201, "application/json"): record(UPLOADS, is_one=True)}
        return found | {204: OpenApiResponse(description="Done")}

    def get_override_parameters(self) -> list[Any]:
        if not self.is_of_tus:
            return super().get_override_parameters()
        wanted = {"Tus-Resumable": True, **self.headers[self.method]}
        header: dict[str, Any] = {"location": OpenApiParameter.HEADER, "type": str}
        return [OpenApiParameter(each, required=must, **header) for each, must in wanted.items()]


class Tus(Reading):
    """What both addresses have in common: who, which version, and what every answer says."""

    noun, owner, schema = UPLOADS, staticmethod(of_campaign), Described()

    @property
    def scope(self) -> str:
        """Either scope will do that lets somebody send files: the act that takes one asks again."""
        if self.request.method in READS:
            return Scope.READ
        token = getattr(self.request, "auth", None)
        is_organizers = isinstance(token, AccessToken) and Scope.ORGANIZE in token.allows
        return Scope.ORGANIZE if is_organizers else Scope.SUBMIT

    def get_throttles(self) -> list[Any]:
        """Count no pieces: a long file has many, and bytes are limited."""
        return [] if self.request.method in {"PATCH", "HEAD"} else super().get_throttles()

    def initial(self, request: Request, *keys: Any, **named: Any) -> None:
        super().initial(request, *keys, **named)
        if request.method not in {"GET", "OPTIONS"}:
            version = request.headers.get("Tus-Resumable", "")
            if version != VERSION:
                raise OfTus(412, f"Tus-Resumable must be {VERSION}, not {version[:40]!r}.")

    def finalize_response(self, *arguments: Any, **named: Any) -> Any:
        response = super().finalize_response(*arguments, **named)
        response["Tus-Resumable"] = response["Tus-Version"] = VERSION
        return response

    def options(self, request: Any, *_: Any, **keys: Any) -> Response:
        """Say what of the protocol there is."""
        self.owned(request, {"slug": keys["slug"]})
        headers = {
            "Tus-Extension": ",".join(pieces.EXTENSIONS),
            "Tus-Max-Size": str(uploads.most_bytes()),
            "Tus-Checksum-Algorithm": ",".join(pieces.ALGORITHMS),
        }
        return Response(status=204, headers=headers)


class Beginning(Tus, ListOf):
    def post(self, request: Request, **keys: Any) -> Response:
        """Begin a file that is sent in pieces."""
        campaign = type(self).owner(request.user, **keys)
        check(Uploads.begin, request.user, campaign)
        n_bytes = pieces.number(request, "Upload-Length")
        metadata, name = pieces.metadata(request)
        user = cast("User", request.user)
        upload = uploads.begin_upload(
            user=user, campaign=campaign, n_bytes=n_bytes, file_name=name, metadata=metadata
        )
        key = {"slug": campaign.slug, "key": upload.public_id}
        at = {"Location": reverse("api:uploads_one", kwargs=key)}
        body = record_of(UPLOADS, campaign, upload)
        return Response(body, status=201, headers={**at, **pieces.standing(upload)})


class Taking(Tus, OneOf):
    def dispatch(self, request: HttpRequest, *keys: Any, **named: Any) -> Any:
        """Take a POST as the method that it stands for, where a proxy knows no other."""
        method = request.headers.get("X-HTTP-Method-Override", "").upper()
        if request.method == "POST" and method in {"HEAD", "PATCH", "DELETE"}:
            request.method = method
        return super().dispatch(request, *keys, **named)

    def found(self, request: Request, keys: dict[str, Any], verb: Callable[..., None]) -> Upload:
        """Return one of the person's own uploads for somebody who may do this."""
        campaign = type(self).owner(request.user, slug=keys["slug"])
        check(verb, request.user, campaign)
        upload = Upload.objects.own(request.user, campaign).filter(public_id=keys["key"]).first()
        if upload is None:
            raise Http404
        if upload.is_over:
            raise OfTus(410, "The time of this upload is over: begin another.")
        return upload

    def head(self, request: Request, **keys: Any) -> Response:
        """Say how far it is."""
        upload = self.found(request, keys, Uploads.see)
        headers = {**pieces.standing(upload), "Upload-Length": str(upload.n_bytes)}
        if upload.metadata:
            headers["Upload-Metadata"] = upload.metadata
        return Response(headers=headers)

    def patch(self, request: Request, **keys: Any) -> Response:
        """Store the next piece."""
        upload = self.found(request, keys, Uploads.send)
        if request.content_type != KIND:
            raise OfTus(415, f"A piece is sent as {KIND}.")
        offset, piece = pieces.number(request, "Upload-Offset"), pieces.Piece(request)
        uploads.check_offset(upload, offset)
        if piece.n_missing > (room := upload.n_bytes - offset):
            raise OfTus(413, f"{room:,} bytes are missing; the piece has {piece.n_missing:,}.")
        self._receive(upload, offset, piece, request.headers.get("Upload-Checksum", ""))
        upload.refresh_from_db()
        if piece.n_missing:
            raise OfTus(400, f"The connection was cut: {upload.n_here:,} bytes are here.")
        return Response(status=204, headers=pieces.standing(upload))

    def _receive(self, upload: Upload, offset: int, piece: pieces.Piece, checksum: str) -> None:
        if not checksum:
            uploads.receive(upload, offset, ([block] for block in piece.blocks()))
            return
        with pieces.checked(piece, checksum) as blocks:
            uploads.receive(upload, offset, [blocks])

    def delete(self, request: Request, **keys: Any) -> Response:
        """Delete a file with what has arrived of it."""
        uploads.delete_upload(self.found(request, keys, Uploads.see))
        return Response(status=204)


urlpatterns = [
    path("uploads/", Beginning.as_view(), name="uploads"),
    path("uploads/<uuid:key>/", Taking.as_view(), name="uploads_one"),
]
