def pair_loop(x):
    return None
