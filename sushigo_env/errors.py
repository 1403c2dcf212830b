"""Every error this project raises on purpose, each a sentence: what was wrong, where, what is allowed.

SushiGoError
├── SettingError      a setting or argument is not allowed            (also a ValueError)
├── ActionError       an action cannot be taken                       (also a ValueError)
│   └── IllegalAction in range, but the rules forbid it now
├── OrderError        called out of order: before reset, after the end, out of turn (also a RuntimeError)
├── RecordError       a game record that cannot be read or replayed   (also a ValueError)
└── AgentError        an unknown agent, or one that broke its contract (also a ValueError)
"""

from __future__ import annotations


class SushiGoError(Exception):
    """Base of all errors raised on purpose; the command prints it as one line and exits with code 1."""


class SettingError(SushiGoError, ValueError):
    """A setting or argument is not allowed; the message says what is."""


class ActionError(SushiGoError, ValueError):
    """An action cannot be taken: wrong type, shape or range."""


class IllegalAction(ActionError):
    """An action in range that the rules forbid in this position."""


class OrderError(SushiGoError, RuntimeError):
    """A call out of order: before reset, after the end, or out of turn."""


class RecordError(SushiGoError, ValueError):
    """A game record that cannot be read, or holds an impossible game."""


class AgentError(SushiGoError, ValueError):
    """An unknown agent, or an agent that broke its contract."""
