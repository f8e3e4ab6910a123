"""The strategies, by name."""

from pooling.core.strategy.depths import BY_PRIORITY, BY_RUN, BY_TEAM, DEPTH
from pooling.core.strategy.record import Strategy

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy for strategy in (DEPTH, BY_RUN, BY_PRIORITY, BY_TEAM)
}
