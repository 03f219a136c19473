#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that a group of make targets needs, and only those that are missing.
#   install_packages.sh build|check|full
set -eu
build="gcc libc6-dev cmake ninja-build pkg-config libpng-dev libjpeg-dev libsndfile1-dev libcjson-dev libminizip-dev zlib1g-dev"
check="$build libcmocka-dev python3 binutils"
full="$check git g++ clang clang-tidy libclang-rt-14-dev gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm chromium"
case "${1:-}" in
  build) wanted=$build ;;
  check) wanted=$check ;;
  full) wanted=$full ;;
  *) echo "usage: install_packages.sh build|check|full" >&2; exit 2 ;;
esac
missing=""
for package in $wanted; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "Installing:$missing"
as_root=""
if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null 2>&1 || { echo "Not root and no sudo; please install:$missing" >&2; exit 1; }
  as_root=sudo
fi
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086  # word lists
$as_root apt-get update -q >/dev/null
# shellcheck disable=SC2086
$as_root apt-get install -yq --no-install-recommends $missing >/dev/null
