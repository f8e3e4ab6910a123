"""What a page showed, in a short text that its form sends back."""

from hashlib import sha256


def version(*parts: object) -> str:
    """Return a text that is another one if any of the parts is: numbers as they are, or a hash.

    >>> version(3, 60), version("2 topics and 1 run")
    ('3-60', 'abf874c38a9c')
    """
    if all(isinstance(each, int) for each in parts):
        return "-".join(map(str, parts))
    return sha256(repr(parts).encode()).hexdigest()[:12]
