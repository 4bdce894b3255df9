#!/bin/sh
# environment.sh BUILD: PyQUDA from the Python index in a virtual environment of its own, BUILD/python, on what BUILD
# installs into BUILD/python/prefix. A second call does only what is left to do. Exit status 0 when all is there; else
# the tests that need it are skipped.

mkdir -p "$1" && build=$(cd "$1" && pwd) || exit 1 # pip builds elsewhere
python=$build/python
prefix=$python/prefix
note=$python/made_from

mkdir -p "$python" && cmake --install "$build" --prefix "$prefix" >"$python/install.log" 2>&1 || exit 1

# h5py for several processes, which its packages are not: for PyQUDA's own test of files
hdf5()
{
  [ -z "$QUDA_PYQUDA_TESTS" ] || "$python/venv/bin/python" -c 'import h5py; assert h5py.get_config().mpi' ||
    CFLAGS="-O0 -g0" HDF5_MPI=ON CC=mpicc HDF5_PKGCONFIG_NAME=hdf5-openmpi \
      "$python/venv/bin/pip" install --no-binary=h5py h5py
} >"$python/h5py.log" 2>&1 </dev/null

# PyQUDA is compiled against the headers: made anew when they change
headers=$(cat "$prefix"/include/*.h | cksum)
[ -e "$note" ] && [ "$(cat "$note")" = "$headers" ] && {
  hdf5
  exit 0
}

rm -f "$note" # until it is made

export QUDA_PATH="$prefix" LD_LIBRARY_PATH="$prefix/lib:$LD_LIBRARY_PATH"
{
  python3 -m venv "$python/venv" &&
    "$python/venv/bin/pip" install cython numpy mpi4py gmpy2 scipy opt_einsum &&
    "$python/venv/bin/pip" install --force-reinstall --no-deps --no-cache-dir pyquda pyquda-utils &&
    "$python/venv/bin/python" -c 'import pyquda_utils.core'
} >"$python/pip.log" 2>&1 </dev/null || exit 1
echo "$headers" >"$note"
hdf5
exit 0
