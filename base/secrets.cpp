#include "base/secrets.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/bytes.hpp"

namespace browx {
namespace {

constexpr std::size_t kLongValue = 6;

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

bool name_char(char c, bool first) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
}

/// Bytes of the UTF-8 character that begins at `at` (1 for a stray byte).
std::size_t character_size(std::string_view text, std::size_t at) {
  std::size_t size = 1;
  if (static_cast<unsigned char>(text[at]) >= 0xC0)
    while (at + size < text.size() && size < 4 &&
           (static_cast<unsigned char>(text[at + size]) & 0xC0) == 0x80)
      ++size;
  return size;
}

char32_t code_point(std::string_view character) {
  const auto byte = [&](std::size_t i) {
    return static_cast<char32_t>(static_cast<unsigned char>(character[i]));
  };
  switch (character.size()) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
  }
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The number written in hex at [at, at+count), -1 when it is none.
long hex_number(std::string_view text, std::size_t at, std::size_t count) {
  if (at + count > text.size()) return -1;
  long value = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int digit = hex_digit(text[at + i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/// Collects where the text goes on after one character of a value, in each spelling that stands at `at`.
/// `level` says how often the text was JSON-escaped (a JSON text inside a JSON string: twice).
class Spellings {
 public:
  Spellings(std::string_view text, int level, std::vector<std::size_t>& ends)
      : text_(text), backslash_(std::size_t{1} << level), ends_(ends) {}

  void of(std::string_view character, std::size_t at) {
    if (at >= text_.size()) return;
    if (text_.substr(at).starts_with(character) && (backslash_ == 1 || character != "\\"))
      ends_.push_back(at + character.size());
    if (character == " " && text_[at] == '+') ends_.push_back(at + 1);
    switch (text_[at]) {
      case '%':
        percent(character, at);
        break;
      case '\\':
        json(character, at);
        break;
      case '&':
        html(character, at);
        break;
      default:
        break;
    }
  }

 private:
  /// %XX, and %25XX for what was encoded twice.
  void percent(std::string_view character, std::size_t at) {
    for (const char c : character) {
      if (at >= text_.size() || text_[at] != '%') return;
      ++at;
      while (text_.substr(at).starts_with("25") && hex_number(text_, at + 2, 2) >= 0) at += 2;
      if (hex_number(text_, at, 2) != static_cast<unsigned char>(c)) return;
      at += 2;
    }
    ends_.push_back(at);
  }

  /// \" \\ \/ \n \x41 \uXXXX
  void json(std::string_view character, std::size_t at) {
    if (backslash_ == 1) return;
    const auto backslashes = [&](std::size_t from, std::size_t count) {
      return from + count <= text_.size() &&
             text_.substr(from, count).find_first_not_of('\\') == std::string_view::npos;
    };
    if (character == "\\" && backslashes(at, backslash_)) ends_.push_back(at + backslash_);
    const std::size_t escape = backslash_ - 1, next = at + escape;
    if (next >= text_.size() || !backslashes(at, escape)) return;
    if (character.size() == 1) {
      static constexpr std::string_view kLetters = "\"/bfnrt'", kMeant = "\"/\b\f\n\r\t'";
      const auto letter = kLetters.find(text_[next]);
      if (letter != std::string_view::npos && kMeant[letter] == character[0]) ends_.push_back(next + 1);
      if (text_[next] == 'x' && hex_number(text_, next + 1, 2) == static_cast<unsigned char>(character[0]))
        ends_.push_back(next + 3);
    }
    if (text_[next] != 'u') return;
    const long unit = hex_number(text_, next + 1, 4);
    const char32_t wanted = code_point(character);
    if (wanted < 0x10000) {
      if (unit == static_cast<long>(wanted)) ends_.push_back(next + 5);
      return;
    }
    const std::size_t low = next + 5 + escape;  // the second half repeats the backslashes
    if (unit == static_cast<long>(0xD800 + ((wanted - 0x10000) >> 10)) && low < text_.size() &&
        text_[low] == 'u' &&
        hex_number(text_, low + 1, 4) == static_cast<long>(0xDC00 + ((wanted - 0x10000) & 0x3FF)))
      ends_.push_back(low + 5);
  }

  /// Named and numeric references.
  void html(std::string_view character, std::size_t at) {
    struct Named {
      std::string_view character, reference;
    };
    static constexpr std::array<Named, 6> kNamed{{{"&", "&amp;"},
                                                  {"<", "&lt;"},
                                                  {">", "&gt;"},
                                                  {"\"", "&quot;"},
                                                  {"'", "&apos;"},
                                                  {"\xC2\xA0", "&nbsp;"}}};
    const std::string_view rest = text_.substr(at);
    for (const auto& named : kNamed)
      if (character == named.character && rest.starts_with(named.reference))
        ends_.push_back(at + named.reference.size());
    if (!rest.starts_with("&#")) return;
    const bool hex = rest.size() > 2 && (rest[2] == 'x' || rest[2] == 'X');
    std::size_t i = hex ? 3 : 2;
    const std::size_t first = i;
    char32_t number = 0;
    for (; i < rest.size() && i < first + 7; ++i) {
      const int digit = hex_digit(rest[i]);
      if (digit < 0 || (!hex && digit > 9)) break;
      number = number * (hex ? 16 : 10) + static_cast<char32_t>(digit);
    }
    if (i > first && i < rest.size() && rest[i] == ';' && number == code_point(character))
      ends_.push_back(at + i + 1);
  }

  std::string_view text_;
  std::size_t backslash_;  ///< how many stand for one
  std::vector<std::size_t>& ends_;
};

/// End of the longest spelling of `value` that begins at `at`, read at one level; 0 when there is none. All
/// ways of reading are followed at once, as a set of positions.
std::size_t match_at_level(std::string_view text, std::size_t at, std::string_view value, int level,
                           bool& backslash) {
  std::vector<std::size_t> here{at}, next;
  for (std::size_t i = 0; i < value.size();) {
    const std::size_t size = character_size(value, i);
    next.clear();
    Spellings spellings(text, level, next);
    for (const std::size_t position : here) {
      backslash = backslash || (position < text.size() && text[position] == '\\');
      spellings.of(value.substr(i, size), position);
    }
    if (next.empty()) return 0;
    std::sort(next.begin(), next.end());
    next.erase(std::unique(next.begin(), next.end()), next.end());
    here.swap(next);
    i += size;
  }
  return here.back();
}

std::size_t match_at(std::string_view text, std::size_t at, std::string_view value) {
  bool backslash = false;
  std::size_t end = match_at_level(text, at, value, 0, backslash);
  for (int level = 1; level <= 3 && backslash; ++level)
    end = std::max(end, match_at_level(text, at, value, level, backslash));
  return end;
}

/// The base64 digits that `value` alone decides when `before` bytes precede it in its group of three.
std::string base64_core(std::string_view value, std::size_t before) {
  const std::string digits = base64_encode(std::string(before, '\0') + std::string(value));
  const std::size_t first = (before * 8 + 5) / 6, last = (before + value.size()) * 8 / 6;
  return digits.substr(first, last - first);
}

struct Hit {
  std::size_t from, to, entry, weight;
};

/// Replaces the hits; those that overlap become one, named by the longest value.
template <class Name>
std::string replace_hits(std::string_view text, std::vector<Hit> hits, Name name) {
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.from < b.from; });
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < hits.size();) {
    Hit all = hits[i++];
    for (; i < hits.size() && hits[i].from < all.to; ++i) {
      all.to = std::max(all.to, hits[i].to);
      if (hits[i].weight > all.weight) {
        all.weight = hits[i].weight;
        all.entry = hits[i].entry;
      }
    }
    // In JSON text a match may begin inside an escape ("\n" + "ame"): the backslash goes too, or it would
    // stand alone.
    std::size_t run = 0;
    while (all.from - run > done && text[all.from - run - 1] == '\\') ++run;
    if (run % 2 == 1) --all.from;
    out.append(text.substr(done, all.from - done));
    out += '<';
    out += name(all.entry);
    out += '>';
    done = all.to;
  }
  out.append(text.substr(done));
  return out;
}

}  // namespace

