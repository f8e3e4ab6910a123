"""Words about numbers and things."""


def counted(n: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "document"), counted(1200, "topic")
    ('1 document', '1,200 topics')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def an(noun: str) -> str:
    """Return a noun with its article, by its first letter.

    >>> an("assessor"), an("participant of team Aldgate")
    ('an assessor', 'a participant of team Aldgate')
    """
    return f"{'an' if noun[:1] in set('aeiou') else 'a'} {noun}"
