#!/usr/bin/env bash
# The project's own rules, as far as a script can see them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
failed=0
complain() { echo "lint: $*" >&2; failed=1; }

# Who may include whom: a layer uses only what is above it. The table is docs/architecture.md's.
#   layer (a file or folder under include/sluice, or src/ and its folder) : what it may include, as a pattern
allowed() {
  case $1 in
    errors.hpp | hash.hpp | target.hpp) echo '^$' ;;
    numbers.hpp) echo '^sluice/errors' ;;
    random_seed.hpp) echo '^sluice/(errors|hash)' ;;
    detail) echo '^sluice/(errors|numbers|block/|parameters|placement/)' ;;
    parameters.hpp | statistics.hpp) echo '^sluice/(errors|detail/choices)' ;;
    simd) echo '^sluice/(target|block/words|simd/)' ;;
    block) echo '^sluice/(errors|target|numbers|hash|detail/choices|simd/|block/)' ;;
    placement) echo '^sluice/(errors|numbers|hash|block/|placement/)' ;;
    overflow) echo '^sluice/(errors|hash|detail/choices|block/words|overflow/)' ;;
    bulk) echo '^sluice/(errors|target|numbers|hash|simd/|block/|placement/|filter/recipe|bulk/)' ;;
    filter) echo '^sluice/(errors|numbers|hash|detail/|block/|placement/|overflow/|parameters|statistics|bulk/|filter)' ;;
    filter.hpp) echo '^sluice/(errors|hash|overflow/|parameters|statistics|bulk/(answers|chunks)|filter/outcomes)' ;;
    presets.hpp) echo '^sluice/(errors|numbers|hash|block/|placement/|overflow/|parameters|filter/)' ;;
    concurrent.hpp) echo '^sluice/filter' ;;
    builder) echo '^sluice/(errors|hash)' ;;
    builders.hpp) echo '^sluice/(builder/|filter)' ;;
    growth.hpp) echo '^sluice/errors' ;;
    file) echo '^sluice/(errors|hash|overflow/|parameters|growth|file/)' ;;
    view.hpp | file.hpp) echo '^sluice/(errors|filter|file/|view)' ;;
    growing_filter.hpp) echo '^sluice/(errors|filter|growth|file)' ;;
    keyed_filter.hpp) echo '^sluice/(errors|filter|growing_filter|file)' ;;
    theory.hpp) echo '^sluice/(errors|detail/|parameters)' ;;
    plan.hpp) echo '^sluice/(parameters|theory)' ;;
    chained_table.hpp) echo '^sluice/(errors|numbers|hash|block/|placement/|detail/subtables)' ;;
    sluice.hpp) echo '.' ;;
    # The body: each folder may use the face, and the folders of the body that are named.
    src/filter) echo '^(sluice/|filter/)' ;;
    src/bulk) echo '^sluice/bulk/' ;;
    src/file) echo '^(sluice/|file/)' ;;
    src/builder) echo '^(sluice/|builder/)' ;;
    src/theory) echo '^(sluice/|theory/)' ;;
    src/plan) echo '^(sluice/|theory/|plan/)' ;;
    *) echo "unknown" ;;
  esac
}
while IFS= read -r header; do
  layer=${header#include/sluice/}
  if [[ $header == src/* ]]; then layer=${header%/*}; else layer=${layer%%/*}; fi
  pattern=$(allowed "$layer")
  [[ $pattern != unknown ]] || { complain "$header belongs to no layer; add it to docs/architecture.md and to this script"; continue; }
  while IFS= read -r included; do
    [[ $included =~ $pattern ]] || complain "$header includes $included, which is not above it"
  done < <(sed -n 's|^#include "\(.*\)".*|\1|p' "$header")
  [[ $header == *.cpp ]] || head -1 "$header" | grep -q '^// ' || complain "$header does not open with what it is"
  grep -qE 'std::(cout|cerr)|printf|std::abort|std::exit|\bassert\(' "$header" && complain "$header prints or aborts"
  grep -q 'using namespace' "$header" && complain "$header has a using directive"
done < <(git ls-files --cached --others --exclude-standard 'include/sluice/*.hpp' 'include/sluice/*.inl' 'src/*.hpp' 'src/*.cpp')

while IFS= read -r file; do
  lines=$(wc -l <"$file")
  ((lines <= 600)) || complain "$file has $lines lines; 600 is the limit"
done < <(git ls-files --cached --others --exclude-standard '*.hpp' '*.inl' '*.cpp' '*.sh' dev)

entries=$(git ls-files --cached --others --exclude-standard | cut -d/ -f1 | sort -u | grep -vc '^\.')
((entries < 15)) || complain "the root has $entries entries; fewer than 15 keep it readable"

tests/mutants/run.sh --check >/dev/null || { tests/mutants/run.sh --check || true; failed=1; }
exit $failed
