#!/usr/bin/env bash
# Makes the pictures of `co web` in docs/page/: each view of a made-up identity, dark, light and
# narrow. Needs Chromium, node, and a folder with playwright-core (CO_TEST_NODE_MODULES).
set -euo pipefail
cd "$(dirname "$0")/.."
co=${CO:-target/release/co}
: "${CO_TEST_NODE_MODULES:?a folder in which playwright-core is installed}"
co=$(realpath "$co")
home=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$home"' EXIT
out=$PWD/docs/page
mkdir -p "$out"
export HOME=$home HOSTNAME=thinkpad LANG=C TZ=UTC
unset XDG_CONFIG_HOME XDG_DATA_HOME CO_IDENTITY_PATH || true
cd "$home"
git config --global user.name "Bin Chen"
git config --global user.email bin@example.org
at() { CO_TEST_CLOCK=$1 "$co" "${@:2}" >/dev/null; }
day() { date -u -d "-$1 days" +%Y-%m-%dT10:1"$1":00Z; }
git init -q --bare remote.git
at "$(day 6)" init --yes --name "Bin Chen" --timezone Europe/Berlin "$home/remote.git"
at "$(day 6)" learn "Prefers pytest over unittest" --tag python
at "$(day 6)" learn "Lives in Berlin"
at "$(day 4)" learn "Deploys with fly.io, never on Fridays" --tag deploy
at "$(day 3)" learn "Writes commit messages in the imperative" --tag git
at "$(day 3)" learn "Reviews are short: one page, the risk first" --tag work
at "$(day 1)" learn "Uses uv for Python environments" --tag python
at "$(day 1)" pin 3
at "$(day 1)" knowledge write guides/deploy-steps "# Deploy steps

See [[rollback]] when it fails.

1. Run the tests
2. \`fly deploy\`
3. Watch the log for ten minutes"
at "$(day 1)" knowledge write guides/rollback "# Rollback

\`fly releases\`, then deploy the one before."
mkdir -p .claude .cursor
"$co" agent install cursor --yes >/dev/null
at "$(day 1)" sync
printf 'Answers in German when asked in German\nKeeps a decision log for every project\n' >notes.txt
"$co" agent import --from notes.txt --review >/dev/null
"$co" web --no-open 2>address &
server=$!
until grep -q http address; do sleep 0.1; done
node "$OLDPWD/scripts/picture-page.mjs" "$(grep -o 'http[^ ]*' address)" "$out"
