"""Measures co beside other programs: bench.py CO SIZES. Run by scripts/bench.sh; standard library only.

The programs of a row run in turn, A B A B …, and the ratio is the median of the pairs, so that it holds when the
machine's speed drifts. CPU is user and system time of the program and of what it started and waited for.
"""

import hashlib, json, os, random, re, resource, shutil, sqlite3, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = 5
WORDS = """anchor basket cellar dragon ember falcon garden harbour island jacket kettle ladder meadow needle orchard
pepper quarry ribbon saddle timber umbrella velvet window yarrow zephyr python rust docker postgres kafka nginx redis
terraform sqlite parser compiler linter keyboard monitor printer laptop router battery calendar budget invoice
contract travel dentist school birthday recipe garlic lentil oolong espresso bicycle train ferry museum cello piano
chess tennis sailing camping novel poem letter""".split()
SAYINGS = (
    "Prefers {a} over {b} for the {c} project.",
    "The {a} of the {b} team is kept beside the {c}.",
    "Always checks the {a} before touching the {b}, because the {c} broke twice.",
    "Bought a {a} in {d}; the {b} came with a {c}.",
    "Meets about the {a} and the {b} on {d}, never on Fridays.",
    "The port of {a} is {n}, and {b} listens on {m}.",
)
DAYS = "Monday Tuesday Wednesday Thursday Saturday Sunday".split()
STOP = set("a an and are at do does for from how i in is it me my of on or our the to was we what when where which who".split())


def saying(r):
    pick = lambda: r.choice(WORDS) + (str(r.randint(2, 99)) if r.random() < 0.3 else "")
    parts = (r.choice(SAYINGS) for _ in range(r.randint(1, 3)))
    fill = lambda text: text.format(a=pick(), b=pick(), c=pick(), d=r.choice(DAYS), n=r.randint(1024, 9999), m=r.randint(1024, 9999))
    return " ".join(fill(part) for part in parts)


def write_fact(folder, number, text):
    created = time.strftime("%Y-%m-%dT%H:%M:%S.000000+00:00", time.gmtime(1767225600 - number * 5400))
    checksum = hashlib.sha256(text.encode()).hexdigest()
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower())[:50].strip("-") or "fact"
    with open(f"{folder}/{number:05d}-{slug}.md", "w", encoding="utf-8") as file:
        file.write(f"---\nid: {number}\ncreated: {created}\ntags: [bench]\nsource: user-told\nchecksum: sha256:{checksum}\n---\n\n{text}\n")


class Laptop:
    """A home of its own, with an identity of some facts and documents."""

    def __init__(self, co, root, name, facts, documents=0, encoder=True):
        self.co, self.home = co, f"{root}/{name}"
        self.config = f"{self.home}/.config/co-cli"
        os.makedirs(self.config)
        with open(f"{self.home}/.gitconfig", "w") as file:
            file.write("[user]\n\tname = Bench\n\temail = bench@example.invalid\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n")
        self.env = {"PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1"}
        self.run("init", "--yes")
        self.settings(encoder)
        self.identity = f"{self.config}/identity"
        memories = f"{self.identity}/knowledge/memories"
        os.makedirs(memories, exist_ok=True)
        for number, text in enumerate(facts, 1):
            write_fact(memories, number, text)
        r = random.Random(documents)
        for number in range(documents):
            os.makedirs(f"{self.identity}/knowledge/articles", exist_ok=True)
            text = "\n\n".join(f"## {r.choice(WORDS).title()} {at}\n\n{saying(r)} {saying(r)}" for at in range(25))
            with open(f"{self.identity}/knowledge/articles/{r.choice(WORDS)}-{number}.md", "w") as file:
                file.write(f"---\ntitle: {r.choice(WORDS).title()}\n---\n\n{text}\n")

    def settings(self, encoder):
        with open(f"{self.config}/settings.json", "w") as file:
            json.dump({} if encoder else {"recall": {"encoder": "off"}}, file)

    def run(self, *arguments, given=None, check=True):
        done = subprocess.run([self.co, *arguments], env=self.env, cwd=self.home, input=given, capture_output=True, text=True)
        if check and done.returncode not in (0, 1):
            raise SystemExit(f"co {' '.join(arguments)}: {done.stderr}")
        return done.stdout


