"""What is done with lines by the million: compiled where it could be, else in plain Python.

The only folder whose code is written for the processor first, and for readers second. The two
readers have the same functions, and nothing tells them apart but time.
"""

from cleverdon.trec.engine import compiled, plain

reader = compiled if compiled.LIBRARY else plain
