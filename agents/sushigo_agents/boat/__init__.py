"""Agents for Sushi Boat: `boat_greedy`, a rule of thumb, and `monte_carlo`, which plays games on by it."""
