# Functions of .ci/full and .ci/long, to be sourced after steps.sh: each campaign gives the program
# random or damaged input, or disturbs it, as many times as its number.
sample=yes # with the smaller number of each campaign

# campaign TITLE OPTION NUMBER SAMPLE COMMAND...: the step `COMMAND OPTION NUMBER`, or SAMPLE.
campaign() {
  local number=$3
  [[ -z $sample ]] || number=$4
  step "$1 ($2 $number)" "${@:5}" "$2" "$number"
}

campaigns() {
  local folder=scripts/checks/campaigns
  campaign "Random problems, counted by every kernel" --seconds 600 60 bash -c \
    'STARHIST_PROPERTY_SECONDS=$1 exec build/test_kernels "any lattice*"'
  campaign "Crystals in every format" --crystals 100 20 $folder/count_crystals.py
  campaign "Pairs of runs to one output" --pairs 1000 50 $folder/race_outputs.py
  campaign "Runs killed or stopped" --kills 1000 50 $folder/kill_runs.py
  campaign "Histories of trajectories and results" --histories 2000 100 $folder/random_histories.py
  campaign "Made and damaged input for every parser" --seconds 0 10 $folder/run_fuzzers.py
  campaign "Generated and real files compared with other readers" --count 200 12 \
    scripts/checks/compare_readers.sh --files-of-others
  campaign "Damaged results given to every reader" --count 10000 300 $folder/mutate_results.py
  campaign "Flipped bits in counts and positions, found by starhist verify" --count 1000 100 $folder/verify_faults.py
  campaign "Runs in which one call fails" --every 1 20 $folder/fail_calls.py
}
