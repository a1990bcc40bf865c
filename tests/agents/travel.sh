#!/usr/bin/env bash
# What travels between two laptops, with the real agents: skills, a hand-off, Claude Code's notes at each place.
#   tests/agents/setup.sh FOLDER      once
#   tests/agents/travel.sh FOLDER CO  CO is the built binary, an absolute path to a file named co
. "$(dirname "$0")/lib.sh"
a=$work/a b=$work/b
agents="claude codex gemini opencode copilot"

# What is in a home, but for co's own folder and what the agents write by themselves.
home_of() { (cd "$1" && find .agents .claude/skills .codex/skills .copilot/skills .gemini/skills -not -path '*/.system*' \
    -printf '%p %y %l\n' 2>/dev/null | grep -v '^.codex/skills d' | sort
    find .agents .claude/skills -type f -exec sha256sum {} + 2>/dev/null | sort); }

git init -q --bare -b main "$work/remote.git"
for laptop in "$a" "$b"; do
    mkdir -p "$laptop"/{project,.claude,.codex,.gemini,.copilot,.config/opencode}
    git -C "$laptop/project" init -q -b main
    git -C "$laptop/project" remote add origin git@github.com:bin/billing.git
    # Each laptop trusts its checkout.
    printf '{"projects":{"%s":{"hasTrustDialogAccepted":true}}}' "$laptop/project" >"$laptop/.claude.json"
done
at "$a" "$co" init --yes --name "Ada Lovelace" --remote "$work/remote.git" >/dev/null
at "$b" "$co" init --yes "$work/remote.git" >/dev/null
own="---\nname: own\ndescription: One of the person's own.\n---\n\nOwn.\n"
mkdir -p "$b/.claude/skills/own" && printf -- "$own" >"$b/.claude/skills/own/SKILL.md"
before=$(home_of "$b")
for laptop in "$a" "$b"; do
    at "$laptop" "$co" agent install claude-code codex gemini opencode copilot --skills --hooks --yes >/dev/null
done

