#!/usr/bin/env bash
# Measures co beside other programs, and prints what BENCHMARKS.md has: scripts/bench.sh [CO] [SIZES]
#
# CO is the program that is measured, by default the one that `cargo build --release` makes here; SIZES
# are numbers of facts, by default 1000,10000. All data is made here, in a folder that is deleted in the
# end; nothing is fetched. It needs git, python3 and tar, and uses the sqlite3 program where there is one.
set -euo pipefail
cd "$(dirname "$0")/.."

co=${1:-target/release/co}
sizes=${2:-1000,10000}
for tool in git python3 tar; do
    command -v "$tool" >/dev/null || { echo "bench.sh: \`$tool\` is missing" >&2; exit 2; }
done
if [ ! -x "$co" ]; then
    echo "bench.sh: there is no $co; \`cargo build --release --locked\` makes it" >&2
    exit 2
fi
exec python3 scripts/bench/bench.py "$(realpath "$co")" "$sizes"
