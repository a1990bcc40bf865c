"""Questions about texts, asked of co and of other programs. Knows no file format, and nothing that is not measured.

Every program gets the same texts and the same questions, and says which texts answer, best first. R@k: the share of
the texts that answer which is among the first k, the mean over the questions; hit@5: the share of the questions with
at least one of them among the first five. Nothing is generated, no model judges.
"""

import argparse, json, os, re, sqlite3, statistics, subprocess, sys, tempfile, time
from dataclasses import dataclass, field

from everyday import STOP
from laptop import Laptop, write

MOST = 10  # texts in an answer
BUDGET = 4000  # tokens of documents in an answer: co's own limit for programs
HEAD = "| | R@1 | R@5 | R@10 | hit@5 | no answer, rightly | no answer, wrongly | tokens | ms |"


@dataclass
class Text:
    key: str
    body: str
    created: str  # RFC 3339
    tags: list = field(default_factory=list)


@dataclass
class Question:
    key: str
    body: str
    answers: set  # keys of texts; empty where nothing answers
    kind: str = ""


@dataclass
class Collection:
    """What is searched at once. form: facts or documents."""

    form: str
    texts: list
    questions: list


def words_of(question):
    words = list(dict.fromkeys(re.findall(r"\w+", question.lower())))
    return [word for word in words if word not in STOP] or words


def file_of(collection, number):
    """Where co keeps a text, below its identity."""
    folder = "memories" if collection.form == "facts" else "articles"
    return f"knowledge/{folder}/{number:05d}-text.md"


def write_texts(collection, identity):
    for number, text in enumerate(collection.texts, 1):
        head = f"created: {text.created}\ntags: {json.dumps(text.tags, ensure_ascii=False)}\n"
        if collection.form == "facts":
            head = f"id: {number}\n{head}source: user-told\n"
        write(f"{identity}/{file_of(collection, number)}", f"---\n{head}---\n\n{text.body.strip()}\n")


