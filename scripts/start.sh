#!/bin/sh
# Installs co, then does the main job once: create or fetch an identity, list its facts, sync. The trial saves two facts first. Where a
# release has a program for this machine it is taken; CO_BUILD=1 builds all the same.
#
#   scripts/start.sh [URL]
#
# With a URL the identity is yours, in ~/.config/co-cli, and syncs with that git repository. Without one everything happens in a new
# folder under the temporary directory, against a bare repository made there. Either way co itself is installed, in ~/.local by the
# installer of a release, else by cargo.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

# What installs a program here, in the words of this system.
how() {
    case $(uname -s) in
    Darwin)
        if [ "$1" = gcc ] || ! xcode-select -p >/dev/null 2>&1; then echo "xcode-select --install"; else echo "brew install $1"; fi
        ;;
    *)
        for manager in "apt-get:apt-get install" dnf:dnf\ install pacman:pacman\ -S zypper:zypper\ install apk:apk\ add brew:brew\ install; do
            command -v "${manager%%:*}" >/dev/null || continue
            sudo=
            case $manager in brew*) ;; *) [ "$(id -u)" = 0 ] || sudo="sudo " ;; esac
            echo "$sudo${manager#*:} $1"
            return
        done
        echo "install $1 with your package manager"
        ;;
    esac
}

# Whether version $1 is at least $2, by their first two numbers.
at_least() {
    major=${1%%.*} rest=${1#*.} least_major=${2%%.*} least_rest=${2#*.}
    minor=${rest%%.*} least_minor=${least_rest%%.*}
    [ "$major" -gt "$least_major" ] || { [ "$major" -eq "$least_major" ] && [ "$minor" -ge "$least_minor" ]; }
}

missing=
lacks() {
    echo "start.sh: $1" >&2
    echo "          $2" >&2
    missing=yes
}

# On a Mac without the developer tools, what is in /usr/bin only opens a window.
has() {
    found=$(command -v "$1") || return 1
    [ "${found%/*}" != /usr/bin ] || [ "$(uname -s)" != Darwin ] || xcode-select -p >/dev/null 2>&1
}

if ! has git; then
    lacks "git is missing" "$(how git)"
else
    version=$(git --version | sed 's/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')
    at_least "$version" 2.30 || lacks "git $version is too old; co needs 2.30" "$(how git)"
fi
# What a build needs.
builds() {
    needed=$(sed -n 's/^rust-version = "\([0-9.]*\)"$/\1/p' Cargo.toml)
    if ! command -v cargo >/dev/null; then
        lacks "cargo is missing; co is built with Rust $needed or newer" \
            "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh"
    else
        version=$(rustc --version 2>/dev/null | sed 's/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')
        at_least "${version:-0.0}" "$needed" || lacks "Rust ${version:-?} is too old; co needs $needed" "rustup update stable, or https://rustup.rs"
    fi
    if ! has cc && ! has gcc; then
        lacks "a C compiler is missing (for SQLite)" "$(how gcc)"
    fi
}

# Takes the program of this version's release, if there are releases and one fits this machine.
downloaded() {
    [ -z "${CO_BUILD:-}${CO_INSTALL_ROOT:-}${CO_INSTALL_PROFILE:-}" ] || return 1
    if [ -z "${CO_RELEASES:-}" ] && grep -q '^PROJECT=OWNER/' packaging/install.sh; then return 1; fi
    version=$(sed -n 's/^version = "\([0-9.]*\)"$/\1/p' Cargo.toml | sed 1q)
    echo "Looking for a program of release $version for this machine."
    if CO_VERSION=${CO_VERSION:-$version} sh packaging/install.sh; then return; fi
    echo "It is built instead."
    return 1
}

built=
if [ -z "$missing" ] && downloaded; then
    bin=${CO_PREFIX:-$HOME/.local}/bin
    co=$bin/co
else
    builds
    [ -z "$missing" ] || exit 4
    built=${CARGO_TARGET_DIR:-$root/target}
    bin=${CO_INSTALL_ROOT:-${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}}/bin
    co=$bin/co
    echo "Building co; the first time this takes 6 to 13 minutes on two cores, and about 1.2 GB in ${CARGO_TARGET_DIR:-target/}. It is installed as $co."
    quiet=
    [ -t 2 ] || quiet=--quiet
    cargo install --locked $quiet --profile "${CO_INSTALL_PROFILE:-release}" --path . ${CO_INSTALL_ROOT:+--root "$CO_INSTALL_ROOT"}
fi

url=${1:-}
trial=
if [ -z "$url" ]; then
    trial=yes
    scratch=$(mktemp -d)
    git init --quiet --bare "$scratch/remote.git"
    url=$scratch/remote.git
    CO_CONFIG_DIR=$scratch/laptop
    export CO_CONFIG_DIR
    unset CO_IDENTITY_PATH GIT_DIR GIT_WORK_TREE
    cd "$scratch"
    echo "Trying co in $scratch; your own identity and agents are not touched."
fi

run() {
    echo
    echo "\$ co $*"
    "$co" "$@"
}

run init --yes "$url"
# Invented facts belong into the trial only.
if [ -n "$trial" ]; then
    run learn --scope identity "I prefer async/await over callbacks" --tag python
    run learn --scope identity "Always run uv sync before pytest" --tag python
fi
run list --scope identity
run sync
run recall "what to run before the tests?"

# As it can be typed in this shell.
typed=co
[ "$(command -v co || true)" = "$co" ] || typed=$co
echo
if [ -n "$trial" ]; then
    echo "That was a trial. Your own identity:"
    echo "  $typed init          create it"
    echo "  $typed init URL      or bring it here from a git repository"
    echo "The trial: rm -rf $scratch"
else
    echo "Next:"
    echo "  $typed agent install --all     connect the agents that are installed here"
    echo "  co init $url     on the next laptop"
fi
# Nothing but the next build needs it.
if [ -n "$built" ] && [ -d "$built" ]; then
    clean="cargo clean --manifest-path $root/Cargo.toml"
    echo "The build left $(du -sh "$built" | cut -f1) in $built, which only the next build needs."
    answer=
    if [ -t 0 ] && [ -t 1 ] && [ -z "${CO_INSTALL_PROFILE:-}" ]; then
        printf 'Remove it? [y/N] '
        read -r answer || answer=
    fi
    case $answer in
    [yY]*) $clean ;;
    *) echo "To free it: $clean" ;;
    esac
fi
[ "$typed" = co ] || echo "To type \`co\` instead, add $bin to your PATH."
