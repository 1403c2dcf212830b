"""Adapters from a `BatchedGame` to PettingZoo and Gymnasium, written once for every game."""
