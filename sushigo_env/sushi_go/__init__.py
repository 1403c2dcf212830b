"""Sushi Go!: cards, plays, scoring, state, kernels, game, observation, record, render; read in that order."""
