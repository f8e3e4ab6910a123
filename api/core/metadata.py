"""`Upload-Metadata` of tus: names, each with a value in Base64."""

from base64 import b64decode


def values_of(metadata: str) -> dict[str, str]:
    """Return the values by name; ValueError for one that is not in Base64.

    >>> values_of("filename YS50eHQ=, is_last")
    {'filename': 'a.txt', 'is_last': ''}
    """
    pairs = (each.split() for each in metadata.split(",") if each.strip())
    return {
        name: b64decode("".join(rest), validate=True).decode(errors="replace")
        for name, *rest in pairs
    }
