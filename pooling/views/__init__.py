"""Pages of the pool."""

from pooling.views.choosing import build, forecast, pool
from pooling.views.downloads import contributions, docnos
from pooling.views.freezing import delete, freeze, unfreeze

__all__ = ["build", "contributions", "delete", "docnos", "forecast", "freeze", "pool", "unfreeze"]
