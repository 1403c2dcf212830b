"""Exact play for two players: the rest of a round is solved, not guessed.

`matrix_game.solve_matrix` solves a matrix game, `endgame.solve` the rest of a round from a position, and the agent
`exact` (`agent.py`) plays what comes out.
"""
