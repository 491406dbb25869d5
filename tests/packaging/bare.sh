#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The sluice project
# SPDX-License-Identifier: Apache-2.0
# The proof on bare machines: minimal Debian 12s, unpacked from Debian's archive into folders (debootstrap), which have
# git and nothing else that sluice needs. In one the commands of the README are typed, and the packages are built; in the
# other these are installed, and every door is used once (debian/tests). Takes half an hour of two cores, and 12 GB.
# usage: bare.sh FOLDER [STEP...]     as root; steps: run test packages doors (all, if none is named)
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
usage="usage: bare.sh FOLDER [run|test|packages|doors]..."
[[ $# -ge 1 ]] || { echo "$usage" >&2; exit 2; }
folder=$1
shift
steps=("$@")
((${#steps[@]})) || steps=(run test packages doors)
[[ $EUID == 0 ]] || { echo "bare.sh: debootstrap and chroot need root" >&2; exit 2; }
command -v debootstrap >/dev/null || { echo "bare.sh: there is no debootstrap; apt install debootstrap" >&2; exit 2; }
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

# machine NAME: a bare one, unless it is there.
machine() {
  [[ -d $folder/bare ]] || {
    debootstrap --variant=minbase --include=git,ca-certificates bookworm "$folder/bare.partial" >"$folder/debootstrap.log" ||
      { tail -5 "$folder/debootstrap.log" >&2; exit 1; }
    mv "$folder/bare.partial" "$folder/bare"
  }
  [[ -d $folder/$1 ]] || cp -a "$folder/bare" "$folder/$1"
  mkdir -p "$folder/$1/source"
}

# inside NAME COMMAND: typed by root of that machine, in /root; the sources are to be seen in /source.
inside() {
  unshare --mount --pid --fork bash -c '
    set -e
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    mount --bind -o ro "$2" "$1/source"
    exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
      bash -ec "cd /root; $3"' bash "$folder/$1" "$source" "$2"
}

step_run() {
  machine builder
  inside builder 'git config --global --add safe.directory "*"; rm -rf sluice; git clone -q /source sluice; cd sluice; ./dev run'
}
step_test() { inside builder 'cd sluice; ./dev test'; }
step_packages() {
  machine builder
  inside builder 'apt-get update -qq; cd sluice; apt-get build-dep -y -qq . >/dev/null; dpkg-buildpackage -b -uc >../build.log 2>&1 || { tail -30 ../build.log; exit 1; }
    ls -l ../*.deb'
}
step_doors() {
  machine user
  cp "$folder"/builder/root/*.deb "$folder/user/root"
  inside user 'rm -f *dbgsym*; apt-get update -qq; apt-get install -y -qq ./*.deb >/dev/null
    apt-get install -y -qq cmake g++ pkg-config redis-server redis-tools >/dev/null
    for door in library module command python; do echo "door $door"; /source/debian/tests/$door; done
    apt-get remove -y -qq sluice-filters sluice-redis >/dev/null; test ! -e /usr/bin/sluice'
}

for step in "${steps[@]}"; do
  [[ " run test packages doors " == *" $step "* ]] || { echo "$usage" >&2; exit 2; }
  begun=$SECONDS
  echo "bare.sh: $step" >&2
  "step_$step"
  echo "bare.sh: $step took $((SECONDS - begun)) s" >&2
done
