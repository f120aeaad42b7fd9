from __future__ import annotations


def call(*a): ...
