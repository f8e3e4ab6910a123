"""What a reader of a board has to know: the gravest stands on it, the rest in a fold."""

from collections.abc import Mapping
from typing import Any


def notices(board: Mapping[str, Any]) -> list[str]:
    """Return the names of what holds of a board, the gravest first; `_notice.html` says it."""
    chosen, main, newest = board["evaluation"], board["main"], board["qrels"]
    used, is_organizer, is_main = chosen.qrels, board["is_organizer"], chosen.pk == main.pk
    is_newer = newest is not None and (newest.number > used.number or used.is_withdrawn)
    holds = {
        "withdrawn": bool(chosen.withdrawn),
        "elsewhere": not is_main,
        "closed": bool(board.get("what_closes_board")),
        "draft": is_organizer and not board["releases"],
        "newer": is_organizer and is_main and is_newer,
        "runs": is_organizer and is_main and bool(board["left_out"] or board["n_out"]),
        "preliminary": used.is_preliminary,
        "sampling": bool(chosen.sampling),
        "low": bool(board["mostly_low"]),
    }
    return [name for name, is_so in holds.items() if is_so]
