"""A third family of random programs: those of `tests/programs` with one to four changes each.

    whole program  -->  changes of its tree  -->  arguments, varied  -->  tried: it ends, and can be built

`corpus.py` has the programs, `places.py` finds what can change, `values.py` changes expressions and `blocks.py`
statements; `arguments.py` varies what a program is called with, `trials.py` tells which originals are too slow or too
sensitive to compare, `programs.py` puts it together.
"""
