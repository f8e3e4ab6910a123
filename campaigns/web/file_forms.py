"""The size of an uploaded file."""

from django.core.exceptions import ValidationError
from django.core.files import File


def within(file: File[bytes], limit: int) -> File[bytes]:
    """Refuse a file that already is longer, packed or not, than what is read of it."""
    if file.size > limit:
        raise ValidationError(f"The file has {file.size:,} bytes; at most {limit:,} are accepted.")
    return file
