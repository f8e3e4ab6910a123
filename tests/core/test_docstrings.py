"""The examples in docstrings are true. pytest's own doctests look into all modules, and each worker
waits for that.
"""

import doctest
import importlib

import pytest

from tests.deployment import PACKAGES, ROOT

MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text()
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_print_what_they_say(name):
    n_failed, n_tried = doctest.testmod(importlib.import_module(name))
    assert (n_failed, n_tried > 0) == (0, True)
