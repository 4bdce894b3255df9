#!/bin/sh
# demo.sh [FILE]: sets up as setup.sh does, then computes the plaquette and the Wilson hop on the gauge configuration
# FILE (MILC v5 or LIME), or on a random one of 8 8 8 16 sites, and shows results, phases and tuned kernels.
# QUDA_DEMO_RANKS=N runs on N processes, divided in t.

. "$(dirname "$0")/setup.sh"

quda_setup || exit 1

if [ -n "$1" ]; then
  if [ ! -r "$1" ]; then
    echo "demo.sh: $1 cannot be read" >&2
    exit 1
  fi
  set -- --load-gauge "$1"
else
  set -- --dim 8 8 8 16
fi

# what the library learns is kept here: the next run of the demo starts tuned
QUDA_RESOURCE_PATH=$quda_build/demo
export QUDA_RESOURCE_PATH
mkdir -p "$QUDA_RESOURCE_PATH"

quda_run() {
  quda_program=$1
  shift
  quda_say "$quda_program $*"
  if [ "${QUDA_DEMO_RANKS:-1}" -gt 1 ]; then
    OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} mpirun --oversubscribe --bind-to none --allow-run-as-root \
      -n "$QUDA_DEMO_RANKS" "$quda_build/bin/$quda_program" --gridsize 1 1 1 "$QUDA_DEMO_RANKS" "$@" </dev/null
  else
    "$quda_build/bin/$quda_program" "$@" </dev/null
  fi || exit 1
}

quda_run plaq_test --prec double --recon 18 --verbosity summarize "$@"
quda_run dslash_test --prec double --recon 18 --verbosity summarize "$@"
quda_run dslash_test --prec single --recon 12 --verbosity summarize "$@"

quda_say "kernels of the last run ($QUDA_RESOURCE_PATH/profile_0.tsv)"
cat "$QUDA_RESOURCE_PATH"/profile_0.tsv 2>/dev/null || echo "none was written"
quda_say "tuned kernels ($QUDA_RESOURCE_PATH/tunecache.tsv)"
cat "$QUDA_RESOURCE_PATH"/tunecache.tsv 2>/dev/null || echo "none was written"
