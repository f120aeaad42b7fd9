def pair_loop(x):
    return 0
