"""Integers and sequences, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def totients(n):
    """Euler's function of all numbers to n, by a sieve."""
    phi = list(range(n + 1))
    for p in range(2, n + 1):
        if phi[p] == p:
            for m in range(p, n + 1, p):
                phi[m] -= phi[m] // p
    return phi


def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            for j in range(i * i, n + 1, i):
                prime[j] = False
    return np.nonzero(prime)[0]


def digit_sums(numbers):
    out = np.zeros_like(numbers)
    for i, n in enumerate(numbers):
        s = 0
        while n > 0:
            s += n % 10
            n //= 10
        out[i] = s
    return out


def common_divisors(a, b):
    out = np.zeros(len(a), dtype=np.int64)
    for i in range(len(a)):
        x, y = a[i], b[i]
        while y != 0:
            x, y = y, x % y
        out[i] = x
    return out


def powers_mod(base, exponent, modulus):
    out = []
    for b, e in zip(base, exponent):
        r = 1
        b = b % modulus
        while e > 0:
            if e & 1:
                r = r * b % modulus
            b = b * b % modulus
            e >>= 1
        out.append(r)
    return out


def count_primes(n):
    count = 0
    for k in range(2, n):
        d = 2
        is_prime = True
        while d * d <= k:
            if k % d == 0:
                is_prime = False
                break
            d += 1
        if is_prime:
            count += 1
    return count


def popcounts(x):
    total = 0
    most = 0
    for v in x:
        c = 0
        while v:
            v &= v - 1
            c += 1
        total += c
        most = max(most, c)
    return total, most


def coin_ways(coins, target):
    ways = [0] * (target + 1)
    ways[0] = 1
    for c in coins:
        for t in range(c, target + 1):
            ways[t] = (ways[t] + ways[t - c]) % 1000000007
    return ways[target]


def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=int)
    for i in range(len(weights)):
        for c in range(capacity, weights[i] - 1, -1):
            best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best[capacity]


def longest_common(a, b):
    table = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            if a[i - 1] == b[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = max(table[i - 1, j], table[i, j - 1])
    return table[len(a), len(b)]


def edit_distance_rows(a, b):
    prev = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            row.append(min(prev[j + 1] + 1, row[j] + 1, prev[j] + cost))
        prev = row
    return prev[-1]


def best_subarray(x):
    best = current = x[0]
    for v in x[1:]:
        current = max(v, current + v)
        best = max(best, current)
    return best


def linear_congruence(seed, n):
    """A generator of random numbers, and the share of them in the circle."""
    inside = 0
    for _ in range(n):
        seed = (1103515245 * seed + 12345) % 2147483648
        x = seed / 2147483648
        seed = (1103515245 * seed + 12345) % 2147483648
        y = seed / 2147483648
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n


def insertion_sorted(x):
    a = x.copy()
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


def bubble_passes(x):
    a = list(x)
    swaps = 0
    for i in range(len(a)):
        moved = False
        for j in range(len(a) - 1 - i):
            if a[j] > a[j + 1]:
                a[j], a[j + 1] = a[j + 1], a[j]
                moved = True
                swaps += 1
        if not moved:
            break
    return a, swaps


def merge_sorted(a, b):
    out = np.empty(len(a) + len(b))
    i = j = 0
    for k in range(len(out)):
        if j >= len(b) or (i < len(a) and a[i] <= b[j]):
            out[k] = a[i]
            i += 1
        else:
            out[k] = b[j]
            j += 1
    return out


def two_sum(x, target):
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            if x[i] + x[j] == target:
                return i, j
    return None


def run_lengths(x):
    values, lengths = [], []
    i = 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        values.append(x[i])
        lengths.append(j - i)
        i = j
    return values, lengths


def longest_increasing(x):
    n = len(x)
    best = [1] * n
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
    return max(best)


def perfect_numbers(limit):
    found = []
    for n in range(2, limit):
        total = 1
        for d in range(2, int(math.sqrt(n)) + 1):
            if n % d == 0:
                total += d
                if d != n // d:
                    total += n // d
        if total == n:
            found.append(n)
    return found


def pascal(n, m):
    rows = [[1]]
    for i in range(1, n):
        row = [1] * (i + 1)
        for j in range(1, i):
            row[j] = (rows[i - 1][j - 1] + rows[i - 1][j]) % m
        rows.append(row)
    return rows[-1]


def is_sorted_scan(x):
    for i in range(1, len(x)):
        if x[i] < x[i - 1]:
            return False
    return True


PROGRAMS = programs(
    Maker(totients, lambda r, n: (n,), 30, 200000),
    Maker(sieve, lambda r, n: (n,), 30, 1000000),
    Maker(digit_sums, lambda r, n: (r.integers(0, 10**8, n),), 9, 50000),
    Maker(common_divisors, lambda r, n: (r.integers(1, 10**6, n), r.integers(1, 10**6, n)), 9, 60000),
    Maker(powers_mod, lambda r, n: (r.integers(1, 1000, n), r.integers(0, 1000, n), 10007), 9, 60000),
    Maker(count_primes, lambda r, n: (n,), 30, 20000),
    Maker(popcounts, lambda r, n: (r.integers(0, 2**40, n),), 9, 40000),
    Maker(coin_ways, lambda r, n: ([1, 2, 5, 10, 20, 50], n), 12, 200000),
    Maker(knapsack, lambda r, n: (r.integers(1, 9, n), r.integers(1, 20, n), 5 * n), 6, 350),
    Maker(longest_common, lambda r, n: (r.integers(0, 3, n), r.integers(0, 3, n + 2)), 7, 700),
    Maker(edit_distance_rows, lambda r, n: (r.integers(0, 3, n), r.integers(0, 3, n + 2)), 7, 700),
    Maker(best_subarray, lambda r, n: (r.normal(size=n),), 12, 1000000),
    Maker(linear_congruence, lambda r, n: (42, n), 20, 600000),
    Maker(insertion_sorted, lambda r, n: (r.normal(size=n),), 9, 1500),
    Maker(bubble_passes, lambda r, n: (r.normal(size=n),), 9, 1000),
    Maker(merge_sorted, lambda r, n: (np.sort(r.normal(size=n)), np.sort(r.normal(size=n))), 7, 400000),
    Maker(two_sum, lambda r, n: (r.integers(0, 10**9, n), -1), 7, 1500),
    Maker(run_lengths, lambda r, n: (r.integers(0, 2, n),), 20, 300000),
    Maker(longest_increasing, lambda r, n: (r.integers(0, 1000, n),), 9, 1200),
    Maker(perfect_numbers, lambda r, n: (n,), 30, 10000),
    Maker(pascal, lambda r, n: (n, 1000007), 6, 700),
    Maker(is_sorted_scan, lambda r, n: (np.arange(n),), 6, 1000000),
)
