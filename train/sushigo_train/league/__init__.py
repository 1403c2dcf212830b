"""A league of learners: who trains against whom, so that no strategy forgets how to beat an old one.

`payoff` knows who beats whom, `matchmaking` draws opponents by it, `pool` keeps the frozen ones, `settings` says what
may be chosen, and `league` puts them together. Nothing here holds weights or needs torch.
"""

from sushigo_train.league.league import SCRATCH, League, Match, Orders
from sushigo_train.league.matchmaking import as_duel, draw, priorities
from sushigo_train.league.payoff import PayoffMatrix
from sushigo_train.league.pool import Member, Pool
from sushigo_train.league.settings import LeagueSettings

__all__ = [
    "SCRATCH",
    "League",
    "LeagueSettings",
    "Match",
    "Member",
    "Orders",
    "PayoffMatrix",
    "Pool",
    "as_duel",
    "draw",
    "priorities",
]
