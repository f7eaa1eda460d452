#include "io/formats/xyz/xyz_comment.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::io {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_special(char c) {
  return std::string_view("\"{}[]\\").find(c) != std::string_view::npos;
}

/// A key or a value.
struct Item {
  std::string text;
  std::size_t rows = 0;
};

class CommentParser {
 public:
  explicit CommentParser(std::string_view line) : line_(line) {}

  XyzComment parse() {
    XyzComment comment;
    try {
      for (skip(" \t\r,"); !at_end(); skip(" \t\r,")) {
        take_entry(comment);
      }
    } catch (const InputError& error) {
      comment.problem = error.what();
    }
    return comment;
  }

 private:
  bool at_end() const { return at_ == line_.size(); }
  char here() const { return line_[at_]; }
  void skip(std::string_view characters) {
    at_ = std::min(line_.find_first_not_of(characters, at_), line_.size());
  }
  [[noreturn]] void refuse(const std::string& problem, std::size_t begin) const {
    throw InputError(problem + " in '" + std::string(line_.substr(begin, 40)) + "'");
  }

  void take_entry(XyzComment& comment) {
    const std::size_t begin = at_;
    if (here() == '=') {
      refuse("no key before '='", begin);
    }
    const Item key = take_item();
    skip(" \t\r");
    if (at_end() || here() != '=') {
      comment.words.push_back(key.text);
      return;
    }
    ++at_;
    skip(" \t\r");
    if (at_end() || here() == '=' || here() == ',') {
      refuse("no value behind '='", begin);
    }
    Item value = take_item();
    comment.entries.push_back(
        {key.text, lower_case(key.text), std::move(value.text), value.rows});
  }

  Item take_item() {
    const std::size_t begin = at_;
    Item item;
    switch (here()) {
      case '"':
      case '\'':
        item = take_quoted(here());
        break;
      case '{':
      case '[':
        item = take_bracketed();
        break;
      default:
        return take_bare();
    }
    if (!at_end() && !is_blank(here()) && here() != '=' && here() != ',') {
      refuse("no blank behind the end of a value", begin);
    }
    return item;
  }

  Item take_bare() {
    const std::size_t begin = at_;
    Item item;
    for (; !at_end() && !is_blank(here()) && here() != '='; ++at_) {
      if (here() == '\\' && at_ + 1 < line_.size()) {
        ++at_;
      } else if (is_special(here())) {
        refuse(std::string("'") + here() + "' in a word without quotes", begin);
      }
      item.text += here();
    }
    while (item.text.size() > 1 && item.text.back() == ',') {
      item.text.pop_back();
    }
    return item;
  }

  Item take_quoted(char quote) {
    const std::size_t begin = at_++;
    Item item;
    for (; !at_end() && here() != quote; ++at_) {
      if (here() == '\\' && at_ + 1 < line_.size()) {
        ++at_;
        item.text += here() == 'n' ? '\n' : here();
      } else {
        item.text += here();
      }
    }
    if (at_end()) {
      refuse(std::string("no closing ") + quote, begin);
    }
    ++at_;
    return item;
  }

  /// Parses {words}, [a, b] or [[a, b], [c, d]]; inner brackets become blanks.
  Item take_bracketed() {
    const std::size_t begin = at_;
    const char open = here();
    const char close = open == '{' ? '}' : ']';
    Item item;
    int depth = 0;
    do {
      if (at_end()) {
        refuse(std::string("no closing ") + close, begin);
      }
      const char c = here();
      if (c == '"') {
        item.text += take_quoted('"').text;
        continue;
      }
      if (c == open) {
        ++depth;
        item.rows += depth == 2 ? 1 : 0;
        item.text += depth > 1 ? " " : "";
      } else if (c == close) {
        --depth;
        item.text += depth > 0 ? " " : "";
      } else if (c == '\\' && at_ + 1 < line_.size()) {
        item.text += line_[++at_];
      } else {
        item.text += c;
      }
      ++at_;
    } while (depth > 0);
    return item;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

XyzComment parse_xyz_comment(std::string_view line) {
  return CommentParser(line).parse();
}

bool has_entry(const XyzComment& comment, std::string_view lower_key) {
  return std::any_of(
      comment.entries.begin(), comment.entries.end(),
      [lower_key](const XyzEntry& entry) { return entry.lower_key == lower_key; });
}

bool is_extended(const XyzComment& comment) {
  return has_entry(comment, "lattice") || has_entry(comment, "properties") ||
         has_entry(comment, "pbc");
}

std::vector<std::string> words_of(std::string_view value) {
  constexpr std::string_view between = " \t\r\n,";
  std::vector<std::string> words;
  for (;;) {
    value.remove_prefix(std::min(value.find_first_not_of(between), value.size()));
    if (value.empty()) {
      return words;
    }
    const std::size_t end = std::min(value.find_first_of(between), value.size());
    words.emplace_back(value.substr(0, end));
    value.remove_prefix(end);
  }
}

}  // namespace starhist::io
