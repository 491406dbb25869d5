// A program that uses presets alone: sluice::headers, and nothing to link.
#include <sluice/presets.hpp>

int main() {
  sluice::blocked_512<8> f(10);
  f.insert(7);
  return f.may_contain(7) ? 0 : 1;
}
