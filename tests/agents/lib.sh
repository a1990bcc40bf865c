# What the scripts of this folder have in common; each sources it first, with its own arguments: FOLDER CO.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
clients=$(cd "${1:?the folder of setup.sh}" && pwd) || exit 2
co=${2:?the built co}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

say() { printf '%-66s %s\n' "$1" "$2"; [ "$2" = ok ] || failed=1; }
expect() { case "$3" in *"$2"*) say "$1" ok ;; *) say "$1" "no '$2' in: ${3:0:300}" ;; esac; }
refuse() { case "$3" in *"$2"*) say "$1" "'$2' in: ${3:0:300}" ;; *) say "$1" ok ;; esac; }
# Runs co, or another program, at a laptop.
at() { local home=$1; shift; (cd "$home" && env -i HOME="$home" HOSTNAME="$(basename "$home")" TERM=dumb LANG=C.UTF-8 \
    PATH="$clients/bin:/usr/local/bin:/usr/bin:/bin" "$@" 2>&1); }
# A session of one agent: the first word of what it says is "ok" or what is missing.
session() { local home=$1 agent=$2; shift 2; python3 "$here/session.py" --home "$home" --agent "$agent" \
    --bin "$clients/bin" --trust-hooks --prompt "Go on." "$@" 2>&1; }
went() { local said=$3; case "$said" in "$2: ok"*) say "$1" ok ;; *) say "$1" "$(head -n 1 <<<"$said")" ;; esac; }
# What the model was sent in the last session of an agent.
sent() { cat "$1/logs/$2.requests.jsonl"; }
