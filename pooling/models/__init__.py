"""Pools, which consist of batches; their documents, and duplicates among them; forecasts."""

from pooling.models import batches, contributors, entries, forecasts, likenesses, pools  # noqa: F401
