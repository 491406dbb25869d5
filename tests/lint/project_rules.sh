#!/usr/bin/env bash
# The project's own rules, as far as a script can see them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0
complain() { echo "lint: $*" >&2; failed=1; }

# Who may include whom: a layer uses only what is above it. The table is docs/architecture.md's.
#   layer (a file or folder under include/sluice) : what it may include, as a pattern
allowed() {
  case $1 in
    errors.hpp) echo '^$' ;;
    numbers.hpp) echo '^errors' ;;
    hash.hpp) echo '^$' ;;
    random_seed.hpp) echo '^errors' ;;
    target.hpp) echo '^$' ;;
    simd) echo '^(target|block/words|simd/)' ;;
    block) echo '^(errors|target|numbers|hash|simd/|block/)' ;;
    placement) echo '^(errors|numbers|hash|block/|placement/)' ;;
    overflow) echo '^(errors|hash|block/words|overflow/)' ;;
    parameters.hpp) echo '^(errors|numbers|hash|block/|placement/|overflow/)' ;;
    bulk) echo '^(errors|target|numbers|hash|simd/|block/|placement/|filter/recipe|bulk/)' ;;
    filter) echo '^(errors|numbers|hash|block/|placement/|overflow/|parameters|bulk/|filter/)' ;;
    builder) echo '^(errors|numbers|hash|block/|placement/|parameters|builder/)' ;;
    static_builder.hpp) echo '^(builder/|filter)' ;;
    growth.hpp) echo '^errors' ;;
    file) echo '^(errors|hash|block/words|overflow/|parameters|filter/|growth|file/)' ;;
    view.hpp | file.hpp) echo '^(errors|filter|file/|view)' ;;
    growing_filter.hpp) echo '^(errors|filter|growth|file|plan)' ;;
    keyed_filter.hpp) echo '^(errors|filter|growing_filter|file|view|plan/request)' ;;
    chained_table.hpp) echo '^(errors|numbers|hash|block/|placement/|theory/)' ;;
    choice_builder.hpp) echo '^(errors|hash|block/|placement/|parameters|builder/|filter)' ;;
    concurrent.hpp) echo '^filter' ;;
    filter.hpp | presets.hpp) echo '^(errors|numbers|hash|block/|placement/|overflow/|parameters|filter/)' ;;
    theory) echo '^(errors|numbers|hash|block/|placement/|overflow/|parameters|filter/|static_builder|theory/)' ;;
    plan | plan.hpp) echo '^(errors|numbers|hash|block/|placement/|overflow/|parameters|filter|theory/|plan/)' ;;
    sluice.hpp) echo '.' ;;
    *) echo "unknown" ;;
  esac
}
while IFS= read -r header; do
  layer=${header#include/sluice/}
  layer=${layer%%/*}
  pattern=$(allowed "$layer")
  [[ $pattern != unknown ]] || { complain "$header belongs to no layer; add it to docs/architecture.md and to this script"; continue; }
  while IFS= read -r included; do
    [[ $included =~ $pattern ]] || complain "$header includes $included, which is not above it"
  done < <(sed -n 's|^#include "sluice/\(.*\)".*|\1|p' "$header")
  head -1 "$header" | grep -q '^// ' || complain "$header does not open with what it is"
  grep -qE 'std::(cout|cerr)|printf|std::abort|std::exit|\bassert\(' "$header" && complain "$header prints or aborts"
  grep -q 'using namespace' "$header" && complain "$header has a using directive"
done < <(git ls-files --cached --others --exclude-standard 'include/sluice/*.hpp' 'include/sluice/*.inl')

while IFS= read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= 600)) || complain "$file has $lines lines; 600 is the limit"
done < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.inl' '*.cpp' '*.sh' dev)

entries=$(git ls-files --cached --others --exclude-standard | cut -d/ -f1 | sort -u | grep -vc '^\.')
((entries < 15)) || complain "the root has $entries entries; fewer than 15 keep it readable"

tests/mutants/run.sh --check >/dev/null || { tests/mutants/run.sh --check || true; failed=1; }
exit $failed
