#!/usr/bin/env python3
"""A scripted model on loopback, so that real coding agents can be driven offline.

    model.py [PORT] [--text TEXT] [--step TOOL JSON]... [--log FILE] [--final TEXT]

It speaks the four wire formats that the agents use:

    Anthropic Messages       POST /v1/messages, /v1/messages/count_tokens       Claude Code
    OpenAI Responses         POST /v1/responses                                 Codex
    Gemini generateContent   POST /v1beta/models/NAME:[stream]generateContent   Gemini CLI
    OpenAI chat completions  POST /v1/chat/completions                          opencode

The script is a list of steps, each a tool and its arguments; by default one step, `save_memory`
with TEXT. A request that offers the step's tool (under any prefix, such as mcp__co__) is answered
with a call of it; the number of tool results in the conversation says which step is next. After the
last step the answer is a plain text. In the arguments, {handle of: TEXT} is the handle that an earlier
result gave to the fact with this text, as `- 3: "TEXT"`: a real model has it from there. Nothing is kept between requests, so that one server can serve
several sessions. Requests that offer no such tool (titles, summaries, checks) get a short text.

The port (0: any free one) is printed as `listening on http://127.0.0.1:PORT`. Each request is
appended to --log as one JSON line: path, agent, format, tools, results, answer, body. CONNECT, which
a program sends to reach the real network when this server is its proxy, is logged and refused.
"""
import argparse
import json
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SIDE = "ok"  # what a request without the script's tool is answered with


def as_list(x):
    return x if isinstance(x, list) else []


