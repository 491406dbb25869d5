// filter/body: what is behind sluice::filter, filter_view and concurrent_filter: one class for each recipe, made where
// the parameters are known. Single operations go through a plain function pointer, which the owner keeps beside its
// hash, so that a call is one indirect jump to code that knows the shape; all others are virtual. Single operations on
// blocks with lanes go to the kernels of this processor.
//
//   filter_body   owns bytes and overflow            typed_body<Recipe>
//   view_body     looks at the caller's              typed_view<Recipe>
//   shared_body   owns bytes that threads share      typed_shared<Recipe>
//   part_body     works on a range of the blocks     typed_part<Recipe>
//
// Invariant: equal parameters give equal types, so that two bodies of equal parameters can be united.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <utility>

#include "bulk/sealed.hpp"
#include "bulk/singles.hpp"
#include "sluice/detail/block/sealed.hpp"
#include "sluice/detail/bulk/bulk.hpp"
#include "sluice/detail/lookup_call.hpp"
#include "sluice/detail/memory/storage.hpp"
#include "sluice/detail/outcomes.hpp"
#include "sluice/detail/overflow/exact_list.hpp"
#include "sluice/detail/placement/groups.hpp"
#include "sluice/detail/recipe/recipe.hpp"
#include "sluice/detail/recipe/statistics.hpp"
#include "sluice/detail/recipe/union.hpp"
#include "sluice/errors.hpp"
#include "sluice/parameters.hpp"

namespace sluice::detail {

/// What the kernel of single lookups reads of a filter with lanes; of any other nothing.
template <class Recipe, class Byte, bool HasKernels = bulk::has_kernels<Recipe>>
class lanes_of {};
template <class Recipe, class Byte>
class lanes_of<Recipe, Byte, true> {
public:
  [[nodiscard]] lookup_call call(const Recipe& recipe, const Byte* bytes) noexcept {
    filter_ = {bulk::shape_of_blocks(recipe), bytes};
    const bulk::single_set<Byte>& codes = bulk::best_singles<Byte>();
    return {(bulk::is_gated<Recipe> ? codes.look_up_gated : codes.look_up_blocked)(filter_.shape), &filter_};
  }
  /// Whether single insertions have code here: not those into static gates, which go by the placement.
  [[nodiscard]] bool prepare_insertions(const Recipe& recipe) noexcept {
    filter_.shape = bulk::shape_of_blocks(recipe);
    const bulk::single_set<Byte>& codes = bulk::best_singles<Byte>();
    insert_ = (bulk::is_gated<Recipe> ? codes.insert_gated : codes.insert_blocked)(filter_.shape);
    return !filter_.shape.static_gates;
  }
  [[nodiscard]] bool insert(Byte* bytes, digest x) const noexcept { return insert_(filter_.shape, bytes, x); }

private:
  bulk::lane_filter<Byte> filter_{};
  bulk::insert_one<Byte> insert_ = nullptr;
};

/// The same for a sealed filter: one at a time, and many.
template <class Recipe, bool IsSealed = std::same_as<typename Recipe::block_type, sealed_block>>
class sealed_of {};
template <class Recipe>
class sealed_of<Recipe, true> {
public:
  [[nodiscard]] lookup_call call(const Recipe& recipe, const std::byte* bytes, const sorted_list_view& list) noexcept {
    filter_ = {bytes, recipe.placement.groups(), recipe.placement.blocks(), list};
    code_ = &bulk::code_for(recipe.block.layout());
    return {code_->one, &filter_};
  }
  void look_up(const bulk::chunk& some, std::uint8_t* out) const noexcept { code_->many(filter_, some, out); }

private:
  bulk::sealed_filter filter_{};
  const bulk::sealed_code* code_ = nullptr;
};
template <class Recipe>
inline constexpr bool is_sealed_recipe = std::same_as<typename Recipe::block_type, sealed_block>;

class filter_body {
public:
  using insert_function = bool (*)(filter_body*, digest);

  explicit filter_body(parameters p) : params(std::move(p)) {}
  filter_body& operator=(const filter_body&) = delete;
  filter_body(filter_body&&) = delete;
  filter_body& operator=(filter_body&&) = delete;
  virtual ~filter_body() = default;

