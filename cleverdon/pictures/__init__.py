"""Pictures of numbers as SVG: arrays in, a `Picture` out. No Django, no campaign."""
