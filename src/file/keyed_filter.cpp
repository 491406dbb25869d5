#include "sluice/keyed_filter.hpp"

#include <cmath>

#include "sluice/plan.hpp"

namespace sluice {

saved_as saved_as_planned(const plan_candidate& c, key_kind keys) {
  return {keys, static_cast<std::uint64_t>(std::llround(c.keys)), c.predicted.fpr_exact};
}

keyed_filter keyed_filter::load(const std::string& path) {
  const view v = view::map(path);
  v.verify();
  return keyed_filter(v.contents());
}

void keyed_filter::save(const std::string& path, file::existing how) const {
  file::replacement into(path);
  sluice::save(contents(), into, how);
}

file_contents keyed_filter::contents() const {
  if (const auto* const chain = std::get_if<growing_filter>(&form_)) return contents_of(*chain, what_.keys);
  return contents_of(std::get<filter>(form_), what_);
}

void keyed_filter::merge(const keyed_filter& other) {
  if (what_.keys != other.what_.keys) {
    throw merge_error("one has keys of kind " + std::string(name_of(what_.keys)) + ", the other " +
                      std::string(name_of(other.what_.keys)));
  }
  if (grows() != other.grows()) throw merge_error("one grows, the other does not");
  std::visit([&](auto& f) { f.merge(std::get<std::remove_reference_t<decltype(f)>>(other.form_)); }, form_);
}

std::uint64_t keyed_filter::seed() const noexcept {
  const auto* const chain = std::get_if<growing_filter>(&form_);
  return chain != nullptr ? chain->params().seed : seed_of(std::get<filter>(form_).params());
}

std::uint64_t keyed_filter::keys_inserted() const noexcept {
  return std::visit([](const auto& f) { return f.keys_inserted(); }, form_);
}

std::vector<statistics> keyed_filter::stats() const {
  if (const auto* const chain = std::get_if<growing_filter>(&form_)) return chain->stats();
  return {std::get<filter>(form_).stats()};
}

double keyed_filter::promise_of(const any_form& form) { return std::get<growing_filter>(form).params().fpr; }

keyed_filter keyed_filter::copy_of(const file_contents& contents) {
  if (contents.grows) return {growing_filter_of(contents), contents.keys};
  const stored_filter& one = contents.filters.front();
  return {filter_of(one), {contents.keys, one.planned_keys, one.planned_fpr}};
}

}  // namespace sluice
