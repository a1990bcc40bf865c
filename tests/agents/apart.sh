#!/usr/bin/env bash
# Work and private life apart, with the real agents: two identities on one laptop, Claude Code and Codex in both places.
#   tests/agents/setup.sh FOLDER      once
#   tests/agents/apart.sh FOLDER CO   CO is the built binary, an absolute path to a file named co
. "$(dirname "$0")/lib.sh"
a=$work/a
places="private work" agents="claude codex"
# Every text of a place has its mark, and they have all other words in common: only the place can tell them apart.
declare -A mark=([private]=Quimper [work]=Zwolle) other=([private]=work [work]=private)
declare -A folder=([private]=$a/private-project [work]=$a/work/project) remote=([private]=$work/me.git [work]=$work/work.git)
declare -A identity=([private]=$a/.config/co-cli/identity [work]=$a/.config/co-cli/layers/work)

# co in a place.
in_place() { at "${folder[$1]}" HOME="$a" "$co" "${@:2}"; }
# A session of an agent in a place: NAME PLACE AGENT OPTIONS… Nothing of the other place reaches the model, nor is printed.
start() { local name=$1 place=$2 agent=$3; shift 3
    went "$name" "$agent" "$(session "$a" "$agent" --project "${folder[$place]}" "$@")"
    refuse "$agent in $place has nothing of the other" "${mark[${other[$place]}]}" \
        "$(sent "$a" "$agent"; cat "$a/logs/$agent".{out,err})"; }
# Everything that was ever in a repository: texts, names of files, messages, reachable or not.
objects() { git --git-dir="$1" cat-file --batch --batch-all-objects | tr -d '\0'; }
# Its own mark is there, the other's is not, whatever their case: NAME PLACE TEXT.
only() { local name=$1 place=$2 text=${3,,} own=${mark[$2],,} others=${mark[${other[$2]}],,}
    expect "$name: its own" "$own" "$text"
    refuse "$name: nothing of the other" "$others" "$text"; }

mkdir -p "$a"/{.claude,.codex}
for place in $places; do
    mkdir -p "${folder[$place]}"
    git -C "${folder[$place]}" init -q -b main
    git init -q --bare -b main "${remote[$place]}"
done
at "$a" "$co" init --yes --name "Ada Lovelace" --remote "${remote[private]}" >/dev/null
expect "co layer add" "stands in for your own identity" "$(at "$a" "$co" layer add work --for '~/work' --instead)"
expect "its remote" "The remote is" "$(in_place work identity remote "${remote[work]}")"
expect "co agent install" "Codex is connected" "$(at "$a" "$co" agent install claude-code codex --hooks --yes)"
for place in $places; do in_place $place learn "The parrot is called ${mark[$place]}" >/dev/null; done

echo "== saved by the tool"
for agent in $agents; do for place in $places; do
    start "$agent in $place: its first request has the fact, it saves one" $place $agent --first \
        --step save_memory "{\"content\":\"The boat of $agent is called ${mark[$place]}\"}" --result "Saved memory" \
        --expect "The parrot is called ${mark[$place]}"
done; done
for place in $places; do
    only "co list in $place" $place "$(in_place $place list)"
    expect "co list in $place: three facts" "Total memories: 3" "$(in_place $place list)"
done

echo "== found by the tools"
for agent in $agents; do for place in $places; do
    own=${mark[$place]}
    start "$agent in $place: its first request has what both agents saved" $place $agent --first \
        --step recall_memory '{"query":"what is it called"}' --step list_memories '{}' --step get_context '{}' \
        --result "The parrot is called $own" --expect "The parrot is called $own" \
        --expect "The boat of claude is called $own" --expect "The boat of codex is called $own"
    # The results of its calls, a line each.
    results=$(sent "$a" $agent | python3 -c 'import json, sys
for result in max((json.loads(line).get("results", []) for line in sys.stdin), key=len): print(json.dumps(result))')
    expect "$agent in $place: three results" 3 "$(wc -l <<<"$results")"
    for text in parrot "boat of claude" "boat of codex"; do
        expect "$agent in $place: all three have the $text" 3 "$(grep -c "The $text is called $own" <<<"$results")"
    done
    # The model's own call is sent back to it, and a result may quote its query: only a fact counts.
    theirs=${mark[${other[$place]}]}
    went "$agent in $place: asks for the other's by its very name" $agent \
        "$(session "$a" $agent --project "${folder[$place]}" --step recall_memory "{\"query\":\"called $theirs\"}")"
    results=$(sent "$a" $agent | python3 -c 'import json, sys
print(max((json.loads(line).get("results", []) for line in sys.stdin), key=len))')
    refuse "$agent in $place: and does not get it" "is called $theirs" "$results"
done; done

echo "== after a sync of both"
# Claude Code's hook at the end of a session may have synced already.
for place in $places; do
    in_place $place sync >/dev/null && say "co sync in $place" ok || say "co sync in $place" "exit status $?"
done
for place in $places; do
    only "the folder of the $place identity" $place \
        "$(cd "${identity[$place]}" && find . -path ./.git -prune -o -type f -print -exec cat {} +)"
    only "all objects of its repository here ($place)" $place "$(objects "${identity[$place]}/.git")"
    pushed=$(objects "${remote[$place]}")
    only "all objects of its remote ($place)" $place "$pushed"
    for text in parrot "boat of claude" "boat of codex"; do
        expect "its remote has the $text ($place)" "The $text is called ${mark[$place]}" "$pushed"
    done
    log=$(in_place $place log)
    only "co log in $place" $place "$log"
    for client in claude-code codex-mcp-client; do expect "co log in $place names $client" "by $client" "$log"; done
done
exit $failed
