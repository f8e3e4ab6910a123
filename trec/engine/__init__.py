"""Text into arrays, a block of lines at a time.

The readers of trec need these only: `table.read` for a whole file, or `text.blocks` and `table.rows` for a file read on in spite of
its faults; `table.Layout` for what the columns are; and `numbers.scores` and `numbers.whole_numbers` for columns of numbers.
"""
