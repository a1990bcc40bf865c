#!/usr/bin/env python3
"""A small MCP client (Python SDK, package `mcp`): lists a server's tools, calls those named in a file,
in order, then lists and reads its resources and prompts.

    py_client.py [--elicit accept|decline|cancel] [--mode auto|legacy|DATE] CALLS.json COMMAND [ARG]...

CALLS.json: {"tool": {arguments}, ...}, or [["tool", {arguments}], ...] to call one tool twice.
--elicit declares elicitation and gives that answer to each question. The server gets the SDK's small
environment (HOME, PATH, SHELL, TERM, USER, LOGNAME). Exits 1 when anything failed.
"""
import argparse
import asyncio
import json
import sys

from mcp import Client, StdioServerParameters
from mcp.types import ElicitResult, Implementation

failed = False


async def step(name, run):
    """Waits for one step; says so when it fails."""
    global failed
    try:
        return await run
    except Exception as e:  # whatever the SDK raises is what this client is here to show
        failed = True
        print(f"{name}: failed: {type(e).__name__}: {e}")
        return None


def answers(schema):
    """An answer that agrees: true for each boolean, the first choice of each enum, else "yes" or 1."""
    def one(p):
        if p.get("type") == "boolean":
            return True
        return p["enum"][0] if "enum" in p else "yes" if p.get("type") == "string" else 1
    return {k: one(p) for k, p in (schema or {}).get("properties", {}).items()}


def text_of(parts):
    return next((p.text for p in parts if getattr(p, "text", None) is not None), "")


async def main(o):
    with open(o.calls, encoding="utf-8") as f:
        given = json.load(f)
    calls = given if isinstance(given, list) else list(given.items())

    async def elicit(context, params):
        print(f"asked: {params.message}")
        schema = getattr(params, "requested_schema", None)
        return ElicitResult(action=o.elicit, content=answers(schema) if o.elicit == "accept" else None)

    server = StdioServerParameters(command=o.command[0], args=o.command[1:])
    async with Client(server, mode=o.mode, elicitation_callback=elicit if o.elicit else None,
                      client_info=Implementation(name="py-test-client", version="1.0.0")) as client:
        print(f"server: {client.server_info.name} {client.server_info.version}, {client.protocol_version}")
        print(f"instructions: {len(client.instructions or '')} characters")
        names = [t.name for t in (await client.list_tools()).tools]
        print(f"tools: {', '.join(names)}")
        for name, arguments in calls:
            if name not in names:
                print(f"call {name}: not offered")
                continue
            r = await step(f"call {name}", client.call_tool(name, arguments))
            if r:
                print(f"call {name}: isError={str(bool(r.is_error)).lower()}: {text_of(r.content)}")
        if client.server_capabilities.resources:
            r = await step("resources", client.list_resources())
            uris = [x.uri for x in r.resources] if r else []
            print(f"resources: {', '.join(map(str, uris))}")
            for uri in uris:
                r = await step(f"read {uri}", client.read_resource(uri))
                if r:
                    print(f"read {uri}: {text_of(r.contents)}")
        if client.server_capabilities.prompts:
            r = await step("prompts", client.list_prompts())
            prompts = r.prompts if r else []
            print(f"prompts: {', '.join(p.name for p in prompts)}")
            for p in prompts:
                required = {a.name: "test" for a in p.arguments or [] if a.required}
                r = await step(f"prompt {p.name}", client.get_prompt(p.name, required))
                if r:
                    print(f"prompt {p.name}: {text_of([m.content for m in r.messages])}")


if __name__ == "__main__":
    p = argparse.ArgumentParser(description="A small MCP client.")
    p.add_argument("--elicit", choices=["accept", "decline", "cancel"])
    p.add_argument("--mode", default="auto", help="auto: server/discover first; legacy: initialize")
    p.add_argument("calls", metavar="CALLS.json")
    p.add_argument("command", nargs=argparse.REMAINDER)
    o = p.parse_args()
    if not o.command:
        p.error("no server command")
    asyncio.run(main(o))
    sys.exit(failed)
