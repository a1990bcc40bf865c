#!/usr/bin/env python3
"""Prints the tables of docs/costs.md: scripts/bench/costs.py target/release/co

A token is taken for four bytes. The facts are the first of everyday.jsonl, so everybody measures
the same; everything happens in a folder that is deleted in the end.
"""

import json, os, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
QUESTION = "who approves my travel expenses?"


def facts():
    with open(f"{HERE}/everyday.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    found = [text for row in rows for text in [row.get("fact"), *row.get("near", [])] if text]
    return list(dict.fromkeys(found))


def home(root, co, count):
    """An identity of that many facts, synced once with a remote beside it."""
    there = f"{root}/{count}"
    os.makedirs(there)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("CO_", "GIT_", "XDG_"))}
    env = kept | {"HOME": there, "GIT_CONFIG_SYSTEM": "/dev/null"}

    def run(*words, given=None):
        done = subprocess.run([co, *words], env=env, input=given, cwd=there, capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", f"{there}/remote.git"], check=True)
    run("init", "--yes", "--name", "Bin", f"{there}/remote.git")
    lines = "\n\n".join(f"- {text}" for text in facts()[:count])
    with open(f"{there}/facts.md", "w", encoding="utf-8") as file:
        file.write(lines + "\n")
    run("agent", "import", "--from", f"{there}/facts.md", "--yes")
    run("sync")
    return there, run, env


def ask(co, env, there, *calls):
    """What a server answers to these requests, in bytes."""
    messages = [
        {"method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                            "clientInfo": {"name": "costs", "version": "1"}}},
        {"method": "notifications/initialized"},
        *calls,
    ]
    given = ""
    for number, message in enumerate(messages):
        named = {} if message["method"].startswith("notifications/") else {"id": number}
        given += json.dumps({"jsonrpc": "2.0", **named, **message}) + "\n"
    done = subprocess.run([co, "mcp"], env=env, cwd=there, input=given, capture_output=True, text=True)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    return [one["result"] for one in sorted((one for one in said if "id" in one), key=lambda one: one["id"])]


def call(name, **arguments):
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


def tokens(what):
    text = what if isinstance(what, str) else json.dumps(what, ensure_ascii=False, separators=(",", ":"))
    return round(len(text.encode()) / 4)


def text_of(result):
    return "".join(part["text"] for part in result["content"])


def size(*paths):
    done = subprocess.run(["du", "-skc", *paths], capture_output=True, text=True, check=True)
    return int(done.stdout.splitlines()[-1].split()[0])


def main():
    co = os.path.realpath(sys.argv[1])
    with tempfile.TemporaryDirectory() as root:
        for count in (70, 900):
            there, run, env = home(root, co, count)
            said = ask(
                co, env, there,
                {"method": "tools/list"},
                call("recall_memory", query=QUESTION),
                call("save_memory", content="Prefers tea to coffee in the afternoon"),
                call("list_memories"),
                call("get_context"),
            )
            start, tools, found, saved, listed, context = said
            print(f"{count} facts: {len(json.loads(run('list', '--json'))['data']['memories'])} kept")
            print("context, tokens            ", tokens(run("context")))
            print("hook, tokens               ", tokens(run("hook", "session-start", "--agent", "claude-code", given="{}")))
            print("tools, tokens              ", tokens(tools["tools"]))
            print("instructions, tokens       ", tokens(start.get("instructions", "")))
            for name, result in (("recall", found), ("save", saved), ("list", listed), ("get_context", context)):
                print(f"{name:<27}", tokens(text_of(result)))
            identity = f"{there}/.config/co-cli/identity"
            print("files, KB                  ", size(identity) - size(f"{identity}/.git"))
            print("git, KB                    ", size(f"{identity}/.git"))
            print("index and log, KB          ", size(f"{there}/.config/co-cli/local"))
            print("remote, KB                 ", size(f"{there}/remote.git"))
            print("program, MB                ", round(os.path.getsize(co) / 1e6))


main()
