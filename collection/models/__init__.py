"""Topics and documents, their versions, and the files they were imported from."""

from collection.models import imports, items, texts  # noqa: F401 - Django finds its models here
