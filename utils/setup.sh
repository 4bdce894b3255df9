#!/bin/sh
# setup.sh [TARGET...]: installs what is missing (Debian, Ubuntu), configures and builds into build/, everything or what
# is named. A second call does only what is left to do. QUDA_BUILD_DIR names another folder, QUDA_CMAKE_ARGS adds to the
# configuration (-DQUDA_CUDA=OFF). The other scripts read this file and call quda_setup; quda_native=ON is for what only
# this machine will run (cmake/native.cmake).

quda_root=$(cd "$(dirname "$0")/.." && pwd)
quda_build=${QUDA_BUILD_DIR:-$quda_root/build}

quda_say() { printf '== %s\n' "$*"; }

# quda_need PACKAGE CONDITION...: notes the package when the condition fails
quda_need() {
  quda_package=$1
  shift
  "$@" >/dev/null 2>&1 || quda_missing="$quda_missing $quda_package"
}

quda_header() { echo "#include <$1>" | c++ -x c++ -std=c++20 -fsyntax-only -; }

quda_find_missing() {
  quda_missing=
  quda_need g++ command -v c++
  quda_need cmake command -v cmake
  quda_need ninja-build command -v ninja
  quda_need python3 command -v python3
  quda_need libeigen3-dev quda_header eigen3/Eigen/Core
  quda_need libcli11-dev quda_header CLI/CLI.hpp
  quda_need nlohmann-json3-dev quda_header nlohmann/json.hpp
  quda_need libpugixml-dev quda_header pugixml.hpp
  quda_need libgtest-dev quda_header gtest/gtest.h
  quda_needed=$quda_missing
  # the library is built without MPI too, without FFTW (no gauge fixing by it), and without a compiler cache; tests that
  # need the others say what they leave out
  quda_need openmpi-bin command -v mpirun
  quda_need libopenmpi-dev command -v mpicc
  quda_need ccache command -v ccache
  quda_need libfftw3-dev quda_header fftw3.h
  quda_need ca-certificates test -e /etc/ssl/certs
  quda_need python3-venv python3 -c 'import ensurepip, venv'
  quda_need python3-dev python3 -c 'import os, sysconfig; os.stat(sysconfig.get_path("include") + "/Python.h")'
  if [ -n "$quda_testing" ]; then
    quda_need git command -v git
    quda_need pkg-config command -v pkg-config
    quda_need doxygen command -v doxygen
    quda_need gfortran command -v gfortran
    [ -z "$QUDA_PYQUDA_TESTS" ] || quda_need libhdf5-openmpi-dev pkg-config --exists hdf5-openmpi
  fi
  quda_wanted=$quda_missing
}

# quda_install_as COMMAND...: what is wanted, or at least what is needed
quda_install_as() {
  "$@" apt-get update -q </dev/null || quda_say "the package lists could not be renewed, going on with those here"
  # names without quotes: a list of words
  for quda_names in "$quda_wanted" "$quda_needed"; do
    [ -z "$quda_names" ] && return 0
    "$@" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends $quda_names </dev/null && return 0
    quda_say "could not be installed:$quda_names"
  done
  return 1
}

quda_install() {
  quda_find_missing
  [ -z "$quda_wanted" ] && return 0
  if ! command -v apt-get >/dev/null 2>&1; then
    quda_hindrance="no apt-get here"
  elif [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    quda_hindrance="neither root nor sudo"
  else
    quda_say "installing$quda_wanted"
    if [ "$(id -u)" -eq 0 ]; then quda_install_as env; else quda_install_as sudo; fi || return 1
    return 0
  fi
  if [ -z "$quda_needed" ]; then
    quda_say "$quda_hindrance; going on without$quda_wanted"
    return 0
  fi
  echo "setup.sh: $quda_hindrance; please install:$quda_needed" >&2
  return 1
}

# quda_configure_and_build [TARGET...]
quda_configure_and_build() {
  # each time, since what is installed may have changed; without quotes: a list of words
  quda_say "configuring into $quda_build"
  cmake -G Ninja -S "$quda_root" -B "$quda_build" -DQUDA_NATIVE="${quda_native:-OFF}" -DQUDA_PRECOMPILE=ON \
    $QUDA_CMAKE_ARGS </dev/null ||
    return 1
  quda_say "building${*:+ $*}"
  cmake --build "$quda_build" -j "$(nproc 2>/dev/null || echo 2)" ${1:+--target "$@"} </dev/null
}

quda_setup() { quda_install && quda_configure_and_build "$@"; }

case $0 in
*setup.sh) quda_setup "$@" || exit 1 ;;
esac
