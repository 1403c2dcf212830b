"""Agents that think: they sample what they cannot see, play on from there, and choose what did best."""
