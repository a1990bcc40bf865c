#!/usr/bin/env python3
"""Serves a stdio MCP server over HTTP, for test programs that know HTTP alone.

    bridge.py [--port PORT] COMMAND...

Each POST is one message: it becomes a line for the program, and the answer with its id comes back as
JSON, or as an event stream with what the program said before it. Nothing else is added, except what
HTTP itself asks for: a message whose headers contradict it is refused, as is a page of elsewhere.
The port (0: any free one) is printed as `listening on http://127.0.0.1:PORT/mcp`.
"""
import argparse
import json
import queue
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

META = "io.modelcontextprotocol/"
METHOD, PARAMS, MISMATCH, VERSION = -32601, -32602, -32020, -32022


class Program:
    def __init__(self, command):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lock, self.waiting, self.count = threading.Lock(), {}, 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.child.stdout:
            message = json.loads(line)
            if "method" in message:  # of nobody in particular: all who wait get it
                for waits in list(self.waiting.values()):
                    waits.put(message)
            elif message.get("id") in self.waiting:
                self.waiting[message["id"]].put(message)

    def tell(self, message):
        with self.lock:
            self.child.stdin.write(json.dumps(message).encode() + b"\n")
            self.child.stdin.flush()

    def ask(self, message):
        """What was said meanwhile, and the answer. Ids of several clients may be the same."""
        with self.lock:
            self.count += 1
            own, waits = self.count, queue.Queue()
            self.waiting[own] = waits
        self.tell({**message, "id": own})
        said = []
        try:
            while True:
                got = waits.get(timeout=60)
                if "method" not in got:
                    return said, {**got, "id": message["id"]}
                said.append(got)
        finally:
            del self.waiting[own]


def unfit(headers, message):
    """The error of a message that its headers contradict."""
    meta = (message.get("params") or {}).get("_meta") or {}
    stated = meta.get(META + "protocolVersion") if isinstance(meta, dict) else None
    version = headers.get("MCP-Protocol-Version")
    if stated is None:
        return None
    name = (message.get("params") or {}).get("name") or (message.get("params") or {}).get("uri")
    pairs = [("MCP-Protocol-Version", version, stated), ("Mcp-Method", headers.get("Mcp-Method"), message["method"])]
    if message["method"] in ("tools/call", "prompts/get", "resources/read"):
        pairs.append(("Mcp-Name", headers.get("Mcp-Name"), name))
    for header, said, meant in pairs:
        if (said or "").strip() != meant:
            text = f"header {header} does not say what the message says"
            return {"jsonrpc": "2.0", "id": message.get("id"), "error": {"code": MISMATCH, "message": text}}
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    program = None

    def log_message(self, *_):
        pass

    def send(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self.send(405, "text/plain", b"")

    do_DELETE = do_GET

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        hosts = [self.headers.get("Host", ""), (self.headers.get("Origin") or "//localhost").split("//")[-1]]
        if any(host.split(":")[0] not in ("localhost", "127.0.0.1") for host in hosts):
            self.send(403, "text/plain", b"")
            return
        message = json.loads(raw)
        if "id" not in message:
            self.program.tell(message)
            self.send(202, "text/plain", b"")
            return
        refused = unfit(self.headers, message)
        said, answer = ([], refused) if refused else self.program.ask(message)
        code = (answer.get("error") or {}).get("code")
        # Until 2025-11-25 every answer came with 200.
        is_new = self.headers.get("MCP-Protocol-Version", "") >= "2026"
        status = {METHOD: 404, PARAMS: 400, MISMATCH: 400, VERSION: 400}.get(code, 200) if is_new else 200
        if said:
            lines = [f"event: message\ndata: {json.dumps(one)}\n\n" for one in [*said, answer]]
            self.send(status, "text/event-stream", "".join(lines).encode())
        else:
            self.send(status, "application/json", json.dumps(answer).encode())


def main():
    p = argparse.ArgumentParser(description="A stdio MCP server over HTTP.")
    p.add_argument("--port", type=int, default=0)
    p.add_argument("command", nargs=argparse.REMAINDER)
    o = p.parse_args()
    Handler.program = Program(o.command)
    server = ThreadingHTTPServer(("127.0.0.1", o.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}/mcp", flush=True)
    try:
        server.serve_forever()
    finally:
        Handler.program.child.stdin.close()


main()
