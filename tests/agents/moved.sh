#!/usr/bin/env bash
# A fact that no longer holds, with the real agents: "I moved to Hamburg", said to Claude Code on one laptop.
#   tests/agents/setup.sh FOLDER      once
#   tests/agents/moved.sh FOLDER CO   CO is the built binary, an absolute path to a file named co
. "$(dirname "$0")/lib.sh"
a=$work/a b=$work/b

git init -q --bare -b main "$work/remote.git"
mkdir -p {"$a","$b"}/{project,.claude,.codex,.gemini,.copilot,.config/opencode}
at "$a" "$co" init --yes --name "Ada Lovelace" --remote "$work/remote.git" >/dev/null
at "$b" "$co" init --yes "$work/remote.git" >/dev/null
for laptop in "$a" "$b"; do
    at "$laptop" "$co" agent install claude-code codex gemini opencode copilot --hooks --yes >/dev/null
done
# The one that is replaced is not the only one, nor the first.
for text in "Rows on Tuesdays, whatever the weather" "Speaks German" "Lives in Munich"; do
    at "$a" "$co" learn "$text" >/dev/null
done
at "$a" "$co" sync >/dev/null
at "$b" "$co" sync >/dev/null
ask='{"query":"where do I live"}'
went "Codex on b gets Munich" codex \
    "$(session "$b" codex --step recall_memory "$ask" --result "Lives in Munich" --expect "Lives in Munich")"

echo "== said to Claude Code on a"
# The model takes the handle from the answer of its first call.
went "save_memory names the old one, the second call replaces it" claude "$(session "$a" claude \
    --prompt "I moved to Hamburg." --step save_memory '{"content":"I moved to Hamburg"}' \
    --step save_memory '{"content":"I moved to Hamburg","replaces":["{handle of: Lives in Munich}"]}' \
    --step recall_memory "$ask" \
    --result 'It may replace:' --result '"Lives in Munich"' --result "Already saved as fact 4" \
    --result "replaces 3: Lives in Munich" --result "I moved to Hamburg")"
# The results of its calls, a line each.
results=$(sent "$a" claude | python3 -c 'import json, sys
for result in max((json.loads(line).get("results", []) for line in sys.stdin), key=len): print(json.dumps(result))')
refuse "one that stays is no candidate" German "$(head -n 1 <<<"$results")"
expect "its recall then has Hamburg" "I moved to Hamburg" "$(tail -n 1 <<<"$results")"
refuse "its recall then has no Munich" Munich "$(tail -n 1 <<<"$results")"
list=$(at "$a" "$co" list)
expect "co list has Hamburg" Hamburg "$list"
refuse "co list has no Munich" Munich "$list"
expect "co list --all says why" "replaced by 4" "$(at "$a" "$co" list --all)"
expect "co log names Claude Code" "by Claude Code" "$(at "$a" "$co" log 4)"

echo "== on the other laptop"
at "$a" "$co" sync >/dev/null
at "$b" "$co" sync >/dev/null
for agent in codex claude gemini opencode copilot; do
    # opencode has its context by a tool.
    step=recall_memory arguments=$ask
    [ $agent = opencode ] && step=get_context arguments={}
    went "$agent on b gets Hamburg" $agent \
        "$(session "$b" $agent --step $step "$arguments" --result Hamburg --expect "Rows on Tuesdays")"
    refuse "$agent on b gets nothing of Munich" Munich "$(sent "$b" $agent)"
done

echo "== undone on a"
expect "co undo" "Undone" "$(at "$a" "$co" undo --yes)"
list=$(at "$a" "$co" list)
expect "brings Munich back" "Lives in Munich" "$list"
expect "and leaves Hamburg" "I moved to Hamburg" "$list"
at "$a" "$co" undo --yes >/dev/null
list=$(at "$a" "$co" list)
refuse "once more takes Hamburg away" Hamburg "$list"
expect "and keeps Munich" "Lives in Munich" "$list"
at "$a" "$co" sync >/dev/null
at "$b" "$co" sync >/dev/null
went "Codex on b gets Munich again" codex \
    "$(session "$b" codex --step recall_memory "$ask" --result "Lives in Munich")"
refuse "and no Hamburg" Hamburg "$(sent "$b" codex)"
exit $failed
