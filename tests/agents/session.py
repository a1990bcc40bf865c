#!/usr/bin/env python3
"""Runs one session of each real coding agent against the scripted model (model.py), offline.

    session.py --home HOME [--agent claude|codex|gemini|opencode|copilot]... [--text TEXT] [--expect TEXT]...

HOME is a home folder in which the agents' config already names an MCP server with a `save_memory`
tool. Each agent runs once, non-interactively, in a new network namespace with nothing but loopback
(`unshare`; where that fails, only the switches below keep it quiet, and a line says so). Its
environment is made here, not inherited. Per agent the output says whether the tool was called, what
it answered, what the agent printed, and whether each --expect text reached the model. A result can also
be a refusal: --result TEXT tells a call that worked from one that was denied.

The logs are kept in HOME/logs: AGENT.requests.jsonl (what the model was sent), AGENT.out, AGENT.err.
The programs are looked for in --bin, then in PATH. Exits 1 when something expected did not happen.
"""
import argparse
import fcntl
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
AGENTS = ["claude", "codex", "gemini", "opencode", "copilot"]
MODEL = "scripted"
ISOLATED = "SESSION_ISOLATED"  # set once this program runs in its own network namespace


def isolate():
    """Runs this program again in a network namespace of its own, and brings up loopback there."""
    if ISOLATED not in os.environ:
        for how in (["unshare", "-n"], ["unshare", "-rn"]):
            try:
                works = subprocess.run([*how, "true"], capture_output=True).returncode == 0
            except FileNotFoundError:
                break
            if works:
                os.environ[ISOLATED] = "1"
                os.execvp(how[0], [*how, sys.executable, *sys.argv])
        print("note: no network namespace could be made; the real network is not blocked")
        return
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    request = struct.pack("16sH14x", b"lo", 0x1 | 0x40)  # IFF_UP | IFF_RUNNING
    fcntl.ioctl(s, 0x8914, request)  # SIOCSIFFLAGS


def environment(home, bin_dir):
    """What each agent gets: a small environment with everything that calls home turned off."""
    return {
        "HOME": str(home), "PATH": f"{bin_dir}:{os.environ['PATH']}", "SHELL": "/bin/sh",
        "TMPDIR": str(home / "tmp"), "TERM": "dumb", "LANG": "C.UTF-8", "NO_COLOR": "1", "DO_NOT_TRACK": "1",
    }


def claude(o, url, env):
    env.update({
        "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "dummy",
        "CLAUDE_CODE_TMPDIR": env["TMPDIR"],
        "ENABLE_TOOL_SEARCH": o.tool_search,  # "true" hides MCP tools that are not alwaysLoad
        "DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1", "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",
    })
    return ["claude", "-p", o.prompt, "--allowedTools", f"mcp__{o.server}", *o.argument]


def codex(o, url, env):
    env["SCRIPTED_KEY"] = "dummy"
    provider = (f'{{name="scripted", base_url="{url}/v1", wire_api="responses", '
                'env_key="SCRIPTED_KEY"}')
    settings = [
        f"model_providers.scripted={provider}", 'model_provider="scripted"', f'model="{MODEL}"',
        "check_for_update_on_startup=false", "analytics.enabled=false", "feedback.enabled=false",
        "features.plugins=false", "features.remote_plugin=false", "features.apps=false",
    ]
    if o.approve:
        settings.append(f'mcp_servers.{o.server}.default_tools_approval_mode="approve"')
    args = ["codex", "exec", "--skip-git-repo-check"]
    if o.trust_hooks:
        args.append("--dangerously-bypass-hook-trust")
    for setting in settings:
        args += ["-c", setting]
    return [*args, o.prompt]


def gemini(o, url, env):
    # Vertex's variables: GOOGLE_GEMINI_BASE_URL alone selects the login "gateway", which the program
    # then refuses unless its settings choose another.
    env.update({
        "GOOGLE_GENAI_USE_VERTEXAI": "true", "GOOGLE_VERTEX_BASE_URL": url, "GOOGLE_API_KEY": "dummy",
        "GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "dummy",  # where settings chose that login
        "GEMINI_CLI_TRUST_WORKSPACE": "true", "GEMINI_TELEMETRY_ENABLED": "false",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    })
    return ["gemini", "-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", o.prompt]


