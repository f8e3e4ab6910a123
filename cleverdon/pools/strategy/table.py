"""The strategies, by name."""

from cleverdon.pools.strategy.adaptive import MAX_MEAN, MOVE_TO_FRONT
from cleverdon.pools.strategy.budgets import BEST_RANK, FUSION
from cleverdon.pools.strategy.by_hand import BY_HAND
from cleverdon.pools.strategy.depths import BY_PRIORITY, BY_RUN, BY_TEAM, DEPTH
from cleverdon.pools.strategy.record import Strategy
from cleverdon.pools.strategy.sampling import SAMPLE

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
