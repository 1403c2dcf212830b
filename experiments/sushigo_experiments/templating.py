"""How this package's HTML templates are filled in: every text escaped, nothing left undefined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sushigo_experiments._extras import needs

if TYPE_CHECKING:
    from jinja2 import Environment


def templates() -> Environment:
    """Jinja2's environment of the templates; `SettingError` if it is not installed."""
    with needs("experiments"):
        from jinja2 import Environment, PackageLoader, StrictUndefined
    return Environment(
        loader=PackageLoader("sushigo_experiments"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