echo "== skills"
mkdir -p "$work/greet" "$work/deploy/scripts"
printf -- '---\nname: greet\ndescription: Greets in the house style of herons.\n---\n\nSay zebra first.\n' >"$work/greet/SKILL.md"
printf -- '---\nname: deploy\ndescription: Deploys like a walrus.\n---\n\nRun scripts/run.sh.\n' >"$work/deploy/SKILL.md"
printf '#!/bin/sh\ntouch "$HOME/ran"\n' >"$work/deploy/scripts/run.sh"
for skill in greet deploy; do at "$a" "$co" skill add "$work/$skill" >/dev/null; done
at "$a" "$co" sync >/dev/null
said=$(at "$b" "$co" sync)
expect "after one sync, both wait" "2 skills wait for your answer: deploy, greet" "$said"
review=$(at "$b" "$co" review)
expect "the one with a script says so" "can run: scripts/run.sh (#!/bin/sh)" "$review"
id=$(at "$b" "$co" review --json | python3 -c 'import json, sys
print(next(one["id"] for one in json.load(sys.stdin)["data"]["proposals"] if one["name"] == "greet"))')
expect "agreed to" "may use the skill greet" "$(at "$b" "$co" review accept "$id")"
declare -A use=(
    [claude]='Skill {"skill":"greet"}' [gemini]='activate_skill {"name":"greet"}' [opencode]='skill {"name":"greet"}'
    [copilot]='skill {"skill":"greet"}' [codex]='exec_command {"cmd":"cat ~/.agents/skills/greet/SKILL.md"}')
for agent in $agents; do
    read -r tool arguments <<<"${use[$agent]}"
    said=$(session "$b" "$agent" --step "$tool" "$arguments" --expect "house style of herons" --expect "Say zebra first")
    went "$agent finds and uses it" "$agent" "$said"
    refuse "$agent knows nothing of the one that waits" walrus "$(sent "$b" "$agent")"
done

echo "== a hand-off"
handoff='{"goal":"Ship the heron importer","next":"Write the tests"}'
# Nothing is synced on b by hand: the first session there looks itself.
went "Claude Code on a leaves one" claude "$(session "$a" claude --step save_handoff "$handoff" --result "Left for the next")"
at "$a" "$co" sync >/dev/null
for agent in codex claude gemini copilot; do
    said=$(session "$b" $agent --step recall_memory '{"query":"x"}' --first \
        --expect "left by Claude Code on" --expect "Ship the heron importer")
    went "$agent on b has it in its first request" $agent "$said"
done

echo "== notes of Claude Code, where its settings put them"
for laptop in "$a" "$b"; do at "$laptop" "$co" agent install claude-code --notes --yes >/dev/null; done
note() { # name, folder on a, folder on b, options of the session
    local name=$1 on_a=$2 on_b=$3; shift 3
    local text="---\nname: $name\ndescription: about $name\nmetadata:\n  type: project\n---\n\nOf $name.\n"
    went "$name: its folder is told to the model on a" claude \
        "$(session "$a" claude --step recall_memory '{"query":"x"}' --expect "${on_a/#$a\//}" "$@")"
    mkdir -p "$on_a"
    printf -- "$text" >"$on_a/$name.md"
    printf -- "- [$name]($name.md) — about $name\n" >>"$on_a/MEMORY.md"
    session "$b" claude --step recall_memory '{"query":"x"}' "$@" >/dev/null
    at "$a" "$co" sync >/dev/null
    at "$b" "$co" sync >/dev/null
    expect "$name: the note is on b" "Of $name." "$(cat "$on_b/$name.md" 2>&1)"
    went "$name: its index is in the first request on b" claude \
        "$(session "$b" claude --step recall_memory '{"query":"x"}' --first --expect "about $name" "$@")"
}
slug() { tr -c 'a-zA-Z0-9\n' - <<<"$1/project"; }
note usual "$a/.claude/projects/$(slug "$a")/memory" "$b/.claude/projects/$(slug "$b")/memory"
# Claude Code looks at that name only beside the folder of its settings, where it then has its servers.
for laptop in "$a" "$b"; do cp "$laptop/.claude.json" "$laptop/.claude/.claude.json"; done
note named "$a/.claude/projects/bills/memory" "$b/.claude/projects/bills/memory" \
    --env CLAUDE_CODE_PROJECT_DIR_NAME=bills --env CLAUDE_CONFIG_DIR={home}/.claude
for laptop in "$a" "$b"; do rm "$laptop/.claude/.claude.json"; done
for laptop in "$a" "$b"; do
    mkdir -p "$laptop/project/.claude/agents"
    for scope in user project local; do
        printf -- '---\nname: %s-one\ndescription: Has notes.\nmemory: %s\n---\n\nAn agent.\n' $scope $scope \
            >"$laptop/project/.claude/agents/$scope-one.md"
    done
done
for scope in user project local; do
    case $scope in
        user) below=.claude/agent-memory ;; project) below=project/.claude/agent-memory ;;
        local) below=project/.claude/agent-memory-local ;;
    esac
    note $scope-one "$a/$below/$scope-one" "$b/$below/$scope-one" --argument=--agent --argument=$scope-one
done
for laptop in "$a" "$b"; do
    printf '{"autoMemoryDirectory":"~/notes/billing"}' >"$laptop/project/.claude/settings.json"
done
note settled "$a/notes/billing" "$b/notes/billing"

echo "== out again"
expect "co agent uninstall" disconnected "$(at "$b" "$co" agent uninstall --all --yes)"
after=$(home_of "$b")
[ "$before" = "$after" ] && say "skills are as they were, byte for byte" ok ||
    say "skills are as they were, byte for byte" "$(diff <(echo "$before") <(echo "$after") | head -n 5 | tr '\n' ' ')"
exit $failed
