#include "player/lanes/lane.hpp"

#include <algorithm>
#include <cmath>

namespace browx::player {
namespace {
constexpr double kThin = 1.0;  // narrower bars are folded
}

void Lane::finish(std::uint16_t most) {
  most = std::max<std::uint16_t>(most, 1);
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.from < b.from; });
  std::vector<Time> free;  // by row, when it has room again
  for (Item& item : items) {
    item.to = std::max(item.to, item.from);
    if (most == 1) {
      item.row = 0;
      continue;
    }
    const auto open = std::find_if(free.begin(), free.end(), [&](Time until) { return until <= item.from; });
    if (open != free.end()) {
      item.row = static_cast<std::uint16_t>(open - free.begin());
    } else if (free.size() < most) {
      item.row = static_cast<std::uint16_t>(free.size());
      free.push_back({});
    } else {
      item.row = static_cast<std::uint16_t>(std::min_element(free.begin(), free.end()) - free.begin());
    }
    free[item.row] = std::max(free[item.row], item.to);
  }
  std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.row < b.row; });
  rows = static_cast<std::uint16_t>(std::max<std::size_t>(free.size(), 1));
  spans_.assign(rows, {});
  reach_.assign(items.size(), 0);
  severe_.assign(items.size() + 1, 0);
  std::size_t i = 0;
  for (std::uint16_t row = 0; row < rows; ++row) {
    Row& span = spans_[row];
    span.begin = i;
    std::int64_t reach = INT64_MIN;
    for (; i < items.size() && items[i].row == row; ++i) {
      reach = reach_[i] = std::max(reach, items[i].to.us);
      span.longest = std::max(span.longest, items[i].to.us - items[i].from.us);
      severe_[i + 1] = severe_[i] + (items[i].tone >= Tone::warning);
    }
    span.end = i;
  }
}

std::vector<Mark> Lane::fold(const Viewport& viewport) const {
  std::vector<Mark> out;
  const Time from = viewport.from(), to = viewport.to();
  const double right = viewport.width();
  for (std::uint16_t row = 0; row < spans_.size(); ++row) {
    const Row& span = spans_[row];
    const auto begin = items.begin() + static_cast<std::ptrdiff_t>(span.begin),
               end = items.begin() + static_cast<std::ptrdiff_t>(span.end);
    // The first item that may still reach into view, and the first that begins behind it.
    std::size_t i =
        span.begin + static_cast<std::size_t>(
                         std::lower_bound(reach_.begin() + static_cast<std::ptrdiff_t>(span.begin),
                                          reach_.begin() + static_cast<std::ptrdiff_t>(span.end), from.us) -
                         (reach_.begin() + static_cast<std::ptrdiff_t>(span.begin)));
    const std::size_t last = static_cast<std::size_t>(
        std::upper_bound(begin, end, to, [](Time t, const Item& item) { return t < item.from; }) -
        items.begin());
    const bool all_thin = static_cast<double>(span.longest) < kThin * viewport.us_per_pixel();
    double column = -1e300;  // of the thin mark being filled
    std::size_t filled = 0;  // its index in `out`
    const auto fold_in = [&](std::size_t item, std::uint32_t count, std::size_t worst) {
      const double x = std::floor(viewport.x(items[item].from));
      if (x == column) {
        Mark& mark = out[filled];
        mark.count += count;
        if (items[worst].tone > mark.tone) {
          mark.tone = items[worst].tone;
          mark.shape = items[worst].shape;
          mark.item = static_cast<std::uint32_t>(worst);
        }
        return;
      }
      column = x;
      filled = out.size();
      out.push_back({static_cast<float>(x), static_cast<float>(x + 1), row, items[worst].tone,
                     items[worst].shape, count, static_cast<std::uint32_t>(worst)});
    };
    while (i < last) {
      const Item& item = items[i];
      if (all_thin) {
        const double x = std::floor(viewport.x(item.from));
        std::size_t next = static_cast<std::size_t>(
            std::partition_point(items.begin() + static_cast<std::ptrdiff_t>(i),
                                 items.begin() + static_cast<std::ptrdiff_t>(last),
                                 [&](const Item& one) { return std::floor(viewport.x(one.from)) <= x; }) -
            items.begin());
        next = std::max(next, i + 1);
        std::size_t worst = i;
        if (severe_[next] > severe_[i]) {
          // Looks at the severe ones alone, by their prefix counts.
          for (std::size_t k = i; k < next;) {
            k = static_cast<std::size_t>(
                    std::upper_bound(severe_.begin() + static_cast<std::ptrdiff_t>(k) + 1,
                                     severe_.begin() + static_cast<std::ptrdiff_t>(next) + 1, severe_[k]) -
                    severe_.begin()) -
                1;
            if (k >= next) break;
            if (items[k].tone > items[worst].tone) worst = k;
            if (items[worst].tone == Tone::bad) break;
            ++k;
          }
        }
        fold_in(i, static_cast<std::uint32_t>(next - i), worst);
        i = next;
        continue;
      }
      if (item.to >= from) {
        const double x0 = viewport.x(item.from), x1 = viewport.x(item.to);
        if (x1 - x0 < kThin) {
          fold_in(i, 1, i);
        } else {
          out.push_back({static_cast<float>(std::max(x0, -4.0)), static_cast<float>(std::min(x1, right + 4)),
                         row, item.tone, item.shape, 1, static_cast<std::uint32_t>(i)});
        }
      }
      ++i;
    }
  }
  return out;
}

std::size_t Lane::at(const Viewport& viewport, double x, int row, double reach) const {
  std::size_t found = items.size();
  double best = reach;
  if (row < 0 || row >= static_cast<int>(spans_.size())) return found;
  const Row& span = spans_[static_cast<std::size_t>(row)];
  const Time low = viewport.time_at(x - reach), high = viewport.time_at(x + reach);
  const auto first = reach_.begin() + static_cast<std::ptrdiff_t>(span.begin);
  std::size_t i =
      span.begin +
      static_cast<std::size_t>(
          std::lower_bound(first, reach_.begin() + static_cast<std::ptrdiff_t>(span.end), low.us) - first);
  for (; i < span.end && items[i].from <= high; ++i) {
    const double x0 = viewport.x(items[i].from), x1 = std::max(viewport.x(items[i].to), x0 + 1);
    const double distance = x < x0 ? x0 - x : x > x1 ? x - x1 : 0;
    if (distance > best || (distance == best && found != items.size() && items[i].tone < items[found].tone))
      continue;
    best = distance;
    found = i;
  }
  return found;
}

}  // namespace browx::player
