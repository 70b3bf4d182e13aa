#!/bin/sh
# Tests whether the archive can be restored: restores the database to a temporary folder, checks all
# data invariants, prints the row counts, and removes the folder. The shop's database is not
# touched.
#
#   ARCHIVE_DIR=/var/backups/tillside ops/restore-drill.sh [time]
#
# Run once a week by ops/tillside-drill.timer. Exit code 0: the archive can be restored.
set -eu
cd "$(dirname "$0")/.."

drill=$(mktemp -d "${TMPDIR:-/var/tmp}/tillside-drill.XXXXXX")
chmod 711 "$drill"
clean() {
  # The server stops by itself when its last user has ended.
  while [ -e "$drill/postgres/cluster/postmaster.pid" ]; do sleep 0.2; done
  rm -rf "$drill"
}
trap clean EXIT

if [ $# -gt 0 ]; then set -- --to "$1"; fi
node tools/tillside.mjs database restore "$drill" "$@"
archive=$ARCHIVE_DIR
unset ARCHIVE_DIR
# The archive may be older than this version's first start.
DATA_DIR=$drill node tools/tillside.mjs database migrate
DATA_DIR=$drill node tools/tillside.mjs doctor
echo "Drill succeeded: $archive can be restored."
