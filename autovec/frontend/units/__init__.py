"""A function that doesn't compile whole, cut into kernels and the Python between them.

`runs` says which consecutive statements can be kernels, `blockers` which statement a refusal is about, `outline`
makes the functions: one for each run, and the host that calls them.
"""
