"""The links by which the tables of a page are sorted."""

import re
from collections import defaultdict
from collections.abc import Mapping
from html import unescape
from itertools import zip_longest
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.test import Client

# The id of a link, its table, and where it leads.
HEAD = re.compile('<a class="sort" id="((.*?)-by-.*?)" href="([^"#]*)')
SORTED = re.compile(r'aria-sort="\w+"[^>]*>\s*<a class="sort" id="(.*?)"')


def press_each(client: Client, address: str) -> set[str]:
    """Press each head of a page, one of each table at once, which sorts and loses no row; return
    the ids of the tables.
    """
    text = client.get(address).text
    heads = defaultdict(list)
    for head, table, there in HEAD.findall(text):
        heads[table].append((head, table, unescape(there)))
    for at_once in zip_longest(*heads.values()):
        pressed = [each for each in at_once if each]
        there = together({f"{table}-sort": there for _, table, there in pressed})
        found = client.get(urljoin(address, there))
        assert found.status_code == 200, there
        content = found.text
        assert {head for head, *_ in pressed} <= set(SORTED.findall(content)), there
        assert content.count("<tr") == text.count("<tr"), there
    return set(heads)


def together(links: Mapping[str, str]) -> str:
    """What an address asks for once each of these links was followed, by what each changes."""
    asked = {name: dict(parse_qsl(urlsplit(there).query)) for name, there in links.items()}
    kept = set.intersection(*(set(each.items()) for each in asked.values()))
    return "?" + urlencode({**dict(kept), **{name: asked[name][name] for name in links}})
