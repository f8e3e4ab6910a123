"""How an app asks the apps above it, which it may not import."""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

Asked = ParamSpec("Asked")
Answer = TypeVar("Answer")


class Hook(Generic[Asked, Answer]):
    """A question or an announcement. Apps above register, in their `hooks.py`, who answers it."""

    def __init__(self) -> None:
        self._functions: list[Callable[Asked, Answer]] = []

    def register(self, function: Callable[Asked, Answer]) -> None:
        self._functions.append(function)

    def __call__(self, *arguments: Asked.args, **options: Asked.kwargs) -> list[Answer]:
        return [function(*arguments, **options) for function in self._functions]
