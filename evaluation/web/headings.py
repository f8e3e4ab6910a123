"""The heading of a board: who leads, and who else may be the best."""

from collections.abc import Sequence

from cleverdon.measures.family import Best
from cleverdon.trec.words import counted, verb
from evaluation.core.columns import MeasureColumn
from evaluation.models.scores import Board, Evaluation


def heading(
    board: Board,
    values: Sequence[float],
    column: MeasureColumn,
    *,
    sees_all_runs: bool,
    n_others: int | None,
) -> str:
    """Return who leads with which value, and how many others may be the best; None: not known.

    A team that sees no other runs reads which of its own does.
    """
    if not board:
        return "None of your runs is scored here"
    first, value = board[0], f"{column.name} {column.text(values[0])}"
    if len(board) == 1:
        return f"{first.tag} has {value}"
    runs = f"{'the' if sees_all_runs else 'your'} {len(board):,} runs"
    if first.rank is None:
        return f"None of {runs} has a value of {column.name}"
    n_first = sum(entry.rank == first.rank for entry in board)
    if n_first == len(board):
        whose = "runs have" if sees_all_runs else "of your runs have"
        return f"{'Both' if n_first == 2 else f'All {n_first:,}'} {whose} {value}"
    who = f"{first.tag}{f' and {n_first - 1:,} more' if n_first > 1 else ''}"
    if column.best is Best.NONE:
        return f"{who} {verb(n_first, 'has')} the highest {value}, of {runs}"
    rest = f"{runs} with {value}"
    if sees_all_runs and n_others is not None:
        rest = f"with {value}{_tail(n_first, len(board) - n_first, n_others)}"
    return f"{who} {verb(n_first, 'leads')} {rest}"


def of_choice(evaluation: Evaluation, *, sees_all_runs: bool) -> str:
    """Return what follows a heading: how many runs were chosen, of how many; "" if all are in."""
    chosen = evaluation.scope.chosen
    if not chosen or not sees_all_runs:
        return " (chosen runs)" if chosen else ""
    return f" ({len(chosen):,} chosen of {counted(evaluation.n_available, 'run')})"


def _tail(n_first: int, n_left: int, n_others: int) -> str:
    """Return what follows the leaders: which of the runs left may be the best."""
    if n_others < n_left:
        return f"; {f'{n_others:,} more' if n_others else 'no other'} may be the best"
    them = "it" if n_first == 1 else "them"
    others = "the other" if n_left == 1 else f"the other {n_left:,}"
    return f"; {others} cannot be told from {them}" if n_left else ""
