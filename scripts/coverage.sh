#!/bin/sh
# Runs the README's test command on an instrumented co, and prints how many lines of each folder the tests reach.
#
#   scripts/coverage.sh
#
# It needs cargo-llvm-cov and the LLVM tools of the toolchain:
#
#   cargo install --locked cargo-llvm-cov     (or: brew install cargo-llvm-cov, pacman -S cargo-llvm-cov)
#   rustup component add llvm-tools
#
# The program that the tests start is instrumented as well, so what they reach through the command line counts. The build is a
# second one, in target/llvm-cov-target. The results are target/coverage/lcov.info and target/coverage/html/index.html, and are
# written even if tests fail: instrumented, co is slower, and it writes its counts when it ends, which tests that measure time
# or look at every file may notice.
set -eu
cd "$(dirname "$0")/.."
root=$(pwd -P)

missing=
lacks() {
    echo "coverage.sh: $1" >&2
    echo "             $2" >&2
    missing=yes
}

if ! command -v cargo >/dev/null; then
    lacks "cargo is missing" "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
elif ! cargo llvm-cov --version >/dev/null 2>&1; then
    lacks "cargo-llvm-cov is missing; it measures which lines the tests reach" "cargo install --locked cargo-llvm-cov"
fi
# Without them cargo-llvm-cov would ask whether to install them. Others may name their own.
if [ -z "${LLVM_COV:-}" ] && command -v rustc >/dev/null; then
    tools=$(rustc --print target-libdir)/../bin
    [ -x "$tools/llvm-cov" ] || [ -x "$tools/llvm-cov.exe" ] ||
        lacks "the LLVM tools of the Rust toolchain are missing" "rustup component add llvm-tools"
fi
[ -z "$missing" ] || exit 4

command=$(sed -n 's/^    \(cargo test.*\)$/\1/p' README.md | head -1)
if [ -z "$command" ]; then
    echo "coverage.sh: README.md has no line with \`cargo test\`" >&2
    exit 2
fi

# The tests start co tens of thousands of times. Each run adds its counts to one of eight files, instead of writing its own.
export LLVM_PROFILE_FILE_NAME='co-%8m.profraw'
results=target/coverage
rm -rf "$results"
mkdir -p "$results"
# Programs of an earlier run would count as well.
cargo llvm-cov clean --workspace
failed=
# Its words are options of cargo, so they are split.
# shellcheck disable=SC2086
cargo llvm-cov ${command#cargo } --no-report --no-fail-fast || failed=$?
# A test that kills co may have broken one of the files.
cargo llvm-cov report --failure-mode all --lcov --output-path "$results/lcov.info"
cargo llvm-cov report --failure-mode all --html --output-dir "$results"

# One row for each folder: its own files, without those of the folders in it.
awk -v root="$root/" '
    /^SF:/ {
        folder = substr($0, 4)
        gsub(/\\/, "/", folder)
        if (index(folder, root) == 1) folder = substr(folder, length(root) + 1)
        sub(/\/[^\/]*$/, "", folder)
    }
    /^LF:/ { lines[folder] += substr($0, 4) }
    /^LH:/ { reached[folder] += substr($0, 4) }
    END {
        for (folder in lines)
            if (lines[folder] > 0)
                printf "%-32s %8d %8d %6.1f %%\n", folder, lines[folder], reached[folder], 100 * reached[folder] / lines[folder]
    }
' "$results/lcov.info" | sort >"$results/folders.txt"
echo
printf '%-32s %8s %8s %8s\n' folder lines reached share
cat "$results/folders.txt"
awk '
    { lines += $2; reached += $3 }
    END { if (lines > 0) printf "%-32s %8d %8d %6.1f %%\n", "all", lines, reached, 100 * reached / lines }
' "$results/folders.txt"
echo
echo "$results/lcov.info, $results/html/index.html"
if [ -n "$failed" ]; then
    echo "coverage.sh: \`$command\` failed, so lines may be missing" >&2
    exit "$failed"
fi
