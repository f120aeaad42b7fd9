"""Tests compile whatever they call, however small: the original would agree with itself."""

import os

# before anything imports autovec
os.environ.setdefault("AUTOVEC_ALWAYS", "1")
