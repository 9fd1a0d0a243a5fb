# What the days of command-line tools share. Sourced by them.
# From the environment: ENDPOINT, BUCKET, WORK (an empty folder), INPUT (with the folder tree and the file large), the key
# pair, AWS_CA_BUNDLE over https; BUCKET_MADE where the bucket is there and stays.
# shellcheck shell=bash
trap 'echo "failed at line $LINENO: $BASH_COMMAND"' ERR
tree=$INPUT/tree large=$INPUT/large
large_bytes=$(stat -c %s "$large")
middle=$((large_bytes / 2 + 7))
tree_files=$(find "$tree" -type f | wc -l)

version() { echo "version: $*"; }
note() { echo "note: $*"; } # what a client does not do by its own nature
is_made() { [ -n "${BUCKET_MADE:-}" ]; }
fails() { ! "$@" > /dev/null 2>&1; }
slice() { dd if="$1" iflag=skip_bytes,count_bytes skip="$2" count="$3" status=none; } # slice FILE FROM BYTES
fetch() { curl -sSf ${AWS_CA_BUNDLE:+--cacert "$AWS_CA_BUNDLE"} "$@"; }
