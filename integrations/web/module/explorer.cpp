// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// explorer: the functions that the page calls. Requests come as doubles in the array request_at(), answers go as bytes
// in answer_at() (answer.hpp), of which every function returns the number. What is nonsense throws parameter_error,
// which ends the instance (runtime.cpp).
//
// Cost: plan some 40 models, chain the same for each link that is new, way_to up to twice as many, textbook a few,
// every other function one model or less.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include "answer.hpp"
#include "candidate.hpp"
#include "chain.hpp"
#include "making.hpp"
#include "picture.hpp"
#include "request.hpp"
#include "server.hpp"
#include "sluice/errors.hpp"
#include "sluice/extend/candidates.hpp"
#include "sluice/extend/names.hpp"
#include "sluice/plan.hpp"
#include "sluice/theory.hpp"
#include "textbook.hpp"

namespace sluice_web {
namespace {

std::array<double, fields.size()> request_values;
plan_request request;
std::vector<sluice::plan_candidate> candidates;  // of the last plan
std::optional<picture> drawn;
grown_chain grown;
answer result;

std::uint32_t size_of_answer() { return static_cast<std::uint32_t>(result.bytes().size()); }

const sluice::plan_candidate& candidate_at(std::uint32_t index) {
  if (index >= candidates.size()) throw sluice::parameter_error("there is no such candidate");
  return candidates[index];
}

/// A candidate at a multiple of its keys. Sealed filters and ledgers take no more than they were made for.
sluice::theory::prediction predict_at(const sluice::plan_candidate& c, double load) {
  const bool takes_more = !sluice::extend::is_sealed(c.params) && !sluice::extend::erases_keys(c.params);
  return sluice::extend::predict(c.params, std::fmax(1, c.keys * (takes_more ? load : std::fmin(load, 1))), request);
}

/// What the planner's designs are at so many bits a key: one for each of its families, and the sealed filter.
std::optional<sluice::plan_candidate> at_bits(std::uint32_t family, double bits_per_key, double keys) {
  const auto& all = sluice::extend::all_families;
  const bool of_all_keys = family >= std::size(all) || all[family] == sluice::extend::family::static_gated;
  if (family > std::size(all) || (of_all_keys && !request.all_keys_known)) return std::nullopt;
  if (family < std::size(all)) return sluice::extend::candidate_at(all[family], bits_per_key, keys, request);
  plan_request of_memory = request;
  of_memory.keys = keys;
  of_memory.fpr.reset();
  of_memory.memory_bits = bits_per_key * keys;
  return sluice::extend::sealed_candidate(of_memory, keys);
}

}  // namespace
}  // namespace sluice_web

using namespace sluice_web;

#define SLUICE_EXPORT(name) extern "C" [[clang::export_name(#name)]]

SLUICE_EXPORT(request_at) double* request_at() { return request_values.data(); }
SLUICE_EXPORT(answer_at) const char* answer_at() { return result.bytes().data(); }

/// The names of the request's fields in their order, with the library's own values; null where there is none.
SLUICE_EXPORT(usual_request) std::uint32_t usual_request() {
  result.clear();
  describe(result, plan_request{});
  return size_of_answer();
}

/// How a chain grows if nothing is said of it.
SLUICE_EXPORT(usual_growth) std::uint32_t usual_growth() {
  const sluice::growth usual;
  result.clear();
  result.open('{').put("first_keys", static_cast<double>(usual.first_keys)).put("factor", usual.factor).close('}');
  return size_of_answer();
}

/// The candidates of the request, ranked.
SLUICE_EXPORT(plan) std::uint32_t plan_request_at() {
  request = request_of(request_values);
  candidates = sluice::plan(request);
  result.clear();
  result.open('{').name("request");
  describe(result, request);
  result.name("candidates").open('[');
  for (const sluice::plan_candidate& c : candidates) describe(result, c);
  result.close(']').close('}');
  return size_of_answer();
}

/// Takes the request for rate_at_bits, without a plan.
SLUICE_EXPORT(consider) void consider() {
  request = request_of(request_values);
  candidates.clear();
}

