#!/usr/bin/env bash
# Finishes a release: packaging/release.sh VERSION FOLDER writes SHA256SUMS of the archives in FOLDER,
# and the Homebrew formula with the version and their sums.
set -euo pipefail
version=$1 out=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
cd "$out"
sha256sum co-*.tar.gz >SHA256SUMS
formula=$(sed "s/@VERSION@/$version/" "$here/co.rb")
while read -r sum file; do
    target=${file#co-} target=${target%.tar.gz}
    formula=${formula//"@SHA256 $target@"/$sum}
done <SHA256SUMS
printf '%s\n' "$formula" >co.rb
