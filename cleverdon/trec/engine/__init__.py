"""Text into arrays, a block of lines at a time.

The readers of trec use `table.read` for a whole file, or `text.blocks` and `table.rows` to read on
despite faults; `table.Layout` for the columns; and `numbers.scores` and `numbers.whole_numbers`.
"""
