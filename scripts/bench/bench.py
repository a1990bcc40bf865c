"""Measures co beside other programs: bench.py [--before OLD] [--documents] CO SIZES. Run by scripts/bench.sh.

The programs of a row run in turn, A B C A B C …, each with a home of its own, and a ratio is the median of the
rounds, so that it holds when the machine's speed drifts. CPU is user and system time of a program and of what it
started and waited for. Standard library only.
"""

import argparse, itertools, json, os, random, resource, shutil, sqlite3, statistics, subprocess, sys, tempfile, time

from everyday import questions
from laptop import WORDS, Laptop, Plain, saying, write_documents, write_fact

CHEAP, HEAVY, SLOW = 15, 5, 3  # rounds
WALL, CPU = 0, 1
DOCUMENTS = 1054
PEAK = """import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"""


def started(argv, home, prepare=None):
    """What a round measures of a program: wall and CPU milliseconds. argv: a list, or what makes one."""

    def once():
        if prepare:
            prepare()
        command = argv() if callable(argv) else argv
        shell, null = isinstance(command, str), subprocess.DEVNULL
        start, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        ended = subprocess.run(command, env=home.env, cwd=home.home, shell=shell, stdin=null, stdout=null, stderr=null)
        wall, now = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        if ended.returncode not in (0, 1):
            raise SystemExit(f"{command}: ended with {ended.returncode}")
        return wall * 1e3, (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1e3

    return once


def rounds(sides, count, warm=True):
    """All sides in turn: for each round, what each side took."""
    if warm:
        for side in sides:
            side()
    return [[side() for side in sides] for _ in range(count)]


class Table:
    """Prints the rows. programs: how many are measured; with two, the older one comes first."""

    def __init__(self, programs):
        self.programs = programs

    def head(self, title):
        before = ("before | ", "before's ratio | ") if self.programs == 2 else ("", "")
        print(f"\n## {title}\n\n| | {before[0]}now | beside it | | {before[1]}ratio | target | met |")
        print("|---" * (9 if self.programs == 2 else 7) + "|", flush=True)

    def line(self, what, figures, beside, unit, ratios, target, is_met):
        cells = [what, *figures, beside, unit, *ratios, target, "yes" if is_met else "no"]
        print("| " + " | ".join(cells) + " |", flush=True)

    def row(self, what, ours, beside, target, unit=CPU, count=HEAVY, warm=True):
        """ours: a side for each program. beside: a name, and one side or one for each program."""
        name, peers = beside[0], list(beside[1:])
        sides = [[one[unit] for one in turn] for turn in rounds([*ours, *peers], count, warm)]
        middle = [statistics.median(side) for side in zip(*sides)]
        peer = [len(ours) + min(at, len(peers) - 1) for at in range(len(ours))]
        ratios = [statistics.median(one[at] / max(one[peer[at]], 0.01) for one in sides) for at in range(len(ours))]
        shown = [f"{ratio:.2f} ×" for ratio in ratios]
        figures = [f"{figure:.1f}" for figure in middle[: len(ours)]]
        beside, unit = f"{name} {middle[-1]:.1f}", ("wall", "CPU")[unit]
        self.line(what, figures, beside, unit, shown, f"≤ {target} ×", ratios[-1] <= target)

    def plain(self, what, values, unit, target):
        """A row that has its target in itself."""
        figures = [f"{value:.2f}" if value < 1 else f"{value:.1f}" for value in values]
        name, of = ("wall", "ms") if unit == "ms" else ("wall, s", "s") if unit == "s" else (unit, unit)
        self.line(what, figures, "–", name, ["–"] * len(values), f"≤ {target} {of}", values[-1] <= target)

    def waited(self, what, sides, target, count, unit="ms", warm=True):
        """A row of wall time that has its target in itself."""
        walls = zip(*[[one[WALL] for one in turn] for turn in rounds(sides, count, warm)])
        self.plain(what, [statistics.median(side) / (1e3 if unit == "s" else 1) for side in walls], unit, target)


def durable(folder):
    """A small file until it is on the disk."""
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


def peak(laptop, *arguments):
    """MiB of memory at most. A small program starts it, since a program inherits the peak of its starter."""
    said = laptop.call(sys.executable, "-ISc", PEAK, laptop.co, *arguments)
    return int(said) / 1024


def peak_at_print(laptop, *arguments):
    """MiB of memory when it prints: it is stopped there by a pipe that is full. Only where /proc is."""
    out, into = os.pipe()
    os.set_blocking(into, False)
    try:
        while os.write(into, b"x" * 4096):
            pass
    except BlockingIOError:
        os.set_blocking(into, True)
    child = subprocess.Popen([laptop.co, *arguments], env=laptop.env, cwd=laptop.home, stdout=into)
    os.close(into)
    time.sleep(0.3)
    most = status(child.pid, "VmHWM")
    while os.read(out, 65536):
        pass
    os.close(out)
    child.wait()
    return most


def status(pid, name):
    """MiB, of a running program."""
    if not os.path.exists("/proc"):
        return 0
    with open(f"/proc/{pid}/status") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(name))


