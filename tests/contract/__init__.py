"""The contract of "same" (docs/semantics.md), row by row: what can be told apart, and what must compile."""
