"""The form of an answer: as `Accept` or `format` asks, of those that there are."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from rest_framework.exceptions import NotAcceptable
from rest_framework.metadata import BaseMetadata
from rest_framework.negotiation import BaseContentNegotiation, DefaultContentNegotiation
from rest_framework.renderers import JSONRenderer


class Allowed(BaseMetadata):
    """What `OPTIONS` tells beside `Allow`: where everything is described."""

    def determine_metadata(self, *_: Any) -> dict[str, str]:
        return {"description": reverse("api:schema")}


class Asked(DefaultContentNegotiation):
    def filter_renderers(self, renderers: Any, format: str) -> Any:  # noqa: A002
        """Refuse a `format` that there is not as an `Accept`, not as an unknown address."""
        try:
            return super().filter_renderers(renderers, format)
        except Http404 as error:
            raise NotAcceptable(available_renderers=renderers) from error


class AsItIs(BaseContentNegotiation):
    """A file has one form, whatever the program accepts."""

    def select_renderer(self, *_: Any, **__: Any) -> tuple[JSONRenderer, str]:
        return JSONRenderer(), "application/json"

    def select_parser(self, *_: Any) -> None:
        return None
