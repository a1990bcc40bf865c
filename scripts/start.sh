#!/bin/sh
# Builds and installs co, then does the main job once: create or fetch an identity, list its facts, sync. The trial saves two facts first.
#
#   scripts/start.sh [URL]
#
# With a URL the identity is yours, in ~/.config/co-cli, and syncs with that git repository. Without one everything happens in a new
# folder under the temporary directory, against a bare repository made there, and nothing of yours is touched.
set -eu
cd "$(dirname "$0")/.."

cargo install --locked --quiet --profile "${CO_INSTALL_PROFILE:-release}" --path . ${CO_INSTALL_ROOT:+--root "$CO_INSTALL_ROOT"}
bin=${CO_INSTALL_ROOT:-${CARGO_INSTALL_ROOT:-${CARGO_HOME:-$HOME/.cargo}}}/bin
co=$bin/co

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
    echo "Trying co in $scratch; nothing of yours is touched."
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
echo
echo "co is installed as $co. On the next laptop: co init $url"
case ":$PATH:" in
*":$bin:"*) ;;
*) echo "Put $bin on your PATH to call it as \`co\`." ;;
esac
