#!/bin/sh
# solver_table.sh [FILE] [OPTIONS]: every solver with every operator that it admits, to 1e-10 on the gauge configuration
# FILE (lat.sample.l8888 of MILC in $QUDA_TEST_DATA): iterations, seconds, and the residual of the plain reference. MR
# and SD at kappa 0.12, the others at 0.1515; systems of M_pc, of M_pc^dag M_pc where the solver needs a positive
# matrix. The clover coefficient is kappa / 2: with kappa, which is beyond the critical one then, methods that restart
# every few steps stand still. OPTIONS go to the programs (--prec-sloppy, --nsrc, ...), which must be built:
# $QUDA_BUILD_DIR, or build.
# Exit status 0 when all converged and the reference agrees.

root=$(cd "$(dirname "$0")/.." && pwd)
bin=${QUDA_BUILD_DIR:-$root/build}/bin
case $1 in
'' | -*) file=${QUDA_TEST_DATA:-$root/../shared/data}/lat.sample.l8888 ;;
*)
  file=$1
  shift
  ;;
esac
if [ ! -r "$file" ]; then
  echo "solver_table.sh: $file cannot be read" >&2
  exit 1
fi
status=0

# one OPERATOR SOLVER PROGRAM OPTIONS: a row
one() {
  operator=$1 solver=$2 program=$3
  shift 3
  output=$("$bin/$program" --load-gauge "$file" --tune false --verbosity silent --niter 20000 \
    --fermion-t-boundary anti-periodic "$@" 2>&1)
  good=$?
  [ $good = 0 ] || status=1
  echo "$output" | awk -v operator="$operator" -v solver="$solver" -v good=$good '
    /^Done:/ { iterations = $4; seconds = $6 }
    judged && NF >= 6 && $4 + 0 > worst { worst = $4 + 0 }
    /^source  residual/ { judged = 1 }
    /^PASSED|^FAILED/ { judged = 0 }
    END {
      printf "%-16s %-20s %10s %10s %12.3e  ", operator, solver, iterations, seconds, worst
      print good ? "FAILED" : "ok"
    }'
}

printf '%-16s %-20s %10s %10s %12s\n' operator solver iterations seconds '|r|/|b|'
for type in wilson clover twisted-mass twisted-clover; do
  for solver in mr sd bicgstab bicgstab-l gcr ca-gcr ca-gcr-chebyshev cgne cgnr cg3ne cg3nr ca-cgne ca-cgnr \
    cg pipelined-cg cg3 ca-cg ca-cg-chebyshev; do
    kappa=0.1515 solve=direct-pc krylov=4 basis=power
    case $solver in
    mr | sd) kappa=0.12 ;;
    gcr) krylov=16 ;;
    *-chebyshev) krylov=8 basis=chebyshev ;;
    esac
    case $solver in
    cg | pipelined-cg | cg3 | ca-cg | ca-cg-chebyshev) solve=normop-pc ;;
    esac
    one $type $solver invert_test --dslash-type $type --kappa $kappa --mu 0.05 --clover-csw 0.5 \
      --inv-type "${solver%-chebyshev}" --solve-type $solve --ngcrkrylov $krylov --ca-basis-type $basis "$@"
  done
done
for type in staggered asqtad; do
  for solver in cg pipelined-cg cg3 ca-cg ca-cg-chebyshev mr sd bicgstab bicgstab-l gcr ca-gcr; do
    krylov=4 basis=power mass=0.1
    case $solver in
    mr | sd) mass=0.5 ;;
    gcr) krylov=16 ;;
    *-chebyshev) krylov=8 basis=chebyshev ;;
    esac
    one $type $solver staggered_invert_test --dslash-type $type --mass $mass --solution-type mat-pc \
      --inv-type "${solver%-chebyshev}" --ngcrkrylov $krylov --ca-basis-type $basis "$@"
  done
done
exit $status
