#pragma once
// What readers are told that no row says by itself. Pure functions over facts. Private to this folder.
// Thread: any.

#include <vector>

#include "archive/model/facts.hpp"
#include "archive/reader.hpp"

namespace browx::archive {

/// `events` in order; the address comes from the payload, else from the page that the target showed.
std::vector<Step> derive_steps(const std::vector<Event>& events, const std::vector<Document>& documents);

/// Top documents of tabs with the last title that each had.
std::vector<Page> derive_pages(const std::vector<Event>& events, const std::vector<Document>& documents,
                               const std::vector<Target>& targets);

}  // namespace browx::archive
