#!/bin/sh
# gpu_check.sh: on a machine with an NVIDIA GPU, builds with CUDA for that GPU, runs every test on the cuda target,
# compares the checksum of every kernel there with the processor's, and runs the benchmark, whose table it leaves in
# build-gpu/bench.json (utils/plot_bench.py draws it). Exit status 0 when all of it passed.

. "$(dirname "$0")/setup.sh"

if ! nvidia-smi >/dev/null 2>&1; then
  echo "gpu_check.sh: no NVIDIA GPU here (nvidia-smi finds none)" >&2
  exit 1
fi
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
quda_build=${QUDA_BUILD_DIR:-$quda_root/build-gpu}
QUDA_CMAKE_ARGS="$QUDA_CMAKE_ARGS -DQUDA_CUDA=ON -DQUDA_GPU_ARCH=sm_$arch"

quda_setup || exit 1

quda_say "tests on the GPU"
QUDA_TARGET=cuda
QUDA_ENABLE_MPS=1 # tests of several ranks share what GPUs there are
export QUDA_TARGET QUDA_ENABLE_MPS
report=$quda_build/tests.xml
rm -f "$report"
ctest --test-dir "$quda_build" -LE 'slow|house|ptx' --output-on-failure --output-junit "$report" \
  --test-output-size-passed 10000000 --test-output-size-failed 10000000 </dev/null
status=$?
python3 -B "$quda_root/tests/house/count.py" "$report" || status=1

quda_say "checksums of every kernel, processor and GPU"
"$quda_build/bin/quda_bench" --target cpu cuda --dim 8 8 8 8 --time 0 --json "$quda_build/checksums.json" </dev/null ||
  status=1

quda_say "benchmark on the GPU"
"$quda_build/bin/quda_bench" --target cuda --filter /cuda/ --time 0.5 --json "$quda_build/bench.json" </dev/null ||
  status=1
exit $status
