"""The pictures of the pool's page."""

from pictures.lines import Point, Series, lines
from pictures.picture import Picture
from pooling.core.statistics import PoolSizes
from trec.words import counted


def size_by_depth(sizes: PoolSizes, depth: int, *, width: int | None = None) -> Picture:
    """Draw how many documents there are to judge at every depth, and mark the chosen one."""
    total, documents = sizes.total.tolist(), counted(sizes.at(depth), "document")
    depths = range(1, sizes.max_depth + 1)
    return lines(
        [
            Series("documents", depths, total, "others"),
            Series("chosen", depths[:depth], total[:depth], area=True, in_table=False),
        ],
        sentence=f"Depth {depth} gives {documents} to judge, depth {sizes.max_depth} {total[-1]:,}.",
        x_name="depth",
        y_name="documents",
        points=[Point(depth, sizes.at(depth), documents, f"depth {depth}", drop=True)],
        width=width,
    )
