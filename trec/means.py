"""Means and standard deviations by topic and measure, in trec_eval's format for z-scores: topic, measure, mean, deviation."""

from typing import BinaryIO

from trec.docnos import decoded
from trec.engine import table
from trec.engine.table import Layout, quoted
from trec.streams import FormatError

LAYOUT = Layout(("topic", "measure", "mean", "standard deviation"), "a file of means has four")

# The mean and the standard deviation by topic and measure, under the name that trec_eval prints.
Means = dict[tuple[str, str], tuple[float, float]]


def read_zscores(stream: BinaryIO) -> Means:
    """Return the means of a file; FormatError, with the line, for a line of other fields and for a mean that comes twice."""
    means: Means = {}
    for rows in table.read(stream, LAYOUT, lambda rows: rows):
        columns = [rows.column(number).tolist() for number in range(LAYOUT.n_columns)]
        topics, measures, *_ = map(decoded, columns)
        fields = zip(rows.line_numbers.tolist(), topics, measures, *columns[2:], strict=True)
        for line, topic, measure, mean, deviation in fields:
            if (topic, measure) in means:
                sentence = f"The mean of {measure} for topic {topic} comes twice."
                raise FormatError(line, sentence)
            means[topic, measure] = _number(line, mean), _number(line, deviation)
    if not means:
        raise FormatError(None, "The file is empty.")
    return means


def _number(line: int, word: bytes) -> float:
    """Read a number. nan and inf are allowed, as where the mean was taken over no run; trec_eval prints what follows from them."""
    try:
        return float(word.replace(b"_", b"x"))
    except ValueError as error:
        raise FormatError(line, f"{quoted(word)} is not a number.") from error