def text_of(content):
    """The plain text of a result, in whichever of the formats' shapes."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(text_of(c.get("text", c) if isinstance(c, dict) else c) for c in content)
    return json.dumps(content)


def filled(arguments, results):
    """The arguments of a step, with the handles that the results name."""
    def handle(asked):
        named = r'- ([\w/-]+): "' + re.escape(asked[1])
        return next((m[1] for r in results if (m := re.search(named, r))), asked[0])
    if isinstance(arguments, str):
        return re.sub(r"\{handle of: ([^}]*)\}", handle, arguments)
    if isinstance(arguments, list):
        return [filled(a, results) for a in arguments]
    if isinstance(arguments, dict):
        return {key: filled(a, results) for key, a in arguments.items()}
    return arguments


# Each format has: tools(body) -> [(name, namespace or None)], results(body) -> [text],
# reply(body, call, text) -> (whole, events): `call` is (id, name, namespace, arguments) or None,
# `events` is what is streamed, as [(event name or None, data)].

class Anthropic:
    @staticmethod
    def tools(body):
        return [(t.get("name", ""), None) for t in as_list(body.get("tools"))]

    @staticmethod
    def results(body):
        return [text_of(part.get("content", "")) for m in as_list(body.get("messages"))
                for part in as_list(m.get("content")) if part.get("type") == "tool_result"]

    @staticmethod
    def reply(body, call, text):
        if call:
            block = {"type": "tool_use", "id": call[0], "name": call[1], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(call[3])}
            full, reason = {**block, "input": call[3]}, "tool_use"
        else:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": text}
            full, reason = {**block, "text": text}, "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        start = {"id": "msg_1", "type": "message", "role": "assistant", "content": [],
                 "model": body.get("model"), "stop_reason": None, "stop_sequence": None, "usage": usage}
        whole = {**start, "content": [full], "stop_reason": reason}
        events = [
            {"type": "message_start", "message": start},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "usage": {"output_tokens": 1},
             "delta": {"stop_reason": reason, "stop_sequence": None}},
            {"type": "message_stop"},
        ]
        return whole, [(e["type"], e) for e in events]


class Responses:
    @staticmethod
    def tools(body):
        # Codex puts a server's tools in a namespace, named in the call beside the tool's name.
        found = []
        for t in as_list(body.get("tools")):
            if t.get("type") == "namespace":
                found += [(u.get("name", ""), t.get("name")) for u in as_list(t.get("tools"))]
            else:
                found.append((t.get("name") or t.get("type", ""), None))
        return found

    @staticmethod
    def results(body):
        return [text_of(i.get("output", "")) for i in as_list(body.get("input"))
                if i.get("type") in ("function_call_output", "custom_tool_call_output")]

    @staticmethod
    def reply(body, call, text):
        if call:
            item = {"type": "function_call", "id": "fc_1", "call_id": call[0], "name": call[1],
                    "arguments": json.dumps(call[3])}
            if call[2]:
                item["namespace"] = call[2]
        else:
            item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": text, "annotations": []}]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
                 "input_tokens_details": {"cached_tokens": 0},
                 "output_tokens_details": {"reasoning_tokens": 0}}
        start = {"id": "resp_1", "object": "response", "status": "in_progress",
                 "model": body.get("model"), "output": []}
        whole = {**start, "status": "completed", "output": [item], "usage": usage}
        events = [
            {"type": "response.created", "response": start},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        return whole, [(e["type"], e) for e in events]


class Gemini:
    @staticmethod
    def tools(body):
        return [(f.get("name", ""), None) for t in as_list(body.get("tools"))
                for f in as_list(t.get("functionDeclarations"))]

    @staticmethod
    def results(body):
        return [text_of(p["functionResponse"].get("response", "")) for c in as_list(body.get("contents"))
                for p in as_list(c.get("parts")) if "functionResponse" in p]

    @staticmethod
    def reply(body, call, text):
        if call:
            part = {"functionCall": {"id": call[0], "name": call[1], "args": call[3]}}
        elif (body.get("generationConfig") or {}).get("responseMimeType") == "application/json":
            part = {"text": "{}"}
        else:
            part = {"text": text}
        whole = {"candidates": [{"content": {"role": "model", "parts": [part]},
                                 "finishReason": "STOP", "index": 0}],
                 "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}}
        return whole, [(None, whole)]


class Chat:
    @staticmethod
    def tools(body):
        return [((t.get("function") or {}).get("name", ""), None) for t in as_list(body.get("tools"))]

    @staticmethod
    def results(body):
        return [text_of(m.get("content", "")) for m in as_list(body.get("messages"))
                if m.get("role") == "tool"]

    @staticmethod
    def reply(body, call, text):
        if call:
            function = {"name": call[1], "arguments": json.dumps(call[3])}
            message = {"role": "assistant", "content": None,
                       "tool_calls": [{"index": 0, "id": call[0], "type": "function", "function": function}]}
        else:
            message = {"role": "assistant", "content": text}
        reason = "tool_calls" if call else "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}

        def piece(kind, part, finish, **more):
            head = {"id": "chat_1", "object": kind, "created": 0, "model": body.get("model")}
            key = "message" if kind == "chat.completion" else "delta"
            return {**head, "choices": [{"index": 0, key: part, "finish_reason": finish}], **more}

        chunk = "chat.completion.chunk"
        return (piece("chat.completion", message, reason, usage=usage),
                [(None, piece(chunk, message, None)),
                 (None, piece(chunk, {}, reason, usage=usage)),
                 (None, "[DONE]")])


def format_of(path):
    if path.endswith("/messages"):
        return Anthropic
    if path.endswith("/responses"):
        return Responses
    if path.endswith(("enerateContent", "treamGenerateContent")):
        return Gemini
    if path.endswith("/chat/completions"):
        return Chat
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    options = None
    lock = threading.Lock()

    def log_message(self, *_):
        pass

    def note(self, **entry):
        """Appends one line to the log."""
        if not self.options.log:
            return
        entry = {"method": self.command, "path": self.path,
                 "agent": self.headers.get("User-Agent", ""), **entry}
        with self.lock, open(self.options.log, "a", encoding="utf-8") as f:
            f.write(json.dumps(entry) + "\n")

    def send(self, status, kind, data):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def send_json(self, value, status=200):
        self.send(status, "application/json", json.dumps(value).encode())

    def do_CONNECT(self):
        self.note(refused=True)
        self.send_json({"error": "no network"}, 403)

    def do_GET(self):
        refused = self.path.startswith("http")  # asked as a proxy
        self.note(refused=refused)
        if self.path.split("?")[0].endswith("/models"):
            # `data` is OpenAI's and Anthropic's key, `models` is Gemini's and Codex's.
            self.send_json({"object": "list", "data": [], "models": []})
        else:
            self.send_json({}, 403 if refused else 200)

    do_HEAD = do_GET

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw)
        except ValueError:
            body = {"unread_bytes": len(raw)}
        path = self.path.split("?")[0]
        kind = None if path.startswith("http") else format_of(path)
        if kind is None:
            self.note(body=body, refused=path.startswith("http"))
            if path.endswith(("/count_tokens", ":countTokens")):
                self.send_json({"input_tokens": 1, "totalTokens": 1})
            else:
                self.send_json({"error": {"message": "not scripted"}}, 404)
            return

        tools, results, steps = kind.tools(body), kind.results(body), self.options.step
        call, text = None, SIDE
        if len(results) < len(steps):
            name, arguments = steps[len(results)]
            match = next((t for t in tools if name in t[0]), None)
            if match:
                call = (f"call_{len(results) + 1}", match[0], match[1], filled(arguments, results))
        else:
            text = self.options.final
        self.note(format=kind.__name__, tools=[f"{space or ''}{name}" for name, space in tools],
                  results=results, answer={"call": call[1:]} if call else {"text": text}, body=body)

        whole, events = kind.reply(body, call, text)
        if not (body.get("stream") or path.endswith(":streamGenerateContent")):
            self.send_json(whole)
            return
        lines = []
        for event, data in events:
            if event:
                lines.append(f"event: {event}\n")
            lines.append(f"data: {data if isinstance(data, str) else json.dumps(data)}\n\n")
        self.send(200, "text/event-stream", "".join(lines).encode())


def main():
    p = argparse.ArgumentParser(description="A scripted model on loopback.")
    p.add_argument("port", nargs="?", type=int, default=0)
    p.add_argument("--text", default="The test text.", help="what save_memory is called with")
    p.add_argument("--step", nargs=2, action="append", metavar=("TOOL", "JSON"),
                   help="a tool and its arguments; again for the next step; default: save_memory")
    p.add_argument("--final", default="done", help="the answer after the last step")
    p.add_argument("--log", help="file to which each request is appended as a JSON line")
    o = p.parse_args()
    o.step = ([(name, json.loads(arguments)) for name, arguments in o.step] if o.step
              else [("save_memory", {"content": o.text, "tags": ["test"]})])
    Handler.options = o
    server = ThreadingHTTPServer(("127.0.0.1", o.port), Handler)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