def timed(argv, env, before=None):
    """Wall and CPU milliseconds."""
    if before:
        before()
    start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    shell = isinstance(argv, str)
    subprocess.run(argv, env=env, cwd=env["HOME"], shell=shell, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (time.perf_counter() - start) * 1e3, (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1e3


def row(what, co, beside, env, measure=1, names=("co", "beside it"), target=""):
    """One line: medians of both, and the median ratio of the pairs. measure: 0 wall, 1 CPU."""
    ours, theirs = (co, None) if not isinstance(co, tuple) else co, (beside, None) if not isinstance(beside, tuple) else beside
    timed(ours[0], env, ours[1]), timed(theirs[0], env, theirs[1])
    pairs = [(timed(ours[0], env, ours[1])[measure], timed(theirs[0], env, theirs[1])[measure]) for _ in range(RUNS)]
    a, b = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(x / max(y, 0.01) for x, y in pairs)
    unit = "wall" if measure == 0 else "CPU"
    print(f"| {what} | {a:.1f} | {names[1]} {b:.1f} | {unit} | {ratio:.1f} × | {target} |", flush=True)


def durable(folder):
    """Milliseconds that a small file takes to be on the disk."""
    start = time.perf_counter()
    with open(f"{folder}/durable.new", "w") as file:
        file.write("x" * 300)
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{folder}/durable.new", f"{folder}/durable")
    place = os.open(folder, os.O_RDONLY)
    os.fsync(place)
    os.close(place)
    return (time.perf_counter() - start) * 1e3


def floor(facts):
    """The words of a question in SQLite's own full-text search."""
    base = sqlite3.connect(":memory:")
    base.execute("create virtual table f using fts5(body, tokenize='porter unicode61 remove_diacritics 2')")
    base.executemany("insert into f values(?)", ((fact,) for fact in facts))

    def ask(question):
        words = re.findall(r"\w+", question.lower())
        words = [word for word in words if word not in STOP] or words
        match = " OR ".join(f'"{word}"' for word in words)
        return [body for body, in base.execute("select body from f where f match ? order by bm25(f), rowid limit 5", (match,))]

    return ask


def recall(co, root):
    with open(f"{HERE}/everyday.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    facts = [text for r in rows for text in [r.get("fact"), *r.get("near", [])] if text]
    random.Random("everyday").shuffle(facts)
    print(f"## Questions in everyday words\n\n{len(facts)} facts of `scripts/bench/everyday.jsonl`. How many questions find their fact first / in the top five, in percent; and how many get no answer, in percent.\n")
    print("| | 160 plain | 40 with similar facts beside theirs | 20 of agents | 20 in other languages | no answer, rightly (40) | no answer, wrongly (240) |\n|---|---|---|---|---|---|---|")

    def show(name, answers):
        cells, lost, asked = [], 0, 0
        for kind in ("plain", "confusable", "agent", "lang"):
            mine = [(r, answers[r["q"]]) for r in rows if r["kind"] == kind]
            share = lambda hit: 100 * sum(map(hit, mine)) / len(mine)
            cells.append(f"{share(lambda x: x[1][:1] == [x[0]['fact']]):.0f} / {share(lambda x: x[0]['fact'] in x[1]):.0f}")
            lost, asked = lost + sum(not got for _, got in mine), asked + len(mine)
        none = [answers[r["q"]] for r in rows if r["kind"] == "none"]
        print(f"| {name} | " + " | ".join(cells) + f" | {100 * sum(not got for got in none) / len(none):.0f} | {100 * lost / asked:.1f} |", flush=True)

    questions = [r["q"] for r in rows if r["kind"] != "distractor"]
    ask = floor(facts)
    show("SQLite FTS5", {question: ask(question) for question in questions})
    for name, encoder in (("co, encoder off", False), ("co", True)):
        laptop = Laptop(co, root, f"everyday-{encoder}", facts, encoder=encoder)
        laptop.run("knowledge", "reindex")
        given = "".join(json.dumps({"qid": q, "query": q, "limit": 5}) + "\n" for q in questions)
        said = [json.loads(line) for line in laptop.run("recall", "--batch", given=given).splitlines()]
        show(name, {one["qid"]: [result["content"].strip() for result in one["results"]] for one in said})


def warm(laptop):
    """Milliseconds of an answer of a running server, and its memory before and after."""
    server = subprocess.Popen([laptop.co, "mcp"], env=laptop.env, cwd=laptop.home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    number = 0

    def ask(method, params):
        nonlocal number
        number += 1
        server.stdin.write((json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}) + "\n").encode())
        server.stdin.flush()
        while json.loads(server.stdout.readline()).get("id") != number:
            pass

    def memory():
        with open(f"/proc/{server.pid}/status") as file:
            return next(int(line.split()[1]) / 1024 for line in file if line.startswith("VmRSS"))

    ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}})
    server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    rest = memory() if os.path.exists("/proc") else 0
    times, r = [], random.Random(1)
    for at in range(60):
        question = f"where is the {r.choice(WORDS)} and who keeps the {r.choice(WORDS)}"
        start = time.perf_counter()
        ask("tools/call", {"name": "recall_memory", "arguments": {"query": question}})
        times.append((time.perf_counter() - start) * 1e3)
    after = memory() if os.path.exists("/proc") else 0
    server.stdin.close()
    server.wait(10)
    return statistics.median(times[5:]), rest, after


