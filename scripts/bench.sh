#!/usr/bin/env bash
# Measures co beside other programs, and prints what BENCHMARKS.md has below its introduction:
#
#   scripts/bench.sh [--before OLD] [--documents] [CO] [SIZES]
#
# CO is the program that is measured, by default the one that `cargo build --release` makes here; SIZES
# are numbers of facts, by default 1000,10000. --before measures an older program too, in turns with CO.
# --documents adds 1,054 documents. All data is made here, in a folder that is deleted in the end;
# nothing is fetched. It needs git, python3 and tar, and for two rows the sqlite3 program.
set -euo pipefail

usage="usage: scripts/bench.sh [--before OLD] [--documents] [CO] [SIZES]"
before=
options=()
arguments=()
while [ $# -gt 0 ]; do
    case $1 in
        --before) [ $# -gt 1 ] || { echo "$usage" >&2; exit 2; }; before=$2; shift ;;
        --documents) options+=(--documents) ;;
        -*) echo "$usage" >&2; exit 2 ;;
        *) arguments+=("$1") ;;
    esac
    shift
done
here=$(cd "$(dirname "$0")" && pwd)
co=${arguments[0]:-$here/../target/release/co}
sizes=${arguments[1]:-1000,10000}
for tool in git python3 tar; do
    command -v "$tool" >/dev/null || { echo "bench.sh: \`$tool\` is missing" >&2; exit 2; }
done
for program in "$co" ${before:+"$before"}; do
    if [ ! -x "$program" ]; then
        echo "bench.sh: there is no $program; \`cargo build --release --locked\` makes it" >&2
        exit 2
    fi
done
[ -z "$before" ] || options+=(--before "$(realpath "$before")")
exec python3 -B "$here/bench/bench.py" ${options[@]+"${options[@]}"} "$(realpath "$co")" "$sizes"
