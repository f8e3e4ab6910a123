import pytest

pytest.register_assert_rewrite("tests.e2e.results")
