"""What becomes of the small loops: a line a program with a letter a loop, and how many of each in all.

python benchmarks/loops.py [names]
"""

from __future__ import annotations

import sys
from collections import Counter

from measuring import call, row, statuses

from autovec import autovec
from tests.programs.loops import PROGRAMS
from tests.programs.starting import STARTING


def main() -> None:
    programs = {**STARTING, **PROGRAMS}
    count: Counter[str] = Counter()
    for name in sys.argv[1:] or programs:
        f = autovec(programs[name].fn, fallback="silent")
        try:
            call(f, programs[name].make()[0])
            loops = f.report().loops
        except Exception as error:
            print(row([name, f"{type(error).__name__}: {error}".splitlines()[0]], (32,)))
            count["failed"] += 1
            continue
        count.update(str(loop.status) for loop in loops)
        reasons = {f"{loop.line}: {loop.reason}" for loop in loops if str(loop.status) == "FALLBACK"}
        print(row([name, " ".join([statuses(f), *sorted(reasons)])], (32,)))
    print("\n" + ", ".join(f"{status} {n}" for status, n in sorted(count.items())))


if __name__ == "__main__":
    main()
