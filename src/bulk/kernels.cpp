// The bulk kernels, compiled once.
#include "sluice/bulk/dispatch.hpp"

template const sluice::bulk::kernel_set<std::byte>& sluice::bulk::best_kernels<std::byte>() noexcept;
template const sluice::bulk::kernel_set<sluice::shared_byte>&
sluice::bulk::best_kernels<sluice::shared_byte>() noexcept;
