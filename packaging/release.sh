#!/usr/bin/env bash
# Finishes a release: packaging/release.sh VERSION FOLDER makes the bundles for agents of the archives
# in FOLDER (packaging/bundles.py), SHA256SUMS of all of them, and the Homebrew formula with the version
# and the sums of the archives.
set -euo pipefail
version=$1 out=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
"$here/bundles.py" pack "$version" "$out"
cd "$out"
sha256sum -- co-*.tar.gz co-*.mcpb *.co-gemini.tar.gz server.json >SHA256SUMS
formula=$(sed "s/@VERSION@/$version/" "$here/co.rb")
while read -r sum file; do
    [[ $file == co-*.tar.gz ]] || continue
    target=${file#co-} target=${target%.tar.gz}
    formula=${formula//"@SHA256 $target@"/$sum}
done <SHA256SUMS
printf '%s\n' "$formula" >co.rb
