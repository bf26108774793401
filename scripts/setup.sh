# Sourced by ./play and ./test: makes .venv and keeps it at the pinned requirements. Needs bash and coreutils.
#
# .venv/.ready is written last: one line with the Python it was made from, then one line of sha256sum for every
# requirement file that is installed. Whatever differs is installed again; without .ready the set-up starts anew.

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
venv=$root/.venv
[ -n "${HOME-}" ] || unset HOME # an empty HOME would make caches relative to the current folder

say() { printf 'trilogic: %s\n' "$*" >&2; }

# set_up play|train|checks: returns when .venv holds what that set needs; leaves with 1 or 2 when it cannot.
set_up() {
  local files size locked=""
  case $1 in
    play) files=(requirements-play.txt) size="580 MB" ;;
    train) files=(requirements-play.txt requirements.txt) size="1,600 MB" ;;
    checks) files=(requirements-play.txt requirements.txt requirements-dev.txt) size="1,710 MB" ;;
  esac
  ! is_ready "${files[@]}" || return 0

  [ -w "$root" ] || { say "$root cannot be written, so .venv cannot be made there: copy the folder to a place of yours."; exit 2; }
  if command -v flock >/dev/null; then # two set-ups at once would spoil each other's work
    exec 9<"$root"
    locked=yes
    flock -n 9 || { say "another set-up is running here; waiting for it to end."; flock 9; }
    ! is_ready "${files[@]}" || { exec 9<&-; return 0; }
  fi

  if [ -e "$venv/.ready" ] && runs "$venv/bin/python" && [ "$(python_line)" = "$(head -n 1 "$venv/.ready")" ]; then
    say "requirements have changed or more is needed: bringing .venv up to date ($1, about $size on disk in all)."
  else
    [ ! -e "$venv" ] || say "the last set-up is unfinished or its Python is gone: .venv is made anew."
    find_python
    say "setting up .venv ($1, about $size on disk) with $("$python" -V) from $python."
    rm -f -- "$venv/.ready" # first, so that a half-removed .venv is never taken for a whole one
    rm -rf -- "$venv"
    "$python" -I -m venv "$venv" >&2 || { say "Python could not make .venv: see the lines above."; exit 1; }
  fi
  [ "$1" = play ] || say "most of it is torch; where pip picks a build for graphics cards it is several times as much."
  rm -f -- "$venv/.ready"
  install "${files[${#files[@]} - 1]}" || { say "pip did not finish: see the lines above, then start again."; exit 1; }
  { python_line && sums "${files[@]}"; } >"$venv/.ready.tmp"
  mv -f -- "$venv/.ready.tmp" "$venv/.ready"
  say ".venv is ready."
  [ -z "$locked" ] || exec 9<&-
}

sums() { (cd -- "$root" && sha256sum -- "$@"); }

python_line() { printf 'python %s\n' "$(readlink -f -- "$venv/bin/python")"; }

is_ready() {
  local have line
  [ -x "$venv/bin/python" ] && [ -r "$venv/.ready" ] || return 1
  have=$'\n'$(<"$venv/.ready")$'\n'
  while read -r line; do
    [[ $have == *$'\n'"$line"$'\n'* ]] || return 1
  done < <(python_line && sums "$@")
}

install() {
  local quiet=()
  [ -t 2 ] || quiet=(--quiet)
  PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 \
    "$venv/bin/python" -I -m pip install "${quiet[@]}" -r "$root/$1" </dev/null >&2
}

runs() { "$1" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

makes_venvs() { "$1" -I -c 'import venv, ensurepip; ensurepip.version()' >/dev/null 2>&1; }

# find_python: sets `python` to a Python 3.11 or newer that can make virtual environments.
find_python() {
  local found system="" package=python3-venv IFS=$'\n'
  for found in $(type -aP python3.11 python3 python3.12 python3.13 python3.14); do
    runs "$found" || continue
    python=$found
    ! makes_venvs "$found" || return 0
    # apt can complete only the Python that it installed
    case $("$found" -I -c 'import os, sys; print(os.path.realpath(sys.executable))') in
      /usr/bin/*) system=${system:-$found} ;;
    esac
  done
  if [ -n "$system" ]; then
    package=$("$system" -I -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
  elif command -v python3 >/dev/null && ! runs python3; then
    package=python3.11-venv # the distribution's own Python is older
  fi
  if ! command -v apt-get >/dev/null; then
    say "a Python 3.11 or newer with its modules venv and ensurepip is needed: please install one."
    exit 2
  fi
  if [ "$(id -u)" != 0 ]; then
    say "the venv package of Python is missing; install it once with: sudo apt install $package"
    exit 2
  fi
  say "installing $package with apt-get (about 5 MB, more where Python itself is missing)."
  apt_get install "$package" || { apt_get update && apt_get install "$package"; } || {
    say "apt-get could not install $package: see the lines above."
    exit 2
  }
  for python in "$system" $(type -aP "${package%-venv}" python3); do
    ! { runs "$python" && makes_venvs "$python"; } || return 0
  done
  say "$package is installed, but no Python 3.11 or newer can make virtual environments."
  exit 2
}

apt_get() {
  case $1 in
    update) DEBIAN_FRONTEND=noninteractive apt-get -qq update </dev/null >&2 ;;
    install) DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$2" </dev/null >&2 ;;
  esac
}
