"""Who plays: the registry of agents, random and heuristic players, matches at tables."""
