#!/bin/bash
# Counts one of N parts of a trajectory, as a task of a Slurm job array. merge_parts.sh merges
# the parts. A job that runs out of time is requeued and resumes.
#
#   parts=$(sbatch --parsable --array=1-8 count_part.sh OUT.h5 8 TRAJ... [OPTIONS])
#   sbatch --dependency=afterok:$parts merge_parts.sh OUT.h5 8
#
# 8: the number of parts; pass it also when you resubmit a single part. OPTIONS: any options of
# `starhist rdf` except -o and --part. Part I is written to OUT.h5.part-I.h5.
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

# Limits memory to the job's share [MiB]. A quarter is left for everything except frames and counts.
memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_ON_NODE:-0}))} # 0: the node's memory
if ((memory > 0)) && [[ " $* " != *" --memory"* ]]; then
  set -- "$@" --memory "$(awk "BEGIN { print 0.75 * $memory / 1024 }")"
fi
# Slurm may not bind jobs to cores: pass the number of this job's cores.
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
