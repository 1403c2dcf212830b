"""Uniform play: every legal play is as likely as any other. The agent lives with the environments, which need it."""

from sushigo_env.api.opponents import Random

__all__ = ["Random"]