Status Secrets::add(std::string name, std::string value) {
  bool valid = !name.empty() && name.size() <= 64;
  for (std::size_t i = 0; valid && i < name.size(); ++i) valid = name_char(name[i], i == 0);
  if (!valid)
    return Error{Code::invalid_argument, fmt::format("\"{}\" cannot name a secret", to_valid_utf8(name)),
                 "Use letters, digits and _, at most 64, not beginning with a digit"};
  if (value.empty()) return Error{Code::invalid_argument, fmt::format("The secret {} has no value", name)};
  const auto known =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
  if (known != entries_.end())
    known->value = std::move(value);
  else
    entries_.push_back({std::move(name), std::move(value)});
  rebuild();
  return {};
}

std::vector<std::string> Secrets::names() const {
  std::vector<std::string> out;
  for (const auto& entry : entries_) out.push_back(entry.name);
  return out;
}

std::string_view Secrets::value(std::string_view name) const {
  for (const auto& entry : entries_)
    if (entry.name == name) return entry.value;
  return {};
}

std::string Secrets::substitute(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '<') {
      const std::size_t close = text.find('>', i);
      if (close != std::string_view::npos) {
        if (const std::string_view known = value(text.substr(i + 1, close - i - 1)); !known.empty()) {
          out += known;
          i = close + 1;
          continue;
        }
      }
    }
    out += text[i++];
  }
  return out;
}

