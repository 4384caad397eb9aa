#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fontconfig/fontconfig.h>
#include <imgui.h>

#include "player/ui/theme.hpp"

namespace browx::player {
namespace {

struct Face {
  std::string path;
  int index = 0;
};

/// What fontconfig answers to a wish; empty when it knows no font at all.
class FontFinder {
 public:
  FontFinder() : config_(FcInitLoadConfigAndFonts()) {}
  ~FontFinder() {
    if (config_) FcConfigDestroy(config_);
  }
  FontFinder(const FontFinder&) = delete;
  FontFinder& operator=(const FontFinder&) = delete;

  Face find(const char* family, int weight, bool mono, char32_t has = 0) const {
    if (!config_) return {};
    FcPattern* wish = FcPatternCreate();
    if (family) FcPatternAddString(wish, FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcPatternAddString(wish, FC_FAMILY, reinterpret_cast<const FcChar8*>(mono ? "monospace" : "sans-serif"));
    FcPatternAddInteger(wish, FC_WEIGHT, weight);
    FcPatternAddInteger(wish, FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddBool(wish, FC_COLOR, FcFalse);
    FcPatternAddBool(wish, FC_SCALABLE, FcTrue);
    FcCharSet* needed = nullptr;
    if (has) {
      needed = FcCharSetCreate();
      FcCharSetAddChar(needed, has);
      FcPatternAddCharSet(wish, FC_CHARSET, needed);
    }
    FcConfigSubstitute(config_, wish, FcMatchPattern);
    FcDefaultSubstitute(wish);
    FcResult result = FcResultMatch;
    FcPattern* match = FcFontMatch(config_, wish, &result);
    Face face;
    if (match) {
      FcChar8* file = nullptr;
      FcCharSet* covers = nullptr;
      FcBool scalable = FcFalse, colour = FcFalse;
      FcPatternGetBool(match, FC_SCALABLE, 0, &scalable);
      FcPatternGetBool(match, FC_COLOR, 0, &colour);
      const bool covered = !has || (FcPatternGetCharSet(match, FC_CHARSET, 0, &covers) == FcResultMatch &&
                                    FcCharSetHasChar(covers, has));
      if (covered && scalable && !colour && FcPatternGetString(match, FC_FILE, 0, &file) == FcResultMatch) {
        face.path = reinterpret_cast<const char*>(file);
        FcPatternGetInteger(match, FC_INDEX, 0, &face.index);
        face.index &= 0xffff;
      }
      FcPatternDestroy(match);
    }
    if (needed) FcCharSetDestroy(needed);
    FcPatternDestroy(wish);
    return face;
  }

  /// Those of `codes` that the face covers.
  static std::set<char32_t> covered(const Face& face, const std::set<char32_t>& codes) {
    std::set<char32_t> out;
    int count = 0;
    FcPattern* pattern = FcFreeTypeQuery(reinterpret_cast<const FcChar8*>(face.path.c_str()),
                                         static_cast<unsigned>(face.index), nullptr, &count);
    if (!pattern) return out;
    FcCharSet* covers = nullptr;
    if (FcPatternGetCharSet(pattern, FC_CHARSET, 0, &covers) == FcResultMatch)
      for (const char32_t code : codes)
        if (FcCharSetHasChar(covers, code)) out.insert(code);
    FcPatternDestroy(pattern);
    return out;
  }

 private:
  FcConfig* config_;
};

/// What the program itself says.
constexpr char32_t kOwn[] =
    U"–—…×·→←↑↓▶⏸●○✓✕≈µ±°“”‘’•└├│─■▲▼\ufffd";

ImVector<ImWchar> ranges_of(const std::set<char32_t>& codes) {
  ImFontGlyphRangesBuilder builder;
  for (const char32_t code : codes) builder.AddChar(static_cast<ImWchar>(code));
  ImVector<ImWchar> out;
  builder.BuildRanges(&out);
  return out;
}

}  // namespace

Fonts load_fonts(double scale, const std::u32string& used) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;

  std::set<char32_t> wanted;
  for (char32_t code = 0x20; code < 0x250; ++code)
    if (code < 0x7f || code >= 0xa0) wanted.insert(code);
  for (const char32_t code : kOwn)
    if (code) wanted.insert(code);
  for (const char32_t code : used)
    if (code >= 0xa0 && code <= 0xffff) wanted.insert(code);

  const FontFinder finder;
  // The atlas reads ranges when it is built, at the end of this function.
  std::vector<std::unique_ptr<ImVector<ImWchar>>> ranges;
  const auto add = [&](const char* family, int weight, bool mono, double size) -> ImFont* {
    ImFontConfig config;
    const float pixels = static_cast<float>(size * scale);
    ImFont* font = nullptr;
    std::set<char32_t> left = wanted;
    const auto use = [&](const Face& face) {
      const auto covered = FontFinder::covered(face, left);
      if (covered.empty()) return false;
      ranges.push_back(std::make_unique<ImVector<ImWchar>>(ranges_of(covered)));
      config.FontNo = face.index;
      config.OversampleH = config.OversampleV = 2;
      ImFont* added = atlas.AddFontFromFileTTF(face.path.c_str(), pixels, &config, ranges.back()->Data);
      if (!added) return false;
      font = added;
      config.MergeMode = true;
      for (const char32_t code : covered) left.erase(code);
      return true;
    };
    if (const Face face = finder.find(family, weight, mono); !face.path.empty()) use(face);
    if (!font) {
      ImFontConfig own;
      own.SizePixels = pixels;
      return atlas.AddFontDefault(&own);
    }
    // A few more faces for what is missing; a code point that none has is shown escaped.
    std::set<std::string> tried;
    for (int faces = 0; faces < 6 && !left.empty();) {
      const char32_t code = *left.begin();
      const Face face = finder.find(nullptr, weight, mono, code);
      if (face.path.empty() || !tried.insert(face.path).second || !use(face))
        left.erase(code);
      else
        ++faces;
    }
    return font;
  };
  Fonts fonts;
  fonts.text = add("Inter", FC_WEIGHT_REGULAR, false, 14);
  fonts.strong = add("Inter", FC_WEIGHT_DEMIBOLD, false, 14);
  fonts.small = add("Inter", FC_WEIGHT_REGULAR, false, 12);
  fonts.mono = add("JetBrains Mono", FC_WEIGHT_REGULAR, true, 12.5);
  atlas.Build();
  ImGui::GetIO().FontDefault = fonts.text;
  return fonts;
}

}  // namespace browx::player
