#!/bin/sh
# gpu_check.sh [build ARCH | run | tests | checksums | bench] [options]: builds with CUDA for the GPU of this machine,
# runs every test on the cuda target, compares the checksum of every kernel there with the processor's, and runs the
# benchmark, whose table it leaves in build-gpu/bench.json (utils/plot_bench.py draws it). Exit status 0 when all of it
# passed. Tests run untuned, side by side by the driver's MPS server where one can be started, long programs in parts.
# Where programs are compiled on another machine than they run on, "gpu_check.sh build sm_90" does the first
# part there and "gpu_check.sh run" the rest here, in the same folder, or one step of it by its name; "tests" passes
# options on to ctest, "bench" to quda_bench. QUDA_CHECK_DIM="24 24 24 48" is the benchmark's lattice,
# QUDA_CHECK_TIME=0.5 its seconds a kernel.

. "$(dirname "$0")/setup.sh"

quda_build=${QUDA_BUILD_DIR:-$quda_root/build-gpu}
quda_jobs=$(nproc 2>/dev/null || echo 2)

gpu_build() {
  QUDA_CMAKE_ARGS="$QUDA_CMAKE_ARGS -DQUDA_CUDA=ON -DQUDA_GPU_ARCH=$1"
  quda_setup
}

# gpu_ctest REPORT [options of ctest]
gpu_ctest() {
  report=$quda_build/$1
  shift
  rm -f "$report"
  ctest --test-dir "$quda_build" -j "$quda_jobs" --output-on-failure --output-junit "$report" \
    --test-output-size-passed 10000000 --test-output-size-failed 10000000 "$@" </dev/null
  set -- $?
  # a part without any test is a fault, unless tests were chosen
  python3 -B "$quda_root/tests/house/count.py" "$report" || [ -n "$quda_chosen" ] || return 1
  return "$1"
}

# Programs of several processes use the GPU at once through a server, which this shell's own is: 14 at once take a
# quarter of the time. Not where none can be started, or a test program does not get on with it.
gpu_server() {
  [ -z "$CUDA_MPS_PIPE_DIRECTORY" ] && command -v nvidia-cuda-mps-control >/dev/null || return 0
  CUDA_MPS_PIPE_DIRECTORY=$(mktemp -d) && CUDA_MPS_LOG_DIRECTORY=$CUDA_MPS_PIPE_DIRECTORY || return 0
  export CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  trap 'echo quit | nvidia-cuda-mps-control >/dev/null 2>&1; rm -rf "$CUDA_MPS_PIPE_DIRECTORY"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  nvidia-cuda-mps-control -d && "$quda_build/tests/random_test" --gtest_brief=1 && return 0
  echo "gpu_check.sh: no MPS server here; the programs take turns"
  echo quit | nvidia-cuda-mps-control >/dev/null 2>&1
  rm -rf "$CUDA_MPS_PIPE_DIRECTORY"
  unset CUDA_MPS_PIPE_DIRECTORY CUDA_MPS_LOG_DIRECTORY
  trap - EXIT
}

gpu_tests() {
  quda_chosen=$*
  # untuned: ranks of a test, which share what GPUs there are, would wait for each other
  export QUDA_TARGET=cuda QUDA_ENABLE_MPS=1 QUDA_ENABLE_TUNING=0
  quda_say "tests on the GPU"
  gpu_server
  [ -n "$quda_chosen" ] && { gpu_ctest tests.xml -LE 'slow|house|ptx' "$@"; return; }
  long='^((dirac|force|interface|multigrid|solvers)_test|bits_mpi_test.*)$' parts=4 running='' failed=0
  for part in $(seq 0 $((parts - 1))); do
    (
      export GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX="$part"
      gpu_ctest "tests_$part.xml" -LE 'slow|house|ptx' -R "$long" >"$quda_build/tests_$part.log" 2>&1
    ) &
    running="$running $!"
  done
  gpu_ctest tests.xml -LE 'slow|house|ptx' -E "$long" || failed=1
  for one in $running; do wait "$one" || failed=1; done
  cat "$quda_build"/tests_[0-9].log
  return $failed
}

gpu_checksums() {
  quda_say "checksums of every kernel, processor and GPU"
  "$quda_build/bin/quda_bench" --target cpu cuda --dim 8 8 8 8 --time 0 --json "$quda_build/checksums.json" </dev/null
}

gpu_bench() {
  quda_say "benchmark on the GPU"
  # without quotes: four numbers
  "$quda_build/bin/quda_bench" --target cuda --dim ${QUDA_CHECK_DIM:-24 24 24 48} --time "${QUDA_CHECK_TIME:-0.5}" \
    --filter '/cuda/' --json "$quda_build/bench.json" "$@" </dev/null
}

gpu_run() {
  status=0
  for step in gpu_tests gpu_checksums gpu_bench; do
    ($step) || status=1
  done
  return $status
}

if [ "$1" = build ]; then
  gpu_build "${2:?gpu_check.sh: build for which GPU? For example: gpu_check.sh build sm_90}"
  exit
fi
if ! nvidia-smi >/dev/null 2>&1; then
  echo "gpu_check.sh: no NVIDIA GPU here (nvidia-smi finds none)" >&2
  exit 1
fi
case $1 in
run | tests | checksums | bench)
  step=$1
  shift
  ("gpu_$step" "$@")
  ;;
'') gpu_build "sm_$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')" && gpu_run ;;
*)
  echo "gpu_check.sh: \"$1\"; allowed: nothing, build ARCH, run, tests, checksums, bench" >&2
  exit 2
  ;;
esac
