# shellcheck shell=bash
# Completion of starhist's commands, options and their values in bash. Installed as
# share/bash-completion/completions/starhist; without bash-completion: `. starhist.bash`.
#
# The tables are written by scripts/checks/check_reference.py --write; the rest is not.

# >>> tables
_starhist_commands='rdf vanhove coordination info export analyze plot peaks compare report convert merge verify cadishi selftest calibrate bench compare-schedulers simulate help version'

# All options of the command $1.
_starhist_options() {
  case $1 in
    rdf) echo '--structure --altloc --group --unit --time-unit --box --allow-external --first --last --step --begin --end --every --repeated --part --skip-bad-frames --index --aliases --guess-elements --species --by --r-max --bins --bin-width --edges --r-min --centred --pairs --plane --open --volume --geometry --extent --axis2 --axis2-bins --axis2-max --all-pairs --exclude-same --only-same -o --output -f --force --block --blocks --json --memory --resume --checkpoint --explain -q --quiet --verbose --cpu-mode --clusters --labels --task-pairs --variant --trace -h --help' ;;
    vanhove) echo '--structure --altloc --group --unit --time-unit --box --allow-external --first --last --step --begin --end --every --repeated --part --skip-bad-frames --index --aliases --guess-elements --species --by --lags --lag-unit --every-origin --unwrapped --r-max --bins --bin-width --r-min --centred --pairs --open --all-pairs -o --output -f --force --block --blocks --json --memory --resume -q --quiet --verbose --cpu-mode --clusters --task-pairs --variant --trace -h --help' ;;
    coordination) echo '--structure --altloc --group --unit --time-unit --box --allow-external --first --last --step --begin --end --every --repeated --part --skip-bad-frames --index --aliases --guess-elements --species --by --cutoff --pairs --r-max --bins --bin-width --from --open --exclude-same --only-same --per-frame --per-particle -o --output -f --force --block --blocks --checkpoint --memory --resume -q --quiet -h --help' ;;
    info) echo '--group --structure --altloc --unit --time-unit --box --allow-external --all --species --index --aliases --guess-elements --out-unit --json --particles --frames -h --help' ;;
    export) echo '--unit --allow-external --quantity --like --rebin --smooth --per-block --temperature --normalization --errors --pairs --species --format --map --cadishi --arrays --out-unit -o --output -f --force -h --help' ;;
    analyze) echo '--unit --allow-external --quantity --pairs --errors --partials --form --weights --charges --element --debye --correction --table --experiment --experiment-unit --experiment-curve --experiment-range --fit-scale --tail --sub-volumes --q-min --q-max --q-step --at-q --q-damp --r-step --r-cut --window --format --out-unit -o --output -h --help' ;;
    plot) echo '-o --output --pairs --quantity --species --map --unit --out-unit --allow-external --peaks --panels --series --width --size --style --inset --label --rebin --curves --x-max --scale --dpi -h --help' ;;
    peaks) echo '--pairs --prominence --format --unit --out-unit --allow-external -o --output -h --help' ;;
    compare) echo '-o --output --pairs --column --format --unit --out-unit --allow-external --width --dpi -h --help' ;;
    report) echo '-o --output --run --title --normalization --unit --out-unit --allow-external --paths --program -h --help' ;;
    convert) echo '--structure --altloc --group --unit --time-unit --box --allow-external --first --last --step --begin --end --every --repeated --skip-bad-frames --species --index -o --output --edges -f --force --overwrite -h --help' ;;
    merge) echo '--unit --time-unit --allow-external -o --output -f --force --repeated -h --help' ;;
    verify) echo '--trajectory --structure --index --aliases --box --allow-external --blocks --time --seed --with --report -h --help' ;;
    cadishi) echo '-f --force --resume -q --quiet -h --help' ;;
    selftest) echo '--particles -h --help' ;;
    calibrate) echo '--bins --boxes --most-pairs --streams --again -q --quiet -h --help' ;;
    bench) echo '--particles --bins --boxes --variants --clusters --threads --repeat -h --help' ;;
    compare-schedulers) echo '--r-max --bins --program --schedulers --workers --repeat --calibration-runs --models --seed --gantt --timeout --keep -o --output -h --help' ;;
    simulate) echo '--structure --frames --particles --species --box --read-rate --r-max --bins --bin-width --pairs --block --trace --json --machine --scheduler --clusters --labels --task-pairs -h --help' ;;
    help) echo '-h --help' ;;
    version) echo '-h --help' ;;
  esac
}

