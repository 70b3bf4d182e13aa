#!/bin/sh
# Can we get it back? Makes the archived database anew beside the shop, looks whether everything
# holds that must, says how much is in it, and removes it. Touches nothing that the shop uses.
#
#   ARCHIVE_DIR=/var/backups/tillside ops/restore-drill.sh [moment]
#
# Once a week by ops/tillside-drill.timer. Exit code 0: it would have worked.
set -eu
cd "$(dirname "$0")/.."

drill=$(mktemp -d "${TMPDIR:-/var/tmp}/tillside-drill.XXXXXX")
chmod 711 "$drill"
clean() {
  # The server ends by itself when nobody uses it any more.
  while [ -e "$drill/postgres/cluster/postmaster.pid" ]; do sleep 0.2; done
  rm -rf "$drill"
}
trap clean EXIT

if [ $# -gt 0 ]; then set -- --to "$1"; fi
node tools/tillside.mjs database restore "$drill" "$@"
archive=$ARCHIVE_DIR
unset ARCHIVE_DIR
DATA_DIR=$drill node tools/tillside.mjs doctor
echo "The drill went well: $archive can be restored."
