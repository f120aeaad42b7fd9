"""Random programs of the loop language, as source text with arguments to match.

`programs.py` puts a whole function together, `statements.py` and `loops.py` fill its body, `expressions.py` writes what
is computed; `arguments.py` makes the values, and `check.py` runs a program both ways. `scientific/` is a second family of
programs, `mutants/` a third: real ones, changed.
"""
