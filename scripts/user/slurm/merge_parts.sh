#!/bin/bash
# Merges the parts of count_part.sh: the counts equal a single run over all frames.
#
#   sbatch --dependency=afterok:JOB merge_parts.sh OUT.h5 N [options of merge]
#
#SBATCH --job-name=starhist-merge
#SBATCH --output=%x-%j.log
#SBATCH --ntasks=1
#SBATCH --time=00:30:00

output=${1:?usage: sbatch merge_parts.sh OUT.h5 N [options]}
parts=${2:?usage: sbatch merge_parts.sh OUT.h5 N [options]}
files=()
for ((part = 1; part <= parts; part++)); do
  files+=("$output.part-$part.h5")
done
if ((${SLURM_RESTART_COUNT:-0} > 0)); then # requeued: replaces the output of the job's earlier run
  set -- "$@" --force
fi
# Exit code 3: N is not the number of parts that were counted, or the trajectory grew between them.
exec srun starhist merge "${files[@]}" -o "$output" "${@:3}"
