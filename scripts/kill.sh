#!/bin/sh
# Kills 200 syncs at random points and looks whether a fact was lost: the test of the same name, at length.
#
#   scripts/kill.sh [ROUNDS]
set -eu
cd "$(dirname "$0")/.."
CO_KILL_ROUNDS=${1:-200} cargo test --test it -- --nocapture killed_at_random_points_loses_nothing
