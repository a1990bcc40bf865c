#!/usr/bin/env bash
# Runs a command with another git first on PATH. Nothing is installed.
#
#   scripts/with-git.sh VERSION COMMAND [ARG…]
#
#   scripts/with-git.sh 2.30.2 cargo test
#   scripts/with-git.sh newest git --version
#
# VERSION is one that a Debian suite has (2.30.2, 2.39.5, …), or `newest`, that of unstable. Git and
# its libraries, libc included, come from that suite on the mirror that apt uses here, and are
# unpacked once into CO_GITS (~/.cache/co-gits). patchelf gives the programs the loader and library
# path of that folder, so hooks and helpers inherit nothing of it, and it cannot be moved. Delete it
# to unpack anew, as for a newer `newest`.
#
# Needs apt and dpkg, with a Debian mirror among the sources. Perl, ssh and gpg are the machine's.
set -euo pipefail

die() {
    echo "with-git.sh: $*" >&2
    exit 2
}

[ $# -ge 2 ] || die "usage: with-git.sh VERSION COMMAND [ARG…]"
version=$1
[[ $version =~ ^([0-9]+(\.[0-9]+)+|newest)$ ]] || die "\`$version\` is no version of git"

mkdir -p "${CO_GITS:=${XDG_CACHE_HOME:-$HOME/.cache}/co-gits}/.apt"
gits=$(cd "$CO_GITS" && pwd -P)
root=$gits/$version
conf=$gits/.apt/conf

# apt with folders of its own, one suite, no installed packages, and none of the hooks that this
# machine runs after an update.
own_apt() {
    local state=$gits/.apt/$2
    "$1" -qq -c "$conf" -o Dir::State="$state" -o Dir::Cache="$state" \
        -o Dir::Etc::SourceList="$state/sources.list" "${@:3}"
}

# Prints the suite that has the version, and Debian's own number for it.
find_package() {
    local mirror suite number suites=(bullseye bookworm trixie sid)
    [ "$version" != newest ] || suites=(sid)
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m 1 '/debian/*$') ||
        die "apt has no Debian mirror here"
    for suite in "${suites[@]}"; do
        mkdir -p "$gits/.apt/$suite/archives/partial"
        echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" \
            >"$gits/.apt/$suite/sources.list"
        own_apt apt-get "$suite" update >&2 || continue
        number=$(own_apt apt-cache "$suite" madison git | awk 'NR == 1 { print $3 }')
        if [[ $version = newest || $number =~ ^([0-9]+:)?"$version"[-+~] ]]; then
            echo "$suite $number"
            return
        fi
    done
    die "none of ${suites[*]} has git $version"
}

unpack() {
    local suite number file loader lib
    printf '%s\n' '#clear APT::Update;' '#clear DPkg;' 'Dir::Etc::SourceParts "-";' \
        'Dir::State::Status "/dev/null";' 'APT::Install-Recommends "no";' 'APT::Sandbox::User "";' \
        'Acquire::Languages "none";' 'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "no";' \
        'Debug::NoLocking "yes";' >"$conf"
    read -r suite number < <(find_package) || exit 2
    own_apt apt-get "$suite" install --yes --download-only "git=$number" patchelf >&2
    rm -rf "$root"
    for file in "$gits/.apt/$suite"/archives/{git_,patchelf_,lib}*.deb; do
        dpkg -x "$file" "$root"
    done
    loader=$(find "$root" -path '*-linux-gnu*/ld-linux*.so.*' -print -quit)
    lib=${loader%/*} && lib=$root/lib/${lib##*/}:$root/usr/lib/${lib##*/}
    for file in "$root"/usr/{bin,lib/git-core}/git*; do
        [ -L "$file" ] || [ "$(head -c 4 "$file")" != $'\x7fELF' ] ||
            "$loader" --library-path "$lib" "$root/usr/bin/patchelf" \
                --set-interpreter "$loader" --force-rpath --set-rpath "$lib" "$file"
    done
    # The wrapper is written last: where it is, all is.
    printf '%s\n' '#!/bin/sh' 'usr=${0%/*/*}/usr GIT_EXEC_PATH=${0%/*/*}/usr/lib/git-core' \
        'GIT_TEMPLATE_DIR=$usr/share/git-core/templates GITPERLLIB=$usr/share/perl5' \
        'export GIT_EXEC_PATH GIT_TEMPLATE_DIR GITPERLLIB; exec "$usr/bin/git" "$@"' >"$root/git"
    chmod +x "$root/git" && mkdir "$root/wrapper" && mv "$root/git" "$root/wrapper"
    rm -rf "$gits/.apt"/*/
}

if ! [ -x "$root/wrapper/git" ]; then
    (flock 9 && { [ -x "$root/wrapper/git" ] || unpack; }) 9>"$gits/.apt/lock"
fi
PATH=$root/wrapper:$PATH exec "${@:2}"
