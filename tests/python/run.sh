#!/bin/sh
# run.sh BUILD SCRIPT [arguments]: runs a Python script in the environment that environment.sh has made. Exit status 77:
# there is none.

build=$1
shift
[ -e "$build/python/made_from" ] || {
  echo "PyQUDA is not installed in $build/python (see $build/python/pip.log): skipped"
  exit 77
}
library=${QUDA_LIBRARY_PATH:-$build/lib/libquda.so}
export LD_LIBRARY_PATH="${library%/*}:$LD_LIBRARY_PATH" PYTHONDONTWRITEBYTECODE=1
exec "$build/python/venv/bin/python" "$@"
