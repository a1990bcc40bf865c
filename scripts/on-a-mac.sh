#!/bin/sh
# What only a real Mac can show about co: runs each thing, says what should happen, and keeps what did in a report.
#
#   scripts/on-a-mac.sh CO [REPORT]
#
# CO is a built program. Everything happens in a folder of its own and in a Keychain of its own; both are removed. Two steps open a
# window on purpose and say so first. The report is a text file to be sent to the project.
set -eu
[ "$(uname -s)" = Darwin ] || { echo "on-a-mac.sh: this is not a Mac" >&2; exit 2; }
co=$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")
report=${2:-co-on-a-mac.txt}
case $report in /*) ;; *) report=$PWD/$report ;; esac
work=$(mktemp -d)
keychain=$work/co-test.keychain-db
before=$(security default-keychain | tr -d ' "')
lists=$(security list-keychains | tr -d '"' | tr '\n' ' ')
restore() {
    security default-keychain -s "$before"
    # shellcheck disable=SC2086 -- a list of paths
    security list-keychains -s $lists
    security delete-keychain "$keychain" 2>/dev/null || true
    hdiutil detach -quiet "$work/disk" 2>/dev/null || true
    rm -rf "$work"
}
trap restore EXIT
export CO_CONFIG_DIR="$work/config"
git config --global user.name >/dev/null || export GIT_AUTHOR_NAME=Mac GIT_AUTHOR_EMAIL=mac@example.org GIT_COMMITTER_NAME=Mac GIT_COMMITTER_EMAIL=mac@example.org

step() {
    printf '\n== %s\n   expected: %s\n' "$1" "$2" | tee -a "$report"
    shift 2
    { "$@" 2>&1; echo "   exit $?"; } | sed 's/^/   /' | tee -a "$report" || true
}

: >"$report"
{ sw_vers; uname -m; git --version; "$co" --version; } | tee -a "$report"
step "host name" "the Mac's name, the same in every network" sh -c "scutil --get LocalHostName; '$co' init --yes >/dev/null; '$co' learn 'Tried on a Mac' >/dev/null; '$co' sync | head -1; git -C '$work/config/identity' log -1 --format=%s"
step "doctor" "no error" "$co" doctor
step "durability" "done without an error (F_FULLFSYNC), on this disk and on a disk image" sh -c "'$co' learn 'Kept on the disk'; hdiutil create -quiet -size 50m -fs ExFAT -volname cotest '$work/disk.dmg' && hdiutil attach -quiet -nobrowse -mountpoint '$work/disk' '$work/disk.dmg' && CO_CONFIG_DIR='$work/disk/co' '$co' init --yes && CO_CONFIG_DIR='$work/disk/co' '$co' learn 'Kept on ExFAT'"
step "memory of a reader" "a PDF of zeros is refused, and no process named co stays" sh -c "head -c 400000000 /dev/zero >'$work/big.pdf'; '$co' knowledge add '$work/big.pdf'; pgrep -l '^co$' || echo none"

security create-keychain -p co-test "$keychain"
security default-keychain -s "$keychain"
security list-keychains -s "$keychain"
security unlock-keychain -p co-test "$keychain"
step "Keychain, open" "stored, listed and printed: hello" sh -c "printf hello | '$co' secret set mac-test && '$co' secret list && '$co' secret get mac-test"
security lock-keychain "$keychain"
step "Keychain, locked, nobody there" "no window; exit 3 and a hint that names unlock-keychain" sh -c "'$co' secret get mac-test </dev/null | cat"
step "Keychain, locked, a server" "no window within 15 seconds" sh -c "printf '%s\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}' | '$co' mcp & p=\$!; sleep 15; kill \$p 2>/dev/null; echo done"
if [ -t 0 ]; then
    echo "   A window will ask for the password of the Keychain: type co-test after counting to 20."
    step "Keychain, locked, a person" "a window; after the password (also after 20 seconds): hello" "$co" secret get mac-test
fi
step "git's stub" "with developer tools: git's version; without: 'the command line developer tools are not installed', and no window" sh -c "xcode-select -p; PATH=/usr/bin:/bin '$co' doctor | grep git"
step "folders that macOS guards" "a window may ask once for Documents; then no error" sh -c "'$co' --identity \"\$HOME/Documents/co-mac-test\" status; true"
step "a disk that ignores case" "sync says which two names collide, or renames; nothing lost" sh -c "cd '$work/config/identity' && git mv -f traits/communication-style.md traits/Communication-Style.md; '$co' sync; ls traits"
echo
echo "The report is $report"
