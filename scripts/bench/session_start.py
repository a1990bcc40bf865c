#!/usr/bin/env python3
"""What the start of an agent's session costs, as the table of docs/sessions.md.

    session_start.py CO

Makes an identity of 70 facts of a line each, a profile, and a small project with a hand-off, and
measures what an agent is given by the hook and by the server. A token is taken for four bytes.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FACT = "Fact {}: prefers short answers about topic number {}, with sources and no filler"
PROFILE = ("---\nversion: 1\nupdated: 2026-11-20T09:00:00Z\nname: Ada Lovelace\nrole: Engineer\n"
           "languages: [English, German]\ntimezone: Europe/Berlin\neditor: helix\n---\n")
PROJECT = ("---\nversion: 1\nupdated: 2026-11-20T09:00:00Z\n---\n\nBilling turns orders into invoices. Rust, Postgres.\n"
           "\n## Layout\n\n- src/import: reads orders\n- src/render: writes PDF\n")
INSTRUCTIONS = "Build with cargo. Run the tests before every commit. Ask before adding a dependency.\n"


class Home:
    def __init__(self, co, folder):
        self.co, self.home, self.project = co, folder, folder / "project"
        self.env = {"HOME": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin"}

    def run(self, *arguments):
        done = subprocess.run([self.co, *arguments], env=self.env, cwd=self.project, check=True,
                              capture_output=True, text=True)
        return done.stdout

    def make(self):
        self.project.mkdir(parents=True)
        self.run("init", "--yes", "--name", "Ada Lovelace")
        for at in range(1, 71):
            self.run("learn", FACT.format(at, at))
        identity = self.home / ".config/co-cli/identity"
        (identity / "profile.md").write_text(PROFILE)
        subprocess.run(["git", "init", "-q", "-b", "main", "."], cwd=self.project, check=True)
        knowledge = self.project / ".co-cli/knowledge"
        knowledge.mkdir(parents=True)
        (knowledge / "context.md").write_text(PROJECT)
        (self.project / ".co-cli/instructions.md").write_text(INSTRUCTIONS)

    def started(self):
        reply = json.loads(self.run("hook", "session-start", "--agent", "codex"))
        return tokens(reply["hookSpecificOutput"]["additionalContext"])

    def served(self):
        """The tools, how many, and the instructions."""
        asked = [
            {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {},
                                                         "clientInfo": {"name": "measure", "version": "1"}}},
            {"method": "notifications/initialized"},
            {"id": 2, "method": "tools/list", "params": {}},
        ]
        server = subprocess.Popen([self.co, "mcp"], env=self.env, cwd=self.project, text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        answers = {}
        for message in asked:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            server.stdin.flush()
            if "id" in message:
                answers[message["id"]] = json.loads(server.stdout.readline())["result"]
        server.stdin.close()
        server.wait()
        tools = answers[2]["tools"]
        compact = json.dumps(tools, separators=(",", ":"), ensure_ascii=False)
        return tokens(compact), len(tools), tokens(answers[1]["instructions"])


def tokens(text):
    return len(text.encode()) // 4


def main():
    with tempfile.TemporaryDirectory() as folder:
        home = Home(os.path.abspath(sys.argv[1]), pathlib.Path(folder))
        home.make()
        start = home.started()
        home.run("handoff", "--goal", "Ship the importer", "--done", "Parsing", "--next", "Write the tests",
                 "--file", "src/import.rs")
        handoff = home.started() - start
        few, count, instructions = home.served()
        home.run("knowledge", "write", "notes/tea", "# Tea\n\nGreen.")
        more, all_of_them, _ = home.served()
    print("| what | tokens |\n|---|---|")
    print(f"| the context: profile, 70 facts, the project's knowledge and instructions, headings | {start:,} |")
    print(f"| a hand-off of three lines, if there is one (at most 1,000) | {handoff:,} |")
    print(f"| the server's {count} tools; its {all_of_them} once you have documents | {few:,}; {more:,} |")
    print(f"| the server's instructions | {instructions:,} |")


main()
