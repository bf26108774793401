"""The one game screen and its panel."""
