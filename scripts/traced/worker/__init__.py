"""What runs inside the interpreter that a page reports on: the standard library and jax alone.

No other part of the package is imported from here, so that the worker also runs under another
Python (3.10 or newer) with another version of JAX.
"""
