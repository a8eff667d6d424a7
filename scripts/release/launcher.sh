#!/bin/sh
# Starts Glasses Cloud with the Node.js beside this file, which may be reached through symbolic links.
set -eu
folder=$(dirname -- "$(readlink -f -- "$0")")
# Compiled code makes later starts faster. Node trusts it, so it belongs into a folder of this user.
: "${NODE_COMPILE_CACHE:=${CACHE_DIRECTORY:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/glasses-cloud}/compiled}"
export NODE_COMPILE_CACHE
exec "$folder/node" --max-semi-space-size=16 "$folder/program/program.mjs" "$@"