  /// Where single lookups go: good until this body is united with another.
  [[nodiscard]] virtual lookup_call look_up() noexcept = 0;
  /// Where single insertions go, just so.
  [[nodiscard]] virtual insert_function insert() noexcept = 0;
  [[nodiscard]] virtual lookup_outcome probe(digest x) const noexcept = 0;
  [[nodiscard]] virtual insert_outcome insert_and_count(digest x) = 0;
  virtual void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept = 0;
  /// How many were new; with 1 or 0 in `out` for each, unless it is null.
  [[nodiscard]] virtual std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out) = 0;
  /// Groups of blocks, such that a key writes to blocks of one of them and to nothing else: threads that insert keys of
  /// different groups do not meet. One group: there are none such.
  [[nodiscard]] virtual block_groups groups() const noexcept = 0;
  /// As insert_chunk, by one of several threads that insert keys of different groups; the caller counts.
  [[nodiscard]] virtual std::uint64_t insert_apart(const bulk::chunk& some, std::uint8_t* out) = 0;
  virtual void prefetch(digest x) const noexcept = 0;
  [[nodiscard]] virtual std::unique_ptr<filter_body> copy() const = 0;
  /// Precondition: the other's parameters, united, are these, united.
  virtual void merge(const filter_body& other) = 0;
  virtual void clear() noexcept = 0;
  [[nodiscard]] virtual statistics stats() const = 0;
  [[nodiscard]] virtual std::span<std::byte> bytes() noexcept = 0;
  [[nodiscard]] virtual std::span<const std::byte> bytes() const noexcept = 0;
  [[nodiscard]] virtual overflow_state overflowed() const noexcept = 0;
  virtual void set_overflow(const overflow_state& state) = 0;

  parameters params;
  std::uint64_t keys = 0;
  std::uint64_t planned_keys = 0;  // 0: not known
  double planned_fpr = 0;

protected:
  filter_body(const filter_body&) = default;
};

template <class Recipe>
class typed_body final : public filter_body {
public:
  typed_body(const Recipe& recipe, const parameters& p, std::pmr::memory_resource* memory)
      : filter_body(p), recipe_(recipe), bytes_(recipe.bytes(), memory), overflowed_(recipe.overflow_how) {}

  [[nodiscard]] lookup_call look_up() noexcept override {
    if constexpr (bulk::has_kernels<Recipe>) {
      return lanes_.call(recipe_, bytes_.data());
    } else if constexpr (is_sealed_recipe<Recipe>) {
      return sealed_.call(recipe_, bytes_.data(), overflowed_.view());
    } else {
      return {[](const void* body, digest x) noexcept {
                const auto& self = *static_cast<const typed_body*>(body);
                return self.recipe_.look_up(self.bytes_.data(), self.overflowed_.view(), x).found;
              },
              this};
    }
  }
  [[nodiscard]] insert_function insert() noexcept override {
    if constexpr (bulk::has_kernels<Recipe>) {
      if (lanes_.prepare_insertions(recipe_)) {
        return [](filter_body* body, digest x) {
          auto& self = static_cast<typed_body&>(*body);
          const bool was_new = self.lanes_.insert(self.bytes_.data(), x);
          self.keys += was_new ? 1 : 0;
          return was_new;
        };
      }
    }
    return [](filter_body* body, digest x) {
      auto& self = static_cast<typed_body&>(*body);
      const bool was_new = self.recipe_.insert(self.bytes_.data(), self.overflowed_, x).was_new;
      self.keys += was_new ? 1 : 0;
      return was_new;
    };
  }
  [[nodiscard]] lookup_outcome probe(digest x) const noexcept override {
    return recipe_.look_up(bytes_.data(), overflowed_.view(), x);
  }
  [[nodiscard]] insert_outcome insert_and_count(digest x) override {
    const insert_outcome outcome = recipe_.insert(bytes_.data(), overflowed_, x);
    keys += outcome.was_new ? 1 : 0;
    return outcome;
  }
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept override {
    if constexpr (is_sealed_recipe<Recipe>) {
      sealed_.look_up(some, out);
    } else {
      bulk::look_up_chunk(recipe_, bytes_.data(), overflowed_.view(), some, out);
    }
  }
  [[nodiscard]] std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out) override {
    if constexpr (std::same_as<typename Recipe::overflow_type, exact_list>) {
      return insert_until_refused(some, out);
    } else {
      const std::uint64_t fresh = insert_apart(some, out);
      keys += fresh;
      return fresh;
    }
  }
  [[nodiscard]] block_groups groups() const noexcept override {
    if constexpr (std::same_as<typename Recipe::overflow_type, no_overflow> &&
                  requires { recipe_.placement.groups(); }) {
      return recipe_.placement.groups();
    } else {
      return {1, 1};
    }
  }
  [[nodiscard]] std::uint64_t insert_apart(const bulk::chunk& some, std::uint8_t* out) override {
    return bulk::insert_chunk(recipe_, bytes_.data(), overflowed_, some, out);
  }
  void prefetch(digest x) const noexcept override { __builtin_prefetch(recipe_.first_line(bytes_.data(), x)); }

  [[nodiscard]] std::unique_ptr<filter_body> copy() const override { return std::make_unique<typed_body>(*this); }
  void merge(const filter_body& other) override {
    const auto& theirs = static_cast<const typed_body&>(other);
    keys = unite<Recipe>(recipe_, {bytes_.data(), overflowed_, keys},
                         {theirs.bytes_.data(), theirs.overflowed_, theirs.keys});
    params = united(params);
  }
  void clear() noexcept override {
    bytes_.clear();
    overflowed_.clear();
    keys = 0;
    note_overflow();
  }
  [[nodiscard]] statistics stats() const override {
    return statistics_of(recipe_, bytes_.data(), overflowed_.state(), keys);
  }
  [[nodiscard]] std::span<std::byte> bytes() noexcept override { return {bytes_.data(), bytes_.size()}; }
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept override { return {bytes_.data(), bytes_.size()}; }
  [[nodiscard]] overflow_state overflowed() const noexcept override { return overflowed_.state(); }
  void set_overflow(const overflow_state& state) override {
    overflowed_ = typename Recipe::overflow_type(recipe_.overflow_how, state);
    note_overflow();
  }

