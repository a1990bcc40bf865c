#!/usr/bin/env python3
"""silence.py CO: where to stop answering. Fits the threshold of `src/recall/silence.rs`.

For the questions of everyday.jsonl that no fact answers and for those that one does, among 12 to all facts drawn at
random: the certainty that `co recall --json` gives (data.trust.certainty). Prints, for each number of facts, the
certainty below which are 1, 2, 3 and 5 % of the questions whose fact is among the first five, how many of those that
nothing answers are below it, and the line LEAST + RISE * ln(n / 12) nearest to a given share (2 % unless told).
Questions whose words some fact has (coverage of 0.5 and more) are never silenced, so they count as answered.
Knows nothing of time. Takes some minutes: one process a question. Only the standard library.
"""

import argparse, json, math, os, random, tempfile

from laptop import Laptop, write_fact

SIZES = (12, 30, 60, 120, 300, 600)
SHARES = (1, 2, 3, 5)
COVERED = 0.5


def load():
    with open(f"{os.path.dirname(os.path.abspath(__file__))}/everyday.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    facts = [text for row in rows for text in [row.get("fact"), *row.get("near", [])] if text]
    return [row for row in rows if row["kind"] != "distractor"], facts


def drawn(rows, facts, size, dice):
    """Facts at random, and the questions that can be asked of them: those of its facts, and those of none."""
    some = dice.sample(facts, size)
    there = set(some)
    return some, [row for row in rows if row["kind"] == "none" or row["fact"] in there]


def certainties(co, root, name, facts, rows):
    """What was measured for each question: (its kind, whether its fact was found, certainty)."""
    laptop = Laptop(co, root, name, True)
    for number, text in enumerate(facts, 1):
        write_fact(laptop.identity, number, text)
    laptop.run("knowledge", "reindex")
    for row in rows:
        data = json.loads(laptop.run("recall", "--json", "--kind", "memory", "--limit", "5", "--", row["q"]))["data"]
        trust = data["trust"]
        # Silenced or not, the nearest are those that would be shown.
        found = [one["content"].strip() for one in data["results"]]
        near = [one["summary"] for one in data["nearest"]]
        is_found = row.get("fact") in found or any(one.rstrip(".") in row.get("fact", "") for one in near)
        certain = math.inf if trust["coverage"] >= COVERED else trust["certainty"]
        yield row["kind"] == "none", is_found, certain


def fitted(points):
    """The line through (ln(n / 12), threshold) with the least squares."""
    xs, ys = [math.log(size / 12) for size, _ in points], [value for _, value in points]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    rise = sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)
    return y - rise * x, rise


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("co", help="the program")
    parser.add_argument("--share", type=float, default=2, help="percent of right answers that may be silenced")
    parser.add_argument("--draws", type=int, default=4, help="draws of 120 facts and more; of fewer, as many more")
    asked = parser.parse_args()
    co, (rows, facts), points = os.path.abspath(asked.co), load(), []
    print("| facts | " + " | ".join(f"{share} % silenced at: nothing said" for share in SHARES) + " |")
    print("|---" * (1 + len(SHARES)) + "|")
    with tempfile.TemporaryDirectory(prefix="co-silence-") as root:
        for size in (*SIZES, len(facts)):
            right, none = [], []
            # Of few facts, few questions have theirs among them.
            draws = 1 if size == len(facts) else asked.draws * max(1, 120 // size)
            for draw in range(draws):
                some, questions = drawn(rows, facts, size, random.Random(f"{size} {draw}"))
                for is_none, is_found, certain in certainties(co, root, f"{size}-{draw}", some, questions):
                    if is_none:
                        none.append(certain)
                    elif is_found:
                        right.append(certain)
            right.sort()
            at = lambda share: right[min(int(len(right) * share / 100), len(right) - 1)] if right else 0.0
            below = lambda value: 100 * sum(one < value for one in none) / len(none)
            cells = [f"{at(share):.3f}: {below(at(share)):.0f} %" for share in SHARES]
            print(f"| {size} | {' | '.join(cells)} |", flush=True)
            if math.isfinite(at(asked.share)):
                points.append((size, at(asked.share)))
    if len(points) > 1:
        least, rise = fitted(points)
        print(f"\nLEAST {least:.3f}, RISE {rise:.4f}; at {len(facts)} facts {least + rise * math.log(len(facts) / 12):.3f}")


if __name__ == "__main__":
    main()
