#!/bin/bash
# Counts one trajectory on many nodes under Slurm with MPI, in as many jobs as needed: a job that
# runs out of time saves its counts, is requeued and resumes.
#
#   sbatch [--nodes=16 --cpus-per-task=64 --gpus-per-node=4 ...] many_nodes.sh TRAJ... -o OUT.h5 [OPTIONS]
#   sbatch --nodes=16 --ntasks-per-node=4 --cpus-per-task=16 --gpus-per-task=1 many_nodes.sh TRAJ... -o OUT.h5
#
# The first command starts a rank per node, which uses all its cores and GPUs; the second a rank per
# GPU. Arguments: as for `starhist rdf`. All nodes must see the files under the same paths.
#SBATCH --job-name=starhist-mpi
#SBATCH --output=%x-%j.log
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task=8
#SBATCH --exclusive
#SBATCH --time=02:00:00
#SBATCH --signal=USR1@180
#SBATCH --requeue
#SBATCH --open-mode=append

# Limits memory to the job's share of each node [MiB], as in one_node.sh.
memory=${SLURM_MEM_PER_NODE:-$((${SLURM_MEM_PER_CPU:-0} * ${SLURM_CPUS_ON_NODE:-0}))} # 0: the node's memory
if ((memory > 0)) && [[ " $* " != *" --memory"* ]]; then
  set -- "$@" --memory "$(awk "BEGIN { print 0.75 * $memory / 1024 }")"
fi
# Interface between Slurm and starhist-mpi's MPI library; `srun --mpi=list` lists the available ones.
export SLURM_MPI_TYPE=${SLURM_MPI_TYPE:-pmix}
# Slurm sends USR1 to every rank. A failing rank ends all others, which would wait for it. The exit
# code is the highest of all ranks: 4 if they were stopped, 128 or more if one was killed.
srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --kill-on-bad-exit=1 \
  starhist-mpi rdf "$@" --resume
code=$?
if ((code == 4)); then # stopped by a signal
  scontrol requeue "$SLURM_JOB_ID"
fi
exit $code