class Server:
    """A running `co mcp`."""

    def __init__(self, laptop):
        self.process = subprocess.Popen(
            [laptop.co, "mcp"], env=laptop.env, cwd=laptop.home,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.number, self.times = 0, []
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.process.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.process.stdin.flush()

    def ask(self, method, params):
        start = time.perf_counter()
        self.number += 1
        request = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.process.stdin.write((json.dumps(request) + "\n").encode())
        self.process.stdin.flush()
        while json.loads(self.process.stdout.readline()).get("id") != self.number:
            pass
        self.times.append((time.perf_counter() - start) * 1e3)

    def memory(self):
        return status(self.process.pid, "VmRSS")

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


def served(table, laptops):
    """A question to a running server, and its memory."""
    servers = [Server(laptop) for laptop in laptops]
    time.sleep(1)
    rest = [server.memory() for server in servers]
    r = random.Random(1)
    for _ in range(60):
        question = f"where is the {r.choice(WORDS)} and who keeps the {r.choice(WORDS)}"
        for server in servers:
            server.ask("tools/call", {"name": "recall_memory", "arguments": {"query": question}})
    after = [server.memory() for server in servers]
    for server in servers:
        server.end()
    middle = [statistics.median(server.times[6:]) for server in servers]
    table.plain("`recall` through a running `co mcp`", middle, "ms", 6)
    table.plain("a server's memory, at rest", rest, "MiB", 20)
    table.plain("a server's memory, after 60 questions", after, "MiB", 60)


class Size:
    """The rows of a number of facts. The last of the laptops has the program that is measured."""

    def __init__(self, table, programs, root, count):
        self.table, self.programs, self.root, self.count = table, programs, root, count
        self.r = random.Random(count)
        made = (saying(self.r) for _ in range(count + count // 10))
        self.facts = list(dict.fromkeys(made))[:count]
        self.laptops = [Laptop(co, root, f"{when}{count}") for when, co in programs.items()]
        first, *others = self.laptops
        for number, text in enumerate(self.facts, 1):
            write_fact(first.identity, number, text)
        write_documents(first.identity, count // 20)
        for other in others:
            other.take(first)
        self.plain = Plain(root, f"plain{count}", first)
        self.numbers = itertools.count(1)

    def ours(self, *arguments, prepare=None):
        """A side for each program; prepare: what is done to its laptop before, and not measured."""
        before = lambda laptop: prepare and (lambda: prepare(laptop))
        return [started([one.co, *arguments], one, before(one)) for one in self.laptops]

    def beside(self, name, argv, prepare=None):
        return name, started(argv, self.plain, prepare)

    def rows(self):
        self.table.head(f"{self.count:,} facts, {self.count // 20} documents")
        self.started()
        self.asked()
        self.compared()
        self.synced()
        self.changed()
        self.encoded()

    def started(self):
        table, plain = self.table, self.plain
        hashed = "sha256sum of all files", f"find {plain.identity} -name .git -prune -o -type f -print0 | xargs -0 sha256sum"
        table.row("start: `--version`", self.ours("--version"), self.beside("git", ["git", "--version"]), 1.6, count=CHEAP)
        if os.path.exists("/proc"):
            table.plain("memory of `--version`", [peak_at_print(one, "--version") for one in self.laptops], "MiB", 7)
        anew = self.ours("knowledge", "reindex", prepare=Laptop.lose_index)
        table.row("index made anew, without vectors", anew, self.beside(*hashed), 6)
        most = []
        for laptop in self.laptops:
            laptop.lose_index()
            most.append(peak(laptop, "knowledge", "reindex"))
        table.plain("memory while the index is made, at most", most, "MiB", 48)
        table.row("`check` of everything", self.ours("check"), self.beside(*hashed), 1.5)
        shown = "profile.md personality.md traits/*.md knowledge/context.md"
        cat = f"cd {plain.identity} && cat {shown}"
        table.row("`context`", self.ours("context"), self.beside("a shell with cat of the same files", cat), 2.5, count=CHEAP)

    def asked(self):
        if not shutil.which("sqlite3"):
            return
        base = f"{self.plain.home}/facts.db"
        with sqlite3.connect(base) as connection:
            connection.execute("create virtual table f using fts5(body, tokenize='porter unicode61')")
            connection.executemany("insert into f values(?)", ((fact,) for fact in self.facts))
        ask = "select body from f where f match 'cello OR ferry' order by bm25(f) limit 5"
        every = "select rowid, substr(body, 1, 80) from f"
        with_words = self.beside("sqlite3 with FTS5", ["sqlite3", base, ask])
        self.table.row("`recall`, encoder off", self.ours("recall", "cello ferry"), with_words, 3, count=CHEAP)
        lines = self.beside("sqlite3 with the same lines", ["sqlite3", base, every])
        self.table.row("`list`", self.ours("list"), lines, 2, count=CHEAP)

    def compared(self):
        """With a folder in which 2 % are others; and an archive."""
        other = f"{self.root}/other{self.count}"
        shutil.copytree(self.plain.identity, other, ignore=shutil.ignore_patterns(".git"))
        memories = sorted(os.listdir(f"{other}/knowledge/memories"))
        for at in range(0, self.count, 100):
            with open(f"{other}/knowledge/memories/{memories[at]}", "a") as file:
                file.write("One more sentence.\n")
            write_fact(other, self.count + at + 1, f"{saying(self.r)} Added at {at}.")
        both = f"find {self.plain.identity} {other} -name .git -prune -o -type f -print0 | xargs -0 cat"
        self.table.row("`diff` with a folder, 2 % changed", self.ours("diff", other), self.beside("cat of both", both), 3)
        sides = [self.exported(laptop) for laptop in self.laptops]
        tar = f"tar czf {self.plain.home}/out.tar.gz --exclude=.git -C {self.plain.identity} ."
        self.table.row("`export`, read back", sides, self.beside("tar czf", tar), 2, unit=WALL)

    def exported(self, laptop):
        archive = f"{laptop.home}/out.tar.gz"
        gone = lambda: os.path.exists(archive) and os.remove(archive)
        return started([laptop.co, "identity", "export", archive], laptop, gone)

    def synced(self):
        """The first one of a new laptop each time; then nothing to do, and one new."""
        table, plain = self.table, self.plain
        fresh = [first_sync(co, self.root, self.laptops[0]) for co in self.programs.values()]
        clean = lambda: self.plain.call("sh", "-c", f"rm -rf {plain.identity}/.git {plain.remote}; git init -q {plain.identity}; "
                                        f"git init -q --bare {plain.remote}; git -C {plain.identity} remote add origin {plain.remote}")
        whole = f"cd {plain.identity} && git add -A && git commit -qm all && git push -qu origin main"
        table.row("first `sync`", fresh, self.beside("git add, commit, push", whole, clean), 3, count=SLOW, warm=False)
        for laptop in self.laptops:
            laptop.connect()
            laptop.run("sync")
        looked = f"cd {plain.identity} && git ls-remote -q origin && git status --porcelain"
        table.row("`sync`, nothing to do", self.ours("sync"), self.beside("ls-remote + status", looked), 1.2)
        script = (f"cd {plain.identity} && git add -A && git commit -qm one && git fetch -q && "
                  "git merge -q --no-edit origin/main && git push -q")
        note = lambda: write_fact(plain.identity, self.count + 10**6 + next(self.numbers), saying(self.r))
        one = self.ours("sync", prepare=lambda laptop: laptop.run("learn", self.new()))
        table.row("`sync`, one new", one, self.beside("the same as a git script", script, note), 0.9)
        stat = self.beside("git status", ["git", "-C", plain.identity, "status", "--porcelain"])
        table.row("`status`", self.ours("status"), stat, 1.5, count=CHEAP)

    def new(self):
        return f"{saying(self.r)} {next(self.numbers)}"

    def changed(self):
        """One fact. `learn` beside what its file costs at least; the others beside `learn`."""
        sides = [started(lambda one=one: [one.co, "learn", self.new()], one) for one in self.laptops]
        bare = started([self.laptops[-1].co, "--version"], self.laptops[-1])
        least = lambda: (bare()[WALL] + durable(self.plain.home), 0)
        self.table.row("`learn`, durable", sides, ("`--version`, write, fsync, rename, fsync", least), 2, WALL, CHEAP)
        for verb, words in (("edit", ["Says something else now."]), ("pin", []), ("forget", [])):
            self.table.row(f"`{verb}` of one fact", [self.of_one(one, verb, words) for one in self.laptops],
                           ("`learn`", *sides), 2, WALL, CHEAP)

    def of_one(self, laptop, verb, words):
        """Of another fact each time; the words differ, as facts that are alike are put together."""
        first = {"edit": 1, "pin": 51, "forget": 101}[verb]
        numbers = iter(range(first, first + 50))

        def argv():
            number = str(next(numbers))
            return [laptop.co, verb, number, *(f"{word} {number}" for word in words)]

        return started(argv, laptop)

    def encoded(self):
        """With vectors."""
        each = []
        for laptop in self.laptops:
            laptop.settings(True)
            made, spent = laptop.make_vectors()
            each.append(spent / max(made, 1))
        self.table.plain(f"vectors, each of {made:,} texts", each, "ms", 3)
        self.table.waited("`recall` with the encoder, cold", self.ours("recall", "who keeps the cello"), 20, CHEAP)
        served(self.table, self.laptops)
        for laptop in self.laptops:
            laptop.settings(False)


def first_sync(co, root, like):
    """The sync of a laptop that has the files, and a remote that is empty."""
    home = Laptop(co, root, f"first-{os.path.basename(like.home)}-{len(co)}")

    def prepare():
        laptop = Laptop(co, root, os.path.basename(home.home))
        laptop.take(like)
        laptop.connect()

    return started([co, "sync"], home, prepare)


def across(table, sizes):
    """What is to take the same time with any number of facts."""
    small, large = sizes[0], sizes[-1]
    table.head(f"{large.count:,} facts beside {small.count:,}")
    ask = "recall", "cello ferry"
    table.row("`recall`, encoder off", large.ours(*ask), (f"with {small.count:,}", *small.ours(*ask)), 1.3, count=CHEAP)


def documents(table, programs, root):
    """Long texts only."""
    table.head(f"{DOCUMENTS:,} documents")
    laptops = [Laptop(co, root, f"documents-{when}", True) for when, co in programs.items()]
    for laptop in laptops:
        write_documents(laptop.identity, DOCUMENTS)
    ask = "knowledge", "search", "where is the cello kept"
    first = [started([one.co, *ask], one, one.lose_index) for one in laptops]
    table.waited("first search", first, 4, SLOW, "s", warm=False)
    table.waited("search", [started([one.co, *ask], one) for one in laptops], 0.1, CHEAP, "s")
    syncs = [first_sync(co, root, laptops[0]) for co in programs.values()]
    table.waited("first `sync`", syncs, 2, SLOW, "s", warm=False)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--before")
    parser.add_argument("--documents", action="store_true")
    parser.add_argument("co")
    parser.add_argument("sizes")
    given = parser.parse_args()
    programs = {"before": given.before} if given.before else {}
    programs["now"] = given.co
    root = tempfile.mkdtemp(prefix="co-bench-")
    try:
        named = []
        for when, co in programs.items():
            version = subprocess.run([co, "--version"], capture_output=True, text=True).stdout.strip()
            named.append(f"{when}: `{version}`, {os.path.getsize(co) / 1e6:.0f} MB")
        day = time.strftime("%d %B %Y").lstrip("0")
        print(f"{'; '.join(named)}; {os.cpu_count()} cores; {day}.\n".replace("now: ", "", len(programs) == 1))
        questions(programs, root)
        table = Table(len(programs))
        sizes = [Size(table, programs, root, int(count)) for count in given.sizes.split(",")]
        for size in sizes:
            size.rows()
        if len(sizes) > 1:
            across(table, sizes)
        if given.documents:
            documents(table, programs, root)
    finally:
        shutil.rmtree(root, ignore_errors=True)


if __name__ == "__main__":
    main()