bool Secrets::has_reference(std::string_view text) const {
  for (std::size_t i = text.find('<'); i != std::string_view::npos; i = text.find('<', i + 1)) {
    const std::size_t close = text.find('>', i);
    if (close != std::string_view::npos && !value(text.substr(i + 1, close - i - 1)).empty()) return true;
  }
  return false;
}

void Secrets::rebuild() {
  needles_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& value = entries_[i].value;
    if (characters(value) < kLongValue) continue;
    needles_.push_back({value, i});
    for (std::size_t before = 0; before < 3; ++before) {
      std::string core = base64_core(value, before);
      needles_.push_back({core, i});
      std::string url_safe = core;
      std::replace(url_safe.begin(), url_safe.end(), '+', '-');
      std::replace(url_safe.begin(), url_safe.end(), '/', '_');
      if (url_safe != core) needles_.push_back({std::move(url_safe), i});
    }
  }
  std::stable_sort(needles_.begin(), needles_.end(),
                   [](const Needle& a, const Needle& b) { return a.text.size() > b.text.size(); });
}

std::string Secrets::mask(std::string_view text) const {
  if (needles_.empty()) return std::string(text);
  std::array<bool, 256> starts{};
  for (const char c : {'%', '\\', '&'}) starts[static_cast<unsigned char>(c)] = true;
  for (const auto& needle : needles_) {
    starts[static_cast<unsigned char>(needle.text[0])] = true;
    if (needle.text[0] == ' ') starts[static_cast<unsigned char>('+')] = true;
  }
  std::vector<Hit> hits;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (!starts[static_cast<unsigned char>(c)]) continue;
    const bool encoded = c == '%' || c == '\\' || c == '&' || c == '+';
    for (const auto& needle : needles_) {
      if (!encoded && needle.text[0] != c) continue;
      if (const std::size_t end = match_at(text, at, needle.text))
        hits.push_back({at, end, needle.entry, entries_[needle.entry].value.size()});
    }
  }
  if (hits.empty()) return std::string(text);
  return replace_hits(text, std::move(hits), [&](std::size_t entry) { return entries_[entry].name; });
}

std::string Secrets::mask_short(std::string_view text) const {
  std::string masked = mask(text);
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::string& value = entries_[i].value;
    if (characters(value) >= kLongValue) continue;
    for (std::size_t at = 0; at < masked.size(); ++at)
      if (const std::size_t end = match_at(masked, at, value)) hits.push_back({at, end, i, value.size()});
  }
  if (hits.empty()) return masked;
  // What mask() put in stays whole, even where a short value occurs in a secret's name.
  std::erase_if(hits, [&](const Hit& hit) {
    const std::size_t open = masked.rfind('<', hit.from), close = masked.find('>', hit.from);
    return open != std::string::npos && close != std::string::npos && hit.to <= close &&
           !value(std::string_view(masked).substr(open + 1, close - open - 1)).empty();
  });
  return replace_hits(masked, std::move(hits), [&](std::size_t entry) { return entries_[entry].name; });
}

void Secrets::mask_json(Json& value) const {
  if (needles_.empty()) return;
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (std::string masked = mask(text); masked != text) value = std::move(masked);
  } else if (value.is_array()) {
    for (auto& item : value) mask_json(item);
  } else if (value.is_object()) {
    std::vector<std::pair<std::string, std::string>> renamed;
    for (auto& [key, member] : value.items()) {
      mask_json(member);
      if (std::string masked = mask(key); masked != key) renamed.emplace_back(key, std::move(masked));
    }
    for (auto& [from, to] : renamed) {
      Json member = std::move(value[from]);
      value.erase(from);
      value[to] = std::move(member);
    }
  }
}

}  // namespace browx
