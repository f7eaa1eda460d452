#!/bin/bash
# Counts on one node under Slurm, in as many jobs as it takes: a job that runs out of time keeps
# what is counted, goes back into the queue and goes on from there.
#
#   sbatch [--time=08:00:00 --cpus-per-task=32 --mem=16G --gpus=1 ...] one_node.sh TRAJ... -o OUT.h5 [OPTIONS]
#
# Arguments are those of `starhist rdf`. Options of sbatch stand before the script; they win over
# these lines.
#SBATCH --job-name=starhist
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=02:00:00
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append

# The bound is the job's memory [MiB], not the machine's. A quarter is for all but frames and counts.
if [[ -n $SLURM_MEM_PER_NODE && " $* " != *" --memory"* ]]; then
  set -- "$@" --memory "$(awk "BEGIN { print 0.75 * $SLURM_MEM_PER_NODE / 1024 }")"
fi
# Where Slurm leaves all cores of the node to each job, starhist is told how many are this job's.
if (($(nproc) > SLURM_CPUS_ON_NODE)); then
  export STARPU_WORKERS_NOBIND=1
  export STARPU_NCPU=${STARPU_NCPU:-$((SLURM_CPUS_ON_NODE - ${SLURM_GPUS_ON_NODE:-0}))}
fi

# Slurm sends USR1 to what srun has started. Since version 22.05 srun has to be told the cores.
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" starhist rdf "$@" --resume
code=$?
if ((code == 4)); then # stopped by a signal
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