private:
  /// A list may be full half way, or get no memory: what came before is in the filter, and counts.
  [[nodiscard]] std::uint64_t insert_until_refused(const bulk::chunk& some, std::uint8_t* out) {
    std::array<std::uint8_t, bulk::chunk_keys> unwanted;
    if (out == nullptr) out = unwanted.data();
    std::fill_n(out, some.count, std::uint8_t{0});
    try {
      const std::uint64_t fresh = insert_apart(some, out);
      keys += fresh;
      return fresh;
    } catch (...) {
      keys += static_cast<std::uint64_t>(std::count(out, out + some.count, std::uint8_t{1}));
      throw;
    }
  }

  /// The code of sealed lookups has a view of the list.
  void note_overflow() noexcept {
    if constexpr (is_sealed_recipe<Recipe>) static_cast<void>(look_up());
  }

  Recipe recipe_;
  owned_bytes bytes_;
  [[no_unique_address]] typename Recipe::overflow_type overflowed_;
  [[no_unique_address]] lanes_of<Recipe, std::byte> lanes_;
  [[no_unique_address]] sealed_of<Recipe> sealed_;
};

class view_body {
public:
  view_body(parameters p, std::span<const std::byte> blocks, const overflow_state& state)
      : params(std::move(p)), bytes(blocks), overflowed(state) {}
  view_body(const view_body&) = delete;
  view_body& operator=(const view_body&) = delete;
  view_body(view_body&&) = delete;
  view_body& operator=(view_body&&) = delete;
  virtual ~view_body() = default;

  /// Where single lookups go.
  [[nodiscard]] virtual lookup_call look_up() noexcept = 0;
  virtual void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept = 0;
  [[nodiscard]] virtual statistics stats(std::uint64_t keys) const = 0;

  const parameters params;
  const std::span<const std::byte> bytes;
  const overflow_state overflowed;
};

template <class Recipe>
class typed_view final : public view_body {
public:
  typed_view(const Recipe& recipe, const parameters& p, std::span<const std::byte> blocks, const overflow_state& state)
      : view_body(p, blocks, state), recipe_(recipe), list_(state) {
    if (bytes.size() != recipe_.bytes()) {
      throw layout_error("a view needs exactly " + std::to_string(recipe_.bytes()) +
                         " bytes for these parameters, got " + std::to_string(bytes.size()));
    }
  }

  [[nodiscard]] lookup_call look_up() noexcept override {
    if constexpr (bulk::has_kernels<Recipe>) {
      return lanes_.call(recipe_, bytes.data());
    } else if constexpr (is_sealed_recipe<Recipe>) {
      return sealed_.call(recipe_, bytes.data(), list_);
    } else {
      return {[](const void* body, digest x) noexcept {
                const auto& self = *static_cast<const typed_view*>(body);
                return self.recipe_.look_up(self.bytes.data(), self.list_, x).found;
              },
              this};
    }
  }
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept override {
    if constexpr (is_sealed_recipe<Recipe>) {
      sealed_.look_up(some, out);
    } else {
      bulk::look_up_chunk(recipe_, bytes.data(), list_, some, out);
    }
  }
  [[nodiscard]] statistics stats(std::uint64_t keys) const override {
    return statistics_of(recipe_, bytes.data(), overflowed, keys);
  }

private:
  Recipe recipe_;
  [[no_unique_address]] typename Recipe::overflow_view_type list_;
  [[no_unique_address]] lanes_of<Recipe, std::byte> lanes_;
  [[no_unique_address]] sealed_of<Recipe> sealed_;
};

