"""The styles of pictures in files, from the site's stylesheets: the light scheme, in plain colors.

`python -m docs.generate` writes them beside the code that draws, which needs no site for that.
"""

import re
from pathlib import Path

STYLES = Path(__file__).resolve().parent.parent / "static" / "css"
FONT = (
    "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', "
    "sans-serif"
)
TOKEN = re.compile(r"--([\w-]+):\s*light-dark\(\s*(#[0-9a-f]{6})")
USE = re.compile(r"var\(--([\w-]+)(?:,\s*light-dark\((#[0-9a-f]{6}),[^)]*\))?\)")
MIXTURE = re.compile(r"color-mix\(in srgb, (#[0-9a-f]{6}) ([\d.]+)%, (#[0-9a-f]{6})\)")
RULE = re.compile(r"^ {2}(\.picture(?: text| \.[\w.-]+)? \{[^{}]*\})", re.MULTILINE)


def light() -> str:
    """Return the rules of the site's stylesheet for pictures in the colors of the light scheme."""
    tokens = dict(TOKEN.findall((STYLES / "base.css").read_text()))
    tokens["ground"] = tokens["raised"]
    rules = "\n".join(RULE.findall((STYLES / "pictures.css").read_text()))
    colored = USE.sub(lambda use: tokens.get(use[1]) or use[2], rules)
    plain = MIXTURE.sub(mixed, colored)
    return f".picture, .paper {{ {FONT}; }}\n.paper {{ fill: {tokens['raised']}; }}\n{plain}\n"


def mixed(mixture: re.Match[str]) -> str:
    """Return the color that a mixture of two gives in sRGB."""
    one, part, other = mixture[1], float(mixture[2]) / 100, mixture[3]
    channels = [
        round(int(one[n : n + 2], 16) * part + int(other[n : n + 2], 16) * (1 - part))
        for n in (1, 3, 5)
    ]
    return "#" + "".join(f"{channel:02x}" for channel in channels)
