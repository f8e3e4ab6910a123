"""Pools, which consist of batches; their documents; forecasts of pools not yet built."""

from pooling.models import batches, entries, forecasts, pools  # noqa: F401
