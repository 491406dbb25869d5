// What a project that uses sluice looks like; built against it in three ways by run.sh.
#include <sluice/sluice.hpp>

int main() {
  sluice::filter f(sluice::blocked_parameters{.blocks = sluice::blocks_for(100, 16), .hashes = 9});
  f.insert("key");
  sluice::gated_512<11> g(10, {.threshold = 196});
  g.insert(7);
  return f.may_contain("key") && g.may_contain(7) ? 0 : 1;
}