class shared_body {
public:
  using insert_function = bool (*)(shared_body*, digest) noexcept;

  explicit shared_body(parameters p) : params(std::move(p)) {}
  shared_body(const shared_body&) = delete;
  shared_body& operator=(const shared_body&) = delete;
  shared_body(shared_body&&) = delete;
  shared_body& operator=(shared_body&&) = delete;
  virtual ~shared_body() = default;

  /// Where single lookups go.
  [[nodiscard]] virtual lookup_call look_up() noexcept = 0;
  [[nodiscard]] virtual insert_function insert() noexcept = 0;
  virtual void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept = 0;
  /// How many were new; with 1 or 0 in `out` for each, unless it is null.
  [[nodiscard]] virtual std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept = 0;
  [[nodiscard]] virtual std::span<const shared_byte> bytes() const noexcept = 0;
  [[nodiscard]] virtual std::span<shared_byte> bytes() noexcept = 0;
  virtual void clear() noexcept = 0;

  const parameters params;
};

/// Nothing but bits that go from 0 to 1, and nothing beside the blocks.
template <class Recipe>
inline constexpr bool can_be_shared =
    Recipe::block_type::is_monotone && std::same_as<typename Recipe::overflow_type, no_overflow>;

template <class Recipe>
class typed_shared final : public shared_body {
public:
  typed_shared(const Recipe& recipe, const parameters& p, std::pmr::memory_resource* memory)
      : shared_body(p), recipe_(recipe), bytes_(recipe.bytes(), memory) {}

  [[nodiscard]] lookup_call look_up() noexcept override {
    if constexpr (bulk::has_kernels<Recipe>) {
      return lanes_.call(recipe_, shared());
    } else {
      return {[](const void* body, digest x) noexcept {
                const auto& self = *static_cast<const typed_shared*>(body);
                return self.recipe_.look_up(self.shared(), {}, x).found;
              },
              this};
    }
  }
  [[nodiscard]] insert_function insert() noexcept override {
    if constexpr (bulk::has_kernels<Recipe>) {
      if (lanes_.prepare_insertions(recipe_)) {
        return [](shared_body* body, digest x) noexcept {
          auto& self = static_cast<typed_shared&>(*body);
          return self.lanes_.insert(self.shared(), x);
        };
      }
    }
    return [](shared_body* body, digest x) noexcept {
      auto& self = static_cast<typed_shared&>(*body);
      no_overflow none({});
      return self.recipe_.insert(self.shared(), none, x).was_new;
    };
  }
  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept override {
    bulk::look_up_chunk(recipe_, shared(), {}, some, out);
  }
  [[nodiscard]] std::uint64_t insert_chunk(const bulk::chunk& some, std::uint8_t* out) noexcept override {
    no_overflow none({});
    return bulk::insert_chunk(recipe_, shared(), none, some, out);
  }
  [[nodiscard]] std::span<const shared_byte> bytes() const noexcept override { return {shared(), bytes_.size()}; }
  [[nodiscard]] std::span<shared_byte> bytes() noexcept override { return {shared(), bytes_.size()}; }
  void clear() noexcept override { bytes_.clear(); }

private:
  [[nodiscard]] shared_byte* shared() noexcept { return reinterpret_cast<shared_byte*>(bytes_.data()); }
  [[nodiscard]] const shared_byte* shared() const noexcept {
    return reinterpret_cast<const shared_byte*>(bytes_.data());
  }

  Recipe recipe_;
  owned_bytes bytes_;
  [[no_unique_address]] lanes_of<Recipe, shared_byte> lanes_;
};

/// Keys in some of the blocks of a filter (filter/part.hpp): `origin` is where its block 0 would lie. Precondition of
/// all: every block of every key is there.
class part_body {
public:
  part_body() = default;
  part_body(const part_body&) = delete;
  part_body& operator=(const part_body&) = delete;
  part_body(part_body&&) = delete;
  part_body& operator=(part_body&&) = delete;
  virtual ~part_body() = default;

  virtual void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept = 0;
  /// Throws parameter_error where the scheme takes no keys.
  [[nodiscard]] virtual std::uint64_t insert_chunk(const bulk::chunk& some) = 0;
};

template <class Recipe>
class typed_part final : public part_body {
public:
  typed_part(const Recipe& recipe, std::byte* origin, const overflow_state& overflowed)
      : recipe_(recipe), origin_(origin), list_(overflowed) {
    if constexpr (is_sealed_recipe<Recipe>) static_cast<void>(sealed_.call(recipe_, origin_, list_));
  }

