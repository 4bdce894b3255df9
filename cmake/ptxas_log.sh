#!/bin/sh
# ptxas_log.sh DIR [ccache] nvcc ...: runs the compiler and keeps the resource report of ptxas in DIR, a file per
# object. Everything else that the compiler says is passed on.
dir=$1
shift
object=
previous=
for word in "$@"; do
  [ "$previous" = -o ] && object=$word
  previous=$word
done
mkdir -p "$dir"
log=$dir/$(printf %s "$object" | tr / _).log
"$@" 2>"$log"
status=$?
grep -v -e '^ptxas info' -e '^ *[0-9]* bytes stack frame' "$log" >&2
exit $status
