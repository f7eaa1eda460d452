#!/bin/bash
# One of N jobs under Slurm that count a part of a trajectory each, as tasks of a job array.
# merge_parts.sh puts the parts together. A job that runs out of time is requeued and goes on.
#
#   parts=$(sbatch --parsable --array=1-8 count_part.sh OUT.h5 8 TRAJ... [OPTIONS])
#   sbatch --dependency=afterok:$parts merge_parts.sh OUT.h5 8
#
# 8: the number of parts, which a part that is submitted again has to be told too. OPTIONS are
# those of `starhist rdf`, without -o and --part. Part I comes into OUT.h5.part-I.h5.
#SBATCH --job-name=starhist-part
#SBATCH --output=%x-%A_%a.log
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=02:00:00
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append

output=${1:?usage: sbatch --array=1-N count_part.sh OUT.h5 N TRAJ... [OPTIONS]}
parts=${2:?usage: sbatch --array=1-N count_part.sh OUT.h5 N TRAJ... [OPTIONS]}
part=${SLURM_ARRAY_TASK_ID:?no job array: submit with sbatch --array=1-$parts}
shift 2

# The bound is the job's memory [MiB], not the machine's. A quarter is for all but frames and counts.
if [[ -n $SLURM_MEM_PER_NODE && " $* " != *" --memory"* ]]; then
  set -- "$@" --memory "$(awk "BEGIN { print 0.75 * $SLURM_MEM_PER_NODE / 1024 }")"
fi
# Where Slurm leaves all cores of the node to each job, starhist is told how many are this job's.
if (($(nproc) > SLURM_CPUS_ON_NODE)); then
  export STARPU_WORKERS_NOBIND=1
  export STARPU_NCPU=${STARPU_NCPU:-$((SLURM_CPUS_ON_NODE - ${SLURM_GPUS_ON_NODE:-0}))}
fi

srun --cpus-per-task="$SLURM_CPUS_PER_TASK" starhist rdf "$@" \
  --part "$part/$parts" -o "$output.part-$part.h5" --resume
code=$?
if ((code == 4)); then # stopped by a signal. The number of the job alone would requeue all parts.
  scontrol requeue "${SLURM_ARRAY_JOB_ID}_$part"
fi
exit $code
