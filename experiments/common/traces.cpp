// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
#include "common/traces.hpp"

#include <sha2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <unordered_set>

#include "keys/byte_source.hpp"
#include "keys/capture.hpp"
#include "sluice/errors.hpp"

namespace experiments {
namespace {

constexpr std::size_t enough = 60'000;  // keys; no figure needs more

/// Keeps what is new.
class distinct {
public:
  explicit distinct(std::vector<std::string>& keys) : keys_(keys) {}
  void take(std::string_view key) {
    if (keys_.size() < enough && seen_.emplace(key).second) keys_.emplace_back(key);
  }

private:
  std::vector<std::string>& keys_;
  std::unordered_set<std::string> seen_;
};

std::string short_name(const std::filesystem::path& file) {
  std::string name = file.filename().string();
  return name.substr(0, name.find('.'));
}

std::string checksum_of(const std::filesystem::path& file) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> text{};
  if (SHA256File(file.c_str(), text.data()) == nullptr) throw sluice::error(file.string() + " cannot be read");
  return text.data();
}

/// What a manifest says of a file, beside its checksum.
std::string origin_of(const std::filesystem::path& file, const std::string& manifest) {
  const std::string sum = checksum_of(file);
  const std::filesystem::path known =
      manifest.empty() ? file.parent_path() / "traces.json" : std::filesystem::path(manifest);
  std::ifstream in(known);
  if (!in && !manifest.empty()) throw sluice::error(manifest + " cannot be read");
  if (!in) return "no manifest says where it is from; SHA-256 " + sum;
  try {
    for (const auto& entry : nlohmann::json::parse(in)) {
      if (entry.at("file").get<std::string>() != file.filename().string()) continue;
      const auto text = [&](const char* field) { return entry.at(field).get<std::string>(); };
      if (text("sha256") != sum) {
        throw sluice::error(file.string() + " is not the file that " + known.string() + " describes: its SHA-256 is " +
                            sum);
      }
      return text("name") + "; source: " + text("source") + "; date: " + text("date") +
             "; licence: " + text("licence") + "; SHA-256 " + sum;
    }
  } catch (const nlohmann::json::exception& e) {
    throw sluice::error(known.string() + " is no list of captures: " + e.what());
  }
  return known.string() + " does not describe it; SHA-256 " + sum;
}

trace from_capture(const std::filesystem::path& file) {
  trace t{short_name(file), "different packets", {}, {}};
  distinct keys(t.keys);
  t.warning = sluice_keys::read_capture(file.string(), sluice_keys::capture_key::packet, [&](std::string_view key) {
                keys.take(key);
              }).warning;
  return t;
}

/// 13-byte records.
trace from_flows(const std::filesystem::path& file) {
  constexpr std::size_t record = 13;
  trace t{short_name(file), "different flows", {}, {}};
  distinct keys(t.keys);
  sluice_keys::byte_source in(file.string());
  char bytes[record];
  std::size_t have = 0;
  try {
    while (const std::size_t some = in.read(bytes + have, record - have)) {
      have += some;
      if (have < record) continue;
      keys.take(std::string_view(bytes, record));
      have = 0;
    }
    if (have != 0) t.warning = file.string() + " ends in the middle of a record";
  } catch (const sluice::error& e) {
    t.warning = e.what();
  }
  return t;
}

/// Flows whose sizes have a heavy tail, packets of many flows mixed.
trace synthetic(std::uint64_t seed) {
  trace t{"synthetic", "a synthetic heavy-tailed trace, made because no capture was given", {}, {}, {}, true};
  distinct keys(t.keys);
  std::mt19937_64 random(seed);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> flows;  // identity and packets so far
  while (t.keys.size() < enough) {
    if (flows.size() < 1000 || random() % 8 == 0) flows.emplace_back(random(), 0);
    const double u = static_cast<double>(random() >> 11) * 0x1.0p-53;
    const auto pick = static_cast<std::size_t>(static_cast<double>(flows.size()) * std::pow(u, 3));
    auto& [flow, packets] = flows[std::min(pick, flows.size() - 1)];
    char key[12];
    std::memcpy(key, &flow, 8);
    ++packets;
    std::memcpy(key + 8, &packets, 4);
    keys.take(std::string_view(key, sizeof key));
  }
  return t;
}

}  // namespace

std::vector<trace> find_traces(const std::vector<std::string>& named, const std::string& manifest, std::uint64_t seed) {
  std::vector<trace> traces;
  for (const std::string& file : named) {
    traces.push_back(from_capture(file));
    traces.back().origin = origin_of(file, manifest);
    if (traces.back().keys.empty()) throw sluice::error(file + " has no packets");
  }
  if (!named.empty()) return traces;
  // Which environment the program has is not changed by any thread of it.
  const char* const data = std::getenv("SLUICE_DATA");  // NOLINT(concurrency-mt-unsafe)
  if (data != nullptr) {
    std::error_code none;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(data, none)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      const std::string name = file.filename().string();
      const bool capture = name.find(".pcap") != std::string::npos;
      const bool flows = name.find("5tuples.bin") != std::string::npos;
      if (!capture && !flows) continue;
      traces.push_back(capture ? from_capture(file) : from_flows(file));
      traces.back().origin = origin_of(file, manifest);
    }
    std::erase_if(traces, [](const trace& t) { return t.keys.size() < 7'000; });
  }
  if (traces.empty()) traces.push_back(synthetic(seed));
  return traces;
}

}  // namespace experiments
