"""Networks of any game, built from its observation and action layout."""
