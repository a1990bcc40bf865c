"""How many questions in everyday words find their fact. Knows nothing of time."""

import json, os, random, re, sqlite3

from laptop import Laptop, write_fact

STOP = set("a an and are at do does for from how i in is it me my of on or our the to was we what when where which who".split())
KINDS = ("plain", "confusable", "agent", "lang")
HEAD = """## Questions in everyday words

{} facts of `scripts/bench/everyday.jsonl`. How many questions find their fact first / in the top five, in percent; and how many get no answer, in percent.

| | 160 plain | 40 with similar facts beside theirs | 20 of agents | 20 in other languages | no answer, rightly (40) | no answer, wrongly (240) |
|---|---|---|---|---|---|---|"""


def full_text(facts):
    """The words of a question in SQLite's own full-text search."""
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table f using fts5(body, tokenize='porter unicode61 remove_diacritics 2')")
    base.executemany("insert into f values(?)", ((fact,) for fact in facts))

    def ask(question):
        words = re.findall(r"\w+", question.lower())
        words = [word for word in words if word not in STOP] or words
        match = " OR ".join(f'"{word}"' for word in words)
        found = base.execute("select body from f where f match ? order by bm25(f), rowid limit 5", (match,))
        return [body for body, in found]

    return ask


def show(name, rows, answers):
    """One line: what was found for each kind of question."""
    cells, lost, asked = [], 0, 0
    for kind in KINDS:
        mine = [(r["fact"], answers[r["q"]]) for r in rows if r["kind"] == kind]
        first = 100 * sum(got[:1] == [fact] for fact, got in mine) / len(mine)
        five = 100 * sum(fact in got for fact, got in mine) / len(mine)
        cells.append(f"{first:.0f} / {five:.0f}")
        lost, asked = lost + sum(not got for _, got in mine), asked + len(mine)
    none = [answers[r["q"]] for r in rows if r["kind"] == "none"]
    rightly = 100 * sum(not got for got in none) / len(none)
    print(f"| {name} | {' | '.join(cells)} | {rightly:.0f} | {100 * lost / asked:.1f} |", flush=True)


def questions(programs, root):
    """The table; programs: their names and paths, the older one first."""
    with open(f"{os.path.dirname(os.path.abspath(__file__))}/everyday.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    facts = [text for r in rows for text in [r.get("fact"), *r.get("near", [])] if text]
    random.Random("everyday").shuffle(facts)
    print(HEAD.format(len(facts)))
    asked = [r["q"] for r in rows if r["kind"] != "distractor"]
    ask = full_text(facts)
    show("SQLite FTS5", rows, {question: ask(question) for question in asked})
    given = "".join(json.dumps({"qid": q, "query": q, "limit": 5}) + "\n" for q in asked)
    for name, encoder in (("co, encoder off", False), ("co", True)):
        for when, co in programs.items():
            laptop = Laptop(co, root, f"everyday-{when}-{encoder}", encoder)
            for number, text in enumerate(facts, 1):
                write_fact(laptop.identity, number, text)
            laptop.run("knowledge", "reindex")
            said = [json.loads(line) for line in laptop.run("recall", "--batch", given=given).splitlines()]
            answers = {one["qid"]: [result["content"].strip() for result in one["results"]] for one in said}
            show(f"{name}, before" if when == "before" else name, rows, answers)
