// SPDX-FileCopyrightText: 2026 The sluice project
// SPDX-License-Identifier: Apache-2.0
// K-mers of FASTA and FASTQ files, against a plain reading; and what is neither.
#include "keys/kmers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/read_keys.hpp"

namespace {

using sluice_keys::input_format;
using sluice_keys::key_input;
using testing_support::key_file;
using testing_support::read_slowly;
using testing_support::read_text;
using testing_support::refusal;
using testing_support::texts;
using testing_support::what_was_read;

input_format kmers(std::size_t k, bool canonical = false) {
  return {.made = {.what = input_format::shape::kmers, .width = k, .canonical = canonical}};
}

std::string reverse_complement(std::string text) {
  std::reverse(text.begin(), text.end());
  for (char& c : text) c = c == 'A' ? 'T' : c == 'C' ? 'G' : c == 'G' ? 'C' : 'A';
  return text;
}

/// By the plainest of means; `skipped` counts the others.
texts plainly(const std::string& sequence, std::size_t k, bool canonical, std::uint64_t& skipped) {
  texts keys;
  for (std::size_t i = 0; i + k <= sequence.size(); ++i) {
    std::string key = sequence.substr(i, k);
    for (char& c : key) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (key.find_first_not_of("ACGT") != std::string::npos) {
      ++skipped;
    } else {
      keys.push_back(canonical ? std::min(key, reverse_complement(key)) : key);
    }
  }
  return keys;
}

TEST(kmers, of_fasta) {
  const what_was_read all = read_text(">one a name\nACG\nTa\r\n\n>two\nGGGN\n>three\nAC", kmers(3));
  EXPECT_EQ(all.keys, (texts{"ACG", "CGT", "GTA", "GGG"})) << "lines go on, sequences do not";
  EXPECT_EQ(all.summary.other_letters, 1U);
  EXPECT_TRUE(all.records.empty()) << "they are printed as lines";
  EXPECT_EQ(read_text(">x\nACGTN\n", kmers(1)).keys, (texts{"A", "C", "G", "T"}));
  EXPECT_EQ(read_text("\n>x\nAC\rGT\n", kmers(2)).keys, (texts{"AC", "GT"})) << "a stray carriage return is no letter";
  EXPECT_TRUE(read_text("", kmers(3)).keys.empty());
  EXPECT_TRUE(read_text(">only a name", kmers(3)).keys.empty());
  EXPECT_EQ(read_text(">a\nACUGT\n", kmers(2)).summary.other_letters, 2U);
}

TEST(kmers, of_fastq) {
  const what_was_read all = read_text("@one\nACGT\n+one\n@@@@\r\n\n@two\r\nnGGG\r\n+\r\n>IIN", kmers(3));
  EXPECT_EQ(all.keys, (texts{"ACG", "CGT", "GGG"}));
  EXPECT_EQ(all.summary.other_letters, 1U);
  EXPECT_EQ(read_text("@empty\n\n+\n\n@x\nACG\n+\nIII\n", kmers(3)).keys, (texts{"ACG"}));
}

TEST(kmers, canonical_ones) {
  EXPECT_EQ(read_text(">x\nGGGTTT\n", kmers(3, true)).keys, (texts{"CCC", "ACC", "AAC", "AAA"}));
  EXPECT_EQ(read_text(">x\nACGT\n", kmers(4, true)).keys, (texts{"ACGT"})) << "its own reverse complement";
}

// Both files say the same, however long the lines are and however the bytes come; batches overlap.
TEST(kmers, against_a_plain_reading) {
  std::mt19937 random(1);
  for (const std::size_t k : {1U, 5U, 31U, 1024U}) {
    for (const bool canonical : {false, true}) {
      std::string fasta;
      std::string fastq;
      texts expected;
      std::uint64_t skipped = 0;
      const std::size_t long_one = k < 100 ? 300'000 : 2500;  // more than a batch, and not too much for the test
      for (const std::size_t length : {std::size_t{0}, std::size_t{3}, std::size_t{31}, std::size_t{2000}, long_one}) {
        std::string sequence;
        for (std::size_t i = 0; i < length; ++i) sequence += "ACGTacgt"[random() % 8];
        for (std::size_t i = 0; i < length / 1500; ++i) sequence[random() % length] = 'N';
        const texts some = plainly(sequence, k, canonical, skipped);
        expected.insert(expected.end(), some.begin(), some.end());
        fasta += ">s\n";
        const std::size_t line = 1 + random() % 100;
        for (std::size_t at = 0; at < length; at += line) fasta += sequence.substr(at, line) + "\n";
        fastq += "@s\n" + sequence + "\n+\n" + std::string(length, '@') + "\n";
      }
      for (const std::string& file : {fasta, fastq}) {
        const what_was_read all =
            k < 100 ? read_text(file, kmers(k, canonical)) : read_slowly(file, kmers(k, canonical), 700);
        ASSERT_EQ(all.keys.size(), expected.size()) << k;
        ASSERT_TRUE(all.keys == expected) << k << canonical;
        EXPECT_EQ(all.summary.other_letters, skipped) << k;
      }
    }
  }
  const std::string small = ">a\nACGTACGTNACG\nTTTT\n>b\r\nGATTACA\r\n";
  for (std::size_t step = 1; step < 20; ++step) {
    ASSERT_EQ(read_slowly(small, kmers(4, true), step).keys, read_text(small, kmers(4, true)).keys) << step;
  }
}

TEST(kmers, what_is_neither_is_named_with_its_place) {
  EXPECT_EQ(refusal("ACGT\n", kmers(3)), ": byte 0: a FASTA file begins with >, and a record of a FASTQ file with @");
  EXPECT_EQ(refusal("@a\nACGT\nACGT\n+\nIIIIIIII\n", kmers(3)),
            ": byte 8: a line with + comes after the sequence: a FASTQ record has four lines");
  EXPECT_EQ(refusal("@a\nACGT\n\n+\nIIII\n", kmers(3)),
            ": byte 8: a line with + comes after the sequence: a FASTQ record has four lines");
  EXPECT_EQ(refusal("@a\nACGT\n+\nIII\n@b\n", kmers(3)),
            ": byte 13: a record with 4 letters has 3 qualities before this place");
  EXPECT_EQ(refusal("@a\nACGT\n+\nII", kmers(3)),
            ": byte 12: a record with 4 letters has 2 qualities before this place");
  for (const char* const text : {"@a", "@a\nACGT", "@a\nACGT\n+", "@a\nACGT\n+\n"}) {
    EXPECT_NE(refusal(text, kmers(3)).find("the file ends in the middle of a record"), std::string::npos) << text;
  }
  EXPECT_NE(refusal("@a\nA\n+\nI\n>b\nA\n", kmers(3)).find("byte 9: a record begins with @"), std::string::npos);
}

// What came before is given first, and is canonical, too.
TEST(kmers, before_an_error) {
  const key_file file("@a\nGGG\n+\nIII\nx");
  key_input input({.files = {file.path()}, .format = kmers(3, true)});
  sluice_keys::key_batch batch;
  ASSERT_TRUE(input.next(batch));
  EXPECT_EQ(batch.texts, (std::vector<std::string_view>{"CCC"}));
  EXPECT_THROW(static_cast<void>(input.next(batch)), sluice::error);
}

TEST(kmers, literals) {
  EXPECT_EQ(sluice::detail::key_for(kmers(3).made, "ggg"), "GGG");
  EXPECT_EQ(sluice::detail::key_for(kmers(3, true).made, "GGG"), "CCC");
  for (const char* const text : {"", "GG", "GGGG", "GNG"}) {
    EXPECT_THROW(static_cast<void>(sluice::detail::key_for(kmers(3).made, text)), sluice::error) << text;
  }
}

}  // namespace
