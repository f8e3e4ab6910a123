"""The size of the product that `make check` prints."""

from docs.size import by_folder, nodes


def test_the_product_is_counted_without_migrations_and_tests(tmp_path):
    for path in ("app/views.py", "app/migrations/0001.py", "tests/test_views.py", ".venv/a.py"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("a = 1\n")
    assert by_folder(tmp_path) == {"app": nodes("a = 1")}
    assert nodes("a = 1") == 5, "module, assignment, name, its context, constant"
