"""Worked examples from books and papers, for the tests and the documentation."""

from typing import NamedTuple

AP_BOOK = "Croft, Metzler and Strohman 2010, section 8.4"
CG_PAPER = "Järvelin and Kekäläinen 2002, section 2"
RECALLS = " ".join(f"IPrec@{point / 10}" for point in range(11))
EXPONENTIAL = "DCG(dcg='exp-log2')"


class Example(NamedTuple):
    """A ranking by its grades from the top, and the values of measures as printed.

    `lacks` has the grades of the judged documents that were not retrieved. Measures and values are
    words; grades have one digit each.
    """

    measures: str
    ranking: str
    lacks: str
    values: str
    source: str


EXAMPLES = (
    Example("AP", "1011110001", "", "0.78", AP_BOOK),
    Example("AP", "0100111011", "", "0.52", AP_BOOK),
    Example("AP", "1010010011", "", "0.62", f"{AP_BOOK}.2; MAP with the next: 0.53"),
    Example("AP", "0100101000", "", "0.44", f"{AP_BOOK}.2"),
    Example(
        RECALLS,
        "1010010011",
        "",
        "1 1 1 0.67 0.67 0.5 0.5 0.5 0.5 0.5 0.5",
        f"{AP_BOOK}.2, table 8.4",
    ),
    Example(
        RECALLS,
        "0100101000",
        "",
        "0.5 0.5 0.5 0.5 0.43 0.43 0.43 0.43 0.43 0.43 0.43",
        f"{AP_BOOK}.2, table 8.4",
    ),
    Example(
        "Bpref",
        "101001",
        "",
        "0.556",
        f"by hand, both forms of {AP_BOOK}.3: (1 + 2/3 + 0) / 3 over the relevant documents; 5 "
        "preferences fulfilled of 9",
    ),
    Example("CG@10", "3230012230", "", "16", CG_PAPER),
    Example("DCG(base=2)@10", "3230012230", "", "9.61", f"{CG_PAPER}; {AP_BOOK}.3"),
    Example("IDCG(base=2)@10", "3230012230", "111", "11.83", CG_PAPER),
    Example("nDCG(base=2)@10", "3230012230", "", "0.88", f"{AP_BOOK}.3"),
    Example(EXPONENTIAL, "4321", "", "21.35", "by hand: 15 + 7 / 1.585 + 3 / 2 + 1 / 2.322"),
    Example(EXPONENTIAL, "2314", "", "14.38", "by hand: 3 + 7 / 1.585 + 1 / 2 + 15 / 2.322"),
    Example(EXPONENTIAL, "42301", "", "20.78", "by hand: 15 + 3 / 1.585 + 7 / 2 + 1 / 2.585"),
    Example(
        EXPONENTIAL, "023104", "", "11.17", "by hand: 3 / 1.585 + 7 / 2 + 1 / 2.322 + 15 / 2.807"
    ),
    Example(
        EXPONENTIAL, "032041", "", "12.08", "by hand: 7 / 1.585 + 3 / 2 + 15 / 2.585 + 1 / 2.807"
    ),
)
