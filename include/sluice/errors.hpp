// Errors: every failure the library can report is one of these types, and every message is a sentence that says what
// was wrong and what would be right. The library never prints, asserts or aborts.
#pragma once

#include <stdexcept>
#include <string>

namespace sluice {

/// The base of all sluice errors: catch this one to catch them all.
class error : public std::runtime_error {
public:
  explicit error(const std::string& sentence) : std::runtime_error(sentence) {}
};

/// Parameters that describe no filter: a zero, a range violated, a product that does not fit in 64 bits.
class parameter_error : public error {
  using error::error;
};

/// Two filters that cannot be united: different schemes, parameters or seeds.
class merge_error : public error {
  using error::error;
};

/// Bytes handed to a view that cannot be the filter that its parameters describe.
class layout_error : public error {
  using error::error;
};

/// Keys that a filter cannot take: of another kind than its own (bytes where it has integers, or the other way round), or chosen so that
/// they would make its exact list slow.
class key_error : public error {
  using error::error;
};

/// A file that cannot be read or written, or bytes that are no filter: the sentence names the file, the place and the reason.
class file_error : public error {
  using error::error;
};

/// Random bytes that the system would not give.
class random_error : public error {
  using error::error;
};

/// Memory that the system would not give.
class memory_error : public error {
  using error::error;
};

}  // namespace sluice
