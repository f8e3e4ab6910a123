"""The links by which the tables of a page are sorted."""

import re
from html import unescape
from urllib.parse import urljoin

from django.test import Client

# The table of a link, and where it leads.
HEAD = re.compile('<a class="sort" id="(.*?)-by-.*?" href="([^"#]*)')


def press_each(client: Client, address: str) -> set[str]:
    """Follow each head of a page, which sorts and loses no row; return the ids of the tables."""
    text = client.get(address).content.decode()
    heads = HEAD.findall(text)
    for _, there in heads:
        found = client.get(urljoin(address, unescape(there)))
        assert found.status_code == 200, there
        assert 'aria-sort="' in found.content.decode(), there
        assert found.content.decode().count("<tr") == text.count("<tr"), there
    return {table for table, _ in heads}
