"""Networks of any game, built from its observation and action layout.

* :mod:`playmat.train.encoders.layout`: which bytes and actions belong together.
* :mod:`playmat.train.encoders.bodies`: the layers.
* :mod:`playmat.train.encoders.network`: from the engine's bytes to logits and a value.
"""
