"""Made-up facts and documents, and homes that hold them. Knows nothing of what is measured."""

import glob, hashlib, json, os, random, re, shutil, subprocess, time

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
GITCONFIG = """[user]
\tname = Bench
\temail = bench@example.invalid
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
"""


def saying(r):
    pick = lambda: r.choice(WORDS) + (str(r.randint(2, 99)) if r.random() < 0.3 else "")
    port = lambda: r.randint(1024, 9999)
    parts = (r.choice(SAYINGS) for _ in range(r.randint(1, 3)))
    fill = lambda text: text.format(a=pick(), b=pick(), c=pick(), d=r.choice(DAYS), n=port(), m=port())
    return " ".join(fill(part) for part in parts)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_fact(identity, number, text):
    created = time.strftime("%Y-%m-%dT%H:%M:%S.000000+00:00", time.gmtime(1767225600 - number * 5400))
    checksum = hashlib.sha256(text.encode()).hexdigest()
    slug = re.sub(r"[^a-z0-9]+", "-", text.lower())[:50].strip("-") or "fact"
    head = f"id: {number}\ncreated: {created}\ntags: [bench]\nsource: user-told\nchecksum: sha256:{checksum}"
    write(f"{identity}/knowledge/memories/{number:05d}-{slug}.md", f"---\n{head}\n---\n\n{text}\n")


def write_documents(identity, count):
    r = random.Random(count)
    for number in range(count):
        chapter = lambda at: f"## {r.choice(WORDS).title()} {at}\n\n{saying(r)} {saying(r)}"
        text = "\n\n".join(chapter(at) for at in range(25))
        path = f"{identity}/knowledge/articles/{r.choice(WORDS)}-{number}.md"
        write(path, f"---\ntitle: {r.choice(WORDS).title()}\n---\n\n{text}\n")


class Home:
    """A home of its own, in which programs find nothing of the one who measures."""

    def __init__(self, root, name):
        self.home = f"{root}/{name}"
        shutil.rmtree(self.home, ignore_errors=True)
        write(f"{self.home}/.gitconfig", GITCONFIG)
        self.identity = f"{self.home}/.config/co-cli/identity"
        self.remote = f"{self.home}/remote.git"
        self.env = {
            "PATH": os.environ["PATH"], "HOME": self.home, "LANG": "C.UTF-8", "NO_COLOR": "1",
            "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1",
        }

    def call(self, *argv, given=None):
        done = subprocess.run(argv, env=self.env, cwd=self.home, input=given, capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(argv)}: {done.stderr}")
        return done.stdout

    def take(self, other):
        """The files of the other's identity, but not its repository."""
        without = shutil.ignore_patterns(".git")
        shutil.copytree(other.identity, self.identity, ignore=without, dirs_exist_ok=True)


class Plain(Home):
    """The same files in a repository, without co."""

    def __init__(self, root, name, other):
        super().__init__(root, name)
        self.take(other)
        self.call("git", "init", "-q", self.identity)
        self.call("git", "init", "-q", "--bare", self.remote)
        self.call("git", "-C", self.identity, "remote", "add", "origin", self.remote)


class Laptop(Home):
    """An identity, as a program has it that is measured."""

    def __init__(self, co, root, name, encoder=False):
        super().__init__(root, name)
        self.co = co
        self.run("init", "--yes")
        self.settings(encoder)

    def settings(self, encoder):
        settings = {} if encoder else {"recall": {"encoder": "off"}}
        write(f"{self.home}/.config/co-cli/settings.json", json.dumps(settings))

    def run(self, *arguments, given=None):
        return self.call(self.co, *arguments, given=given)

    def connect(self):
        self.call("git", "init", "-q", "--bare", self.remote)
        self.run("identity", "remote", self.remote)

    def lose_index(self):
        """Only the index: what else is kept beside it stays."""
        for pattern in ("index*.db*", "catalog.*"):
            for path in glob.glob(f"{self.home}/.config/co-cli/local/{pattern}"):
                os.remove(path)

    def make_vectors(self):
        """How many were made, and the milliseconds that it took."""
        start = time.perf_counter()
        said = json.loads(self.run("knowledge", "reindex", "--json"))
        spent = (time.perf_counter() - start) * 1e3
        return sum(store["vectors"]["made"] for store in said["data"]["stores"]), spent
