#!/usr/bin/env python3
"""day.py CO: forty questions as they come in a day: typed with typos, in German and English, as an agent types them.

Asks those of day.jsonl over the facts of everyday.jsonl with `co recall --batch`, in their order, and prints for each
the place of its fact (0: not among the first five; a dash: no fact answers it) and what came first, to be read one by
one. Knows nothing of thresholds. Only the standard library.
"""

import json, os, random, sys, tempfile

from laptop import Laptop, write_fact

HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name):
    with open(f"{HERE}/{name}", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def main():
    facts = [text for row in rows("everyday.jsonl") for text in [row.get("fact"), *row.get("near", [])] if text]
    random.Random("day").shuffle(facts)
    asked = rows("day.jsonl")
    with tempfile.TemporaryDirectory() as root:
        laptop = Laptop(os.path.abspath(sys.argv[1]), root, "day", True)
        for number, text in enumerate(facts, 1):
            write_fact(laptop.identity, number, text)
        laptop.run("knowledge", "reindex")
        lines = "".join(json.dumps({"qid": "q", "query": row["q"], "limit": 5}) + "\n" for row in asked)
        answers = [json.loads(line)["results"] for line in laptop.run("recall", "--batch", given=lines).splitlines()]
    places = []
    for row, answer in zip(asked, answers):
        found = [one["content"].strip() for one in answer]
        place = found.index(row["fact"]) + 1 if row["fact"] in found else 0
        places += [place] if row["fact"] else []
        print(f"{place if row['fact'] else '-':>2}  {row['q']:55}  {found[0][:70] if found else 'nothing'}")
    first, five = sum(place == 1 for place in places), sum(place > 0 for place in places)
    print(f"{len(places)} with an answer: {first} first, {five} among the first five")


if __name__ == "__main__":
    main()
