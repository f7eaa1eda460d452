# Functions of .ci/run, .ci/full and .ci/long, to be sourced. All steps run even if one fails; summary()
# counts the checks and tests of all steps.
export STARHIST_WERROR=ON
# The system's Python, which has the packages that are installed, before one of pyenv or conda.
export PATH=/usr/bin:/bin:$PATH
if command -v ccache >/dev/null; then
  export CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_CUDA_COMPILER_LAUNCHER=ccache
  # Most of the tests are compiled with a precompiled header.
  export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS-pch_defines,time_macros}
fi

passed=0
failed=0
only=     # step() runs only steps whose title matches this extended regular expression
matched=0 # steps whose title matched
failures=() # failed checks and tests, repeated at the end of the log
log=$(mktemp)
trap 'rm -f "$log" "$log.times"' EXIT

# look_at_cpu: sets cpu to the CPU time of all commands so far [s]. Not in a subshell: `times` would
# report the subshell's times.
look_at_cpu() {
  times >"$log.times"
  cpu=$(awk 'NR == 2 { split($1 "m" $2, t, /[ms]+/); printf "%.0f", 60 * t[1] + t[2] + 60 * t[3] + t[4] }' "$log.times")
}

# failed_output LOG: prints the output of the failed tests in a log of CTest, which prints it after the
# line with the result of the test (with --output-on-failure).
failed_output() {
  awk '/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / { failed = /\*\*\*/ && !/\*\*\*(Skipped|Not Run \(Disabled\))/ }
       /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { failed = 0 }
       failed' "$1"
}

# step TITLE COMMAND...: a step with CTest's summary counts as its tests, any other as one.
step() {
  local title=$1 status=0 summary tests_failed tests skipped before
  shift
  [[ $title =~ $only ]] || return 0
  matched=$((matched + 1))
  printf '\n=== %s\n' "$title"
  SECONDS=0
  look_at_cpu
  before=$cpu
  "$@" 2>&1 | tee "$log" || status=$?
  if summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log" | tail -n 1); then
    read -r tests_failed tests < <(sed -E 's/.*, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' <<<"$summary")
    skipped=$(grep -cE '^[[:space:]]+[0-9]+ - .* \((Skipped|Disabled)\)([[:space:]].*)?$' "$log" || true)
    passed=$((passed + tests - tests_failed - skipped))
    failed=$((failed + tests_failed))
    if ((status != 0 && tests_failed == 0)); then
      failed=$((failed + 1))
      failures+=("$title: exit status $status without a failed test")
    fi
    mapfile -t -O ${#failures[@]} failures < <(sed -nE "s|^[[:space:]]+([0-9]+ - .* \\([^()]*\\))([[:space:]].*)?\$|$title: \\1|p" "$log" |
      grep -vE '\((Skipped|Disabled)\)$' || true)
    ((tests_failed == 0)) || failures+=("their output: $(failed_output "$log" | sed -n 1,200p)")
  elif ((status == 0)); then
    passed=$((passed + 1))
  elif ((status != 77)); then # 77: the step says itself that it was skipped
    failed=$((failed + 1))
    failures+=("$title: $(tail -n 20 "$log")")
  fi
  look_at_cpu
  echo "--- $title: exit status $status after ${SECONDS} s, $((cpu - before)) s of CPU time"
}

# summary: lists the failures; the last line has the numbers. Fails if a check or test has failed.
summary() {
  ((${#failures[@]} == 0)) || printf '\nFailed: %s' "${failures[@]}"
  if ((matched == 0)); then
    printf "\nno step's title matches '%s'\n" "$only"
    failed=1
  fi
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}
