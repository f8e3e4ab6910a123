"""Lists in pages."""

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator
from django.http import QueryDict

from campaigns.sorting import Head, Sorting


class ListPage(Page[Any]):
    """A page of a list, with the addresses of its neighbors and its heads."""

    paginator: "Listing"
    form: Any  # the filters of a `Noun`

    @property
    def previous(self) -> str:
        return self.paginator.address(self.previous_page_number())

    @property
    def next(self) -> str:
        return self.paginator.address(self.next_page_number())

    @property
    def heads(self) -> dict[str, Head]:
        """The heads of the columns to sort by."""
        return self.paginator.heads

    @property
    def sort(self) -> dict[str, str]:
        """The sort as fields of a form or a link that asks for other rows."""
        sort = self.paginator.sort
        return {self.paginator.sorting.parameter: sort} if sort else {}

    @property
    def kept(self) -> str:
        """The sort as the end of an address."""
        return f"&{urlencode(self.sort)}" if self.sort else ""


class Listing(Paginator[Any]):
    """A list in pages, which keep the rest of the address, such as a search."""

    def __init__(
        self,
        rows: Any,
        per_page: int,
        *,
        at: str,
        query: QueryDict,
        name: str,
        sorting: Sorting,
        is_fixed: bool = False,
    ) -> None:
        super().__init__(rows, per_page)
        self.at, self.query, self.name, self.sorting = at, query, name, sorting
        self.is_fixed = is_fixed
        self.sort = sorting.asked(query.get(sorting.parameter, ""), self.count)
        self.object_list = sorting.sorted(rows, self.sort)

    def _get_page(self, *arguments: Any) -> ListPage:
        return ListPage(*arguments)

    def address(self, number: int) -> str:
        query = self.query.copy()
        query[self.name] = str(number)
        table = self.sorting.table
        return f"{self.at}?{query.urlencode()}{table and '#'}{table}"

    @property
    def heads(self) -> dict[str, Head]:
        return self.sorting.heads(self.sort, self.count, self._sorted)

    def _sorted(self, sort: str) -> str:
        """Return the address of the first page in another order; "" if the order `is_fixed`."""
        if self.is_fixed:
            return ""
        query = self.query.copy()
        query.pop(self.name, None)
        query[self.sorting.parameter] = sort
        return f"{self.at}?{query.urlencode()}"
