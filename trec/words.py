"""Words about numbers."""


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "document"), counted(1200, "topic")
    ('1 document', '1,200 topics')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"
