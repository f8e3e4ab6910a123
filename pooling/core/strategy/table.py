"""The strategies, by name."""

from pooling.core.strategy.adaptive import MAX_MEAN, MOVE_TO_FRONT
from pooling.core.strategy.budgets import BEST_RANK, FUSION
from pooling.core.strategy.by_hand import BY_HAND
from pooling.core.strategy.depths import BY_PRIORITY, BY_RUN, BY_TEAM, DEPTH
from pooling.core.strategy.record import Strategy
from pooling.core.strategy.sampling import SAMPLE

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy
    for strategy in (
        DEPTH,
        BY_RUN,
        BY_PRIORITY,
        BY_TEAM,
        BEST_RANK,
        FUSION,
        SAMPLE,
        MAX_MEAN,
        MOVE_TO_FRONT,
        BY_HAND,
    )
}