# Kind of the value of option $2 of command $1; empty for a switch.
_starhist_values() {
  case "$1:$2" in
    *:--structure| verify:--box| *:--index| *:--aliases| rdf:-o| rdf:--output| vanhove:-o| vanhove:--output| \
      coordination:-o| coordination:--output| export:-o| export:--output| analyze:-o| analyze:--output| plot:-o| \
      plot:--output| peaks:-o| peaks:--output| compare:-o| compare:--output| report:-o| report:--output| convert:-o| \
      convert:--output| merge:-o| merge:--output| rdf:--json| vanhove:--json| simulate:--json| *:--trace| *:--from| \
      *:--experiment| *:--run| *:--program| *:--report) echo 'file' ;;
    *:--altloc) echo 'one first all A B' ;;
    *:--group| plot:--unit| peaks:--unit| compare:--unit| report:--unit| *:--first| *:--last| *:--step| *:--begin| \
      *:--end| *:--every| *:--part| *:--species| *:--r-max| *:--bins| *:--bin-width| rdf:--edges| *:--r-min| \
      *:--pairs| *:--open| *:--volume| *:--extent| *:--axis2-bins| *:--axis2-max| *:--block| rdf:--blocks| \
      vanhove:--blocks| coordination:--blocks| *:--memory| *:--checkpoint| *:--task-pairs| *:--lags| \
      *:--every-origin| *:--cutoff| plot:--out-unit| peaks:--out-unit| compare:--out-unit| report:--out-unit| \
      selftest:--particles| bench:--particles| simulate:--particles| simulate:--frames| *:--rebin| *:--smooth| \
      *:--temperature| *:--charges| *:--element| *:--experiment-curve| *:--experiment-range| *:--tail| \
      *:--sub-volumes| *:--q-min| *:--q-max| *:--q-step| *:--q-damp| *:--r-step| *:--r-cut| *:--width| *:--size| \
      *:--style| *:--inset| *:--label| *:--curves| *:--x-max| *:--dpi| *:--prominence| *:--column| *:--title| \
      *:--trajectory| *:--time| *:--seed| *:--most-pairs| *:--streams| *:--threads| *:--repeat| *:--schedulers| \
      *:--workers| *:--calibration-runs| *:--gantt| *:--timeout| *:--read-rate) echo 'any' ;;
    rdf:--unit| vanhove:--unit| coordination:--unit| info:--unit| export:--unit| analyze:--unit| convert:--unit| \
      merge:--unit) echo 'one nm A sigma' ;;
    *:--time-unit) echo 'one ps fs ns tau' ;;
    rdf:--box| vanhove:--box| coordination:--box| info:--box| convert:--box) echo 'one file none' ;;
    simulate:--box) echo 'one none' ;;
    rdf:--repeated| vanhove:--repeated| coordination:--repeated| convert:--repeated) echo 'one drop keep fail' ;;
    merge:--repeated) echo 'one fail keep' ;;
    *:--by) echo 'one name type element resname chain segment molecule all file' ;;
    convert:--edges) echo 'one matrix vector' ;;
    *:--plane) echo 'one xy xz yz' ;;
    *:--geometry) echo 'one slab cylinder' ;;
    *:--axis2) echo 'one cos(z) dz' ;;
    *:--exclude-same| *:--only-same) echo 'one molecule residue' ;;
    compare-schedulers:-o| compare-schedulers:--output| *:--models) echo 'folder' ;;
    verify:--blocks) echo 'one all' ;;
    *:--cpu-mode) echo 'one core team' ;;
    rdf:--clusters| vanhove:--clusters| simulate:--clusters| *:--labels) echo 'one auto on off' ;;
    *:--variant) echo 'list avx512 avx2 neon baseline tensor fixed-point definition' ;;
    *:--lag-unit) echo 'one frames time' ;;
    info:--out-unit| export:--out-unit| analyze:--out-unit) echo 'one A nm pm' ;;
    info:--frames) echo 'one first all' ;;
    export:--quantity) echo 'one g density pmf counts coordination axis2 axis2-counts self self-counts msd distribution mean per-frame per-particle' ;;
    analyze:--quantity) echo 'one sq xray neutron charge pdf s2 kirkwood-buff blocks legendre fqt fqt-self fqt-distinct' ;;
    plot:--quantity) echo 'one g self msd' ;;
    *:--like) echo 'one gmx mdanalysis vmd lammps freud cpptraj' ;;
    *:--normalization) echo 'one pairs-over-volume mean-volume per-frame' ;;
    export:--format| analyze:--format) echo 'one csv xvg json' ;;
    peaks:--format) echo 'one text csv json' ;;
    compare:--format) echo 'one text json' ;;
    *:--partials) echo 'one faber-ziman ashcroft-langreth bhatia-thornton' ;;
    *:--form) echo 'one g G GPDF D T RDF S i F' ;;
    *:--weights) echo 'one number xray neutron' ;;
    *:--correction) echo 'one none ganguly' ;;
    *:--experiment-unit) echo 'one A nm' ;;
    *:--at-q) echo 'list 20,30.5' ;;
    *:--window) echo 'one none lorch hann' ;;
    *:--scale) echo 'one log loglog guinier' ;;
    *:--with) echo 'one reference cpu gpu' ;;
    *:--boxes) echo 'list open cubic orthorhombic slab triclinic-near triclinic skewed' ;;
    *:--variants) echo 'list avx512 avx2 baseline' ;;
    *:--machine) echo 'list cpu:2 h100:1 h100:8 2xh100:8' ;;
    *:--scheduler) echo 'list eager lws dmda dmdas' ;;
  esac
}
# <<< tables

# Files and folders that begin with $1.
_starhist_files() {
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "${2:--f}" -- "$1")
}

# Those of the words $2 that begin with $1.
_starhist_words() {
  mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# The same for the last part of a list: "open,tri" -> "open,triclinic".
_starhist_list() {
  local before=
  [[ $1 != *,* ]] || before=${1%,*},
  compopt -o nospace 2>/dev/null
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$2" -- "${1##*,}")
}

_starhist() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} values
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _starhist_words "$word" "$_starhist_commands -h --help -V --version"
    return
  fi
  # bash takes --format=csv for three words.
  if [[ $word == '=' ]]; then
    word=
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  values=$(_starhist_values "$command" "$option")
  case $values in
    file) _starhist_files "$word" ;;
    folder) _starhist_files "$word" -d ;;
    one\ *) _starhist_words "$word" "${values#one }" ;;
    list\ *) _starhist_list "$word" "${values#list }" ;;
    any) ;;
    *)
      if [[ $word == -* ]]; then
        _starhist_words "$word" "$(_starhist_options "$command")"
      elif [[ $command == help ]]; then
        _starhist_words "$word" "$_starhist_commands"
      else
        _starhist_files "$word"
      fi
      ;;
  esac
}

complete -F _starhist starhist