class Co:
    """A running co, which answers a line with a line."""

    def __init__(self, co, root, collection, encoder):
        self.laptop, self.collection = Laptop(co, root, f"co-{encoder}", encoder), collection
        write_texts(collection, self.laptop.identity)
        self.laptop.run("knowledge", "reindex")
        verb = ["recall"] if collection.form == "facts" else ["knowledge", "search", "--token-budget", str(BUDGET)]
        self.err = tempfile.TemporaryFile()
        # co's own documents are in no scope.
        argv = [co, *verb, "--batch", "--scope", "identity"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(argv, env=self.laptop.env, cwd=self.laptop.home, stdin=pipe, stdout=pipe, stderr=self.err)
        self.ask("warm")

    def ask(self, question):
        asked = {"qid": "q", "query": question, "limit": MOST}
        self.process.stdin.write(json.dumps(asked, ensure_ascii=False).encode() + b"\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        said = json.loads(line) if line else {}
        if "results" not in said:
            self.err.seek(0)
            raise SystemExit(f"co: {question!r}: {said or self.err.read().decode(errors='replace')[-300:]}")
        number = lambda one: one["id"] if "id" in one else int(re.search(r"(\d{5})-text$", one["topic"])[1])
        return [(number(one), one["content"]) for one in said["results"]]

    def close(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()
        self.err.close()


class FullText:
    """The words of a question, without those that mean nothing alone, in SQLite's own full-text search."""

    def __init__(self, collection, _root):
        self.base, self.texts = sqlite3.connect(":memory:"), collection.texts
        self.base.execute("create virtual table f using fts5(body, tags, tokenize='porter unicode61 remove_diacritics 2')")
        rows = ((number, text.body, " ".join(text.tags)) for number, text in enumerate(self.texts, 1))
        self.base.executemany("insert into f(rowid, body, tags) values(?, ?, ?)", rows)

    def ask(self, question):
        match = " OR ".join(f'"{word}"' for word in words_of(question))
        if not match:
            return []
        select = "select rowid, body from f where f match ? order by bm25(f), rowid limit ?"
        return list(self.base.execute(select, (match, MOST)))

    def close(self):
        self.base.close()


class Grep:
    """grep over the same files: those with most of the question's words first, then with most matches."""

    def __init__(self, collection, root):
        self.root, self.texts = f"{root}/grep", collection.texts
        write_texts(collection, self.root)
        self.numbers = {file_of(collection, number): number for number in range(1, len(self.texts) + 1)}

    def ask(self, question):
        words = words_of(question)
        if not words:
            return []
        argv = ["grep", "-r", "-i", "-o", "-w", "-E", "|".join(words), "knowledge"]
        found = subprocess.run(argv, cwd=self.root, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})
        matches = {}
        for line in found.stdout.splitlines():
            path, _, word = line.partition(":")
            matches.setdefault(path, []).append(word.lower())
        order = sorted(matches, key=lambda path: (-len(set(matches[path])), -len(matches[path]), path))
        return [(self.numbers[path], self.texts[self.numbers[path] - 1].body) for path in order[:MOST]]

    def close(self):
        pass


def measured(make, collections, root, report):
    """A row for each question: its kind, its figures, what was found, tokens and milliseconds."""
    rows = []
    for at, collection in enumerate(collections, 1):
        program = make(collection, root)
        for question in collection.questions:
            start = time.perf_counter()
            found = program.ask(question.body)
            spent = (time.perf_counter() - start) * 1e3
            keys = list(dict.fromkeys(collection.texts[number - 1].key for number, _ in found))
            share = lambda most: len(question.answers.intersection(keys[:most])) / len(question.answers)
            figures = {f"R@{most}": share(most) for most in (1, 5, 10)} if question.answers else {}
            tokens = sum(len(body.encode()) for _, body in found) / 4
            rows.append(dict(figures, key=question.key, kind=question.kind, found=keys, tokens=tokens, ms=spent))
        program.close()
        report(at, len(collections))
    return rows


def line(name, rows):
    asked, none = [row for row in rows if "R@1" in row], [row for row in rows if "R@1" not in row]
    percent = lambda those, of: f"{100 * statistics.mean(map(of, those)):.1f}" if those else "–"
    cells = [percent(asked, lambda row: row[figure]) for figure in ("R@1", "R@5", "R@10")]
    cells += [percent(asked, lambda row: row["R@5"] > 0), percent(none, lambda row: not row["found"])]
    cells += [percent(asked, lambda row: not row["found"]), f"{statistics.mean(row['tokens'] for row in rows):.0f}"]
    cells += [f"{statistics.median(row['ms'] for row in rows):.1f}"]
    return f"| {name} | {' | '.join(cells)} |"


def table(title, collections, co, root, names):
    """Prints the table, and returns what each program found."""
    questions = [question for collection in collections for question in collection.questions]
    texts = sum(len(collection.texts) for collection in collections)
    if not questions:
        raise SystemExit(f"{title}: no question is left")
    answered = sum(bool(question.answers) for question in questions)
    print(f"\n### {title}\n\n{texts:,} texts in {len(collections):,}, {answered:,} questions with an answer, {len(questions) - answered:,} without.\n")
    print(f"{HEAD}\n|{'---|' * 9}", flush=True)
    programs = {
        "co": lambda collection, root: Co(co, root, collection, True),
        "co, encoder off": lambda collection, root: Co(co, root, collection, False),
        "SQLite FTS5": FullText,
        "grep": Grep,
    }
    found = {}
    for name, make in programs.items():
        if names and name not in names:
            continue
        report = lambda at, of: sys.stderr.isatty() and print(f"\r{name}: {at} of {of}\x1b[K", end="", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(prefix="co-retrieval-", dir=root) as place:
            found[name] = measured(make, collections, place, report)
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        print(line(name, found[name]), flush=True)
    return found


def arguments(description, levels):
    """The arguments that every file has."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=description, formatter_class=form)
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("path", metavar="PATH")
    parser.add_argument("--co", default=f"{here}/../../target/release/co", help="the program to measure (default: target/release/co)")
    parser.add_argument("--of", default=",".join(levels), metavar="LIST", help=f"which texts: {', '.join(levels)} (default: all)")
    parser.add_argument("--only", metavar="LIST", help="which programs, as the table names them, between semicolons")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N questions: a quick run")
    parser.add_argument("--json", metavar="FILE", help="also write what each program found for each question")
    return parser


def run(given, levels, collections_of):
    """Measures each kind of texts. collections_of: from a level to its title and collections."""
    co, wanted = os.path.realpath(given.co), given.of.split(",")
    if not os.access(co, os.X_OK):
        raise SystemExit(f"there is no {given.co}; `cargo build --release --locked` makes it")
    unknown = [level for level in wanted if level not in levels]
    if unknown:
        raise SystemExit(f"--of knows {', '.join(levels)}, not {', '.join(unknown)}")
    names = [name.strip() for name in given.only.split(";")] if given.only else None
    found = {}
    with tempfile.TemporaryDirectory(prefix="co-bench-") as root:
        for level in wanted:
            title, collections = collections_of(level)
            found[level] = table(title, collections, co, root, names)
    if given.json:
        write(os.path.abspath(given.json), json.dumps(found, ensure_ascii=False, indent=1))
