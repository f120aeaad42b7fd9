"""A second family of random programs, in the style of scientific code: what the first one doesn't make.

`arrays.py`: views with names, slices of every kind, whole-array calls (`changes.py`: masks, names that change hands;
`locals.py`: small dtypes). `holders.py`: objects, dicts, lists of lists, strings and None, functions that return tuples
or write. `nests.py`: sums of loop variables as subscripts, conditions across them. `inside.py`: work arrays and values of
one iteration, lists of chosen elements.

A program is made of templates with fields: `np.cumsum({v})`. `scope.py` has what they share, `arguments.py` makes the
values, `programs.py` puts a function together.
"""
