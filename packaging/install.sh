#!/bin/sh
# Installs co for this account: fetches the release for this machine, checks its SHA-256, and copies
# the program, its manual pages and completions below ~/.local. Nothing is changed if a check fails.
#
#   CO_VERSION   the release to install (default: the latest)
#   CO_PREFIX    where to install (default: ~/.local)
#   CO_RELEASES  where releases are (default: the project's page)
set -eu

PROJECT=OWNER/co
releases=${CO_RELEASES:-https://github.com/$PROJECT/releases}
prefix=${CO_PREFIX:-$HOME/.local}

fail() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
    exit 1
}

# Until the project has an address there are no releases to fetch.
case ${CO_RELEASES:-$PROJECT} in
OWNER/*) fail "co has no release page yet" "build it in a clone of its repository: scripts/start.sh" ;;
esac

need() {
    command -v "$1" >/dev/null 2>&1 || fail "$1 is missing" "install $1, then run this again"
}

target() {
    case "$(uname -s) $(uname -m)" in
    'Linux x86_64') echo x86_64-unknown-linux-musl ;;
    'Linux aarch64') echo aarch64-unknown-linux-musl ;;
    'Darwin x86_64') echo x86_64-apple-darwin ;;
    'Darwin arm64') echo aarch64-apple-darwin ;;
    *) fail "there is no release for $(uname -s) on $(uname -m)" "build it: cargo install co-cli" ;;
    esac
}

sum_of() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
    curl --fail --silent --show-error --location --proto '=https,http,file' --output "$2" "$1" ||
        fail "$1 could not be fetched" "check your network, then run this again"
}

main() {
    need curl
    need tar
    command -v sha256sum >/dev/null 2>&1 || need shasum
    name=co-$(target)
    if [ -n "${CO_VERSION:-}" ]; then from=$releases/download/v$CO_VERSION; else from=$releases/latest/download; fi
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT

    fetch "$from/$name.tar.gz" "$work/co.tar.gz"
    fetch "$from/SHA256SUMS" "$work/SHA256SUMS"
    wanted=$(awk -v name="$name.tar.gz" '$2 == name || $2 == "*" name { print $1 }' "$work/SHA256SUMS")
    [ -n "$wanted" ] || fail "SHA256SUMS does not list $name.tar.gz; nothing was installed"
    [ "$(sum_of "$work/co.tar.gz")" = "$wanted" ] ||
        fail "$name.tar.gz does not have the SHA-256 that SHA256SUMS lists; nothing was installed" \
            "the download is damaged or was changed: do not use it"

    mkdir "$work/co"
    tar -xzf "$work/co.tar.gz" -C "$work/co"
    "$work/co/bin/co" --version >/dev/null || fail "the program does not run on this machine; nothing was installed"
    mkdir -p "$prefix/bin" "$prefix/share"
    # Beside its place first, so that a running co is replaced and never half written.
    cp "$work/co/bin/co" "$prefix/bin/.co.new"
    mv -f "$prefix/bin/.co.new" "$prefix/bin/co"
    cp -R "$work/co/share/." "$prefix/share/"

    printf 'Installed %s as %s\n' "$("$prefix/bin/co" --version)" "$prefix/bin/co"
    case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) printf 'hint: %s is not in PATH; add it in the file that your shell reads at start\n' "$prefix/bin" ;;
    esac
    command -v git >/dev/null 2>&1 || printf 'hint: co needs git 2.30 or newer; install it\n'
    printf 'Next: co init\n'
}

main