/// What scheme number `family` of the planner, of which the last is the sealed filter, does with this many bits a key:
/// for the last request's keys, and its limits on time. Null where there is no design of it.
SLUICE_EXPORT(rate_at_bits) std::uint32_t rate_at_bits(std::uint32_t family, double bits_per_key) {
  if (!request.keys) throw sluice::parameter_error("a rate is that of some keys");
  const double keys = *request.keys;
  result.clear();
  if (const auto c = at_bits(family, bits_per_key, keys)) {
    result.open('{').put("scheme", sluice::extend::scheme_name(c->params)).put("design", c->design);
    result.put("bits", c->memory_bits_per_key).put("fpr", c->predicted.fpr_exact).close('}');
  } else {
    result.null();
  }
  return size_of_answer();
}
SLUICE_EXPORT(families) std::uint32_t families() { return std::size(sluice::extend::all_families) + 1; }

/// The fewest false positives that any structure with this many bits a key can have.
SLUICE_EXPORT(least_rate) double least_rate(double bits_per_key) { return std::exp2(-bits_per_key); }

/// The rate of a candidate at a multiple of its keys.
SLUICE_EXPORT(rate_at_load) double rate_at_load(std::uint32_t index, double load) {
  return predict_at(candidate_at(index), load).fpr_exact;
}

/// The law of the loads of a candidate's blocks at a multiple of its keys.
SLUICE_EXPORT(loads_of) std::uint32_t loads_of(std::uint32_t index, double load) {
  const sluice::theory::prediction predicted = predict_at(candidate_at(index), load);
  result.clear();
  result.open('{').put("unit", predicted.unit == sluice::load_unit::keys ? "keys" : "bits set");
  result.name("loads").numbers(predicted.loads).close('}');
  return size_of_answer();
}

/// The command that makes a candidate.
SLUICE_EXPORT(way_to_build) std::uint32_t way_to_candidate(std::uint32_t index) {
  const way_to_build way = way_to(candidate_at(index), index == 0, request);
  result.clear();
  describe(result, way);
  return size_of_answer();
}

/// What a server makes for these keys at this rate; of the scheme of a candidate, or of any where there is no such one.
SLUICE_EXPORT(server_filter)
std::uint32_t server_filter(double keys, double rate, std::uint32_t block_bits, std::uint32_t index) {
  std::optional<sluice::scheme> which;
  if (index < candidates.size()) which = sluice::scheme_of(candidates[index].params);
  result.clear();
  describe_server(result, keys, rate, block_bits, which);
  return size_of_answer();
}

/// The classic filter of the textbooks for the request; null where there is none.
SLUICE_EXPORT(textbook) std::uint32_t textbook() {
  result.clear();
  describe_textbook(result, request_of(request_values));
  return size_of_answer();
}

/// The chain that grows from so many keys, each link by a factor, when it holds the keys of the request at its rate.
SLUICE_EXPORT(chain) std::uint32_t chain(double first_keys, double factor) {
  const plan_request q = request_of(request_values);
  sluice::growth how{.fpr = q.fpr.value_or(0), .block_bits = q.block_bits, .erasable = q.erase};
  how.first_keys = whole("the number of keys of the first link", first_keys);
  how.factor = whole("the growth from link to link", factor);
  result.clear();
  grown.describe(result, how, q);
  return size_of_answer();
}

/// A new page of blocks for the picture: 0 blocked, 1 two-choice, 2 MHT, 3 gated.
SLUICE_EXPORT(picture_make) std::uint32_t picture_make(std::uint32_t which, double bits_per_key) {
  if (which >= std::size(picture::shown)) throw sluice::parameter_error("there is no such picture");
  drawn.emplace(picture::shown[which], bits_per_key);
  result.clear();
  result.open('{').name("params").open('{');
  describe_parameters(result, drawn->params());
  result.close('}').put("capacity", std::floor(picture_blocks * picture_block_bits / bits_per_key));
  drawn->with([&](auto& filter) {
    result.put("usable_bits", filter.usable_bits()).put_truth("counts_keys", filter.counts_keys()).name("state");
    filter.describe(result);
  });
  result.name("subtables");
  describe_subtables(result, drawn->params());
  result.close('}');
  return size_of_answer();
}

SLUICE_EXPORT(picture_insert) std::uint32_t picture_insert(std::uint32_t count) {
  if (!drawn || count > 100'000) throw sluice::parameter_error("the picture takes at most 100,000 keys at once");
  result.clear();
  drawn->with([&](auto& filter) { filter.insert(count, result); });
  return size_of_answer();
}

SLUICE_EXPORT(picture_look_up) std::uint32_t picture_look_up(std::uint32_t stored, std::uint32_t which) {
  if (!drawn) throw sluice::parameter_error("there is no picture");
  result.clear();
  drawn->with([&](auto& filter) { filter.look_up(stored != 0, which, result); });
  return size_of_answer();
}
