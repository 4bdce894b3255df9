#!/bin/sh
# demo.sh [FILE] [OPTIONS]: sets up as setup.sh does, but builds only what it needs and this machine can run (where
# setup.sh has built already, all that it built), then tours the library on the gauge configuration FILE (ILDG, SciDAC,
# NERSC, MILC v5), or on one made by heat bath at beta 6 on 8 8 8 16 sites: plaquette, stout smearing, a quark's
# propagator with the pion's correlator and effective mass, gauge force, contractions, times, tuned kernels. OPTIONS are
# those of build/bin/demo (--help), but --json, since the picture is drawn from it. Results, picture, the configuration
# (ILDG, where --save-gauge does not say otherwise) and what the library learnt are left in build/demo/.
# QUDA_DEMO_RANKS=N runs on N processes, divided in t.

. "$(dirname "$0")/setup.sh"

case $1 in
'' | -*) ;;
*)
  if [ ! -r "$1" ]; then
    echo "demo.sh: $1 cannot be read" >&2
    exit 1
  fi
  quda_file=$1
  shift
  set -- --load-gauge "$quda_file" "$@"
  ;;
esac

quda_saves= quda_help=
for quda_option; do
  case $quda_option in
  -h | --help) quda_help=1 ;;
  --save-gauge | --save-gauge=*) quda_saves=1 ;;
  --json | --json=*)
    echo "demo.sh: --json is not an option here: results go to $quda_build/demo/demo.json" >&2
    exit 1
    ;;
  esac
done

if [ ! -e "$quda_build/lib/libquda.so" ] || ! grep -q '^QUDA_NATIVE:BOOL=OFF' "$quda_build/CMakeCache.txt"; then
  quda_native=ON
fi

# quda_python_to_draw: sets quda_python to one that has matplotlib
quda_python_to_draw() {
  for quda_python in python3 /usr/bin/python3 "$quda_build/plots/bin/python"; do
    "$quda_python" -c 'import matplotlib' >/dev/null 2>&1 && return 0
  done
  return 1
}

quda_fetch_matplotlib() {
  quda_say "matplotlib is fetched into $quda_build/plots"
  mkdir -p "$quda_build"
  python3 -m venv "$quda_build/plots" >"$quda_build/plots.log" 2>&1 &&
    "$quda_build/plots/bin/python" -m pip install -q matplotlib >>"$quda_build/plots.log" 2>&1 </dev/null
}

quda_install || exit 1
[ -n "$quda_help" ] || quda_python_to_draw || quda_fetch_matplotlib & # beside the build, which takes longer
quda_configure_and_build demo || exit 1
[ -n "$quda_help" ] && exec "$quda_build/bin/demo" --help

# what the library learns is kept here: the next run of the demo starts tuned
QUDA_RESOURCE_PATH=$quda_build/demo
export QUDA_RESOURCE_PATH
mkdir -p "$QUDA_RESOURCE_PATH"
rm -f "$QUDA_RESOURCE_PATH"/profile_*.tsv
set -- --json "$QUDA_RESOURCE_PATH/demo.json" "$@"
if [ -z "$quda_file$quda_saves" ]; then
  set -- --save-gauge "$QUDA_RESOURCE_PATH/demo.ildg" "$@"
fi

quda_ranks=${QUDA_DEMO_RANKS:-1}
if [ "$quda_ranks" -gt 1 ]; then
  set -- --gridsize 1 1 1 "$quda_ranks" "$@"
fi
quda_say "demo $*"
if [ "$quda_ranks" -gt 1 ]; then
  OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} mpirun --oversubscribe --bind-to none --allow-run-as-root \
    -n "$quda_ranks" "$quda_build/bin/demo" "$@" </dev/null
else
  "$quda_build/bin/demo" "$@" </dev/null
fi || exit 1

wait
if quda_python_to_draw; then
  "$quda_python" -B "$quda_root/utils/plot_demo.py" "$QUDA_RESOURCE_PATH/demo.json" "$QUDA_RESOURCE_PATH/demo.png" ||
    exit 1
else
  quda_say "no picture: matplotlib cannot be had here ($quda_build/plots.log)"
fi
