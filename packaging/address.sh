#!/usr/bin/env bash
# Names the project's address everywhere: packaging/address.sh ACCOUNT/PROJECT. Until it is decided it
# is OWNER/co.
set -euo pipefail
cd "$(dirname "$0")/.."
[[ ${1:-} == */* ]] || { echo "usage: packaging/address.sh ACCOUNT/PROJECT" >&2; exit 2; }
grep -rlF OWNER/co Cargo.toml README.md docs packaging .github .claude-plugin | while read -r file; do
    [[ $file == packaging/address.sh ]] || sed -i "s|OWNER/co|$1|g" "$file"
done