def opencode(o, url, env):
    config = o.logs / "opencode.json"
    config.write_text(json.dumps({
        "autoupdate": False, "share": "disabled", "model": f"{MODEL}/{MODEL}",
        "small_model": f"{MODEL}/{MODEL}", "enabled_providers": [MODEL],
        "provider": {MODEL: {"npm": "@ai-sdk/openai-compatible", "name": MODEL,
                             "options": {"baseURL": f"{url}/v1", "apiKey": "dummy"},
                             "models": {MODEL: {"name": MODEL, "tool_call": True}}}},
    }))
    env.update({
        "OPENCODE_CONFIG": str(config),  # laid over ~/.config/opencode/opencode.json
        "OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_SHARE": "1",
        "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    })
    return ["opencode", "run", o.prompt]


def copilot(o, url, env):
    env.update({
        "COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": f"{url}/v1", "COPILOT_MODEL": MODEL,
        "COPILOT_PROVIDER_API_KEY": "dummy", "COPILOT_AUTO_UPDATE": "false",
    })
    return ["copilot", "-p", o.prompt, "--allow-all-tools"]


def name_of_tool(o):
    """The tool of the script's first step: what offers it is the session itself, no title or check."""
    return o.step[0][0] if o.step else "save_memory"


def start_model(o, log):
    args = [sys.executable, str(HERE / "model.py"), "0", "--log", str(log), "--text", o.text]
    for name, arguments in o.step or []:
        args += ["--step", name, arguments]
    model = subprocess.Popen(args, stdout=subprocess.PIPE, text=True)
    return model, model.stdout.readline().split()[-1]


def run(name, o):
    """One session; returns (problems, lines to print)."""
    log, out, err = (o.logs / f"{name}.{end}" for end in ("requests.jsonl", "out", "err"))
    log.write_text("")
    model, url = start_model(o, log)
    env = environment(o.home, o.bin)
    args = globals()[name](o, url, env)
    env.update(pair.replace("{home}", str(o.home)).split("=", 1) for pair in o.env)
    if o.watch:  # names every host that a program would have reached
        env.update({k: url for k in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")})
        env.update({k: "127.0.0.1,localhost" for k in ("NO_PROXY", "no_proxy")})
    start, problems = time.time(), []
    try:
        with open(out, "w") as o_file, open(err, "w") as e_file:
            child = subprocess.Popen(args, env=env, cwd=o.project, stdin=subprocess.DEVNULL,
                                     stdout=o_file, stderr=e_file, start_new_session=True)
            try:
                code = child.wait(o.timeout)
                if code:
                    problems.append(f"exit status {code}")
            except subprocess.TimeoutExpired:
                problems.append(f"still running after {o.timeout} s")
            finally:
                try:
                    os.killpg(child.pid, signal.SIGKILL)  # and what it left behind
                except ProcessLookupError:
                    pass
                child.wait()
    except FileNotFoundError:
        problems.append(f"{args[0]}: no such program")
    finally:
        model.terminate()
        model.wait()

    requests = [json.loads(line) for line in log.read_text().splitlines()]
    calls = [r["answer"]["call"] for r in requests if "call" in r.get("answer", {})]
    results = max((r.get("results", []) for r in requests), key=len, default=[])
    sent = "\n".join(json.dumps(r["body"], ensure_ascii=False) for r in requests if "body" in r)
    first = next((r["body"] for r in requests if name_of_tool(o) in str(r.get("tools"))), {})
    if o.first:
        sent = json.dumps(first, ensure_ascii=False)
    lines = [f"  requests: {len(requests)}, {time.time() - start:.1f} s"]
    lines += [f"  call: {c[0]} {json.dumps(c[2])}" for c in calls]
    lines += [f"  result: {r.strip()[:300]!r}" for r in results]
    lines.append(f"  printed: {out.read_text().strip()[-200:]!r}")
    refused = sorted({r["path"] for r in requests if r.get("refused")})
    if refused:
        lines.append(f"  tried to reach: {', '.join(refused)}")
    if len(results) < len(o.step or [0]):
        problems.append("the tool was not called" if not calls else "no result of the tool arrived")
    for text in o.result:
        if not any(text in r for r in results):
            problems.append(f"no result of the tool has: {text}")
    for text in (t.replace("{agent}", name) for t in o.expect):
        there = json.dumps(text, ensure_ascii=False)[1:-1] in sent
        lines.append(f"  {'reached' if there else 'NOT REACHED'}: {text}")
        if not there:
            problems.append(f"the model did not get: {text}")
    return problems, lines


def main():
    p = argparse.ArgumentParser(description="Sessions of real agents against a scripted model.")
    p.add_argument("--home", required=True, type=pathlib.Path)
    p.add_argument("--agent", action="append", choices=AGENTS, help="default: all")
    p.add_argument("--project", type=pathlib.Path, help="working folder; default: HOME/project")
    p.add_argument("--text", default="The build uses zig 0.16.", help="what save_memory is called with")
    p.add_argument("--step", nargs=2, action="append", metavar=("TOOL", "JSON"), help="see model.py")
    p.add_argument("--prompt", default="Please remember which build tool we use.")
    p.add_argument("--expect", action="append", default=[], help="text that must reach the model; {agent} stands for its name")
    p.add_argument("--first", action="store_true", help="what is expected has to be in the first request")
    p.add_argument("--result", action="append", default=[], help="text that a tool's result must have")
    p.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="one more variable; {home} stands for HOME")
    p.add_argument("--argument", action="append", default=[], help="one more argument for Claude Code")
    p.add_argument("--server", default="co", help="the MCP server's name in the config")
    p.add_argument("--bin", type=pathlib.Path, default=HERE / "bin", help="where the programs are")
    p.add_argument("--timeout", type=int, default=90)
    p.add_argument("--trust-hooks", action="store_true", help="Codex: run hooks nobody trusted yet")
    p.add_argument("--approve", action="store_true",
                   help="Codex: allow every tool; else it refuses those that need asking, which are "
                   "all but readOnlyHint ones and those with destructiveHint and openWorldHint false")
    p.add_argument("--tool-search", default="false", help="Claude Code's ENABLE_TOOL_SEARCH")
    p.add_argument("--watch", action="store_true", help="list the hosts that a program tries to reach")
    o = p.parse_args()
    isolate()
    o.home = o.home.resolve()
    o.project = (o.project or o.home / "project").resolve()
    o.project.mkdir(parents=True, exist_ok=True)
    o.logs = o.home / "logs"
    o.logs.mkdir(exist_ok=True)
    (o.home / "tmp").mkdir(exist_ok=True)  # the agents' temporary files
    failed = False
    for name in o.agent or AGENTS:
        problems, lines = run(name, o)
        print(f"{name}: {'; '.join(problems) if problems else 'ok'}", *lines, sep="\n", flush=True)
        failed |= bool(problems)
    sys.exit(failed)


main()
