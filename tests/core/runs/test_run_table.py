"""The table that describes runs: what it says of each, and why it cannot be taken."""

import pytest

from runs.core.run_table import MAX_BYTES, MOST_ROWS, RunRow, is_run_table, read_run_table

TABLES = {
    "commas": 'tag,manual,priority,description\r\na,yes,2,"By hand, twice."\r\nb,no,,BM25\r\n',
    "semicolons": "tag;manual;priority;description\r\na;yes;2;By hand, twice.\r\nb;no;;BM25\r\n",
    "other names": 'Run-ID,Type,Priority,Desc\na,manual,2,"By hand, twice."\nb,automatic,,BM25\n',
    "tabs and files": "file\tteam\tpriority\tmanual\tdescription\n"
    "x/a.txt\tx\t2\tYes\tBy hand, twice.\nb.txt\tx\t\tno\tBM25\n",
}


@pytest.mark.parametrize("name", TABLES)
def test_a_table_describes_each_run_by_tag_or_by_file(name):
    rows = read_run_table(TABLES[name].encode())
    assert [row.values for row in rows] == [
        {"is_manual": True, "priority": 2, "description": "By hand, twice."},
        {"is_manual": False, "priority": None, "description": "BM25"},
    ]
    assert [row.is_of(tag, f"{tag}.txt") for row, tag in zip(rows, "ab", strict=True)] == [True] * 2
    assert not rows[0].is_of("c", "c.txt")


def test_cells_end_where_csv_says_and_exported_ones_come_back():
    [row] = read_run_table('\ufefftag,description\na,"\'=one\u2028two\r\nthree"\n'.encode())
    assert row.description == "=one\u2028two\r\nthree"


def test_a_type_that_is_not_stated_is_neither():
    rows = read_run_table(b"tag,manual\na,\nb,no\nc,yes\n")
    assert [row.is_manual for row in rows] == [None, False, True]
    assert read_run_table(b"tag\na\n")[0].is_manual is None


def test_a_table_states_efficiency_as_the_form_does():
    table = b"tag,latency_p50_ms,latency_p95_ms,index_bytes,hardware\na,3.5,9,1e9,GPU\nb,,,,\n"
    first, second = read_run_table(table)
    assert first.efficiency == {
        "latency_p50_ms": 3.5,
        "latency_p95_ms": 9.0,
        "index_bytes": 1_000_000_000,
        "hardware": "GPU",
    }
    assert first.values["latency_p50_ms"] == 3.5
    assert second.efficiency == {}


def test_only_line_ends_end_a_row():
    table = "tag,description\r\na,one\N{LINE SEPARATOR}two\x0bthree,,\r\n"
    [row] = read_run_table(table.encode())
    assert row.description == "one\N{LINE SEPARATOR}two\x0bthree"


def test_rows_of_several_tables_are_counted_together():
    table = b"tag\n" + b"a\n" * 10
    assert len(read_run_table(table, MOST_ROWS - 10)) == 10
    with pytest.raises(ValueError, match="more than 500 runs"):
        read_run_table(table, MOST_ROWS - 9)


def test_a_row_is_of_the_run_whose_name_looks_the_same():
    by_tag, by_file = read_run_table("tag,file\nBM25,\n,North\\e\u0301t\u00e9.TXT\n".encode())
    assert by_tag.is_of("bm25", "other")
    assert not by_tag.is_of("bm26", "BM25")
    assert by_file.is_of("any", "\u00e9te\u0301.txt")


def test_a_row_that_names_no_run_says_so():
    row = RunRow("other", "", is_manual=False, priority=None, description="")
    assert row.without_run == "The table describes other, which was not taken."


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (b"tag,manual\na,perhaps\n", "says “perhaps” of a under manual: it is yes or no"),
        (b"tag,priority\na,high\n", "gives a the priority “high”: it is a whole number from 1"),
        (
            b"tag,latency_mean_ms\na,fast\n",
            "says “fast” under latency_mean_ms of a: it is a number",
        ),
        (b"tag,latency_mean_ms\na,inf\n", "says “inf” under latency_mean_ms"),
        (b"tag,index_bytes\na,-1\n", "cannot be taken: index_bytes of a. It cannot be negative"),
        (b"tag,hardware\na," + b"x" * 201, "has a hardware of a over 200 characters long"),
        (b"tag,description\na," + b"x" * 10_001, "has a description of a over 10,000 characters"),
        (b"tag,priority\na,0\n", "gives a the priority “0”"),
        (b"tag,priority\na,101\n", "gives a the priority “101”"),
        ("tag,priority\na,²\n".encode(), "gives a the priority “²”"),
        (b"tag,priority\na," + b"9" * 99, "gives a the priority “9"),
        (b"tag,priority\na,0000000010", "gives a the priority “0000000010”"),
        (b"tag,index_seconds\na,1_000\n", "says “1_000” under index_seconds of a"),
        (b"tag,description\na,Okapi, k1=0.9\n", "has more cells for a than names of columns"),
        (b"tag\n" + b"a\n" * (MOST_ROWS + 1), "describes more than 500 runs, which is the limit"),
        (b"name,manual\na,yes\n", "neither a column tag nor a column file"),
        ("tag\ta\n".encode("utf-16"), "cannot be read. It is text in UTF-16: save"),
        (b"name,manual\na,yes\n", "so its rows name no runs: it has name, manual"),
        (b"tag\n\xff\n", "is not UTF-8"),
        (b"", "cannot be read"),
        (b"x" * (MAX_BYTES + 1), "is longer than 1,048,576 bytes"),
    ],
)
def test_a_table_that_cannot_be_taken_says_why(table, said):
    with pytest.raises(ValueError, match=f"^The table .*{said}"):
        read_run_table(table)


def test_a_table_is_known_by_its_name():
    assert [is_run_table(name) for name in ("sub/Runs.CSV", "runs.tsv", "runs.txt")] == [
        True,
        True,
        False,
    ]
