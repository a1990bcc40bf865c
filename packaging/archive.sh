#!/usr/bin/env bash
# Packs a built program with its manual pages, completions and licences, as releases have it:
# packaging/archive.sh PROGRAM TARGET FOLDER writes FOLDER/co-TARGET.tar.gz.
set -euo pipefail
program=$(realpath "$1") target=$2 out=$(realpath "$3")
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ending=''
[[ $target != *-windows-* ]] || ending=.exe
install -D -m 755 "$program" "$work/bin/co$ending"
install -d "$work/share/man/man1" "$work/share/doc/co"
install -m 644 man/*.1 "$work/share/man/man1/"
install -D -m 644 completions/co.bash "$work/share/bash-completion/completions/co"
install -D -m 644 completions/_co "$work/share/zsh/site-functions/_co"
install -D -m 644 completions/co.fish "$work/share/fish/vendor_completions.d/co.fish"
[ -z "$ending" ] || install -D -m 644 completions/co.ps1 "$work/share/powershell/co.ps1"
install -m 644 README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE models/NOTICE "$work/share/doc/co/"
# The same bytes from the same input.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -C "$work" -cf - bin share |
    gzip -n -9 >"$out/co-$target.tar.gz"
