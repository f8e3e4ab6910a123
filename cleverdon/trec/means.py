"""Means and standard deviations by topic and measure, as trec_eval reads them for z-scores."""

from typing import BinaryIO

from cleverdon.trec import table
from cleverdon.trec.docnos import decoded
from cleverdon.trec.streams import FormatError
from cleverdon.trec.table import Layout, quoted

LAYOUT = Layout(("topic", "measure", "mean", "standard deviation"), "a file of means has four")

# Mean and standard deviation by topic and trec_eval's name of the measure.
Means = dict[tuple[str, str], tuple[float, float]]


def read_zscores(stream: BinaryIO) -> Means:
    """Read a file of means; FormatError, with the line, for other fields or a repeated mean."""
    means: Means = {}
    for rows in table.read(stream, LAYOUT, lambda rows: rows):
        columns = [rows.column(number) for number in range(LAYOUT.n_columns)]
        for row, line in enumerate(rows.line_numbers.tolist()):
            *names, mean, deviation = (column[row] for column in columns)
            topic, measure = decoded(names)
            if (topic, measure) in means:
                raise FormatError(line, f"The mean of {measure} for topic {topic} comes twice.")
            means[topic, measure] = _number(line, mean), _number(line, deviation)
    if not means:
        raise FormatError(None, "The file is empty.")
    return means


def _number(line: int, word: bytes) -> float:
    """Read a number; nan and inf too, as from a mean over no run, which trec_eval takes."""
    try:
        return float(word.replace(b"_", b"x"))
    except ValueError as error:
        raise FormatError(line, f"{quoted(word)} is not a number.") from error
