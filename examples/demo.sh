# shellcheck shell=bash
# ./dev demo: starts a farm, compiles the examples for several targets, twice, and shows what it did. Part of ./dev, which has
# the functions that aren't here.

run_demo() {
  need build demo
  build release programs
  local ptxfarm=$PWD/build/release/bin/ptxfarm folder=build/demo
  local ptxas nvcc targets=compute_75 emit=fatbin modules=(examples/*.ptx)
  if ptxas=$(toolkit_tool ptxas); then
    targets=$(demo_targets "$ptxas")
    emit=cubin,fatbin
  else
    say "No CUDA toolkit is here (CUDA_HOME, PATH, /usr/local/cuda), so nothing can be compiled to cubins:"
    say "the demo makes fat binaries with a PTX member, which a driver compiles when it loads them."
  fi
  if nvcc=$(toolkit_tool nvcc); then
    run_nvcc "$nvcc"
    modules+=("$folder"/ptx/*.ptx)
  else
    say "No nvcc is here: only the modules that were written by hand."
  fi

  # A farm of the demo's own: it starts with an empty store and disturbs no other of this user. Sockets have short paths.
  export XDG_RUNTIME_DIR XDG_CACHE_HOME=$PWD/$folder/cache PTXFARM_FARM_IDLE_TIME=10m
  unset PTXFARM_SERVER
  XDG_RUNTIME_DIR=/tmp/ptxfarm-demo-$(id -u)
  mkdir -m 0700 "$XDG_RUNTIME_DIR" 2>/dev/null || [ -O "$XDG_RUNTIME_DIR" ] ||
    die "$XDG_RUNTIME_DIR belongs to somebody else"
  "$ptxfarm" stop --quiet
  rm -rf "$folder/cache" "$folder/out"

  local pass failed=0
  for pass in "First: everything is compiled" "Again: everything is found"; do
    step "$pass"
    "$ptxfarm" compile "${modules[@]}" --targets "$targets" --emit "$emit" -o "$folder/out" \
      --report table --kernels-max 3 || failed=$?
  done

  step "What is left behind"
  say "In $folder/out: $(find "$folder/out" -name '*.cubin' | wc -l) cubins," \
    "$(find "$folder/out" -name '*.fatbin' | wc -l) fat binaries"
  demo_metrics "$ptxfarm"
  say "The farm ends by itself when it was idle for 10 minutes, or with"
  say "  XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR build/release/bin/ptxfarm stop"
  return "$failed"
}

# toolkit_tool NAME: the path of a program of the CUDA toolkit, looked for where a worker looks.
toolkit_tool() {
  local folder
  for folder in "${CUDA_HOME:-}" "${CUDA_PATH:-}"; do
    if [ -n "$folder" ] && [ -x "$folder/bin/$1" ]; then say "$folder/bin/$1" && return; fi
  done
  command -v "$1" || { [ -x "/usr/local/cuda/bin/$1" ] && say "/usr/local/cuda/bin/$1"; }
}

# PTX of the CUDA sources among the examples, in build/demo/ptx; anew where the source is newer.
run_nvcc() {
  local source module nvcc=$1
  mkdir -p build/demo/ptx
  for source in examples/cuda/*.cu; do
    module=build/demo/ptx/cuda_$(basename "$source" .cu).ptx
    if [ "$module" -nt "$source" ]; then continue; fi
    step "nvcc $source"
    logged nvcc "$nvcc" -std=c++17 -ptx -arch=compute_75 "$source" -o "$module"
  done
}

# Of the demo's targets those that this ptxas knows, with commas.
demo_targets() {
  local known target chosen=()
  known=$("$1" --help)
  for target in sm_75 sm_80 sm_86 sm_90a sm_100a sm_120; do
    if grep -qF "'$target'" <<<"$known"; then
      chosen+=("$target")
    else
      say "Left out: $target, which $1 doesn't know." >&2
    fi
  done
  chosen+=(compute_75)
  (IFS=, && say "${chosen[*]}")
}

# Where the page of the farm is, and what it has counted.
demo_metrics() {
  local page
  page=$("$1" status | sed -n 's/^page *//p')
  [ -n "$page" ] || die "the farm has no page"
  say "Metrics: $page"
  curl -fsS --max-time 10 "$page" | grep -E '^ptxfarm_(server|store|worker)_' | grep -vE '_bucket| 0$' |
    sed 's/^/  /'
}