  void look_up_chunk(const bulk::chunk& some, std::uint8_t* out) const noexcept override {
    if constexpr (is_sealed_recipe<Recipe>) {
      sealed_.look_up(some, out);
    } else {
      bulk::look_up_chunk(recipe_, origin_, list_, some, out);
    }
  }
  [[nodiscard]] std::uint64_t insert_chunk(const bulk::chunk& some) override {
    typename Recipe::overflow_type none(recipe_.overflow_how);  // what takes keys here has no list
    return bulk::insert_chunk(recipe_, origin_, none, some);
  }

private:
  Recipe recipe_;
  std::byte* origin_;
  [[no_unique_address]] typename Recipe::overflow_view_type list_;
  [[no_unique_address]] sealed_of<Recipe> sealed_;
};

/// Can filters of this scheme be cut into parts?
template <class Parameters>
inline constexpr bool has_parts = Parameters::which == scheme::blocked || traits_of(Parameters::which).may_share_a_page;

/// Makes bodies of recipes: what a family of schemes (src/filter/*.cpp) is called with. Precondition of all: the
/// parameters are normalised.
struct body_request {
  const parameters& params;
  std::pmr::memory_resource* memory;
};
struct view_request {
  const parameters& params;
  std::span<const std::byte> bytes;
  const overflow_state& overflowed;
};
struct shared_request {
  const parameters& params;
  std::pmr::memory_resource* memory;
};

struct part_request {
  const parameters& params;
  std::byte* origin;
  const overflow_state& overflowed;  ///< of the part; it is only looked at
};

template <class Recipe>
[[nodiscard]] std::unique_ptr<filter_body> body_of(const Recipe& recipe, const body_request& q) {
  return std::make_unique<typed_body<Recipe>>(recipe, q.params, q.memory);
}
template <class Recipe>
[[nodiscard]] std::unique_ptr<view_body> body_of(const Recipe& recipe, const view_request& q) {
  return std::make_unique<typed_view<Recipe>>(recipe, q.params, q.bytes, q.overflowed);
}
/// None, if threads cannot share such a filter.
template <class Recipe>
[[nodiscard]] std::unique_ptr<shared_body> body_of(const Recipe& recipe, const shared_request& q) {
  if constexpr (can_be_shared<Recipe>) {
    return std::make_unique<typed_shared<Recipe>>(recipe, q.params, q.memory);
  } else {
    return nullptr;
  }
}

template <class Recipe>
[[nodiscard]] std::unique_ptr<part_body> body_of(const Recipe& recipe, const part_request& q) {
  return std::make_unique<typed_part<Recipe>>(recipe, q.origin, q.overflowed);
}

template <class Request>
struct body_for;
template <>
struct body_for<body_request> {
  using type = std::unique_ptr<filter_body>;
};
template <>
struct body_for<view_request> {
  using type = std::unique_ptr<view_body>;
};
template <>
struct body_for<shared_request> {
  using type = std::unique_ptr<shared_body>;
};
template <>
struct body_for<part_request> {
  using type = std::unique_ptr<part_body>;
};
template <class Request>
using body_for_t = typename body_for<Request>::type;

// One overload for every scheme; each family of schemes defines and instantiates its own.
template <class Request>
[[nodiscard]] body_for_t<Request> make(const choice_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const classic_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const blocked_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const alpha_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const single_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const sequential_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const mht_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const bloom_g_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const gated_parameters& p, const Request& q);
template <class Request>
[[nodiscard]] body_for_t<Request> make(const sealed_parameters& p, const Request& q);

}  // namespace sluice::detail

/// Behind the definition of make for one scheme: all that is made of it.
#define SLUICE_MAKE_BODIES(parameters_type)                                                 \
  template sluice::detail::body_for_t<sluice::detail::body_request> sluice::detail::make(   \
      const sluice::parameters_type&, const sluice::detail::body_request&);                 \
  template sluice::detail::body_for_t<sluice::detail::view_request> sluice::detail::make(   \
      const sluice::parameters_type&, const sluice::detail::view_request&);                 \
  template sluice::detail::body_for_t<sluice::detail::shared_request> sluice::detail::make( \
      const sluice::parameters_type&, const sluice::detail::shared_request&)
/// The same of a scheme that has parts.
#define SLUICE_MAKE_PARTS(parameters_type)                                                \
  template sluice::detail::body_for_t<sluice::detail::part_request> sluice::detail::make( \
      const sluice::parameters_type&, const sluice::detail::part_request&)
