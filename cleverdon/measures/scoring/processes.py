"""Work shared out over processes: files are read and scored several at a time."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class LostProcess(ValueError):
    """A process was ended from outside, as by a system without memory."""


# What a worker process does: set before anything else happens in it.
_work: Callable[[int], Any]


def usable_cores() -> int:
    """Return how many cores this process may run on, which may be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_processes(
    work: Callable[[Item], Result], items: Sequence[Item], n_processes: int
) -> Iterator[Result]:
    """Yield `work(item)` for each item, in their order; the first exception ends it at its item.

    The processes are forked, so that `work` and the items are inherited: results alone are pickled.
    One process does everything where one is asked for, where there is one item, and where the
    system has no fork. LostProcess if one of them is ended from outside.
    """
    n_processes = min(n_processes, len(items))
    if n_processes < 2 or not hasattr(os, "fork"):
        yield from map(work, items)
        return
    # Imported here: they take a tenth of the time in which the command starts.
    from concurrent.futures import BrokenExecutor, ProcessPoolExecutor  # noqa: PLC0415
    from multiprocessing import get_context  # noqa: PLC0415

    def work_at(index: int) -> Result:
        return work(items[index])

    pool = ProcessPoolExecutor(n_processes, get_context("fork"), _begin, initargs=(work_at,))
    try:
        yield from pool.map(_result, range(len(items)))
    except BrokenExecutor as error:
        raise LostProcess("A process that read files was ended from outside.") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _begin(work_at: Callable[[int], Any]) -> None:
    """Prepare a worker process: one thread of its own, and no life beyond that of its parent."""
    global _work  # noqa: PLW0603 - the one way to hand on what cannot be pickled
    _work = work_at
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End when the parent ends, in whatever way: the executor would wait for an item forever."""
    from multiprocessing import parent_process  # noqa: PLC0415

    if parent := parent_process():
        parent.join()
    os._exit(1)


def _result(index: int) -> Any:
    return _work(index)
