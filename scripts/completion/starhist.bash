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
  case "$1 $2" in
    'rdf --structure') echo 'file' ;;
    'rdf --altloc') echo 'one first all A B' ;;
    'rdf --group') echo 'any' ;;
    'rdf --unit') echo 'one nm A sigma' ;;
    'rdf --time-unit') echo 'one ps fs ns tau' ;;
    'rdf --box') echo 'one file none' ;;
    'rdf --first') echo 'any' ;;
    'rdf --last') echo 'any' ;;
    'rdf --step') echo 'any' ;;
    'rdf --begin') echo 'any' ;;
    'rdf --end') echo 'any' ;;
    'rdf --every') echo 'any' ;;
    'rdf --repeated') echo 'one drop keep fail' ;;
    'rdf --part') echo 'any' ;;
    'rdf --index') echo 'file' ;;
    'rdf --aliases') echo 'file' ;;
    'rdf --species') echo 'any' ;;
    'rdf --by') echo 'one name type element resname chain segment molecule all file' ;;
    'rdf --r-max') echo 'any' ;;
    'rdf --bins') echo 'any' ;;
    'rdf --bin-width') echo 'any' ;;
    'rdf --edges') echo 'any' ;;
    'rdf --r-min') echo 'any' ;;
    'rdf --pairs') echo 'any' ;;
    'rdf --plane') echo 'one xy xz yz' ;;
    'rdf --open') echo 'any' ;;
    'rdf --volume') echo 'any' ;;
    'rdf --geometry') echo 'one slab cylinder' ;;
    'rdf --extent') echo 'any' ;;
    'rdf --axis2') echo 'one cos(z) dz' ;;
    'rdf --axis2-bins') echo 'any' ;;
    'rdf --axis2-max') echo 'any' ;;
    'rdf --exclude-same') echo 'one molecule residue' ;;
    'rdf --only-same') echo 'one molecule residue' ;;
    'rdf -o' | 'rdf --output') echo 'file' ;;
    'rdf --block') echo 'any' ;;
    'rdf --blocks') echo 'any' ;;
    'rdf --json') echo 'file' ;;
    'rdf --memory') echo 'any' ;;
    'rdf --checkpoint') echo 'any' ;;
    'rdf --cpu-mode') echo 'one core team' ;;
    'rdf --clusters') echo 'one auto on off' ;;
    'rdf --labels') echo 'one auto on off' ;;
    'rdf --task-pairs') echo 'any' ;;
    'rdf --variant') echo 'list avx512 avx2 neon baseline tensor fixed-point definition' ;;
    'rdf --trace') echo 'file' ;;
    'vanhove --structure') echo 'file' ;;
    'vanhove --altloc') echo 'one first all A B' ;;
    'vanhove --group') echo 'any' ;;
    'vanhove --unit') echo 'one nm A sigma' ;;
    'vanhove --time-unit') echo 'one ps fs ns tau' ;;
    'vanhove --box') echo 'one file none' ;;
    'vanhove --first') echo 'any' ;;
    'vanhove --last') echo 'any' ;;
    'vanhove --step') echo 'any' ;;
    'vanhove --begin') echo 'any' ;;
    'vanhove --end') echo 'any' ;;
    'vanhove --every') echo 'any' ;;
    'vanhove --repeated') echo 'one drop keep fail' ;;
    'vanhove --part') echo 'any' ;;
    'vanhove --index') echo 'file' ;;
    'vanhove --aliases') echo 'file' ;;
    'vanhove --species') echo 'any' ;;
    'vanhove --by') echo 'one name type element resname chain segment molecule all file' ;;
    'vanhove --lags') echo 'any' ;;
    'vanhove --lag-unit') echo 'one frames time' ;;
    'vanhove --every-origin') echo 'any' ;;
    'vanhove --r-max') echo 'any' ;;
    'vanhove --bins') echo 'any' ;;
    'vanhove --bin-width') echo 'any' ;;
    'vanhove --r-min') echo 'any' ;;
    'vanhove --pairs') echo 'any' ;;
    'vanhove --open') echo 'any' ;;
    'vanhove -o' | 'vanhove --output') echo 'file' ;;
    'vanhove --block') echo 'any' ;;
    'vanhove --blocks') echo 'any' ;;
    'vanhove --json') echo 'file' ;;
    'vanhove --memory') echo 'any' ;;
    'vanhove --cpu-mode') echo 'one core team' ;;
    'vanhove --clusters') echo 'one auto on off' ;;
    'vanhove --task-pairs') echo 'any' ;;
    'vanhove --variant') echo 'list avx512 avx2 neon baseline tensor fixed-point definition' ;;
    'vanhove --trace') echo 'file' ;;
    'coordination --structure') echo 'file' ;;
    'coordination --altloc') echo 'one first all A B' ;;
    'coordination --group') echo 'any' ;;
    'coordination --unit') echo 'one nm A sigma' ;;
    'coordination --time-unit') echo 'one ps fs ns tau' ;;
    'coordination --box') echo 'one file none' ;;
    'coordination --first') echo 'any' ;;
    'coordination --last') echo 'any' ;;
    'coordination --step') echo 'any' ;;
    'coordination --begin') echo 'any' ;;
    'coordination --end') echo 'any' ;;
    'coordination --every') echo 'any' ;;
    'coordination --repeated') echo 'one drop keep fail' ;;
    'coordination --part') echo 'any' ;;
    'coordination --index') echo 'file' ;;
    'coordination --aliases') echo 'file' ;;
    'coordination --species') echo 'any' ;;
    'coordination --by') echo 'one name type element resname chain segment molecule all file' ;;
    'coordination --cutoff') echo 'any' ;;
    'coordination --pairs') echo 'any' ;;
    'coordination --r-max') echo 'any' ;;
    'coordination --bins') echo 'any' ;;
    'coordination --bin-width') echo 'any' ;;
    'coordination --from') echo 'file' ;;
    'coordination --open') echo 'any' ;;
    'coordination --exclude-same') echo 'one molecule residue' ;;
    'coordination --only-same') echo 'one molecule residue' ;;
    'coordination -o' | 'coordination --output') echo 'file' ;;
    'coordination --block') echo 'any' ;;
    'coordination --blocks') echo 'any' ;;
    'coordination --checkpoint') echo 'any' ;;
    'coordination --memory') echo 'any' ;;
    'info --group') echo 'any' ;;
    'info --structure') echo 'file' ;;
    'info --altloc') echo 'one first all A B' ;;
    'info --unit') echo 'one nm A sigma' ;;
    'info --time-unit') echo 'one ps fs ns tau' ;;
    'info --box') echo 'one file none' ;;
    'info --species') echo 'any' ;;
    'info --index') echo 'file' ;;
    'info --aliases') echo 'file' ;;
    'info --out-unit') echo 'one A nm pm' ;;
    'info --frames') echo 'one first all' ;;
    'export --unit') echo 'one nm A sigma' ;;
    'export --quantity') echo 'one g density pmf counts coordination axis2 axis2-counts self self-counts msd distribution mean per-frame per-particle' ;;
    'export --like') echo 'one gmx mdanalysis vmd lammps freud cpptraj' ;;
    'export --rebin') echo 'any' ;;
    'export --smooth') echo 'any' ;;
    'export --temperature') echo 'any' ;;
    'export --normalization') echo 'one pairs-over-volume mean-volume per-frame' ;;
    'export --pairs') echo 'any' ;;
    'export --species') echo 'any' ;;
    'export --format') echo 'one csv xvg json' ;;
    'export --out-unit') echo 'one A nm pm' ;;
    'export -o' | 'export --output') echo 'file' ;;
    'analyze --unit') echo 'one nm A sigma' ;;
    'analyze --quantity') echo 'one sq xray neutron charge pdf s2 kirkwood-buff blocks legendre fqt fqt-self fqt-distinct' ;;
    'analyze --pairs') echo 'any' ;;
    'analyze --partials') echo 'one faber-ziman ashcroft-langreth bhatia-thornton' ;;
    'analyze --form') echo 'one g G GPDF D T RDF S i F' ;;
    'analyze --weights') echo 'one number xray neutron' ;;
    'analyze --charges') echo 'any' ;;
    'analyze --element') echo 'any' ;;
    'analyze --correction') echo 'one none ganguly' ;;
    'analyze --experiment') echo 'file' ;;
    'analyze --experiment-unit') echo 'one A nm' ;;
    'analyze --experiment-curve') echo 'any' ;;
    'analyze --experiment-range') echo 'any' ;;
    'analyze --tail') echo 'any' ;;
    'analyze --sub-volumes') echo 'any' ;;
    'analyze --q-min') echo 'any' ;;
    'analyze --q-max') echo 'any' ;;
    'analyze --q-step') echo 'any' ;;
    'analyze --at-q') echo 'list 20,30.5' ;;
    'analyze --q-damp') echo 'any' ;;
    'analyze --r-step') echo 'any' ;;
    'analyze --r-cut') echo 'any' ;;
    'analyze --window') echo 'one none lorch hann' ;;
    'analyze --format') echo 'one csv xvg json' ;;
    'analyze --out-unit') echo 'one A nm pm' ;;
    'analyze -o' | 'analyze --output') echo 'file' ;;
    'plot -o' | 'plot --output') echo 'file' ;;
    'plot --pairs') echo 'any' ;;
    'plot --quantity') echo 'one g self msd' ;;
    'plot --species') echo 'any' ;;
    'plot --unit') echo 'any' ;;
    'plot --out-unit') echo 'any' ;;
    'plot --width') echo 'any' ;;
    'plot --size') echo 'any' ;;
    'plot --style') echo 'any' ;;
    'plot --inset') echo 'any' ;;
    'plot --label') echo 'any' ;;
    'plot --rebin') echo 'any' ;;
    'plot --curves') echo 'any' ;;
    'plot --x-max') echo 'any' ;;
    'plot --scale') echo 'one log loglog guinier' ;;
    'plot --dpi') echo 'any' ;;
    'peaks --pairs') echo 'any' ;;
    'peaks --prominence') echo 'any' ;;
    'peaks --format') echo 'one text csv json' ;;
    'peaks --unit') echo 'any' ;;
    'peaks --out-unit') echo 'any' ;;
    'peaks -o' | 'peaks --output') echo 'file' ;;
    'compare -o' | 'compare --output') echo 'file' ;;
    'compare --pairs') echo 'any' ;;
    'compare --column') echo 'any' ;;
    'compare --format') echo 'one text json' ;;
    'compare --unit') echo 'any' ;;
    'compare --out-unit') echo 'any' ;;
    'compare --width') echo 'any' ;;
    'compare --dpi') echo 'any' ;;
    'report -o' | 'report --output') echo 'file' ;;
    'report --run') echo 'file' ;;
    'report --title') echo 'any' ;;
    'report --normalization') echo 'one pairs-over-volume mean-volume per-frame' ;;
    'report --unit') echo 'any' ;;
    'report --out-unit') echo 'any' ;;
    'report --program') echo 'file' ;;
    'convert --structure') echo 'file' ;;
    'convert --altloc') echo 'one first all A B' ;;
    'convert --group') echo 'any' ;;
    'convert --unit') echo 'one nm A sigma' ;;
    'convert --time-unit') echo 'one ps fs ns tau' ;;
    'convert --box') echo 'one file none' ;;
    'convert --first') echo 'any' ;;
    'convert --last') echo 'any' ;;
    'convert --step') echo 'any' ;;
    'convert --begin') echo 'any' ;;
    'convert --end') echo 'any' ;;
    'convert --every') echo 'any' ;;
    'convert --repeated') echo 'one drop keep fail' ;;
    'convert --species') echo 'any' ;;
    'convert --index') echo 'file' ;;
    'convert -o' | 'convert --output') echo 'file' ;;
    'convert --edges') echo 'one matrix vector' ;;
    'merge --unit') echo 'one nm A sigma' ;;
    'merge --time-unit') echo 'one ps fs ns tau' ;;
    'merge -o' | 'merge --output') echo 'file' ;;
    'merge --repeated') echo 'one fail keep' ;;
    'verify --trajectory') echo 'any' ;;
    'verify --structure') echo 'file' ;;
    'verify --index') echo 'file' ;;
    'verify --aliases') echo 'file' ;;
    'verify --box') echo 'file' ;;
    'verify --blocks') echo 'one all' ;;
    'verify --time') echo 'any' ;;
    'verify --seed') echo 'any' ;;
    'verify --with') echo 'one reference cpu gpu' ;;
    'verify --report') echo 'file' ;;
    'selftest --particles') echo 'any' ;;
    'calibrate --bins') echo 'any' ;;
    'calibrate --boxes') echo 'list open cubic orthorhombic slab triclinic-near triclinic' ;;
    'calibrate --most-pairs') echo 'any' ;;
    'calibrate --streams') echo 'any' ;;
    'bench --particles') echo 'any' ;;
    'bench --bins') echo 'any' ;;
    'bench --boxes') echo 'list open cubic orthorhombic slab triclinic-near triclinic' ;;
    'bench --variants') echo 'list avx512 avx2 baseline' ;;
    'bench --threads') echo 'any' ;;
    'bench --repeat') echo 'any' ;;
    'compare-schedulers --r-max') echo 'any' ;;
    'compare-schedulers --bins') echo 'any' ;;
    'compare-schedulers --program') echo 'file' ;;
    'compare-schedulers --schedulers') echo 'any' ;;
    'compare-schedulers --workers') echo 'any' ;;
    'compare-schedulers --repeat') echo 'any' ;;
    'compare-schedulers --calibration-runs') echo 'any' ;;
    'compare-schedulers --models') echo 'folder' ;;
    'compare-schedulers --seed') echo 'any' ;;
    'compare-schedulers --gantt') echo 'any' ;;
    'compare-schedulers --timeout') echo 'any' ;;
    'compare-schedulers -o' | 'compare-schedulers --output') echo 'folder' ;;
    'simulate --structure') echo 'file' ;;
    'simulate --frames') echo 'any' ;;
    'simulate --particles') echo 'any' ;;
    'simulate --species') echo 'any' ;;
    'simulate --box') echo 'one none' ;;
    'simulate --read-rate') echo 'any' ;;
    'simulate --r-max') echo 'any' ;;
    'simulate --bins') echo 'any' ;;
    'simulate --bin-width') echo 'any' ;;
    'simulate --pairs') echo 'any' ;;
    'simulate --block') echo 'any' ;;
    'simulate --trace') echo 'file' ;;
    'simulate --json') echo 'file' ;;
    'simulate --machine') echo 'list cpu:2 h100:1 h100:8 2xh100:8' ;;
    'simulate --scheduler') echo 'list eager lws dmda dmdas' ;;
    'simulate --clusters') echo 'one auto on off' ;;
    'simulate --labels') echo 'one auto on off' ;;
    'simulate --task-pairs') echo 'any' ;;
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
