#!/bin/bash
# Counts on one node under Slurm, in as many jobs as needed: a job that runs out of time saves its
# counts, is requeued and resumes.
#
#   sbatch [--time=08:00:00 --cpus-per-task=32 --mem=16G --gpus=1 ...] one_node.sh TRAJ... -o OUT.h5 [OPTIONS]
#
# Arguments: as for `starhist rdf`. Options of sbatch precede the script's name and override the
# lines below.
#SBATCH --job-name=starhist
#SBATCH --output=%x-%j.log
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=8
#SBATCH --time=02:00:00
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append

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

# Slurm sends USR1 to processes started by srun. Since version 22.05, srun needs the number of cores.
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" starhist rdf "$@" --resume
code=$?
if ((code == 4)); then # stopped by a signal
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
