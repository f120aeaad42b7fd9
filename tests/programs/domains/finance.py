"""Finance and statistics of series, as people who work there write them."""

from __future__ import annotations

import math

import numpy as np

from tests.programs.domains.maker import Maker, programs


def drawdown(prices):
    peak = prices[0]
    worst = 0.0
    start = end = 0
    peak_at = 0
    for i, p in enumerate(prices):
        if p > peak:
            peak = p
            peak_at = i
        fall = (peak - p) / peak
        if fall > worst:
            worst = fall
            start, end = peak_at, i
    return worst, start, end


def moving_average(x, window):
    out = np.full(len(x), np.nan)
    for i in range(window - 1, len(x)):
        out[i] = sum(x[i - window + 1 : i + 1]) / window
    return out


def rolling_deviation(x, w):
    n = len(x)
    result = np.zeros(n - w + 1)
    for i in range(n - w + 1):
        m = 0.0
        for j in range(w):
            m += x[i + j]
        m /= w
        v = 0.0
        for j in range(w):
            v += (x[i + j] - m) ** 2
        result[i] = np.sqrt(v / (w - 1))
    return result


def exponential_average(x, span):
    alpha = 2 / (span + 1)
    out = [x[0]]
    for v in x[1:]:
        out.append(alpha * v + (1 - alpha) * out[-1])
    return out


def relative_strength(close, period):
    gains = losses = 0.0
    rsi = np.zeros(len(close))
    for i in range(1, len(close)):
        change = close[i] - close[i - 1]
        up = change if change > 0 else 0.0
        down = -change if change < 0 else 0.0
        if i <= period:
            gains += up / period
            losses += down / period
        else:
            gains = (gains * (period - 1) + up) / period
            losses = (losses * (period - 1) + down) / period
        if i >= period:
            rsi[i] = 100.0 if losses == 0 else 100 - 100 / (1 + gains / losses)
    return rsi


def american_put(spot, strike, rate, vol, years, steps):
    dt = years / steps
    u = math.exp(vol * math.sqrt(dt))
    d = 1 / u
    p = (math.exp(rate * dt) - d) / (u - d)
    disc = math.exp(-rate * dt)
    values = [max(strike - spot * u**j * d ** (steps - j), 0.0) for j in range(steps + 1)]
    for i in range(steps - 1, -1, -1):
        for j in range(i + 1):
            held = disc * (p * values[j + 1] + (1 - p) * values[j])
            values[j] = max(held, strike - spot * u**j * d ** (i - j))
    return values[0]


def asian_option(spot, strike, rate, vol, dt, shocks):
    paths, steps = shocks.shape
    payoff = 0.0
    for i in range(paths):
        s = spot
        total = 0.0
        for t in range(steps):
            s *= math.exp((rate - 0.5 * vol * vol) * dt + vol * math.sqrt(dt) * shocks[i, t])
            total += s
        payoff += max(total / steps - strike, 0)
    return payoff / paths


def barrier_knocked(spot, barrier, vol, shocks):
    """Share of paths that touch the barrier, and the mean time at which they do."""
    hit = 0
    when = 0
    for path in shocks:
        s = spot
        for t, z in enumerate(path):
            s = s * np.exp(vol * z)
            if s < barrier:
                hit += 1
                when += t
                break
    return hit / len(shocks), when


def loan_payoff_months(balances, rates, payment):
    months = np.zeros(len(balances), dtype=np.int32)
    for k in range(len(balances)):
        owed = balances[k]
        m = 0
        while owed > 0 and m < 600:
            owed = owed * (1 + rates[k] / 12) - payment
            m += 1
        months[k] = m
    return months


def internal_rates(flows):
    """Internal rate of return of each row, by bisection."""
    out = np.empty(flows.shape[0])
    for r in range(flows.shape[0]):
        lo, hi = -0.9, 1.0
        while hi - lo > 1e-8:
            mid = (lo + hi) / 2
            value = 0.0
            for t in range(flows.shape[1]):
                value += flows[r, t] / (1 + mid) ** t
            if value > 0:
                lo = mid
            else:
                hi = mid
        out[r] = (lo + hi) / 2
    return out


def trade_positions(price, fast, slow):
    """A crossing strategy: position, cash and trades kept along."""
    position = 0
    cash = 0.0
    trades = []
    for i in range(len(price)):
        if fast[i] > slow[i] and position == 0:
            position = 1
            cash -= price[i]
            trades.append(i)
        elif fast[i] < slow[i] and position == 1:
            position = 0
            cash += price[i]
            trades.append(i)
    if position == 1:
        cash += price[-1]
    return cash, trades


def black_scholes(spots, strikes, rate, vol, t):
    def cdf(x):
        return 0.5 * (1 + math.erf(x / math.sqrt(2)))

    calls = []
    puts = []
    for s, k in zip(spots, strikes):
        d1 = (math.log(s / k) + (rate + vol * vol / 2) * t) / (vol * math.sqrt(t))
        d2 = d1 - vol * math.sqrt(t)
        call = s * cdf(d1) - k * math.exp(-rate * t) * cdf(d2)
        calls.append(call)
        puts.append(call - s + k * math.exp(-rate * t))
    return calls, puts


def hodrick_windows(x, w):
    """Rolling beta against its own lag."""
    out = np.full(len(x), np.nan)
    for t in range(w, len(x)):
        a = x[t - w : t]
        b = x[t - w + 1 : t + 1]
        ma, mb = a.mean(), b.mean()
        cov = ((a - ma) * (b - mb)).sum()
        var = ((a - ma) ** 2).sum()
        out[t] = cov / var
    return out


PROGRAMS = programs(
    Maker(drawdown, lambda r, n: (100 * np.exp(np.cumsum(r.normal(size=n) * 0.01)),), 12, 600000),
    Maker(moving_average, lambda r, n: (r.normal(size=n), 15), 25, 60000),
    Maker(rolling_deviation, lambda r, n: (r.normal(size=n), 12), 25, 30000),
    Maker(exponential_average, lambda r, n: (r.normal(size=n), 9), 9, 600000),
    Maker(relative_strength, lambda r, n: (100 + np.cumsum(r.normal(size=n)), 14), 30, 250000),
    Maker(american_put, lambda r, n: (100.0, 105.0, 0.03, 0.25, 1.0, n), 9, 500),
    Maker(asian_option, lambda r, n: (100.0, 100.0, 0.02, 0.3, 1 / 50, r.normal(size=(n, 50))), 5, 10000),
    Maker(barrier_knocked, lambda r, n: (100.0, 90.0, 0.02, r.normal(size=(n, 60))), 6, 5000),
    Maker(loan_payoff_months, lambda r, n: (r.uniform(1e4, 1e5, n), r.uniform(0.01, 0.08, n), 700.0), 6, 6000),
    Maker(internal_rates, lambda r, n: (np.hstack([-np.full((n, 1), 100.0), r.uniform(10, 30, (n, 12))]),), 5, 1500),
    Maker(
        trade_positions,
        lambda r, n: (100 + np.cumsum(r.normal(size=n)), r.normal(size=n), r.normal(size=n)),
        12,
        500000,
    ),
    Maker(black_scholes, lambda r, n: (r.uniform(50, 150, n), r.uniform(50, 150, n), 0.02, 0.3, 0.5), 6, 150000),
    Maker(hodrick_windows, lambda r, n: (np.cumsum(r.normal(size=n)), 20), 40, 8000),
)
