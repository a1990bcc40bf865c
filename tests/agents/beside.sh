#!/usr/bin/env bash
# Skills and hand-offs on a laptop with this co and on one with an older one: nothing of either is lost or changed.
#   tests/agents/beside.sh CO OLD     CO is the built binary, OLD co 1.0.0 (`cargo build` at the tag v1.0.0)
set -uo pipefail
new=${1:?the built co} old=${2:?co 1.0.0}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
n=$work/new o=$work/old c=$work/third
in_n=$n/.config/co-cli/identity in_o=$o/.config/co-cli/identity

say() { printf '%-70s %s\n' "$1" "$2"; [ "$2" = ok ] || failed=1; }
expect() { case "$3" in *"$2"*) say "$1" ok ;; *) say "$1" "no '$2' in: ${3:0:300}" ;; esac; }
same() { [ "$2" = "$3" ] && say "$1" ok || say "$1" "$(diff <(echo "$2") <(echo "$3") | head -n 5 | tr '\n' ' ')"; }
# at HOME CO ARGUMENTS…, at the hour $clock.
at() { local home=$1; shift; (cd "$home/project" && env -i HOME="$home" HOSTNAME="$(basename "$home")" TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/bin:/usr/bin:/bin CO_TEST_CLOCK="$clock" "$@" 2>&1); }
files() { (cd "$1" && find skills agents -type f -exec sha256sum {} + 2>/dev/null | sort -k 2); }
both() { at "$n" "$new" sync >/dev/null; at "$o" "$old" sync >/dev/null; at "$n" "$new" sync >/dev/null; }

clock=2026-11-20T09:00:00Z
git init -q --bare -b main "$work/remote.git"
for laptop in "$n" "$o" "$c"; do
    mkdir -p "$laptop/project"
    git -C "$laptop/project" init -q -b main
    git -C "$laptop/project" remote add origin git@github.com:bin/billing.git
done
at "$n" "$new" init --yes --name Ada --remote "$work/remote.git" >/dev/null
at "$o" "$old" init --yes "$work/remote.git" >/dev/null
at "$n" "$new" agent install codex --skills --yes >/dev/null

echo "== skills"
mkdir -p "$work/deploy/scripts"
printf -- '---\nname: deploy\ndescription: Deploys.\n---\n\nRun it.\r\n' >"$work/deploy/SKILL.md"
printf '#!/bin/sh\necho deployed\n' >"$work/deploy/scripts/run.sh"
{ printf '\0'; head -c 300 /dev/urandom; } >"$work/deploy/logo.bin"
at "$n" "$new" skill add "$work/deploy" >/dev/null
at "$n" "$new" handoff --goal "Ship the importer" --next "Write the tests" >/dev/null
at "$o" "$old" learn "Learned by the old one" >/dev/null
before=$(files "$in_n")
both
same "the old laptop has every byte" "$before" "$(files "$in_o")"
expect "the old laptop finds nothing wrong" "nothing wrong" "$(at "$o" "$old" check)"
for _ in 1 2 3; do both; done
same "nothing is changed by going to and fro" "$before" "$(files "$in_n")"
expect "the fact of the old laptop is there" "Learned by the old one" "$(at "$n" "$new" list)"
at "$o" "$old" learn "Learned later" >/dev/null
at "$o" "$old" undo >/dev/null
both
same "an undo there takes nothing along" "$before" "$(files "$in_n")"
printf 'Then wait.\r\n' >>"$in_o/skills/deploy/SKILL.md"
both
expect "what is edited there arrives" "Then wait." "$(cat "$in_n/skills/deploy/SKILL.md")"
expect "and waits for the person here" "deploy" "$(at "$n" "$new" review)"
expect "agents here keep the agreed version" "Run it." "$(cat "$n/.agents/skills/deploy/SKILL.md")"
case "$(cat "$n/.agents/skills/deploy/SKILL.md")" in *"Then wait"*) say "not the new one" "they have it" ;; *) say "not the new one" ok ;; esac
printf 'echo of-old\n' >>"$in_o/skills/deploy/scripts/run.sh"
printf 'echo of-new\n' >>"$in_n/skills/deploy/scripts/run.sh"
both; both
texts=$(cat "$in_n"/skills/deploy/scripts/*)
expect "changed on both: the text of the old laptop is there" of-old "$texts"
expect "changed on both: the text of the new laptop is there" of-new "$texts"
same "and both laptops have the same" "$(files "$in_n")" "$(files "$in_o")"
at "$n" "$new" skill remove deploy >/dev/null
both
[ -e "$in_o/skills/deploy/SKILL.md" ] && say "removed here, it goes there" "it is there" || say "removed here, it goes there" ok
at "$n" "$new" undo >/dev/null
both
expect "an undo brings it back there" "Run it." "$(cat "$in_o/skills/deploy/SKILL.md")"

echo "== hand-offs"
clock=2026-11-20T10:00:00Z
expect "read after all that" "Ship the importer" "$(at "$n" "$new" handoff)"
at "$n" "$new" handoff --goal "Ship it now" >/dev/null
both
at "$c" "$new" init --yes "$work/remote.git" >/dev/null
expect "a newer one reaches a third laptop past the old one" "Ship it now" "$(at "$c" "$new" handoff)"
# Two at once, merged by the old laptop: it may keep both texts; the newer is read.
clock=2026-11-20T11:00:00Z
at "$n" "$new" handoff --goal "Of the first laptop" >/dev/null
clock=2026-11-20T12:00:00Z
at "$c" "$new" handoff --goal "Of the third laptop" >/dev/null
at "$n" "$new" sync >/dev/null
at "$o" "$old" sync >/dev/null
at "$c" "$new" sync >/dev/null
both
for laptop in "$n" "$c"; do
    at "$laptop" "$new" sync >/dev/null
    expect "the later of two is read at $(basename "$laptop")" "Of the third laptop" "$(at "$laptop" "$new" handoff)"
done
clock=2026-12-04T23:00:00Z
expect "on its last day it counts" "Of the third laptop" "$(at "$n" "$new" handoff)"
clock=2026-12-05T09:00:00Z
expect "after 14 days it is over" "No hand-off is left" "$(at "$n" "$new" handoff)"
expect "and no session is given it" "0" "$(at "$n" "$new" hook session-start --agent codex | grep -c 'Of the third')"
exit $failed
