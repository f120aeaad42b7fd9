"""`python -m autovec` is the command `autovec`."""

import sys

from autovec.cli.main import main

sys.exit(main())