def sizes(co, root, count):
    r = random.Random(count)
    facts = list(dict.fromkeys(saying(r) for _ in range(count + count // 20)))[:count]
    laptop = Laptop(co, root, f"n{count}", facts, documents=count // 20, encoder=False)
    env, identity = laptop.env, laptop.identity
    index = f"{laptop.config}/local"
    print(f"\n## {count:,} facts, {count // 20} documents\n\nMilliseconds.\n\n| | co | beside it | | ratio | target |\n|---|---|---|---|---|---|")
    hashed = f"find {identity} -type f -print0 | xargs -0 sha256sum"
    remove = lambda: shutil.rmtree(index, ignore_errors=True)
    row("start: `--version`", [co, "--version"], ["git", "--version"], env, names=("", "git"), target="≤ 2 ×")
    row("search index rebuilt, without vectors", ([co, "list"], remove), hashed, env, names=("", "sha256sum of all files"), target="≤ 6 ×")
    shown = " ".join(f"{identity}/{file}" for file in ("profile.md", "personality.md", "knowledge/context.md"))
    row("`context`", [co, "context"], f"cat {shown}", env, names=("", "cat of the same files"), target="≤ 2 ×")
    row("`check` of everything", [co, "check"], hashed, env, names=("", "sha256sum of all files"), target="≤ 4 ×")
    if shutil.which("sqlite3"):
        base = f"{root}/{count}.db"
        with sqlite3.connect(base) as connection:
            connection.execute("create virtual table f using fts5(body, tokenize='porter unicode61')")
            connection.executemany("insert into f values(?)", ((fact,) for fact in facts))
        ask = "select body from f where f match 'cello OR ferry' order by bm25(f) limit 5"
        row("`recall`, encoder off", [co, "recall", "cello ferry"], ["sqlite3", base, ask], env, names=("", "sqlite3 with FTS5"), target="≤ 3 ×")
        row("`list`", [co, "list"], ["sqlite3", base, "select rowid, substr(body, 1, 80) from f"], env, names=("", "sqlite3 with the same lines"), target="≤ 1.5 ×")
    other = f"{root}/other{count}"
    shutil.copytree(identity, other, ignore=shutil.ignore_patterns(".git"))
    memories = sorted(os.listdir(f"{other}/knowledge/memories"))
    for at in range(0, count, 100):
        with open(f"{other}/knowledge/memories/{memories[at]}", "a") as file:
            file.write("One more sentence.\n")
        write_fact(f"{other}/knowledge/memories", count + at + 1, f"{saying(r)} Added at {at}.")
    both = f"cat $(find {identity} -path '*/.git' -prune -o -type f -print) $(find {other} -type f)"
    row("`diff` with a folder, 2 % changed", [co, "diff", other], both, env, names=("", "cat of both"), target="≤ 3 ×")
    spent = iter(range(10**6))
    saved = statistics.median(timed([co, "learn", f"{saying(r)} {next(spent)}"], env)[0] for _ in range(3 * RUNS))
    least = statistics.median(timed([co, "--version"], env)[0] for _ in range(RUNS)) + statistics.median(durable(root) for _ in range(3 * RUNS))
    print(f"| `learn`, durable | {saved:.1f} | start, write, fsync, rename, fsync {least:.1f} | wall | {saved / least:.1f} × | ≤ 1.5 × |", flush=True)
    remote = f"{root}/remote{count}.git"
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", remote], env=env, check=True)
    laptop.run("identity", "remote", remote)
    laptop.run("sync")
    git = f"cd {identity} && git ls-remote {remote} && git status --porcelain"
    row("`sync`, nothing to do", [co, "sync"], git, env, names=("", "ls-remote + status"), target="≤ 1.3 ×")
    clone = f"{root}/clone{count}"
    subprocess.run(["git", "clone", "-q", remote, clone], env=env, check=True)
    script = f"cd {clone} && git add -A && git commit -qm one && git fetch -q && git merge -q --no-edit origin/main; git push -q"
    new = lambda: open(f"{clone}/knowledge/memories/new{next(spent)}.md", "w").write(saying(r))
    row("`sync`, one new", ([co, "sync"], lambda: laptop.run("learn", f"{saying(r)} {next(spent)}")), (script, new), env, names=("", "the same as a git script"), target="≤ 0.8 ×")
    archive = f"{root}/out{count}.tar.gz"
    gone = lambda: os.path.exists(archive) and os.remove(archive)
    row("`export`", ([co, "identity", "export", archive], gone), f"tar czf {root}/plain{count}.tgz --exclude=.git -C {identity} .", env, measure=0, names=("", "tar czf"), target="≤ 1.2 ×")
    laptop.settings(True)
    start = time.perf_counter()
    laptop.run("knowledge", "reindex")
    spent_on = time.perf_counter() - start
    cold = statistics.median(timed([co, "recall", "who keeps the cello"], env)[0] for _ in range(RUNS))
    server, rest, after = warm(laptop)
    print(f"\nAll vectors: {spent_on:.0f} s of wall time, once. `recall` with the encoder, cold: {cold:.0f} ms of wall time (target 40). "
          f"Through a running `co mcp`: {server:.1f} ms, the median of 55 (target 6); its memory is {rest:.0f} MiB at rest and {after:.0f} MiB after that (targets 25 and 60).", flush=True)


def main():
    co, counts = sys.argv[1], [int(count) for count in sys.argv[2].split(",")]
    root = tempfile.mkdtemp(prefix="co-bench-")
    try:
        version = subprocess.run([co, "--version"], capture_output=True, text=True).stdout.strip()
        size = os.path.getsize(co) / 1e6
        print(f"`{version}`, {size:.0f} MB, {os.cpu_count()} cores.\n")
        recall(co, root)
        for count in counts:
            sizes(co, root, count)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
