import sys

import pytest

from demo.core import collection


@pytest.fixture
def library(tmp_path):
    def write(sources):
        for name, source in sources.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
        return {document.docno: document for document in collection.documents(tmp_path)}

    return write


LONG = "A docstring that is long enough to be a document."


def test_nothing_is_imported_by_reading(library):
    library({"trap.py": f'"""{LONG}"""\nraise SystemExit("imported")'})
    assert "trap" not in sys.modules


def test_titles_say_what_kind_of_thing_a_document_is_about(library):
    source = f'''"""{LONG}"""
class Till:
    """{LONG}"""
    async def open(self, key, *, wait=1):
        """{LONG}"""
'''
    assert [document.title for document in library({"shop.py": source}).values()] == [
        "module shop",
        "class shop.Till",
        "shop.Till.open(self, key, *, wait=1)",
    ]


def test_a_long_signature_is_cut(library):
    names = ", ".join(f"parameter_{n}" for n in range(40))
    found = library({"shop.py": f'def sell({names}):\n    """{LONG}"""'})
    title = found["shop.sell"].title
    assert len(title) <= 160
    assert title.endswith(" ...)")


def test_a_package_is_named_by_its_folder(library):
    source = f'"""{LONG}"""'
    found = library({"shop/__init__.py": source, "shop/till.py": source})
    assert set(found) == {"shop", "shop.till"}


@pytest.mark.parametrize(
    "skipped",
    ["test/a.py", "site-packages/a.py", "lib/idlelib/a.py", "b-c.py", "d-e/a.py", "a.txt"],
)
def test_tests_installed_packages_and_what_cannot_be_imported_are_left_out(library, skipped):
    source = f'"""{LONG}"""'
    assert set(library({"shop.py": source, skipped: source})) == {"shop"}


def test_definitions_under_a_condition_count_and_those_inside_a_function_do_not(library):
    source = f'''
if True:
    def sell():
        """{LONG}"""
        def inner():
            """{LONG}"""
'''
    assert set(library({"shop.py": source})) == {"shop.sell"}


def test_the_first_of_two_definitions_with_one_name_is_the_document(library):
    twice = f'def sell():\n    """First. {LONG}"""\ndef sell():\n    """{LONG}"""'
    assert library({"shop.py": twice})["shop.sell"].text == f"First. {LONG}"


def test_short_and_missing_docstrings_are_no_documents(library):
    source = f'"""{LONG}"""\ndef sell():\n    """Sell."""\ndef buy(): pass'
    assert set(library({"shop.py": source})) == {"shop"}


def test_names_outside_ascii_are_escaped(library):
    found = library({"shop.py": f'def größe():\n    """{LONG}"""'})
    assert set(found) == {"shop.gr\\xf6\\xdfe"}


def test_control_characters_become_blanks(library):
    found = library({"shop.py": f'"""\\0{LONG}\\x1b[0m \\ud800 end"""'})
    assert found["shop"].text == f"{LONG} [0m   end"


def test_a_python_without_its_sources_is_refused_with_the_folder(tmp_path):
    with pytest.raises(FileNotFoundError, match=tmp_path.name):
        collection.documents(tmp_path)
