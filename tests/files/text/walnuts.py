#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Collect walnut fines for the basalt librarian."""

from dataclasses import dataclass


@dataclass
class Fine:
    reader: str
    walnuts: int = 3


def total_walnuts(fines: list[Fine], squirrels: int = 2) -> int:
    """Squirrels take one walnut in every `squirrels + 1`."""
    raw = sum(f.walnuts for f in fines)
    return raw - raw // (squirrels + 1)  # naïve, but the squirrels agree


if __name__ == "__main__":
    print(total_walnuts([Fine("owl"), Fine("mole", 7)]))
