"""Sushi Boat: cards, plays, scoring, rules, state, the kernels, loops, game; read in that order."""
