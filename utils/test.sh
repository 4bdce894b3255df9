#!/bin/sh
# test.sh [--all] [ctest options]: sets up as setup.sh does, then runs every test, those of several processes at 1, 2
# and 4 ranks, PyQUDA's in a Python environment of its own in the build folder. --all runs the slow ones too. Last
# line: N passed, N failed, N skipped. Exit status 0 when none failed.

. "$(dirname "$0")/setup.sh"

slow='-LE slow'
if [ "$1" = --all ]; then
  slow=
  shift
fi

quda_testing=1 # packages that only tests need
quda_setup || {
  echo "0 passed, 1 failed, 0 skipped (the set-up or the build)"
  exit 1
}

sh "$quda_root/tests/python/environment.sh" "$quda_build" ||
  quda_say "PyQUDA cannot be had here ($quda_build/python/pip.log), its tests are skipped"

quda_say "testing"
report=$quda_build/tests.xml
rm -f "$report"
# $slow without quotes: two words or none
ctest --test-dir "$quda_build" $slow --output-on-failure --output-junit "$report" --test-output-size-passed 10000000 \
  --test-output-size-failed 10000000 -j "$(nproc 2>/dev/null || echo 2)" "$@" </dev/null
status=$?
python3 -B "$quda_root/tests/house/count.py" "$report" || status=1
exit $status
