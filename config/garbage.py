"""How often Python looks for garbage in a process that serves pages."""

import gc

# Objects made before a look: a page of a large campaign makes hundreds of thousands and keeps none.
BETWEEN = 50_000, 20, 20


def look_rarely() -> None:
    """Leave out what has been loaded, which stays, and look more rarely at the rest.

    By the usual thresholds a large page is interrupted often enough to take a fifth longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*BETWEEN)
